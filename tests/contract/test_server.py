"""What we rely on in the embedded server: how it is closed, and what it may spend."""

import time

import psutil
import pytest
from neo4j import GraphDatabase
from neo4j.exceptions import AuthError

from knowledge.database.connection import Database
from knowledge.database.embedded import Running
from knowledge.errors import DatabaseError, StatementError


def setting(database: Database, name: str) -> str:
    return str(database.read("SHOW SETTINGS YIELD name, value WHERE name = $name RETURN value", {"name": name})[0]["value"])


def test_a_fresh_server_answers_as_the_version_that_was_asked_for(database: Database, neo4j_version: str) -> None:
    year, month = map(int, neo4j_version.split("."))
    assert database.capability.version == (year, month)
    assert database.capability.edition == "community"
    assert database.read("MATCH (n) RETURN count(n) AS c") == [{"c": 0}]


def test_it_listens_on_one_port_of_the_loopback_interface_only(server: Running) -> None:
    sockets = [s for s in psutil.Process(server.pid).net_connections(kind="inet") if s.status == psutil.CONN_LISTEN]
    assert [(s.laddr.ip.removeprefix("::ffff:"), s.laddr.port) for s in sockets] == [("127.0.0.1", int(server.uri.rpartition(":")[2]))]


@pytest.mark.parametrize("password", ["neo4j", "wrong", ""])
def test_a_wrong_password_is_refused(server: Running, password: str) -> None:
    with pytest.raises(AuthError), GraphDatabase.driver(server.uri, auth=("neo4j", password)) as driver:
        driver.verify_connectivity()
    with pytest.raises(DatabaseError, match="refused user or password"):
        Database.connect(server.uri, "neo4j", password)


def test_nobody_comes_in_without_a_password(server: Running) -> None:
    with pytest.raises(AuthError), GraphDatabase.driver(server.uri) as driver:
        driver.verify_connectivity()


def test_nothing_is_reported_to_the_outside_and_no_file_is_read(database: Database) -> None:
    assert setting(database, "dbms.usage_report.enabled") == "false"
    assert setting(database, "server.http.enabled") == "false"
    with pytest.raises(StatementError):
        database.read("LOAD CSV FROM 'file:///etc/passwd' AS row RETURN row")


def test_time_and_memory_of_a_statement_are_bounded_by_default(database: Database) -> None:
    assert setting(database, "db.transaction.timeout") == "30s"
    assert setting(database, "db.memory.transaction.max") == "256.00MiB"


def test_a_statement_that_wants_too_much_memory_ends_with_an_error_and_the_server_goes_on(database: Database) -> None:
    began = time.monotonic()
    with pytest.raises(StatementError, match="more memory than the database allows"):
        database.read("UNWIND range(1, 50000000) AS i WITH collect(toString(i)) AS many RETURN size(many) AS s")
    assert time.monotonic() - began < 20
    assert database.read("RETURN 1 AS one") == [{"one": 1}]
