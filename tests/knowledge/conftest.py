"""A memory-shaped database without content: its constraints and indexes stay from test to test."""

import pytest

from knowledge.database import ddl
from knowledge.database.connection import Database


@pytest.fixture
def memory(request: pytest.FixtureRequest, shared_database: Database) -> Database:
    found = ddl.stored(shared_database)
    if found != ddl.Stored("memory", ddl.SCHEMA_VERSION):
        request.getfixturevalue("database")
    while shared_database.write("MATCH (n) WHERE NOT n:GavelSchema WITH n LIMIT 5000 DETACH DELETE n RETURN count(*) AS gone")[0]["gone"]:
        pass
    ddl.ensure(shared_database, "memory")
    return shared_database
