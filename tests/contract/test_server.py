"""What we rely on in the embedded server."""

from knowledge.database.connection import Database


def test_a_fresh_server_answers_as_the_version_that_was_asked_for(database: Database, neo4j_version: str) -> None:
    year, month = map(int, neo4j_version.split("."))
    assert database.capability.version == (year, month)
    assert database.read("MATCH (n) RETURN count(n) AS c") == [{"c": 0}]
