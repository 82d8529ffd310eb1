"""Asking for an applied memory to be taken back: a compensating event, never a deletion. The worker takes it back in its turn."""

from collections.abc import Callable
from dataclasses import dataclass

from sqlalchemy import select, update

from knowledge.journal.journal import Entry, Journal
from knowledge.journal.tables import work
from knowledge.registry.registry import Registry
from knowledge.remember.approvals import Decision
from knowledge.remember.inbox import proposal_of
from knowledge.remember.ownership import may_decide
from knowledge.remember.points import Hook, nowhere
from knowledge.scope import Principal

POINTS = ("undo asking", "undo asked")


@dataclass(frozen=True)
class Undo:
    """What one principal may take back: what stands in namespaces that it may decide about."""

    journal: Journal
    registry: Callable[[], Registry]
    principal: Principal
    at: Hook = nowhere

    def undo(self, receipt: str) -> Decision:
        """Asked twice, it is done once."""
        with self.journal.writing() as writing:
            row = writing.connection.execute(select(work).where(work.c.receipt == receipt)).first()
            contract = self.registry().find(row.namespace) if row else None
            if row is None or contract is None or not may_decide(self.principal, contract, self.registry()):
                return Decision(receipt, False, f"there is nothing with this receipt that {self.principal.id} may undo")
            if row.status in ("undoing", "undone"):
                return Decision(receipt, True, "it was undone already" if row.status == "undone" else "it is being undone already")
            if row.status != "applied":
                return Decision(receipt, False, f"it is {row.status}, so there is nothing to undo")
            undoing = update(work).where(work.c.receipt == receipt).values(status="undoing", attempts=0, not_before=0.0)
            writing.connection.execute(undoing)
            proposal = proposal_of(writing.connection, row.payload)
            archived = [one.episode for one in proposal.archived] if proposal else []
            about = {"archived": archived} if archived else {}
            writing.append([Entry("undo_asked", receipt, row.namespace, self.principal.id, about)])
            self.at("undo asking")
        self.at("undo asked")
        return Decision(receipt, True, "it will be undone")
