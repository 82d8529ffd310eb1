"""What the verdict could not see: an accepted memory that nearly says what is there already waits for someone who decides."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field

from sqlalchemy import Connection

from knowledge.database.connection import Database
from knowledge.errors import StatementError, StoreError
from knowledge.journal.journal import Entry, Journal, Writing
from knowledge.registry.contract import Contract
from knowledge.registry.registry import Registry
from knowledge.remember import queue
from knowledge.remember.authority import approvers
from knowledge.remember.inbox import DAY, REVIEW_DAYS, proposal_of
from knowledge.remember.nearness import nearly_told
from knowledge.remember.ownership import may_decide
from knowledge.remember.principals import grants_of
from knowledge.remember.queue import Item
from knowledge.scope import Scope


@dataclass(frozen=True)
class Looked:
    """The receipts that were looked at, and by receipt what nearly says the same."""

    seen: Collection[str] = ()
    near: Mapping[str, str] = field(default_factory=dict)

    def of(self, due: Sequence[Item]) -> list[Item]:
        """Those that were looked at; all where none was, so that what came in between is never left for nobody."""
        return [item for item in due if item.receipt in self.seen] or list(due)


@dataclass(frozen=True)
class SecondLook:
    """At what is due in the namespace that is next. What its proposer may decide about themself, or another has approved, is not looked at."""

    journal: Journal
    registry: Callable[[], Registry]
    database: Callable[[], Database]

    def look(self, owner: str, most: int) -> Looked:
        """Before the namespace is leased. Where the database cannot tell, nothing is near: what is written then is found by an audit."""
        with self.journal.reading() as connection:
            at = self.journal.clock().timestamp()
            namespace = queue.next_due(connection, owner, at)
            contract = self.registry().find(namespace) if namespace else None
            if namespace is None or contract is None:
                return Looked()
            due = queue.waiting(connection, namespace, most, at)
            asked = self._undecided(connection, due, contract)
            told = {item.receipt: proposal for item in asked if (proposal := proposal_of(connection, item.payload)) and proposal.remembers}
        seen = frozenset(item.receipt for item in due)
        try:
            return Looked(seen, nearly_told(self.database(), namespace, told) if told else {})
        except (StoreError, StatementError):
            return Looked(seen)

    def _undecided(self, connection: Connection, due: Sequence[Item], contract: Contract) -> list[Item]:
        given = grants_of(connection, {item.principal for item in due})
        acting = {id_: grants.principal(Scope(frozenset())) for id_, grants in given.items()}
        deciding = {id_ for id_, principal in acting.items() if may_decide(principal, contract, self.registry())}
        open_ = [item for item in due if item.principal not in deciding]
        approved = approvers(connection, open_) if open_ else {}
        return [item for item in open_ if item.receipt not in approved]


def hold_back(writing: Writing, items: Sequence[Item], near: Mapping[str, str]) -> None:
    """They wait for approval like any other; the reason names no text, which the proposer may not be allowed to read."""
    late = writing.at.timestamp() + REVIEW_DAYS * DAY
    why = {item.receipt: f"it says nearly the same as memory {near[item.receipt]}; someone decides whether both are kept" for item in items}
    queue.settle(writing.connection, {receipt: {"status": "review", "why": reason, "expires": late} for receipt, reason in why.items()})
    writing.append([Entry("held_back", item.receipt, item.namespace, item.principal, {"near": near[item.receipt]}) for item in items])
