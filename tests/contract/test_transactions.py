"""Time limits, cancelling, deadlocks, and reading one's own writes."""

import threading
import time
from collections.abc import Callable

import pytest

from knowledge.database.connection import Database
from knowledge.errors import DatabaseError, StatementError

ENDLESS = "UNWIND range(1, 100000) AS a UNWIND range(1, 100000) AS b RETURN count(CASE WHEN a * b % 7 = 1 THEN 1 END) AS c"


def test_a_read_ends_at_its_time_limit(database: Database) -> None:
    began = time.monotonic()
    with pytest.raises(StatementError, match=r"took longer than 1 s") as caught:
        database.read(ENDLESS, seconds=1.0)
    assert time.monotonic() - began < 10
    assert not caught.value.retryable


def test_a_write_ends_at_its_time_limit_and_leaves_nothing(database: Database) -> None:
    with pytest.raises(StatementError):
        database.write("UNWIND range(1, 100000000) AS a WITH a WHERE a % 1000000 = 0 CREATE (:E {a: a})", seconds=0.5)
    assert database.read("MATCH (n:E) RETURN count(n) AS c") == [{"c": 0}]


@pytest.mark.full
def test_a_limit_of_ours_may_be_longer_than_the_servers_own(database: Database) -> None:
    """The server's 30 s bind those who name no limit."""
    began = time.monotonic()
    with pytest.raises(StatementError):
        database.read(ENDLESS, seconds=33.0)
    assert time.monotonic() - began > 32


def test_everything_that_carries_a_tag_is_ended_and_nothing_else(database: Database) -> None:
    tags = ["run-1", "run-1", "run-2"]
    ended: dict[int, Exception] = {}

    def work(place: int) -> None:
        try:
            database.read(ENDLESS, tag=tags[place], seconds=20.0)
        except DatabaseError as error:
            ended[place] = error

    threads = [threading.Thread(target=work, args=(place,)) for place in range(3)]
    for thread in threads:
        thread.start()
    eventually(lambda: running(database) == sorted(tags))
    assert database.terminate("run-1") == 2
    eventually(lambda: set(ended) == {0, 1}, seconds=10)
    assert running(database) == ["run-2"]
    assert database.terminate("run-2") == 1
    assert database.terminate("run-3") == 0
    for thread in threads:
        thread.join()
    assert all(isinstance(error, StatementError) and not error.retryable for error in ended.values())


def test_a_deadlock_is_tried_again_until_both_have_written(database: Database) -> None:
    database.write("UNWIND range(1, 2) AS i CREATE (:E {i: i, n: 0})")
    meeting = threading.Barrier(2, timeout=20)
    tried: list[int] = []

    def work(first: int, second: int) -> None:
        database.transact(lambda transaction: both(transaction, first, second))

    def both(transaction: object, first: int, second: int) -> None:
        tried.append(first)
        for i in (first, second):
            transaction.run("MATCH (e:E {i: $i}) SET e.n = e.n + 1", i=i).consume()  # type: ignore[attr-defined]
            if i == first and len(tried) <= 2:
                meeting.wait()

    threads = [threading.Thread(target=work, args=order) for order in ((1, 2), (2, 1))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(tried) >= 3
    assert database.read("MATCH (e:E) RETURN e.n AS n") == [{"n": 2}, {"n": 2}]


def test_a_transaction_of_several_statements_is_whole_or_nothing(database: Database) -> None:
    def work(transaction: object) -> None:
        transaction.run("CREATE (:E)").consume()  # type: ignore[attr-defined]
        raise RuntimeError("half way")

    with pytest.raises(RuntimeError):
        database.transact(work)
    assert database.read("MATCH (n:E) RETURN count(n) AS c") == [{"c": 0}]


def test_what_was_written_is_read_at_once_by_every_thread(database: Database) -> None:
    for i in range(20):
        database.write("CREATE (:E {i: $i})", {"i": i})
        assert database.read("MATCH (n:E) RETURN count(n) AS c") == [{"c": i + 1}]


def test_a_schema_statement_cannot_share_a_transaction_with_a_write(database: Database) -> None:
    def work(transaction: object) -> None:
        transaction.run("CREATE (:E)").consume()  # type: ignore[attr-defined]
        transaction.run("CREATE INDEX i FOR (n:E) ON (n.x)").consume()  # type: ignore[attr-defined]

    with pytest.raises(StatementError):
        database.transact(work)


def running(database: Database) -> list[str]:
    rows = database.read("SHOW TRANSACTIONS YIELD metaData WHERE metaData.gavel IS NOT NULL RETURN metaData.gavel AS tag")
    return sorted(row["tag"] for row in rows)


def eventually(condition: Callable[[], bool], seconds: float = 20.0) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.02)
