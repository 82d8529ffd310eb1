"""Uniqueness is what identity rests on."""

import threading
from typing import Any

import pytest

from knowledge.database.connection import Database
from knowledge.errors import StatementError


def raised(database: Database, statement: str, **parameters: Any) -> StatementError:
    with pytest.raises(StatementError) as caught:
        database.write(statement, parameters)
    return caught.value


def test_several_properties_together_are_unique_on_nodes(database: Database) -> None:
    database.schema("CREATE CONSTRAINT c FOR (n:E) REQUIRE (n.group, n.key) IS UNIQUE")
    database.write("UNWIND [['a', 1], ['a', 2], ['b', 1]] AS p CREATE (:E {group: p[0], key: p[1]})")
    error = raised(database, "CREATE (:E {group: 'a', key: 1})")
    assert "ConstraintValidationFailed" in error.code
    assert error.retryable


def test_several_properties_together_are_unique_on_relationships(database: Database) -> None:
    database.schema("CREATE CONSTRAINT c FOR ()-[r:R]-() REQUIRE (r.name, r.from, r.known_to) IS UNIQUE")
    database.write("CREATE (a:E)-[:R {name: 'x', from: 'a', known_to: datetime('9999-12-31T00:00:00Z')}]->(b:E)")
    again = "MATCH (a:E) WITH a LIMIT 1 CREATE (a)-[:R {name: 'x', from: 'a', known_to: datetime($to)}]->(:E)"
    assert "ConstraintValidationFailed" in raised(database, again, to="9999-12-31T00:00:00Z").code
    database.write(again, {"to": "2020-01-01T00:00:00Z"})


def test_elements_that_lack_one_of_the_properties_are_not_compared(database: Database) -> None:
    database.schema("CREATE CONSTRAINT c FOR (n:E) REQUIRE (n.group, n.key) IS UNIQUE")
    database.write("CREATE (:E {group: 'a'}), (:E {group: 'a'})")


@pytest.mark.parametrize("demand", ["n.key IS NOT NULL", "(n.group, n.key) IS NODE KEY", "n.key IS :: STRING"])
def test_community_refuses_existence_key_and_type_constraints(database: Database, demand: str) -> None:
    with pytest.raises(StatementError, match="Enterprise"):
        database.schema(f"CREATE CONSTRAINT c FOR (n:E) REQUIRE {demand}")


def test_a_constraint_cannot_be_made_over_duplicates(database: Database) -> None:
    database.write("CREATE (:E {key: 1}), (:E {key: 1})")
    with pytest.raises(StatementError):
        database.schema("CREATE CONSTRAINT c FOR (n:E) REQUIRE n.key IS UNIQUE")
    assert database.read("SHOW CONSTRAINTS YIELD name RETURN name") == []


def test_making_a_constraint_or_index_twice_is_harmless(database: Database) -> None:
    for _ in range(2):
        database.schema("CREATE CONSTRAINT c IF NOT EXISTS FOR (n:E) REQUIRE n.key IS UNIQUE")
        database.schema("CREATE INDEX i IF NOT EXISTS FOR (n:E) ON (n.group, n.name)")
    assert len(database.read("SHOW INDEXES YIELD type WHERE type = 'RANGE' RETURN type")) == 2


def test_eight_writers_of_the_same_names_never_make_a_duplicate(database: Database) -> None:
    database.schema("CREATE CONSTRAINT c FOR (n:E) REQUIRE (n.group, n.key) IS UNIQUE")
    problems: list[Exception] = []

    def work(order: int) -> None:
        keys = [f"k{(i * (order + 1)) % 53}" for i in range(53)]
        try:
            for start in range(0, 53, 10):
                database.write(
                    "UNWIND $keys AS key MERGE (n:E {group: 'g', key: key}) ON CREATE SET n.seen = 1 ON MATCH SET n.seen = n.seen + 1",
                    {"keys": keys[start : start + 10]},
                )
        except Exception as error:
            problems.append(error)

    threads = [threading.Thread(target=work, args=(order,)) for order in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert problems == []
    assert database.read("MATCH (n:E) RETURN count(n) AS nodes, sum(n.seen) AS seen") == [{"nodes": 53, "seen": 8 * 53}]
