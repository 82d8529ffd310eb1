"""The journal: one writer at a time, every event chained to the one before it, on the disk before anyone is told."""

import json
import secrets
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import cast

from sqlalchemy import Connection, insert, select, update
from sqlalchemy.exc import SQLAlchemyError

from knowledge.journal import schema
from knowledge.journal.chain import GENESIS, chained, payload_hash
from knowledge.journal.engine import NAMES, address, explained, is_sqlite, opened, reading_options, shown, take_the_lock, writing_options
from knowledge.journal.tables import events, head, payloads

Clock = Callable[[], datetime]
_HEAD = select(head.c.seq, head.c.hash)
_LAST = select(events.c.seq, events.c.hash).order_by(events.c.seq.desc()).limit(1)
_APPEND, _KEEP = insert(events), insert(payloads)
_MOVE_HEAD, _FIRST_HEAD = update(head), insert(head)


def now() -> datetime:
    """The clock of a process; tests bring their own."""
    return datetime.now(UTC)


@dataclass(frozen=True)
class Entry:
    """An event to append. `about` is JSON without any text of a memory; `payload` the hash under which its text is kept."""

    kind: str
    receipt: str = ""
    namespace: str = ""
    principal: str = ""
    about: Mapping[str, object] = field(default_factory=dict)
    payload: str = ""
    event_id: str = field(default_factory=lambda: uuid.uuid4().hex)


@dataclass(frozen=True)
class Event:
    """An event as it was appended. `at` is an ISO instant, `hash` covers all other fields and the hash of the event before it."""

    seq: int
    event_id: str
    at: str
    kind: str
    receipt: str
    namespace: str
    principal: str
    about: Mapping[str, object]
    payload: str
    previous: str
    hash: str


class Writing:
    """A transaction that holds the append lock: what it appends and changes is durable together or not at all."""

    def __init__(self, connection: Connection, clock: Clock) -> None:
        self.connection = connection
        self.at = clock()

    def append(self, entries: Sequence[Entry]) -> list[Event]:
        """The events as they now stand in the journal."""
        if not entries:
            return []
        seq, previous = self._head()
        rows: list[dict[str, object]] = []
        for entry in entries:
            seq += 1
            row: dict[str, object] = {
                "seq": seq, "event_id": entry.event_id, "at": self.at.isoformat(), "kind": entry.kind, "receipt": entry.receipt,
                "namespace": entry.namespace, "principal": entry.principal, "payload": entry.payload, "previous": previous,
                "about": json.dumps(entry.about, ensure_ascii=False, sort_keys=True),
            }  # fmt: skip
            previous = chained(row)
            rows.append({**row, "hash": previous})
        self.connection.execute(_APPEND, rows)
        if not self.connection.execute(_MOVE_HEAD, {"seq": seq, "hash": previous}).rowcount:
            self.connection.execute(_FIRST_HEAD, {"only": 1, "seq": seq, "hash": previous})
        return [as_event(row) for row in rows]

    def _head(self) -> tuple[int, str]:
        """Where the next event is chained. Kept apart from the events: a tail that was cut off leaves a gap for ever."""
        kept = self.connection.execute(_HEAD).first() or self.connection.execute(_LAST).first()
        return (int(kept.seq), str(kept.hash)) if kept else (0, GENESIS)

    def keep(self, bodies: Sequence[object]) -> list[str]:
        """Store JSON values and return their hashes. Each is salted, so that the hash of a redacted one tells nothing."""
        rows = [{"salt": secrets.token_hex(16), "body": json.dumps(body, ensure_ascii=False, sort_keys=True)} for body in bodies]
        hashed = [{**row, "hash": payload_hash(row["salt"], row["body"])} for row in rows]
        if hashed:
            self.connection.execute(_KEEP, hashed)
        return [row["hash"] for row in hashed]


class Journal:
    """Opened by an SQLAlchemy address; threads and processes may share it. JournalError where it cannot be read or written."""

    def __init__(self, url: str, clock: Clock = now, password: str = "") -> None:
        self.clock = clock
        self.url = address(url, password)
        self._engine = opened(self.url)
        try:
            self._prepare()
        except BaseException:
            self.close()
            raise

    @classmethod
    def in_folder(cls, folder: Path, clock: Clock = now) -> "Journal":
        """The journal of a data folder."""
        folder.mkdir(parents=True, exist_ok=True)
        return cls(f"sqlite:///{folder / 'journal.sqlite'}", clock)

    @contextmanager
    def writing(self) -> Iterator[Writing]:
        """Committed and on the disk when the block ends without an exception."""
        try:
            with self._connected(writing_options(self.url)) as connection, connection.begin():
                take_the_lock(connection)
                yield Writing(connection, self.clock)
        except SQLAlchemyError as error:
            raise explained(error, self.url) from error

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """One state of the journal, whatever others append meanwhile."""
        try:
            with self._connected(reading_options(self.url)) as connection, connection.begin():
                yield connection
        except SQLAlchemyError as error:
            raise explained(error, self.url) from error

    def events(self, **where: str) -> list[Event]:
        """The events whose columns have these values, in order."""
        chosen = select(events).order_by(events.c.seq)
        for column, value in where.items():
            chosen = chosen.where(events.c[column] == value)
        with self.reading() as connection:
            return [as_event(dict(row._mapping)) for row in connection.execute(chosen)]

    def purge(self) -> bool:
        """What is cleared is overwritten in the file at once; here the log beside it is emptied too. False where somebody reads it meanwhile."""
        if not is_sqlite(self.url):
            return True
        try:
            with self._engine.connect() as connection:
                connection.exec_driver_sql("COMMIT")
                return not connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)").scalar()
        except SQLAlchemyError as error:
            raise explained(error, self.url) from error

    @property
    def engine(self) -> str:
        """Which engine keeps it, and its version: `SQLite 3.40.1`, `Postgres 15.3`."""
        with self.reading() as connection:
            version = connection.dialect.server_version_info or ()
        return f"{NAMES[self.url.get_backend_name()]} {'.'.join(map(str, version))}"

    def close(self) -> None:
        """Let go of the connections."""
        self._engine.dispose()

    def _prepare(self) -> None:
        with self.writing() as writing:
            if earlier := schema.ensure(writing.connection, shown(self.url)):
                writing.append([Entry("migrated", about={"from": earlier, "to": schema.VERSION})])

    def _connected(self, options: Mapping[str, object]) -> Connection:
        return self._engine.connect().execution_options(**options)


def bodies(connection: Connection, hashes: Sequence[str]) -> dict[str, object]:
    """What is kept under hashes; what was redacted is not among them."""
    rows = connection.execute(select(payloads.c.hash, payloads.c.body).where(payloads.c.hash.in_(hashes), payloads.c.body.is_not(None)))
    return {row.hash: json.loads(row.body) for row in rows}


def body_of(connection: Connection, payload: str) -> object | None:
    """What is kept under a hash; None where it was redacted."""
    body = connection.execute(select(payloads.c.body).where(payloads.c.hash == payload)).scalar()
    return cast(object, json.loads(body)) if body is not None else None


def as_event(row: Mapping[str, object]) -> Event:
    """A row of the table as a value."""
    return Event(**{**row, "about": json.loads(str(row["about"]))})
