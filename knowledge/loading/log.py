"""What the journal is told of a load: every batch before its transaction, so that after a crash the two agree. The texts are not kept."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import select

from knowledge.journal.journal import Entry, Event, Journal, as_event
from knowledge.journal.tables import events
from knowledge.loading.report import LoadReport

LOADED = "loaded"
ENDED = "load_ended"


@dataclass(frozen=True)
class BatchTold:
    """A batch of one file, by hashes: of the file, and of what its rows say. `last` counts the rows of all files of the load."""

    file: str
    last: int
    rows: int
    rejected: int
    digest: str

    def as_json(self) -> dict[str, object]:
        first = self.last - self.rows - self.rejected + 1
        return {
            "file": self.file, "from": first, "to": self.last, "rows": self.rows, "rejected": self.rejected, "digest": self.digest,
            "kept": "hash",
        }  # fmt: skip


@dataclass(frozen=True)
class LoadLog:
    """The journal, and who loads."""

    journal: Journal
    principal: str

    def open(self, load: str, namespace: str, shape: str) -> "OpenLoad":
        """A load that begins, or goes on where it was interrupted. JournalError where the journal cannot be read."""
        latest = select(events).where(events.c.receipt == load).order_by(events.c.seq.desc()).limit(1)
        with self.journal.reading() as connection:
            row = connection.execute(latest).first()
        last = as_event(row._asdict()) if row else None
        return OpenLoad(self, load, namespace, shape, last if last and last.kind == LOADED else None)


class OpenLoad:
    """One load. `promised` is the last batch that an interrupted run told of; it may not have been written."""

    def __init__(self, log: LoadLog, load: str, namespace: str, shape: str, promised: Event | None) -> None:
        self._log, self._load, self._namespace, self._shape = log, load, namespace, shape
        self._promised = promised

    def batch(self, told: BatchTold) -> str:
        """Durable when it returns: the id of the event, the same as before where this batch was promised and not written."""
        about = {**told.as_json(), "shape": self._shape}
        promised, self._promised = self._promised, None
        return promised.event_id if promised and promised.about == about else self._append(LOADED, about)

    def end(self, report: LoadReport) -> None:
        """Everything that was told of is written."""
        self._append(ENDED, {"read": report.read, "entities": report.entities, "facts": report.facts, "version": report.version})

    def _append(self, kind: str, about: dict[str, object]) -> str:
        with self._log.journal.writing() as writing:
            [event] = writing.append([Entry(kind, self._load, self._namespace, self._log.principal, about)])
        return event.event_id


def digest_of(contents: Sequence[object]) -> str:
    """SHA-256 over what rows say."""
    return hashlib.sha256(repr(contents).encode("utf-8", "backslashreplace")).hexdigest()
