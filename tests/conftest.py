"""One embedded Neo4j per test session, and a clean database per test that asks for one."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from knowledge.database.connection import Database
from knowledge.database.embedded import EmbeddedServer, Running
from tests import postgres as postgres_server


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--neo4j-version", default="2026.09", help="the embedded Neo4j that the tests run against: 2026.09 or 5.26")


@pytest.fixture(scope="session")
def neo4j_version(request: pytest.FixtureRequest) -> str:
    return str(request.config.getoption("--neo4j-version"))


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory, neo4j_version: str) -> Iterator[Running]:
    """A server of this session alone."""
    folder: Path = tmp_path_factory.mktemp("gavel")
    embedded = EmbeddedServer(folder, neo4j_version)
    try:
        yield embedded.start()
    finally:
        embedded.stop()


@pytest.fixture(scope="session")
def shared_database(server: Running) -> Iterator[Database]:
    """One connection for the session; tests ask for `database`, which is this one without data."""
    with Database.connect(server.uri, server.user, server.password) as database:
        yield database


@pytest.fixture
def database(shared_database: Database) -> Database:
    """A database without nodes, constraints or indexes."""
    wipe(shared_database)
    return shared_database


@pytest.fixture(scope="session")
def postgres() -> Iterator[postgres_server.Cluster]:
    """A Postgres of this session alone."""
    if lacks := postgres_server.missing():
        pytest.skip(lacks)
    cluster = postgres_server.Cluster()
    try:
        yield cluster.start()
    finally:
        cluster.remove()


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=[pytest.mark.full, pytest.mark.postgres])])
def journal_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The address of an empty journal: a file, and where the full sizes are run, a database in Postgres too."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'journal.sqlite'}"
        return
    cluster: postgres_server.Cluster = request.getfixturevalue("postgres")
    address = cluster.database()
    yield address
    cluster.drop(address)


def wipe(database: Database) -> None:
    while database.write("MATCH (n) WITH n LIMIT 5000 DETACH DELETE n RETURN count(*) AS gone")[0]["gone"]:
        pass
    for row in database.read("SHOW CONSTRAINTS YIELD name"):
        database.schema(f"DROP CONSTRAINT `{row['name']}`")
    for row in database.read("SHOW INDEXES YIELD name, type WHERE type <> 'LOOKUP' RETURN name"):
        database.schema(f"DROP INDEX `{row['name']}`")
