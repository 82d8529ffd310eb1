"""One Neo4j database over Bolt: reads in READ mode, writes in transactions that are tried again, every statement bounded and tagged."""

import logging
import random
import time
from asyncio import CancelledError
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager
from types import TracebackType
from typing import Any, Self, TypeVar, cast

from neo4j import READ_ACCESS, WRITE_ACCESS, Driver, GraphDatabase, ManagedTransaction, Query, Session

from knowledge.database.capability import Capability
from knowledge.database.failure import FAILURES, explained, tries
from knowledge.errors import DatabaseError

logging.getLogger("neo4j").addHandler(logging.NullHandler())  # what it would say of a failure, our errors say

Row = dict[str, Any]
READ_SECONDS = 30.0
WRITE_SECONDS = 120.0
CONNECT_SECONDS = 10.0
ACQUIRE_SECONDS = 15.0
STREAM_BATCH = 1_000
LONGEST_PAUSE = 1.0
LEAST_SECONDS = 0.001  # 0 would mean no limit
Result = TypeVar("Result")


class Database:
    """A driver bound to one database name. Thread-safe; close it, or use it as a context manager.

    Every method raises DatabaseError when the database is not there, and its StatementError when it refuses a statement.
    """

    def __init__(self, driver: Driver, name: str = "neo4j") -> None:
        self._driver = driver
        self.name = name
        self._bookmarks = GraphDatabase.bookmark_manager()
        self.capability = self._capability()

    @classmethod
    def connect(cls, uri: str, user: str, password: str, name: str = "neo4j") -> Self:
        """Open and verify a connection. DatabaseError says whether the address, the password or the name is wrong."""
        try:
            driver = GraphDatabase.driver(
                uri,
                auth=(user, password),
                connection_timeout=CONNECT_SECONDS,
                connection_acquisition_timeout=ACQUIRE_SECONDS,
                notifications_min_severity="OFF",
            )
        except (*FAILURES, ValueError) as error:
            raise DatabaseError(f"{uri!r} is no database address ({error}); write bolt://host:7687 or neo4j+s://host") from error
        try:
            return cls(driver, name)
        except DatabaseError:
            driver.close()
            raise

    def read(
        self, statement: str, parameters: Mapping[str, Any] | None = None, *, seconds: float = READ_SECONDS, tag: str = ""
    ) -> list[Row]:
        """Run one statement in READ mode and return its rows. `tag` marks the transaction, so that `terminate(tag)` can end it."""

        def work(left: float) -> list[Row]:
            with self._session(READ_ACCESS) as session:
                return session.run(_query(statement, left, tag), dict(parameters or {})).data()

        return _patiently(work, seconds)

    def stream(
        self,
        statement: str,
        parameters: Mapping[str, Any] | None = None,
        *,
        seconds: float = READ_SECONDS,
        tag: str = "",
        batch: int = STREAM_BATCH,
    ) -> Generator[Row, None, None]:
        """The rows of one statement in READ mode as they arrive, `batch` at a time in memory. A stream that breaks is not taken up again."""
        try:
            with self._session(READ_ACCESS, batch) as session:
                for record in session.run(_query(statement, seconds, tag), dict(parameters or {})):
                    yield record.data()
        except FAILURES as error:
            raise explained(error, seconds) from error

    def explain(
        self, statement: str, parameters: Mapping[str, Any] | None = None, *, seconds: float = READ_SECONDS, tag: str = ""
    ) -> dict[str, Any]:
        """The plan that the server would run, as the driver gives it (`operatorType`, `args`, `children`); nothing is run.

        The statement begins with the word EXPLAIN, after the language where it names one.
        """

        def work(left: float) -> dict[str, Any]:
            with self._session(READ_ACCESS) as session:
                return dict(session.run(_query(statement, left, tag), dict(parameters or {})).consume().plan or {})

        return _patiently(work, seconds)

    def write(
        self, statement: str, parameters: Mapping[str, Any] | None = None, *, seconds: float = WRITE_SECONDS, tag: str = ""
    ) -> list[Row]:
        """Run one statement in a write transaction; deadlocks and races on a uniqueness constraint are tried again with jitter."""
        given = dict(parameters or {})
        return cast(list[Row], self._transact(lambda transaction: transaction.run(statement, given).data(), seconds, tag))

    def transact(self, work: Callable[[ManagedTransaction], Any], *, seconds: float = WRITE_SECONDS, tag: str = "") -> Any:
        """Several statements in one write transaction; `work` may run again after a deadlock, and its own exception undoes all."""
        return self._transact(work, seconds, tag)

    def schema(self, statement: str) -> list[Row]:
        """Run one schema statement (DDL), which wants a transaction of its own."""
        return self.write(statement)

    def terminate(self, tag: str) -> int:
        """End every running transaction that carries the tag; returns how many."""
        statement = (
            "SHOW TRANSACTIONS YIELD transactionId AS id, metaData WHERE metaData.gavel = $tag "
            "TERMINATE TRANSACTIONS id YIELD message RETURN count(*) AS ended"
        )
        return int(self.read(statement, {"tag": tag})[0]["ended"])

    def close(self) -> None:
        """Give the connections back; the database object is of no use afterwards."""
        self._driver.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def _capability(self) -> Capability:
        row = self.read(
            "CALL dbms.components() YIELD name, versions, edition WHERE name = 'Neo4j Kernel' RETURN versions[0] AS version, edition",
            seconds=CONNECT_SECONDS,
        )[0]
        return Capability.of(row["version"], row["edition"])

    def _transact(self, work: Callable[[ManagedTransaction], Any], seconds: float, tag: str) -> Any:
        def once(left: float) -> Any:
            with self._session(WRITE_ACCESS) as session:
                transaction = session.begin_transaction(metadata=_metadata(tag), timeout=left)
                result = work(cast(ManagedTransaction, transaction))
                transaction.commit()
                return result

        return _patiently(once, seconds)

    @contextmanager
    def _session(self, mode: str, batch: int = STREAM_BATCH) -> Iterator[Session]:
        """Closing undoes what is not committed.

        After Ctrl-C the connection is cut, as the driver does for a cancelled task: the server may wait for the rest of a message.
        """
        session = self._driver.session(database=self.name, default_access_mode=mode, bookmark_manager=self._bookmarks, fetch_size=batch)
        try:
            yield session
        except (KeyboardInterrupt, SystemExit):
            session.__exit__(CancelledError, None, None)  # type: ignore[no-untyped-call]
            raise
        except BaseException:
            session.close()
            raise
        session.close()


def _patiently(work: Callable[[float], Result], seconds: float) -> Result:
    """Do `work` within the seconds that are left, again where that can help, and never beyond `seconds` in all."""
    deadline = time.monotonic() + seconds
    attempt = 0
    while True:
        attempt += 1
        try:
            return work(max(deadline - time.monotonic(), LEAST_SECONDS))
        except FAILURES as error:
            pause = random.uniform(0, min(LONGEST_PAUSE, 0.05 * 2**attempt))
            if attempt >= tries(error) or time.monotonic() + pause >= deadline:
                raise explained(error, seconds) from error
        time.sleep(pause)


def _query(statement: str, seconds: float, tag: str) -> Query:
    return Query(statement, metadata=_metadata(tag), timeout=max(seconds, LEAST_SECONDS))


def _metadata(tag: str) -> dict[str, Any] | None:
    return {"gavel": tag} if tag else None
