"""The Cypher that our statements are made of."""

import pytest

from knowledge.database.connection import Database
from knowledge.errors import StatementError


@pytest.fixture
def chain(database: Database) -> Database:
    database.write("UNWIND range(1, 6) AS i CREATE (:E {i: i})")
    database.write(
        "MATCH (a:E), (b:E) WHERE b.i = a.i + 1 CREATE (a)-[:R {name: 'next', valid_from: datetime('0001-01-01T00:00:00Z')}]->(b)"
    )
    return database


def test_dates_travel_as_text_and_the_open_ends_come_back(database: Database) -> None:
    row = database.write(
        "CREATE (n:E {start: datetime($start), end: datetime($end)}) RETURN n.start AS start, n.end AS end",
        {"start": "0001-01-01T00:00:00Z", "end": "9999-12-31T00:00:00Z"},
    )[0]
    assert [row[name].to_native().isoformat() for name in ("start", "end")] == ["0001-01-01T00:00:00+00:00", "9999-12-31T00:00:00+00:00"]


def test_dates_of_one_zone_are_compared_by_indexes(database: Database) -> None:
    database.schema("CREATE INDEX d FOR (n:E) ON (n.at)")
    database.write("UNWIND range(2000, 2020) AS y CREATE (:E {at: datetime(y + '-01-01T00:00:00Z')})")
    rows = database.read("MATCH (n:E) WHERE n.at >= datetime($a) AND n.at < datetime($b) RETURN count(n) AS c", {"a": "2005", "b": "2010"})
    assert rows == [{"c": 5}]


@pytest.mark.parametrize("statement", ["MATCH p = (:E)-[:R*1..$n]->() RETURN p", "MATCH p = (:E)-[:R]->{1,$n}() RETURN p"])
def test_the_bounds_of_a_path_cannot_be_parameters(chain: Database, statement: str) -> None:
    with pytest.raises(StatementError):
        chain.read(statement, {"n": 3})


def test_paths_of_bounded_length_with_a_condition_on_every_step(chain: Database) -> None:
    statement = (
        "MATCH p = (a:E {i: 1})((x)-[r:R]->(y) WHERE r.name = $name AND y.i < 5){1,4}(b) "
        "RETURN b.i AS end, [f IN relationships(p) | f.name] AS names ORDER BY end"
    )
    found = chain.read(statement, {"name": "next"})
    assert [row["end"] for row in found] == [2, 3, 4]
    assert found[-1]["names"] == ["next"] * 3


@pytest.mark.parametrize("k", [1, 3])
def test_the_shortest_paths_between_two_nodes(chain: Database, k: int) -> None:
    chain.write("MATCH (a:E {i: 1}), (b:E {i: 4}) CREATE (a)-[:R {name: 'jump'}]->(b)")
    found = chain.read(f"MATCH p = SHORTEST {k} (a:E {{i: 1}})-[:R]-{{1,5}}(b:E {{i: 5}}) RETURN length(p) AS length ORDER BY length")
    assert found[0] == {"length": 2}
    assert len(found) <= k


def test_subqueries_see_the_variables_they_name(chain: Database) -> None:
    rows = chain.read(
        "UNWIND [1, 2] AS i MATCH (a:E {i: i}) CALL (a) { MATCH (a)-[:R]->(b) RETURN b LIMIT 1 } "
        "RETURN a.i AS a, b.i AS b, COUNT { (a)-[:R]-() } AS degree, COLLECT { MATCH (a)--(c) RETURN c.i ORDER BY c.i } AS near ORDER BY a"
    )
    assert rows == [{"a": 1, "b": 2, "degree": 1, "near": [2]}, {"a": 2, "b": 3, "degree": 2, "near": [1, 3]}]


def test_what_the_database_holds_is_described_by_procedures(chain: Database) -> None:
    nodes = chain.read("CALL db.schema.nodeTypeProperties() YIELD nodeLabels, propertyName RETURN nodeLabels, propertyName")
    relations = chain.read("CALL db.schema.relTypeProperties() YIELD relType, propertyName RETURN relType, propertyName")
    assert nodes == [{"nodeLabels": ["E"], "propertyName": "i"}]
    assert {row["relType"] for row in relations} == {":`R`"}


def test_the_language_of_newer_servers_is_known_where_the_capability_says_so(database: Database) -> None:
    if database.capability.cypher25:
        assert database.read("CYPHER 25 RETURN 1 AS one") == [{"one": 1}]
    else:
        with pytest.raises(StatementError):
            database.read("CYPHER 25 RETURN 1 AS one")


@pytest.mark.parametrize("name", ["a`b", "x`) DETACH DELETE n //", "空 格", "`"])
def test_names_in_back_ticks_with_doubled_back_ticks_are_only_names(database: Database, name: str) -> None:
    quoted = name.replace("`", "``")
    database.write(f"CREATE (:`{quoted}` {{i: 1}})")
    assert database.read("MATCH (n) RETURN labels(n) AS labels") == [{"labels": [name]}]


def test_neither_apoc_nor_gds_is_there(database: Database) -> None:
    found = database.read("SHOW PROCEDURES YIELD name WHERE name STARTS WITH 'apoc' OR name STARTS WITH 'gds' RETURN name")
    assert found == []


def test_a_thousand_rows_travel_in_one_statement(database: Database) -> None:
    rows = [{"i": i, "text": "x" * 1000} for i in range(1000)]
    assert database.write("UNWIND $rows AS row CREATE (n:E) SET n = row RETURN count(n) AS c", {"rows": rows}) == [{"c": 1000}]
