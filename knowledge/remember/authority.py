"""On whose authority something accepted is written, and whether they still have it when it is."""

from collections.abc import Iterator, Sequence

from sqlalchemy import Connection, select

from knowledge.journal.tables import events, principals
from knowledge.remember.delegations import holds
from knowledge.remember.principals import revoked_ids
from knowledge.remember.queue import Item
from knowledge.scope import LOCAL_PERSON


def lapsed(connection: Connection, items: Sequence[Item], at: float) -> dict[str, str]:
    """Why they may no longer be written, by receipt; nothing for those that may.

    What a person approved stands on that person; all else on its proposer, and on the agent who approved it or the delegation that let it in.
    """
    gone = revoked_ids(connection)
    approved = approvers(connection, items) if gone else {}
    persons = _persons(connection) if gone else frozenset()
    found = {}
    for item in items:
        why = [
            f"{who} was revoked before it was written" for who in _answerable(item, approved.get(item.receipt, ""), persons) if who in gone
        ]
        if item.delegation and not holds(connection, item.delegation, at):
            why.append("the delegation ended before it was written")
        if why:
            found[item.receipt] = "; ".join(why)
    return found


def _answerable(item: Item, approver: str, persons: frozenset[str]) -> Iterator[str]:
    if approver not in persons:
        yield str(item.principal)
    if approver:
        yield approver


def approvers(connection: Connection, items: Sequence[Item]) -> dict[str, str]:
    """Who approved exactly what is to be written."""
    wanted = {item.receipt: item.payload for item in items}
    found = connection.execute(select(events).where(events.c.receipt.in_(list(wanted)), events.c.kind == "approved").order_by(events.c.seq))
    return {row.receipt: row.principal for row in found if row.payload == wanted[row.receipt]}


def _persons(connection: Connection) -> frozenset[str]:
    found = connection.execute(select(principals.c.id).where(principals.c.kind == "person"))
    return frozenset(row.id for row in found) | {LOCAL_PERSON}
