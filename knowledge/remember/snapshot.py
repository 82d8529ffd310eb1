"""A snapshot: all that a namespace holds at one version, in a file that an event vouches for. A replay may begin at it."""

import platform
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, groupby, islice
from pathlib import Path
from typing import cast

from neo4j import ManagedTransaction
from sqlalchemy import Connection, select

from knowledge.database import ddl
from knowledge.database.connection import Database
from knowledge.errors import ConfigError, JournalError, StoreError
from knowledge.journal.journal import Entry, Event, Journal, Writing, as_event
from knowledge.journal.tables import events, work
from knowledge.journal.verify import Fault
from knowledge.loading.canonical import canonical_hash
from knowledge.remember import snapshot_cypher as cypher
from knowledge.remember import snapshot_file
from knowledge.remember.points import Hook, nowhere
from knowledge.remember.snapshot_file import Line

SECONDS = 600.0
FORMAT = 1
KINDS = ("snapshot_begun", "snapshot", "snapshot_removed")
BATCH = 1_000


@dataclass(frozen=True)
class Snapshot:
    """`begun` names it in the journal. `seq` is the place of the event that vouches for it, 0 where there is none; then it is of no use."""

    begun: str
    namespace: str
    host: str
    file: Path
    seq: int = 0
    version: int = 0
    sha256: str = ""
    content: str = ""

    @property
    def near(self) -> bool:
        """Whether its file is one of this host, or is here all the same, on a disk that hosts share."""
        return self.host == platform.node() or snapshot_file.sha256(self.file) in {self.sha256} - {""}


def take(journal: Journal, database: Database, namespace: str, file: Path, principal: str, at: Hook = nowhere) -> Event:
    """Write it and vouch for it; nothing is written to the namespace while it is read.

    ConfigError where the file is there already or cannot be written, StoreError where there is no such namespace in the memory shape,
    JournalError where a memory of it is being removed for good.
    """
    file = file.absolute()
    found = ddl.stored(database)
    if found is None or found.shape != "memory":
        raise StoreError("a snapshot is taken of the memory shape alone; `gavel db dump` copies a whole database of any shape")
    if file.exists():
        raise ConfigError(f"{file} is there already; name another file")
    begun = _begin(journal, namespace, file, principal)
    try:
        about = cast(dict[str, object], database.transact(partial(_write, database, namespace, file), seconds=SECONDS))
        at("snapshot read")
        return _vouch(journal, begun, about)
    except BaseException:
        with suppress(JournalError), journal.writing() as writing:
            discard(writing, [_snapshot(begun.event_id, begun)], principal)
        raise


def live(connection: Connection, namespace: str = "") -> list[Snapshot]:
    """Those that nobody has removed, oldest first; also what was begun and never finished."""
    chosen = select(events).where(events.c.kind.in_(KINDS)).order_by(events.c.seq)
    chosen = chosen.where(events.c.namespace == namespace) if namespace else chosen
    found: dict[str, Snapshot] = {}
    for event in (as_event(row._asdict()) for row in connection.execute(chosen)):
        begun = str(event.about.get("snapshot", event.event_id))
        if event.kind == "snapshot_removed":
            found.pop(begun, None)
        elif event.kind == "snapshot" or begun not in found:
            found[begun] = _snapshot(begun, event)
    return list(found.values())


def discard(writing: Writing, snapshots: Sequence[Snapshot], principal: str) -> list[Snapshot]:
    """Remove those that are here, and return those that are not. JournalError where a file cannot be removed."""
    near = [one for one in snapshots if one.near]
    for one in near:
        try:
            snapshot_file.remove(one.file)
        except OSError as error:
            raise JournalError(f"the snapshot {one.file} cannot be removed ({error.strerror}); mend that and ask again") from error
    _told_gone(writing, near, principal)
    return [one for one in snapshots if one not in near]


def forget(journal: Journal, file: Path, principal: str) -> list[Snapshot]:
    """Remove the snapshots of this name that are here; of others `principal` vouches that they are gone. ConfigError where there is none."""
    with journal.writing() as writing:
        found = [one for one in live(writing.connection) if one.file == file.absolute()]
        if not found:
            raise ConfigError(f"no snapshot {file.absolute()} is known; `gavel audit --kind load` lists them")
        _told_gone(writing, discard(writing, found, principal), principal)
    return found


def _told_gone(writing: Writing, snapshots: Sequence[Snapshot], principal: str) -> None:
    writing.append(
        [Entry("snapshot_removed", namespace=one.namespace, principal=principal, about={"snapshot": one.begun}) for one in snapshots]
    )


def changed(journal: Journal) -> list[Fault]:
    """The files of this host that are no longer what was vouched for. One that is gone is none of them: it can bring nothing back."""
    with journal.reading() as connection:
        vouched = [one for one in live(connection) if one.seq and one.near]
    return [
        Fault(one.seq, f"the snapshot {one.file} was changed after it was taken")
        for one in vouched
        if snapshot_file.sha256(one.file) not in ("", one.sha256)
    ]


def restore(database: Database, file: Path) -> None:
    """Into a database that holds nothing of the namespace."""
    for kind, rows in _batches(file):
        database.write(cypher.WRITE[kind], {"rows": rows})


def restore_content(transaction: ManagedTransaction, file: Path) -> None:
    """All but the records of the namespace itself and of its commits, which stayed when it was emptied."""
    for kind, rows in _batches(file):
        if kind not in cypher.RECORDS:
            transaction.run(cypher.WRITE[kind], rows=rows).consume()


def _batches(file: Path) -> Iterator[tuple[str, list[Line]]]:
    """Of one kind each, in the order of the file, where nodes come before what stands on them."""
    for kind, lines in groupby(snapshot_file.read(file), key=lambda line: str(line["is"])):
        while rows := list(islice(lines, BATCH)):
            yield kind, rows


def _begin(journal: Journal, namespace: str, file: Path, principal: str) -> Event:
    with journal.writing() as writing:
        erasing = select(work.c.receipt).where(work.c.namespace == namespace, work.c.status == "erasing")
        if receipt := writing.connection.execute(erasing.limit(1)).scalar():
            raise JournalError(
                f"receipt {receipt} of {namespace} is being removed for good; run `gavel worker --once`, then take the snapshot"
            )
        about = {"file": str(file), "host": platform.node()}
        [begun] = writing.append([Entry("snapshot_begun", namespace=namespace, principal=principal, about=about)])
    return begun


def _write(database: Database, namespace: str, file: Path, transaction: ManagedTransaction) -> dict[str, object]:
    """The lock of the namespace keeps what is read, and what is hashed beside it, at one version."""
    locked = transaction.run(cypher.LOCK, namespace=namespace).single()
    if locked is None:
        raise StoreError(f"the database holds no namespace {namespace!r}; `gavel schema` lists what there is")
    counts: Counter[str] = Counter()
    head = {"snapshot": FORMAT, "namespace": namespace, "version": locked["version"]}
    whole = snapshot_file.write(file, chain([head], _lines(transaction, namespace, counts)))
    return {"version": locked["version"], "sha256": whole, "content": canonical_hash(database, namespace), "counts": dict(counts)}


def _lines(transaction: ManagedTransaction, namespace: str, counts: Counter[str]) -> Iterator[Line]:
    for kind, statement in cypher.READ.items():
        for row in transaction.run(statement, namespace=namespace):
            counts[kind] += 1
            properties = {name: value for name, value in row["properties"].items() if value is not None}
            yield {"is": kind, **row.data(), "properties": properties}


def _vouch(journal: Journal, begun: Event, about: dict[str, object]) -> Event:
    """Unless something was redacted while it was read: then it would bring that back."""
    with journal.writing() as writing:
        redacted = select(events.c.seq).where(events.c.namespace == begun.namespace, events.c.kind == "redacted", events.c.seq > begun.seq)
        if writing.connection.execute(redacted.limit(1)).first():
            raise JournalError(f"a memory of {begun.namespace} was removed for good meanwhile; take the snapshot again")
        snapshot_file.publish(Path(str(begun.about["file"])))
        told = {**begun.about, **about, "snapshot": begun.event_id}
        [event] = writing.append([Entry("snapshot", namespace=begun.namespace, principal=begun.principal, about=told)])
    return event


def _snapshot(begun: str, event: Event) -> Snapshot:
    about = event.about
    named = Snapshot(begun, event.namespace, str(about["host"]), Path(str(about["file"])))
    if event.kind == "snapshot_begun":
        return named
    return replace(named, seq=event.seq, version=int(str(about["version"])), sha256=str(about["sha256"]), content=str(about["content"]))
