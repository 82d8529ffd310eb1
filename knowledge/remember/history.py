"""What was done to the kg, in the order in which it was done, as the journal tells it."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import cast

from sqlalchemy import Connection, select

from knowledge.journal.journal import Event, as_event, bodies
from knowledge.journal.tables import events
from knowledge.remember.proposal import Proposal, Provenance
from knowledge.remember.resolved import Resolved


@dataclass(frozen=True)
class Undoing:
    """An applied memory that is taken back. `event` asked for it, `seq` is its place in the journal, `at` the time.

    `restores`: the episodes that it had archived.
    """

    event: str
    seq: int
    receipt: str
    principal: str
    at: datetime
    restores: Sequence[str] = ()


@dataclass(frozen=True)
class Written:
    """One commit of a namespace: memories, or one that was taken back."""

    namespace: str
    version: int
    memories: Sequence[Resolved] = ()
    undoing: Undoing | None = None


def history(connection: Connection, namespace: str = "") -> list[Written]:
    """The commits of each namespace in their order. Memories whose text was redacted are left out."""
    done = _events(connection, ("applied", "undone"), namespace)
    caused = {event.event_id: event for event in _events(connection, ("resolved", "undo_asked"), namespace)}
    told = _told(connection, [caused[str(event.about["event"])] for event in done])
    ordered = sorted(done, key=lambda event: (event.namespace, _version(event), caused[str(event.about["event"])].seq))
    commits = []
    for (space, version), group in groupby(ordered, key=lambda event: (event.namespace, _version(event))):
        found = [(event.kind, caused[str(event.about["event"])]) for event in group]
        memories = [_resolved(cause, told[cause.payload]) for kind, cause in found if kind == "applied" and cause.payload in told]
        undone = next((undoing(cause) for kind, cause in found if kind == "undone"), None)
        commits.append(Written(space, version, memories, undone))
    return commits


def undoing(event: Event) -> Undoing:
    """What an event asks to be taken back."""
    restores = cast(Sequence[str], event.about.get("archived", ()))
    return Undoing(event.event_id, event.seq, event.receipt, event.principal, datetime.fromisoformat(event.at), restores)


def resolved_by(connection: Connection, receipt: str) -> list[str]:
    """The events that gave a proposal its place among what is written."""
    found = select(events.c.event_id).where(events.c.receipt == receipt, events.c.kind == "resolved").order_by(events.c.seq)
    return [str(row.event_id) for row in connection.execute(found)]


def _version(event: Event) -> int:
    return int(str(event.about.get("version", 0)))


def _events(connection: Connection, kinds: Sequence[str], namespace: str) -> list[Event]:
    chosen = select(events).where(events.c.kind.in_(kinds)).order_by(events.c.seq)
    chosen = chosen.where(events.c.namespace == namespace) if namespace else chosen
    return [as_event(row._asdict()) for row in connection.execute(chosen)]


def _told(connection: Connection, causes: Sequence[Event]) -> dict[str, tuple[Proposal, Provenance]]:
    found = cast(Mapping[str, Mapping[str, Mapping[str, str]]], bodies(connection, [cause.payload for cause in causes if cause.payload]))
    return {hash_: (Proposal.model_validate(body["proposal"]), Provenance(**body["provenance"])) for hash_, body in found.items()}


def _resolved(cause: Event, told: tuple[Proposal, Provenance]) -> Resolved:
    single = frozenset(cast(Iterable[str], cause.about.get("single_valued", ())))
    return Resolved(cause.event_id, cause.seq, cause.receipt, cause.principal, *told, datetime.fromisoformat(cause.at), single)


def exported(connection: Connection) -> Iterable[str]:
    """One line of JSON per event, with its text where that was not redacted."""
    for row in connection.execute(select(events).order_by(events.c.seq)):
        event = as_event(row._asdict())
        text = bodies(connection, [event.payload]).get(event.payload) if event.payload else None
        yield json.dumps({**event.__dict__, "text": text}, ensure_ascii=False, sort_keys=True)
