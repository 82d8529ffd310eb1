"""A plan carried out through the guarded path: proposed, decided about, applied, and taken back, each action as far as it has come."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from knowledge.cleaning.memories import Memories
from knowledge.cleaning.outcome import Outcome, counts
from knowledge.cleaning.plan import Action, Delegate, Keep, Plan
from knowledge.cleaning.works import Delegated, Kept, Proposed
from knowledge.errors import DataError
from knowledge.remember.delegations import Delegations
from knowledge.remember.inbox import Inbox
from knowledge.remember.receipts import submitted_in
from knowledge.remember.undo import Undo

__all__ = ["Cleaner", "Outcome", "counts"]


@dataclass
class Cleaner:
    """Acts for the principal of its inbox, whose run is the plan's id. `apply` does what is due now. `receipts`: of each action, from earlier runs of the plan."""

    plan: Plan
    memories: Memories
    inbox: Inbox
    apply: Callable[[], object]
    receipts: dict[str, list[str]] = field(default_factory=dict)

    def preview(self) -> list[Outcome]:
        """What exactly would change, and what the guard would say. Nothing is written."""
        works = self._prepared()
        verdicts = iter(self.inbox.preview([step.proposal for work in works for step in work.steps]))
        return [work.previewed([next(verdicts) for _ in work.steps]) for work in works]

    def clean(self, delegations: Delegations) -> list[Outcome]:
        """Propose what can be proposed now. Done again, it goes on where it stood."""
        works = self._prepared()
        for work in works:
            if isinstance(work, Delegated):
                work.grant(delegations)
        while self._submit_next([work for work in works if isinstance(work, Proposed)]):
            self.apply()
        return [work.done() for work in works]

    def undo(self, undo: Undo) -> list[Outcome]:
        """The last first: what was archived comes back, what was told elsewhere goes."""
        works = [self._work(action) for action in self.plan.actions]
        for work in reversed(works):
            work.take_back(undo)
        self.apply()
        return [work.undone() for work in works]

    def _work(self, action: Action) -> Kept | Delegated | Proposed:
        if isinstance(action, Keep):
            return Kept(action, [])
        if isinstance(action, Delegate):
            return Delegated(action, self.receipts.setdefault(f"delegate/{action.namespace}/{action.to}", []))
        return Proposed(action, self._own(self.receipts.setdefault(action.memory, [])), inbox=self.inbox)

    def _own(self, receipts: list[str]) -> list[str]:
        """They come from a file: what the plan did not propose is not taken for its own."""
        with self.inbox.journal.reading() as connection:
            own = submitted_in(connection, receipts, self.plan.id)
        if foreign := [id_ for id_ in receipts if id_ not in own]:
            raise DataError(f"the plan never proposed {', '.join(foreign)}; remove the file of its receipts, and it finds its own again")
        return receipts

    def _prepared(self) -> list[Kept | Delegated | Proposed]:
        """With their steps, made from what is live now."""
        works = [self._work(action) for action in self.plan.actions]
        proposed = [work for work in works if isinstance(work, Proposed)]
        live = {memory.uuid: memory for memory in self.memories.live(self.memories.namespaces())}
        told = self.memories.told([work.action.memory for work in proposed if work.action.memory in live])
        for work in proposed:
            work.prepare(self.plan.id, live, told)
        return works

    def _submit_next(self, works: Sequence[Proposed]) -> bool:
        """The next step of every action whose earlier steps are applied; whether there was any."""
        ready = [(work, step) for work in works if (step := work.due())]
        made = self.inbox.submit_many([step.proposal for _, step in ready]) if ready else []
        for (work, _), receipt in zip(ready, made, strict=True):
            work.take(receipt)
        return bool(ready)
