"""`access.sqlite`: what was read, only ever appended to. Restricted reads wait until theirs is on the disk; public ones are written in batches."""

import atexit
import logging
import os
import sqlite3
import threading
import weakref
from collections import deque
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from knowledge.access import table
from knowledge.access.access import Access
from knowledge.access.lost import Lost
from knowledge.errors import AuditError, ScopeError
from knowledge.scope import Grants

PAUSE_SECONDS = 0.5
RETRY_SECONDS = 5.0
MOST_WAITING = 10_000
BATCH = 500
MOST_LISTED = 100
SWEEP = timedelta(hours=1)
FAILURES = (sqlite3.Error, OSError)
_LOG = logging.getLogger(__name__)


def now() -> datetime:
    """The clock of a process; tests bring their own."""
    return datetime.now(UTC)


class AccessLog:
    """A `Witness` over one file, opened when first needed; threads and processes may share it. Close it, or let the process end.

    `keep_days` 0 keeps rows for ever. What of public reads cannot be written is tried again, and counted in `lost` once it must be dropped.
    """

    def __init__(self, file: Path, keep_days: int, clock: Callable[[], datetime] = now) -> None:
        self.lost = Lost(file.with_suffix(".lost"))
        self._file, self._keep_days, self._clock = file, keep_days, clock
        self._inherited: list[object] = []
        self._begin()
        mine = weakref.WeakMethod(self._begin_anew)
        os.register_at_fork(after_in_child=lambda: (renew := mine()) and renew())
        at_exit = weakref.WeakMethod(self.close)
        atexit.register(lambda: (close := at_exit()) and close())

    def _begin(self) -> None:
        self._lock, self._writing = threading.Lock(), threading.Lock()
        self._waiting: deque[Access] = deque()
        self._timer: threading.Timer | None = None
        self._connection: sqlite3.Connection | None = None
        self._place = (0, 0)
        self._swept: datetime | None = None
        self._trouble: Exception | None = None

    def note(self, access: Access) -> None:
        """Keep it. A restricted one is on the disk when this returns; AuditError where it cannot be."""
        if access.restricted:
            self._write_now(access)
            return
        with self._lock:
            self._waiting.append(access)
            full = len(self._waiting) >= BATCH and not self._troubled
            if self._timer is None:
                self._timer = self._later()
        if full:
            self.flush()

    def flush(self) -> None:
        """Write what is waiting; where that cannot be, it goes on waiting."""
        with self._writing:
            batch = self._taken()
            try:
                self._write(batch)
            except FAILURES as error:
                self._put_back(batch, error)

    def seen(
        self, by: Grants, *, principal: str = "", run: str = "", namespace: str = "", id_: str = "", limit: int = MOST_LISTED
    ) -> list[Access]:
        """Rows that have these, newest first; `run` may be the beginning of one. AuditError where the file cannot be read.

        Others' rows are shown to a person who may read everything. ScopeError for anyone else who asks for those of another.
        """
        if not by.reads_all and principal not in ("", by.id):
            raise ScopeError(f"what others have read is shown to a person who may read everything; {by.id} sees what {by.id} has read")
        self.flush()
        if not self._file.exists():
            return []
        whose = principal if by.reads_all else by.id
        try:
            with self._writing:
                return table.select(self._open(), whose, run, namespace, id_, limit)
        except FAILURES as error:
            raise AuditError(
                f"{self._file} cannot be read ({error}); mend it, or move it away and the next read begins a new one"
            ) from error

    def probe(self) -> None:
        """AuditError where nothing can be recorded now."""
        try:
            with self._writing:
                table.probe(self._open())
        except FAILURES as error:
            raise AuditError(self._advice(error)) from error

    def close(self) -> None:
        """Write what is waiting, and let go of the file; what cannot be written now is lost."""
        self.flush()
        with self._writing:
            if left := self._taken():
                self.lost.add(len(left), self._clock(), str(self._trouble))
            self._let_go()

    def _begin_anew(self) -> None:
        """In a forked process: what waits is the parent's to write, and its connection stays its own, kept so that nothing closes it."""
        self._inherited.append(self._connection)
        self._begin()

    @property
    def _troubled(self) -> bool:
        return self._trouble is not None

    def _later(self) -> threading.Timer:
        timer = threading.Timer(RETRY_SECONDS if self._troubled else PAUSE_SECONDS, self.flush)
        timer.daemon = True
        timer.start()
        return timer

    def _taken(self) -> list[Access]:
        with self._lock:
            batch, self._waiting = list(self._waiting), deque()
            if self._timer:
                self._timer.cancel()
            self._timer = None
        return batch

    def _write_now(self, access: Access) -> None:
        with self._writing:
            earlier = self._taken()
            try:
                self._write([*earlier, access])
            except FAILURES as error:
                self._put_back(earlier, error)
                raise AuditError(self._advice(error)) from error

    def _write(self, batch: Sequence[Access]) -> None:
        """In one transaction, on the disk when it returns."""
        if not batch:
            return
        with self._open() as connection:
            table.insert(connection, batch)
            self._sweep(connection)
        self._trouble = None

    def _sweep(self, connection: sqlite3.Connection) -> None:
        at = self._clock()
        if self._keep_days and (self._swept is None or at - self._swept > SWEEP):
            table.sweep(connection, at - timedelta(days=self._keep_days))
            self._swept = at

    def _put_back(self, batch: Sequence[Access], error: Exception) -> None:
        if not self._troubled:
            _LOG.warning(
                "what is read cannot be recorded in %s (%s); public reads go on, and `gavel doctor` tells what is lost", self._file, error
            )
        self._trouble = error
        self._let_go()
        with self._lock:
            self._waiting.extendleft(reversed(batch))
            dropped = max(0, len(self._waiting) - MOST_WAITING)
            for _ in range(dropped):
                self._waiting.popleft()
            if self._waiting and self._timer is None:
                self._timer = self._later()
        if dropped:
            self.lost.add(dropped, self._clock(), str(error))

    def _advice(self, error: Exception) -> str:
        return (
            f"what is read cannot be recorded in {self._file} ({error}), so nothing that is not public is shown; "
            "free space or mend the file, or move it away and a new one is begun"
        )

    def _open(self) -> sqlite3.Connection:
        """A file that was moved away or removed meanwhile is begun anew: what is written to it would be read by nobody."""
        if self._connection and self._place != table.place(self._file):
            self._let_go()
        if self._connection is None:
            self._connection = table.connect(self._file)
            self._place = table.place(self._file)
        return self._connection

    def _let_go(self) -> None:
        if self._connection:
            self._connection.close()
        self._connection = None
