"""Whether the journal is as it was written: each event, their chain, its end, and the texts under their hashes."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import cast

from sqlalchemy import Connection, select

from knowledge.journal.chain import GENESIS, chained, payload_hash
from knowledge.journal.journal import Journal, as_event
from knowledge.journal.tables import events, head, keys, payloads, work

PAGE = 10_000
REDACTED = "redacted"


@dataclass(frozen=True)
class Fault:
    """`seq`: the event that is not as it was written; 0 for a record that belongs to none."""

    seq: int
    what: str


def verify(journal: Journal, audited: Collection[str] = ()) -> list[Fault]:
    """Everything that was changed, removed, put elsewhere or cut off, in order. `audited`: ids of events that the database knows of."""
    with journal.reading() as connection:
        walk = _Walk()
        faults = [fault for row in _rows(connection) for fault in walk.step(row)]
        faults += walk.end(connection)
        faults += _texts(connection, walk)
        faults += _references(connection, walk)
        faults += [Fault(0, f"the database knows of event {id_}, which is gone") for id_ in audited if id_ not in walk.ids]
    return sorted(faults, key=lambda fault: fault.seq or walk.last + 1)


class _Walk:
    """One passage over the events, and what it has seen."""

    def __init__(self) -> None:
        self.last = 0
        self.hash = GENESIS
        self.ids: set[str] = set()
        self.submitted: dict[str, int] = {}
        self.payloads: dict[str, int] = {}
        self.redacted: set[str] = set()

    def step(self, row: Mapping[str, object]) -> Iterator[Fault]:
        seq = int(str(row["seq"]))
        if seq != self.last + 1:
            yield Fault(seq, f"{_between(self.last + 1, seq - 1)} before it")
        elif row["previous"] != self.hash:
            yield Fault(seq, "it does not follow from the event before it: one of the two was changed or put elsewhere")
        if chained(row) != row["hash"]:
            yield Fault(seq, f"event {row['event_id']} ({row['kind']}) was changed after it was written")
        self.last, self.hash = seq, str(row["hash"])
        self._note(row, seq)

    def end(self, connection: Connection) -> Iterator[Fault]:
        """Against the record that moves with every event and is kept apart from them."""
        kept = connection.execute(select(head)).first()
        if kept is None and self.last:
            yield Fault(self.last, "the record of the last event is gone, so that nothing says whether later ones are missing")
        elif kept is not None and kept.seq > self.last:
            yield Fault(kept.seq, f"the end was cut off: {_between(self.last + 1, kept.seq)}")
        elif kept is not None and (kept.seq, kept.hash) != (self.last, self.hash):
            yield Fault(self.last, "it is not the last event that was recorded")

    def _note(self, row: Mapping[str, object], seq: int) -> None:
        self.ids.add(str(row["event_id"]))
        if row["kind"] == "submitted":
            self.submitted[str(row["receipt"])] = seq
        if row["payload"]:
            self.payloads.setdefault(str(row["payload"]), seq)
        if row["kind"] == REDACTED:
            self.redacted.update(cast(list[str], _about(row).get("payloads", [])))


def _rows(connection: Connection) -> Iterator[Mapping[str, object]]:
    found = connection.execution_options(yield_per=PAGE).execute(select(events).order_by(events.c.seq))
    return (dict(row._mapping) for row in found)


def _texts(connection: Connection, walk: _Walk) -> Iterator[Fault]:
    """Each text matches its hash, is there, and is told of by an event."""
    there: set[str] = set()
    for row in connection.execution_options(yield_per=PAGE).execute(select(payloads)):
        there.add(row.hash)
        seq = walk.payloads.get(row.hash)
        if seq is None:
            yield Fault(0, f"no event tells of the text {row.hash[:12]}: the event that did is gone")
        elif row.body is None and row.hash not in walk.redacted:
            yield Fault(seq, f"its text {row.hash[:12]} is gone, and no event redacted it")
        elif row.body is not None and payload_hash(str(row.salt), row.body) != row.hash:
            yield Fault(seq, f"its text {row.hash[:12]} was changed after it was written")
        elif row.body is not None and row.hash in walk.redacted:
            yield Fault(seq, f"its text {row.hash[:12]} is there, although it was redacted")
    gone = walk.payloads.keys() - there - walk.redacted
    yield from (Fault(walk.payloads[hash_], f"its text {hash_[:12]} is gone, and no event redacted it") for hash_ in gone)


def _references(connection: Connection, walk: _Walk) -> Iterator[Fault]:
    """The work and the keys know of events as well."""
    for row in connection.execution_options(yield_per=PAGE).execute(select(work)):
        if walk.submitted.get(row.receipt) != row.seq:
            yield Fault(row.seq, f"the submission of receipt {row.receipt} is not where it was")
        if row.resolved and row.resolved not in walk.ids:
            yield Fault(row.placed, f"receipt {row.receipt} was given its place by an event that is gone")
    for row in connection.execution_options(yield_per=PAGE).execute(select(keys.c.receipt)):
        if row.receipt not in walk.submitted:
            yield Fault(0, f"a key leads to receipt {row.receipt}, whose submission is gone")


def _about(row: Mapping[str, object]) -> Mapping[str, object]:
    try:
        return as_event(row).about
    except ValueError:
        return {}


def _between(first: int, last: int) -> str:
    return f"event {first} is missing" if first == last else f"events {first} to {last} are missing"
