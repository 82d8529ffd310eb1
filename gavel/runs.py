"""`runs.sqlite`: what each run was asked, how it ended, and its trace of turns and statements. Written by every door, kept for a set time."""

import json
import logging
import os
import sqlite3
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Self

from graphs.trace import Event, RunRecord
from knowledge.errors import ConfigError

_LOG = logging.getLogger(__name__)
_VERSION = 3
_TABLES = """
CREATE TABLE IF NOT EXISTS runs (
    trace_id TEXT PRIMARY KEY, began TEXT NOT NULL, question TEXT NOT NULL, answer TEXT NOT NULL, stop_reason TEXT NOT NULL,
    confidence REAL NOT NULL, spent TEXT NOT NULL, prompts TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS runs_began ON runs (began);
CREATE TABLE IF NOT EXISTS events (
    trace_id TEXT NOT NULL REFERENCES runs (trace_id) ON DELETE CASCADE, place INTEGER NOT NULL, kind TEXT NOT NULL,
    milliseconds REAL NOT NULL, detail TEXT NOT NULL, PRIMARY KEY (trace_id, place)
) WITHOUT ROWID;
"""
_HOLDING = """
SELECT trace_id FROM runs WHERE instr(question, :text) OR instr(answer, :text)
UNION SELECT trace_id FROM events WHERE instr(detail, :text)
"""
_SPANS = """
ALTER TABLE events ADD COLUMN span INTEGER NOT NULL DEFAULT 0;
ALTER TABLE events ADD COLUMN parent INTEGER NOT NULL DEFAULT 0;
"""
_LIMITS = "ALTER TABLE runs ADD COLUMN limits TEXT NOT NULL DEFAULT '{}'"


@dataclass(frozen=True)
class Run:
    """A run that was kept: what was asked and how it ended. `limits` that held; empty for runs of older releases. `events` is empty in a listing."""

    trace_id: str
    began: datetime
    question: str
    answer: str
    stop_reason: str
    confidence: float
    spent: Mapping[str, object]
    prompts: Mapping[str, str]
    events: Sequence[Event] = ()
    limits: Mapping[str, float] = field(default_factory=dict)

    @classmethod
    def of(cls, record: RunRecord) -> Self:
        """The run that a record tells of."""
        result = record.result
        ended = (result.get("answer", ""), result.get("stop_reason", ""), result.get("confidence", 0.0), dict(result.get("spent", {})))
        return cls(record.trace_id, record.began, record.question, *ended, record.prompts, record.events, record.limits)


class Runs:
    """The file of runs, opened when first needed; threads and processes may share it.

    `keep_days` 0 keeps runs for ever. A run that cannot be written is logged and lost: a trace never costs an answer.
    """

    def __init__(self, file: Path, keep_days: int) -> None:
        self._file = file
        self._keep_days = keep_days
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = None

    def finished(self, record: RunRecord) -> None:
        """Write a run with its events in one transaction, and drop what is older than `keep_days` before it."""
        try:
            with self._open() as connection:
                self._insert(connection, record)
                if self._keep_days:
                    oldest = record.began - timedelta(days=self._keep_days)
                    connection.execute("DELETE FROM runs WHERE began < ?", (_text(oldest),))
        except (sqlite3.Error, OSError) as error:
            _LOG.warning("the trace of run %s could not be written to %s: %s", record.trace_id, self._file, error)

    def named(self, beginning: str) -> list[str]:
        """The ids of kept runs that begin so, newest first; ConfigError as below."""
        with self._reading() as connection:
            if connection is None:
                return []
            found = connection.execute(
                "SELECT trace_id FROM runs WHERE substr(trace_id, 1, ?) = ? ORDER BY began DESC", (len(beginning), beginning)
            )
            return [str(row[0]) for row in found]

    def find(self, trace_id: str) -> Run | None:
        """A run with its events, or None when it is not kept (any more). ConfigError where the file cannot be read."""
        with self._reading() as connection:
            if connection is None:
                return None
            row = connection.execute("SELECT * FROM runs WHERE trace_id = ?", (trace_id,)).fetchone()
            events = connection.execute(
                "SELECT kind, milliseconds, detail, span, parent FROM events WHERE trace_id = ? ORDER BY place", (trace_id,)
            ).fetchall()
        return _run(row, [Event(kind, at, json.loads(detail), span, parent) for kind, at, detail, span, parent in events]) if row else None

    def recent(self, limit: int = 20) -> list[Run]:
        """The latest runs without their events, newest first. ConfigError where the file cannot be read."""
        with self._reading() as connection:
            if connection is None:
                return []
            return [_run(row, ()) for row in connection.execute("SELECT * FROM runs ORDER BY began DESC LIMIT ?", (limit,))]

    def _insert(self, connection: sqlite3.Connection, record: RunRecord) -> None:
        result = record.result
        row = (record.trace_id, _text(record.began), record.question, result.get("answer", ""), result.get("stop_reason", ""))
        numbers = (result.get("confidence", 0.0), _json(result.get("spent", {})), _json(record.prompts), _json(record.limits))
        connection.execute("INSERT OR REPLACE INTO runs VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", (*row, *numbers))
        connection.executemany(
            "INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?)",
            [
                (record.trace_id, place, event.kind, event.milliseconds, _json(event.detail), event.span, event.parent)
                for place, event in enumerate(record.events)
            ],
        )

    def forget(self, texts: Sequence[str]) -> int:
        """Remove every run that holds one of the texts, so that nothing of it is left in the file. ConfigError as above."""
        with self._reading() as connection:
            if connection is None or not texts:
                return 0
            connection.execute("PRAGMA secure_delete = ON")
            held = {trace for text in texts for trace in connection.execute(_HOLDING, {"text": text})}
            connection.executemany("DELETE FROM events WHERE trace_id = ?", list(held))
            connection.executemany("DELETE FROM runs WHERE trace_id = ?", list(held))
        with self._lock:
            if self._connection:
                self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        return len(held)

    def close(self) -> None:
        """Let go of the file."""
        with self._lock:
            if self._connection:
                self._connection.close()
            self._connection = None

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection | None]:
        """The connection, or None where no run was kept yet."""
        try:
            if not self._file.exists():
                yield None
                return
            with self._open() as connection:
                yield connection
        except (sqlite3.Error, OSError) as error:
            raise ConfigError(f"{self._file} cannot be read ({error}); move it away, and the next run begins a new one") from error

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        """The connection, for one transaction of one thread at a time."""
        with self._lock:
            self._connection = self._connection or self._connect()
            with self._connection:
                yield self._connection

    def _connect(self) -> sqlite3.Connection:
        self._file.parent.mkdir(parents=True, exist_ok=True)
        os.close(os.open(self._file, os.O_CREAT, 0o600))
        connection = sqlite3.connect(self._file, timeout=10, check_same_thread=False)
        try:
            if connection.execute("PRAGMA user_version").fetchone()[0] < _VERSION:
                _migrate(connection)
            connection.execute("PRAGMA foreign_keys = ON")
            connection.execute("PRAGMA synchronous = NORMAL")
        except sqlite3.Error:
            connection.close()
            raise
        return connection


def _migrate(connection: sqlite3.Connection) -> None:
    """From whatever version the file has to the newest; processes take turns."""
    connection.execute("PRAGMA journal_mode = WAL")
    for version, script in enumerate((_TABLES, _SPANS, _LIMITS)):
        connection.execute("BEGIN IMMEDIATE")
        with connection:
            if connection.execute("PRAGMA user_version").fetchone()[0] == version:
                for statement in filter(str.strip, script.split(";")):
                    connection.execute(statement)
                connection.execute(f"PRAGMA user_version = {version + 1}")


def _run(row: tuple[str, str, str, str, str, float, str, str, str], events: Sequence[Event]) -> Run:
    trace_id, began, question, answer, stop_reason, confidence, spent, prompts, limits = row
    ended = (question, answer, stop_reason, confidence, json.loads(spent), json.loads(prompts))
    return Run(trace_id, datetime.fromisoformat(began), *ended, events, json.loads(limits))


def _text(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="microseconds")


def _json(value: Mapping[str, object] | Mapping[str, float]) -> str:
    return json.dumps(dict(value), ensure_ascii=False, default=str)
