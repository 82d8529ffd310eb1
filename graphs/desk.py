"""Where graphs write: inboxes for those who submit, decisions for those who may, and the work that follows."""

from collections.abc import Callable
from typing import Protocol

from knowledge.remember.approvals import Approvals
from knowledge.remember.inbox import Inbox
from knowledge.remember.proposal import Provenance
from knowledge.scope import Principal


class Desk(Protocol):
    """What the composition root provides for writing."""

    def inbox(self, principal: Principal, provenance: Provenance, holder: str) -> Inbox: ...

    def approvals(self, principal: Principal) -> Approvals: ...

    def apply(self) -> str:
        """Do what is due now. Says why where that must wait; empty where it is done."""
        ...

    @property
    def gap_namespace(self) -> str:
        """Where tasks for what answers lack go; empty where nobody wants them."""
        ...

    def later(self, work: Callable[[], object]) -> None:
        """Do it in the background, in order. What goes wrong is logged."""
        ...
