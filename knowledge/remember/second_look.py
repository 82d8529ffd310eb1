"""What the verdict could not see: an accepted memory that nearly says what is there already waits for someone who decides."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

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
class SecondLook:
    """What its proposer may decide about themself, or another has approved, is not looked at."""

    journal: Journal
    registry: Callable[[], Registry]
    database: Callable[[], Database]

    def near(self, namespace: str, due: Sequence[Item]) -> Mapping[str, str]:
        """By receipt, what nearly says the same. Where the database cannot tell, nothing does: what is written then is found by an audit."""
        contract = self.registry().find(namespace)
        if contract is None or not due:
            return {}
        with self.journal.reading() as connection:
            asked = self._undecided(connection, due, contract)
            told = {item.receipt: proposal for item in asked if (proposal := proposal_of(connection, item.payload)) and proposal.remembers}
        try:
            return nearly_told(self.database(), namespace, told) if told else {}
        except (StoreError, StatementError):
            return {}

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
