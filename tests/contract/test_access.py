"""READ mode is the boundary on Community, which has no roles: proven by trying."""

import pytest
from neo4j import READ_ACCESS, GraphDatabase, RoutingControl
from neo4j.exceptions import ClientError

from knowledge.database.connection import Database
from knowledge.database.embedded import Running
from knowledge.errors import StatementError

WRITES = [
    "CREATE (:Intruder)",
    "MERGE (:Intruder {id: 1})",
    "MATCH (n:Kept) SET n.name = 'changed'",
    "MATCH (n:Kept) SET n:Intruder",
    "MATCH (n:Kept) REMOVE n.name",
    "MATCH (n:Kept) DETACH DELETE n",
    "MATCH (n:Kept) CALL (n) { CREATE (n)-[:KNOWS]->(:Intruder) }",
    "MATCH (n:Kept) CALL db.create.setNodeVectorProperty(n, 'v', [1.0, 2.0])",
    "CALL db.createLabel('Intruder')",
    "CREATE INDEX intruder FOR (n:Kept) ON (n.name)",
    "CREATE CONSTRAINT intruder FOR (n:Kept) REQUIRE n.name IS UNIQUE",
    "CREATE FULLTEXT INDEX intruder FOR (n:Kept) ON EACH [n.name]",
    "DROP INDEX kept",
    "DROP CONSTRAINT kept IF EXISTS",
    "CREATE USER intruder SET PASSWORD 'intruder-password'",
    "ALTER CURRENT USER SET PASSWORD FROM 'a' TO 'another-password'",
    "FOREACH (i IN [1] | CREATE (:Intruder))",
]


def picture(database: Database) -> list[object]:
    return [
        database.read("MATCH (n) RETURN labels(n) AS labels, properties(n) AS properties"),
        database.read("SHOW INDEXES YIELD name, type WHERE type <> 'LOOKUP' RETURN name ORDER BY name"),
        database.read("SHOW CONSTRAINTS YIELD name RETURN name ORDER BY name"),
        database.read("SHOW USERS YIELD user RETURN user"),
    ]


@pytest.fixture
def kept(database: Database) -> list[object]:
    database.write("CREATE (:Kept {name: 'kept'})")
    database.schema("CREATE INDEX kept FOR (n:Kept) ON (n.other)")
    return picture(database)


@pytest.mark.parametrize("statement", WRITES)
def test_a_read_refuses_to_change_anything(database: Database, kept: list[object], statement: str) -> None:
    with pytest.raises(StatementError):
        database.read(statement)
    assert picture(database) == kept


def test_the_drivers_own_doors_refuse_too_when_they_are_told_to_read(server: Running, database: Database, kept: list[object]) -> None:
    with GraphDatabase.driver(server.uri, auth=(server.user, server.password)) as driver:
        with pytest.raises(ClientError):
            driver.execute_query("CREATE (:Intruder)", routing_=RoutingControl.READ)
        with driver.session(default_access_mode=READ_ACCESS) as session, pytest.raises(ClientError):
            session.run("CREATE (:Intruder)").consume()
    assert picture(database) == kept


def test_a_misspelt_access_mode_is_only_a_parameter_and_writes(server: Running, database: Database) -> None:
    """Why Database chooses the mode itself and passes parameters in a mapping."""
    with GraphDatabase.driver(server.uri, auth=(server.user, server.password)) as driver:
        driver.execute_query("CREATE (:Intruder)", routing=RoutingControl.READ)
    assert database.read("MATCH (n:Intruder) RETURN count(n) AS c") == [{"c": 1}]


@pytest.mark.parametrize(
    "statement",
    ["SHOW USERS YIELD user RETURN user", "SHOW TRANSACTIONS YIELD transactionId RETURN 1 LIMIT 1", "CALL db.clearQueryCaches()"],
)
def test_what_read_mode_lets_through_and_a_guard_must_stop(database: Database, statement: str) -> None:
    assert database.read(statement)


def test_explain_runs_nothing(database: Database) -> None:
    database.write("EXPLAIN CREATE (:Intruder)")
    assert database.read("MATCH (n) RETURN count(n) AS c") == [{"c": 0}]
