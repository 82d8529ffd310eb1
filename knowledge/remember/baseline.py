"""A baseline: what the database holds of a namespace at one version, told by a hash. What was there before the journal becomes known to it."""

from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import Connection, select

from knowledge.database import ddl
from knowledge.database.connection import Database
from knowledge.errors import StoreError
from knowledge.journal.journal import Entry, Event, Journal, Writing, as_event
from knowledge.journal.tables import events
from knowledge.journal.verify import Fault
from knowledge.loading.canonical import canonical_hash
from knowledge.remember import snapshot_cypher as cypher

ATTEMPTS = 5


@dataclass(frozen=True)
class Baseline:
    """`content`: the canonical hash. `counts`: nodes and relationships by what they are. `fresh`: it was not known before."""

    namespace: str
    version: int
    shape: str
    content: str
    counts: Mapping[str, int]
    fresh: bool = True


def record(journal: Journal, database: Database, principal: str) -> list[Baseline]:
    """Every namespace of the database, as it is now; done again where nothing changed, it records nothing.

    StoreError where Gavel has loaded nothing, or where a namespace does not hold still.
    """
    found = ddl.stored(database)
    if found is None:
        raise StoreError("Gavel has written nothing into this database, so there is nothing to record; `gavel schema` shows what is in it")
    looked = [_look(database, str(row["namespace"]), found.shape) for row in database.read(cypher.HELD)]
    with journal.writing() as writing:
        return [_record(writing, baseline, principal) for baseline in looked]


def latest(connection: Connection, namespace: str) -> Event | None:
    """The last baseline of a namespace."""
    chosen = select(events).where(events.c.kind == "baseline", events.c.namespace == namespace).order_by(events.c.seq.desc()).limit(1)
    row = connection.execute(chosen).first()
    return as_event(row._asdict()) if row else None


def drifted(journal: Journal, database: Database) -> list[Fault]:
    """Where the database stands at the very version of a baseline or snapshot and holds something else."""
    versions = {str(row["namespace"]): int(row["version"]) for row in database.read(cypher.HELD)}
    told = [*journal.events(kind="baseline"), *journal.events(kind="snapshot")]
    return [
        Fault(event.seq, f"{event.namespace} does not hold what this {event.kind} recorded at version {event.about['version']}")
        for event in told
        if versions.get(event.namespace) == event.about["version"] and canonical_hash(database, event.namespace) != event.about["content"]
    ]


def _look(database: Database, namespace: str, shape: str) -> Baseline:
    for _ in range(ATTEMPTS):
        before = _version(database, namespace)
        counts = database.read(cypher.COUNTS[shape], {"namespace": namespace})[0]
        content = canonical_hash(database, namespace)
        if before == _version(database, namespace):
            return Baseline(namespace, before, shape, content, counts)
    raise StoreError(f"{namespace} is being written all the time; end what writes to it, then record the baseline")


def _version(database: Database, namespace: str) -> int:
    return int(next(row["version"] for row in database.read(cypher.HELD) if row["namespace"] == namespace))


def _record(writing: Writing, baseline: Baseline, principal: str) -> Baseline:
    about = {"version": baseline.version, "shape": baseline.shape, "content": baseline.content, "counts": dict(baseline.counts)}
    known = latest(writing.connection, baseline.namespace)
    if known and known.about == about:
        return Baseline(**{**baseline.__dict__, "fresh": False})
    writing.append([Entry("baseline", namespace=baseline.namespace, principal=principal, about=about)])
    return baseline
