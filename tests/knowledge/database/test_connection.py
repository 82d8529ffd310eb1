"""One connection: bounded in time whatever happens, and shared by threads."""

import socket
import threading
import time
from typing import Any

import pytest
from neo4j.exceptions import ServiceUnavailable, TransientError

from knowledge.database import connection
from knowledge.database.connection import Database
from knowledge.database.embedded import Running
from knowledge.errors import DatabaseError, StatementError


@pytest.mark.parametrize(
    ("uri", "says"),
    [
        ("bolt://127.0.0.1:9", "does not answer"),
        ("ftp://127.0.0.1:7474", "no database address"),
        ("nonsense", "no database address"),
        ("bolt://no-such-host.invalid:7687", "does not answer"),
    ],
)
def test_an_address_that_cannot_work_is_named(uri: str, says: str) -> None:
    began = time.monotonic()
    with pytest.raises(DatabaseError, match=says):
        Database.connect(uri, "neo4j", "password")
    assert time.monotonic() - began < 10


def test_a_listener_that_never_answers_is_given_up() -> None:
    with socket.socket() as silent, pytest.MonkeyPatch.context() as patch:
        patch.setattr(connection, "ACQUIRE_SECONDS", 0.5)
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        with pytest.raises(DatabaseError, match="does not answer"):
            Database.connect(f"bolt://127.0.0.1:{silent.getsockname()[1]}", "neo4j", "password")


def test_a_database_that_does_not_exist_is_named(server: Running) -> None:
    with pytest.raises(DatabaseError, match="GAVEL_NEO4J_DATABASE"):
        Database.connect(server.uri, server.user, server.password, "nothing")


def test_rows_are_streamed_and_a_stream_may_be_left_early(database: Database) -> None:
    rows = database.stream("UNWIND range(1, 100000) AS i RETURN i")
    assert [next(rows)["i"] for _ in range(3)] == [1, 2, 3]
    rows.close()  # type: ignore[attr-defined]
    assert sum(1 for _ in database.stream("UNWIND range(1, 5000) AS i RETURN i")) == 5000


def test_a_stream_reads_only_and_is_bounded(database: Database) -> None:
    with pytest.raises(StatementError):
        list(database.stream("CREATE (n:E) RETURN 1 AS one"))
    with pytest.raises(StatementError, match="longer than"):
        list(database.stream("UNWIND range(1, 1000000000) AS i WITH i WHERE i % 1000 = -1 RETURN i", seconds=0.3))


def test_no_time_left_is_not_taken_for_no_limit(database: Database) -> None:
    with pytest.raises(StatementError, match="longer than"):
        database.read("UNWIND range(1, 1000000000) AS i RETURN max(i) AS m", seconds=0.0)


def test_trying_again_ends_with_the_time_that_was_given(database: Database) -> None:
    tried: list[float] = []

    def work(transaction: object) -> None:
        tried.append(time.monotonic())
        raise TransientError("again")

    began = time.monotonic()
    with pytest.raises(DatabaseError):
        database.transact(work, seconds=1.0)
    assert time.monotonic() - began < 5
    assert len(tried) > 2


def test_a_lost_connection_is_tried_a_few_times_only(database: Database) -> None:
    tried: list[int] = []

    def work(transaction: object) -> None:
        tried.append(1)
        raise ServiceUnavailable("gone")

    with pytest.raises(DatabaseError, match="does not answer"):
        database.transact(work, seconds=60.0)
    assert len(tried) == 3


def test_a_race_on_a_unique_key_is_tried_again_and_then_told(database: Database) -> None:
    database.schema("CREATE CONSTRAINT c FOR (n:E) REQUIRE n.key IS UNIQUE")
    database.write("CREATE (:E {key: 1})")
    tried: list[int] = []

    def work(transaction: object) -> None:
        tried.append(1)
        transaction.run("CREATE (:E {key: 1})").consume()  # type: ignore[attr-defined]

    with pytest.raises(StatementError) as caught:
        database.transact(work)
    assert caught.value.retryable
    assert len(tried) == 5


def test_many_threads_share_one_connection(database: Database) -> None:
    problems: list[Exception] = []

    def work(place: int) -> None:
        try:
            for i in range(20):
                database.write("CREATE (:E {place: $place, i: $i})", {"place": place, "i": i})
                assert database.read("MATCH (n:E {place: $place}) RETURN count(n) AS c", {"place": place}) == [{"c": i + 1}]
        except Exception as error:
            problems.append(error)

    threads = [threading.Thread(target=work, args=(place,)) for place in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert problems == []
    assert database.read("MATCH (n:E) RETURN count(n) AS c") == [{"c": 160}]


def test_nothing_is_logged_or_warned_about_where_something_is_tried_again(database: Database, caplog: pytest.LogCaptureFixture) -> None:
    def work(transaction: object) -> None:
        raise TransientError("again")

    with pytest.raises(DatabaseError):
        database.transact(work, seconds=0.3)
    assert caplog.records == []


@pytest.mark.parametrize("access", ["read", "write"])
def test_an_interrupt_does_not_wait_for_the_statement_that_it_interrupts(database: Database, access: str) -> None:
    """Where it falls into the driver, the connection may be left with half a message, for whose reply nobody should wait."""
    slow = "UNWIND range(1, 2000000000) AS x RETURN max(x) AS most"

    def interrupted(transaction: Any) -> None:
        transaction.run(slow)
        raise KeyboardInterrupt

    began = time.monotonic()
    if access == "write":
        with pytest.raises(KeyboardInterrupt):
            database.transact(interrupted, seconds=60)
    else:
        with pytest.raises(KeyboardInterrupt), database._session("READ") as session:
            session.run(slow)
            raise KeyboardInterrupt
    assert time.monotonic() - began < 20
    assert database.read("RETURN 1 AS one") == [{"one": 1}]
