"""A plan carried out through the guarded path: proposed, decided about, applied, and taken back, each action as far as it has come."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Literal

from knowledge.cleaning.memories import Memories
from knowledge.cleaning.plan import Action, Delegate, Keep, Merge, Plan
from knowledge.cleaning.steps import Step, steps
from knowledge.errors import DataError, ScopeError
from knowledge.remember.delegations import Delegations
from knowledge.remember.inbox import Inbox
from knowledge.remember.undo import Undo
from knowledge.remember.verdict import Receipt, Verdict

State = Literal["done", "waits", "refused", "kept", "would", "undone"]
PENDING = ("review", "accepted", "undoing")


@dataclass(frozen=True)
class Outcome:
    """How far one action has come. `said`: what was changed, or why not, or what would be. `waits`: for approval, or for another run."""

    action: Action
    state: State
    said: Sequence[str]
    receipts: Sequence[str] = ()

    def as_json(self) -> dict[str, object]:
        return {**self.action.model_dump(by_alias=True), "state": self.state, "said": list(self.said), "receipts": list(self.receipts)}


@dataclass
class _Work:
    """One action with its steps, the receipts of those that were proposed, and why it cannot be done."""

    action: Action
    steps: Sequence[Step] = ()
    receipts: list[str] = field(default_factory=list)
    problem: str = ""


@dataclass
class Cleaner:
    """Acts for the principal of its inbox. `apply` does what is due now. `receipts`: of each action, from earlier runs of the plan."""

    plan: Plan
    memories: Memories
    inbox: Inbox
    apply: Callable[[], object]
    receipts: dict[str, list[str]] = field(default_factory=dict)

    def preview(self) -> list[Outcome]:
        """What exactly would change, and what the guard would say. Nothing is written."""
        works = self._works()
        verdicts = iter(self.inbox.preview([step.proposal for work in works for step in work.steps]))
        return [self._previewed(work, [next(verdicts) for _ in work.steps]) for work in works]

    def clean(self, delegations: Delegations) -> list[Outcome]:
        """Propose what can be proposed now. Done again, it goes on where it stood."""
        works = self._works()
        for work in works:
            if isinstance(work.action, Delegate) and not work.receipts:
                self._delegate(work, work.action, delegations)
        while self._submit_next(works):
            self.apply()
        return [self._outcome(work) for work in works]

    def undo(self, undo: Undo) -> list[Outcome]:
        """The last first: what was archived comes back, what was told elsewhere goes."""
        outcomes = [self._undone(action, undo) for action in reversed(self.plan.actions)]
        self.apply()
        return outcomes[::-1]

    def _works(self) -> list[_Work]:
        """The steps are made from what is live now; what is gone has none."""
        live = {memory.uuid: memory for memory in self.memories.live(self.memories.namespaces())}
        wanted = [action.memory for action in self.plan.actions if not isinstance(action, Keep | Delegate) and action.memory in live]
        told = self.memories.told(wanted)
        works = []
        for action in self.plan.actions:
            work = _Work(action, receipts=self.receipts.setdefault(_key(action), []))
            works.append(work)
            if isinstance(action, Keep | Delegate):
                continue
            if action.memory not in live or live[action.memory].namespace != action.from_:
                work.problem = f"there is no live memory {action.memory} in {action.from_}"
                continue
            if isinstance(action, Merge) and action.into not in live:
                work.problem = f"there is no live memory {action.into} that you may read, so nothing would be left of {action.memory}"
                continue
            try:
                work.steps = steps(self.plan.id, action, live[action.memory], told.get(action.memory, ()))
            except DataError as error:
                work.problem = str(error)
        return works

    def _submit_next(self, works: Sequence[_Work]) -> bool:
        """The next step of every action whose earlier steps are applied; whether there was any."""
        ready = [(work, step) for work in works if (step := self._due(work))]
        if not ready:
            return False
        made = self.inbox.submit_many([step.proposal for _, step in ready])
        for (work, _), receipt in zip(ready, made, strict=True):
            if receipt.verdict.stands:
                work.receipts.append(receipt.id)
            else:
                work.problem = receipt.verdict.message
        return True

    def _due(self, work: _Work) -> Step | None:
        if work.problem or len(work.receipts) >= len(work.steps):
            return None
        applied = all(receipt and receipt.status == "applied" for receipt in self._found(work.receipts))
        return work.steps[len(work.receipts)] if applied else None

    def _delegate(self, work: _Work, action: Delegate, delegations: Delegations) -> None:
        try:
            work.receipts.append(delegations.grant(action.to, action.namespace, uses=action.uses, duration=timedelta(hours=action.hours)))
        except ScopeError as error:
            work.problem = str(error)

    def _outcome(self, work: _Work) -> Outcome:
        if isinstance(work.action, Keep):
            return Outcome(work.action, "kept", [work.action.why] if work.action.why else [])
        if isinstance(work.action, Delegate):
            said = work.problem or f"{work.action.to} may write into {work.action.namespace}: delegation {work.receipts[0]}"
            return Outcome(work.action, "refused" if work.problem else "done", [said], work.receipts)
        found = self._found(work.receipts)
        ended = next((one for one in found if one and one.status not in ("applied", *PENDING)), None)
        if ended:
            said = ended.why or ended.verdict.message or f"it is {ended.status}"
            return Outcome(work.action, "undone" if ended.status == "undone" else "refused", [said], work.receipts)
        waiting = [one for one in found if one and one.status in PENDING]
        if waiting:
            return Outcome(work.action, "waits", [_waiting(one) for one in waiting], work.receipts)
        if work.problem and (work.steps or not work.receipts):
            return Outcome(work.action, "refused", [work.problem], work.receipts)
        return Outcome(work.action, "done", [step.said for step in work.steps] or ["it was done before"], work.receipts)

    def _undone(self, action: Action, undo: Undo) -> Outcome:
        ids = self.receipts.get(_key(action), [])
        if not ids or isinstance(action, Keep):
            return Outcome(action, "kept", ["nothing was done"])
        if isinstance(action, Delegate):
            return Outcome(action, "kept", [f"end it with `gavel inbox revoke {ids[0]}`"], ids)
        decisions = [undo.undo(id_) for id_ in reversed(ids)]
        said = [decision.message for decision in decisions]
        return Outcome(action, "undone" if all(decision.done for decision in decisions) else "refused", said, ids)

    def _previewed(self, work: _Work, verdicts: Sequence[Verdict]) -> Outcome:
        action = work.action
        if isinstance(action, Keep):
            return Outcome(action, "kept", [action.why] if action.why else [])
        if isinstance(action, Delegate):
            return Outcome(
                action, "would", [f"{action.to} may write into {action.namespace} {action.uses} times in {action.hours:g} hours"]
            )
        if work.receipts:
            return self._outcome(work)
        refused = work.problem or next((verdict.message for verdict in verdicts if not verdict.stands), "")
        if refused:
            return Outcome(action, "refused", [refused])
        return Outcome(action, "would", [_would(step, verdict) for step, verdict in zip(work.steps, verdicts, strict=True)])

    def _found(self, ids: Sequence[str]) -> list[Receipt | None]:
        return [self.inbox.receipt(id_) for id_ in ids]


def counts(outcomes: Sequence[Outcome]) -> Mapping[str, int]:
    """How many actions are in which state."""
    return {state: n for state in State.__args__ if (n := sum(outcome.state == state for outcome in outcomes))}  # type: ignore[attr-defined]


def _key(action: Action) -> str:
    return f"delegate/{action.namespace}/{action.to}" if isinstance(action, Delegate) else action.memory


def _waiting(receipt: Receipt) -> str:
    if receipt.status == "review":
        return f"receipt {receipt.id} waits for approval in {receipt.namespace}: {receipt.verdict.message}"
    return f"receipt {receipt.id} is {receipt.status}; run the plan again when it is applied"


def _would(step: Step, verdict: Verdict) -> str:
    return f"{step.said} (needs approval: {verdict.message})" if verdict.outcome == "review" else step.said
