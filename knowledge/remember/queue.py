"""The work that the journal holds, namespace by namespace: leased to one worker at a time, taken in order, settled once."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from sqlalchemy import Connection, Row, bindparam, delete, func, insert, select, update

from knowledge.journal.journal import Entry, Event, Writing, as_event
from knowledge.journal.tables import counters, events, leases, work
from knowledge.remember.guard import Holdings

LEASE_SECONDS = 60.0
FIRST_PAUSE = 1.0
LONGEST_PAUSE = 300.0
MOST_ATTEMPTS = 8
DUE = ("accepted", "undoing", "erasing")
Item = Row[tuple[object, ...]]


class Begun(NamedTuple):
    """What was resolved and not settled, with the event that resolved it: when, and what else was decided with it."""

    item: Item
    at: str
    about: Mapping[str, object]


@dataclass(frozen=True)
class Lease:
    """The right to write into a namespace, until another may have it."""

    namespace: str
    owner: str
    seconds: float


def lease(writing: Writing, owner: str, seconds: float = LEASE_SECONDS) -> Lease | None:
    """A namespace with work that is due and that nobody holds; None where there is none."""
    at = writing.at.timestamp()
    held = select(leases.c.namespace).where(leases.c.until > at, leases.c.owner != owner)
    due = (
        select(work.c.namespace)
        .where(work.c.status.in_(DUE), work.c.not_before <= at, work.c.namespace.not_in(held))
        .order_by(work.c.resolved.desc(), work.c.priority.desc(), work.c.seq)
        .limit(1)
    )
    namespace = writing.connection.execute(due).scalar()
    if namespace is None:
        return None
    writing.connection.execute(delete(leases).where(leases.c.namespace == namespace))
    writing.connection.execute(insert(leases).values(namespace=namespace, owner=owner, until=at + seconds))
    return Lease(namespace, owner, seconds)


def still_held(writing: Writing, lease: Lease) -> bool:
    """Whether nobody else has taken it meanwhile; then it is held for as long again."""
    until = writing.at.timestamp() + lease.seconds
    mine = (leases.c.namespace == lease.namespace) & (leases.c.owner == lease.owner)
    return bool(writing.connection.execute(update(leases).where(mine).values(until=until)).rowcount)


def release(connection: Connection, lease: Lease) -> None:
    """Let another have it."""
    connection.execute(delete(leases).where(leases.c.namespace == lease.namespace, leases.c.owner == lease.owner))


def begun(writing: Writing, namespace: str) -> list[Begun]:
    """What an earlier attempt had resolved and not settled, in the order in which it was to be written.

    What has failed is tried alone, so that one that cannot be written holds up no other.
    """
    chosen = (
        select(work, events.c.at, events.c.about)
        .join(events, events.c.event_id == work.c.resolved)
        .where(work.c.namespace == namespace, work.c.status == "accepted", work.c.not_before <= writing.at.timestamp())
        .order_by(work.c.placed)
    )
    found = [Begun(row, str(row.at), json.loads(row.about)) for row in writing.connection.execute(chosen)]
    whole = [begun for begun in found if not begun.item.attempts]
    return whole or found[:1]


def half_written(writing: Writing, namespace: str) -> bool:
    """Whether something may be in the database whose end the journal does not know yet."""
    open_ = select(work.c.receipt).where(work.c.namespace == namespace, work.c.status == "accepted", work.c.resolved != "")
    return writing.connection.execute(open_.limit(1)).first() is not None


def asked_back(writing: Writing, namespace: str) -> Event | None:
    """What is to be undone or erased next: the event that asked for it."""
    kinds = {"undoing": "undo_asked", "erasing": "redacted"}
    due = select(work).where(work.c.namespace == namespace, work.c.status.in_(kinds), work.c.not_before <= writing.at.timestamp())
    row = writing.connection.execute(due.order_by(work.c.placed).limit(1)).first()
    if row is None:
        return None
    asked = select(events).where(events.c.receipt == row.receipt, events.c.kind == kinds[row.status]).order_by(events.c.seq.desc()).limit(1)
    return as_event(writing.connection.execute(asked).one()._asdict())


def waiting(connection: Connection, namespace: str, most: int, at: float) -> list[Item]:
    """What is next; what has failed waits for its time and holds nothing up."""
    chosen = select(work).where(work.c.namespace == namespace, work.c.status == "accepted", work.c.resolved == "", work.c.not_before <= at)
    return list(connection.execute(chosen.order_by(work.c.priority.desc(), work.c.seq).limit(most)))


def still_waiting(connection: Connection, receipts: Sequence[str]) -> list[Item]:
    """Those of these that were neither decided otherwise nor written since, in the same order."""
    chosen = select(work).where(work.c.receipt.in_(receipts), work.c.status == "accepted", work.c.resolved == "")
    return list(connection.execute(chosen.order_by(work.c.priority.desc(), work.c.seq)))


def settle(connection: Connection, receipts: Mapping[str, Mapping[str, object]]) -> None:
    """New values of work, by receipt; of the same columns for all."""
    if receipts:
        rows = [{"the": receipt, **values} for receipt, values in receipts.items()]
        connection.execute(update(work).where(work.c.receipt == bindparam("the")), rows)


def applied(connection: Connection, receipts: Sequence[str]) -> None:
    """These are written and seen to be there."""
    connection.execute(update(work).where(work.c.receipt.in_(receipts)).values(status="applied", why=""))


def tells(connection: Connection, contents: Mapping[str, str]) -> None:
    """What each of these receipts tells, by which its twins are found; empty for what was archived."""
    if contents:
        rows = [{"the": receipt, "content": content} for receipt, content in contents.items()]
        connection.execute(update(work).where(work.c.receipt == bindparam("the")), rows)


def put_off(writing: Writing, receipt: str, why: str) -> None:
    """Try again later, each time later, and never give up."""
    attempts = int(writing.connection.execute(select(work.c.attempts).where(work.c.receipt == receipt)).scalar_one()) + 1
    pause = min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (attempts - 1))
    settle(writing.connection, {receipt: {"attempts": attempts, "why": why, "not_before": writing.at.timestamp() + pause}})


def failed(writing: Writing, receipt: str, why: str) -> bool:
    """Try again later, each time later; False where it has been tried often enough and is put aside."""
    attempts = int(writing.connection.execute(select(work.c.attempts).where(work.c.receipt == receipt)).scalar_one()) + 1
    pause = min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (attempts - 1))
    over = attempts >= MOST_ATTEMPTS
    values: dict[str, object] = {"attempts": attempts, "why": why, "not_before": writing.at.timestamp() + pause}
    settle(writing.connection, {receipt: values | ({"status": "dead"} if over else {})})
    return not over


def count(connection: Connection, namespace: str, holdings: Holdings) -> None:
    """What the namespace holds live, as its last commit counted it."""
    connection.execute(delete(counters).where(counters.c.namespace == namespace))
    connection.execute(insert(counters).values(namespace=namespace, episodes=holdings.episodes, facts=holdings.facts, bytes=holdings.bytes))


def unfinished(connection: Connection) -> bool:
    """Whether anything is to be done, now or later, without anybody's decision."""
    return connection.execute(select(work.c.receipt).where(work.c.status.in_(DUE)).limit(1)).first() is not None


def by_status(connection: Connection) -> dict[str, int]:
    """How much work stands where."""
    return {str(row[0]): int(row[1]) for row in connection.execute(select(work.c.status, func.count()).group_by(work.c.status))}


def expire(writing: Writing) -> None:
    """Close what nobody has decided in time."""
    at = writing.at.timestamp()
    late = (work.c.status == "review") & (work.c.expires > 0) & (work.c.expires <= at)
    found = list(writing.connection.execute(select(work).where(late)))
    if found:
        writing.connection.execute(update(work).where(late).values(status="expired", why="nobody decided about it in time"))
        writing.append([Entry("expired", item.receipt, item.namespace, item.principal) for item in found])
