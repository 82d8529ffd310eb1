"""Each kind of action as work: what it would do, how far it has come, and how it is taken back."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Generic, TypeVar

from knowledge.cleaning.memories import Memory, ToldFact
from knowledge.cleaning.outcome import Outcome, State
from knowledge.cleaning.plan import Delegate, Keep
from knowledge.cleaning.steps import Step, Taking, steps
from knowledge.errors import DataError, ScopeError
from knowledge.remember.approvals import Decision
from knowledge.remember.delegations import Delegations
from knowledge.remember.inbox import Inbox
from knowledge.remember.undo import Undo
from knowledge.remember.verdict import Receipt, Verdict

Kind = TypeVar("Kind", bound=Keep | Delegate | Taking)
PENDING = ("review", "accepted", "undoing")


@dataclass
class Work(ABC, Generic[Kind]):
    """One action. `receipts`: of what was done for it so far. `problem`: why it cannot be done. `steps`: all that it proposes, in order."""

    action: Kind
    receipts: list[str]
    problem: str = ""
    steps: Sequence[Step] = ()

    @abstractmethod
    def previewed(self, verdicts: Sequence[Verdict]) -> Outcome:
        """What it would do; the guard's verdict on each step is given."""

    @abstractmethod
    def done(self) -> Outcome:
        """How far it has come."""

    def take_back(self, undo: Undo) -> None:
        """Ask for it to be undone, as far as it has come."""

    @abstractmethod
    def undone(self) -> Outcome:
        """What has become of that."""

    def _is(self, state: State, said: Sequence[str]) -> Outcome:
        return Outcome(self.action, state, said, self.receipts)


class Kept(Work[Keep]):
    """Nothing is done, and the plan may say why."""

    def previewed(self, verdicts: Sequence[Verdict]) -> Outcome:
        return self.done()

    def done(self) -> Outcome:
        return self._is("kept", [self.action.why] if self.action.why else [])

    def undone(self) -> Outcome:
        return self._is("kept", ["nothing was done"])


class Delegated(Work[Delegate]):
    """Its receipt is the delegation, which ends by itself or is revoked."""

    def previewed(self, verdicts: Sequence[Verdict]) -> Outcome:
        told = self.action
        return self._is("would", [f"{told.to} may write into {told.namespace} {told.uses} times in {told.hours:g} hours"])

    def grant(self, delegations: Delegations) -> None:
        """Once, whatever became of it since."""
        if self.receipts:
            return
        told = self.action
        try:
            self.receipts.append(delegations.grant(told.to, told.namespace, uses=told.uses, duration=timedelta(hours=told.hours)))
        except ScopeError as error:
            self.problem = str(error)

    def done(self) -> Outcome:
        if self.problem:
            return self._is("refused", [self.problem])
        return self._is("done", [f"{self.action.to} may write into {self.action.namespace}: delegation {self.receipts[0]}"])

    def undone(self) -> Outcome:
        return self._is("kept", [f"end it with `gavel inbox revoke {self.receipts[0]}`" if self.receipts else "nothing was done"])


@dataclass
class Proposed(Work[Taking]):
    """Goes to the inbox step by step, each when those before it are applied."""

    inbox: Inbox = field(kw_only=True)
    decisions: list[Decision] = field(default_factory=list)

    def prepare(self, plan: str, live: Mapping[str, Memory], told: Mapping[str, Sequence[ToldFact]]) -> None:
        """Make the steps from what is live now. Where that fails, what was proposed before has taken the memory away."""
        try:
            self.steps = steps(plan, self.action, live, told)
        except DataError as error:
            self.problem = "" if self.receipts else str(error)

    def due(self) -> Step | None:
        """The step that may be proposed now."""
        if self.problem or len(self.receipts) >= len(self.steps):
            return None
        applied = all(receipt and receipt.status == "applied" for receipt in self._found())
        return self.steps[len(self.receipts)] if applied else None

    def take(self, receipt: Receipt) -> None:
        """What the inbox said of the step that was due."""
        if receipt.verdict.stands:
            self.receipts.append(receipt.id)
        else:
            self.problem = receipt.verdict.message

    def previewed(self, verdicts: Sequence[Verdict]) -> Outcome:
        if self.receipts:
            return self.done()
        if refused := self.problem or next((verdict.message for verdict in verdicts if not verdict.stands), ""):
            return self._is("refused", [refused])
        return self._is("would", [_would(step, verdict) for step, verdict in zip(self.steps, verdicts, strict=True)])

    def done(self) -> Outcome:
        if self.problem:
            return self._is("refused", [self.problem])
        found = [receipt for receipt in self._found() if receipt]
        if len(found) < len(self.receipts):
            return self._is(
                "refused", ["it was begun by someone else, and what became of it is not for you to know; ask them to run the plan"]
            )
        for receipt in found:
            if receipt.status not in ("applied", *PENDING):
                said = receipt.why or receipt.verdict.message or f"it is {receipt.status}"
                return self._is("undone" if receipt.status == "undone" else "refused", [said])
        if waiting := [_waiting(receipt) for receipt in found if receipt.status in PENDING]:
            return self._is("waits", waiting)
        return self._is("done", [step.said for step in self.steps] or ["it was done before"])

    def take_back(self, undo: Undo) -> None:
        self.decisions = [undo.undo(id_) for id_ in reversed(self.receipts)]

    def undone(self) -> Outcome:
        if not self.decisions:
            return self._is("kept", ["nothing was done"])
        if refused := [decision.message for decision in self.decisions if not decision.done]:
            return self._is("refused", refused)
        waiting = [f"receipt {receipt.id} is {receipt.status}" for receipt in self._found() if receipt and receipt.status == "undoing"]
        return self._is("waits" if waiting else "undone", waiting or ["it is as it was before"])

    def _found(self) -> list[Receipt | None]:
        return [self.inbox.receipt(id_) for id_ in self.receipts]


def _waiting(receipt: Receipt) -> str:
    if receipt.status == "review":
        return f"receipt {receipt.id} waits for approval in {receipt.namespace}: {receipt.verdict.message}"
    return f"receipt {receipt.id} is {receipt.status}; run the plan again when it is applied"


def _would(step: Step, verdict: Verdict) -> str:
    return f"{step.said} (needs approval: {verdict.message})" if verdict.outcome == "review" else step.said
