"""Where graphs write: inboxes for those who submit, decisions for those who may, and the work that follows."""

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
