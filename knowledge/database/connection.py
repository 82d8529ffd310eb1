"""One Neo4j database over Bolt: reads in READ mode, writes in managed transactions, every statement bounded and tagged."""

import random
import time
from collections.abc import Callable, Mapping, Sequence
from types import TracebackType
from typing import Any, Self, cast

from neo4j import READ_ACCESS, WRITE_ACCESS, Bookmarks, Driver, GraphDatabase, ManagedTransaction, unit_of_work
from neo4j.exceptions import AuthError, ConstraintError, DriverError, Neo4jError, ServiceUnavailable

from knowledge.database.capability import Capability
from knowledge.errors import DatabaseError, StatementError

Row = dict[str, Any]
READ_SECONDS = 30.0
WRITE_SECONDS = 120.0
CONSTRAINT_TRIES = 5


class Database:
    """A driver bound to one database name. Thread-safe; close it, or use it as a context manager."""

    def __init__(self, driver: Driver, name: str = "neo4j") -> None:
        self._driver = driver
        self.name = name
        self._bookmarks: Bookmarks | None = None
        self.capability = self._capability()

    @classmethod
    def connect(cls, uri: str, user: str, password: str, name: str = "neo4j") -> Self:
        """Open and verify a connection. DatabaseError says whether the address or the password is wrong."""
        driver = GraphDatabase.driver(uri, auth=(user, password), connection_timeout=10, notifications_min_severity="OFF")
        try:
            return cls(driver, name)
        except DatabaseError:
            driver.close()
            raise

    def read(
        self, statement: str, parameters: Mapping[str, Any] | None = None, *, seconds: float = READ_SECONDS, tag: str = ""
    ) -> list[Row]:
        """Run one statement in READ mode and return its rows. `tag` marks the transaction, so that `terminate(tag)` can end it."""
        return self._run(READ_ACCESS, statement, parameters, seconds, tag)

    def write(
        self, statement: str, parameters: Mapping[str, Any] | None = None, *, seconds: float = WRITE_SECONDS, tag: str = ""
    ) -> list[Row]:
        """Run one statement in a managed write transaction; races on a uniqueness constraint are tried again with jitter."""
        for attempt in range(CONSTRAINT_TRIES):
            try:
                return self._run(WRITE_ACCESS, statement, parameters, seconds, tag)
            except StatementError as error:
                if "ConstraintValidationFailed" not in error.code or attempt == CONSTRAINT_TRIES - 1:
                    raise
                time.sleep(random.uniform(0, 0.05 * 2**attempt))
        raise AssertionError("unreachable")

    def transact(self, work: Callable[[ManagedTransaction], Any], *, seconds: float = WRITE_SECONDS) -> Any:
        """Several statements in one managed write transaction; `work` may run again after a deadlock."""
        return self._guarded(lambda: self._session(WRITE_ACCESS, unit_of_work(timeout=seconds)(work)))

    def schema(self, statement: str) -> list[Row]:
        """Run one schema statement (DDL), which wants a transaction of its own."""
        return self._run(WRITE_ACCESS, statement, None, WRITE_SECONDS, "")

    def terminate(self, tag: str) -> int:
        """End every running transaction that carries the tag; returns how many."""
        found = self.read("SHOW TRANSACTIONS YIELD transactionId, metaData WHERE metaData.gavel = $tag RETURN transactionId", {"tag": tag})
        for row in found:
            self.read("TERMINATE TRANSACTIONS $id", {"id": row["transactionId"]})
        return len(found)

    def close(self) -> None:
        self._driver.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def _capability(self) -> Capability:
        row = self.read(
            "CALL dbms.components() YIELD name, versions, edition WHERE name = 'Neo4j Kernel' RETURN versions[0] AS version, edition"
        )[0]
        return Capability.of(row["version"], row["edition"])

    def _run(self, mode: str, statement: str, parameters: Mapping[str, Any] | None, seconds: float, tag: str) -> list[Row]:
        @unit_of_work(timeout=seconds, metadata={"gavel": tag} if tag else None)
        def work(transaction: ManagedTransaction) -> list[Row]:
            return transaction.run(statement, dict(parameters or {})).data()

        return cast(list[Row], self._guarded(lambda: self._session(mode, work)))

    def _session(self, mode: str, work: Callable[[ManagedTransaction], Any]) -> Any:
        with self._driver.session(database=self.name, default_access_mode=mode, bookmarks=self._bookmarks) as session:
            result = session.execute_read(work) if mode == READ_ACCESS else session.execute_write(work)
            if mode == WRITE_ACCESS:
                self._bookmarks = session.last_bookmarks()
            return result

    def _guarded(self, call: Callable[[], Any]) -> Any:
        try:
            return call()
        except AuthError as error:
            raise DatabaseError("the database refused user or password; check GAVEL_NEO4J_USER and GAVEL_NEO4J_PASSWORD") from error
        except ConstraintError as error:
            raise StatementError(str(error.message), code=str(error.code), retryable=True) from error
        except Neo4jError as error:
            raise StatementError(f"{error.message}", code=str(error.code), retryable=error.is_retryable()) from error
        except (ServiceUnavailable, DriverError, OSError) as error:
            raise DatabaseError(f"the database does not answer ({error}); see `gavel db status` and `gavel db logs`") from error


def columns(rows: Sequence[Row], name: str) -> list[Any]:
    """One column of a result."""
    return [row[name] for row in rows]
