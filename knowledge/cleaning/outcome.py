"""How far the actions of a plan have come."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from knowledge.cleaning.plan import Action

State = Literal["done", "waits", "refused", "kept", "would", "undone"]


@dataclass(frozen=True)
class Outcome:
    """How far one action has come. `said`: what was changed, or why not, or what would be. `waits`: for approval, or for another run."""

    action: Action
    state: State
    said: Sequence[str]
    receipts: Sequence[str] = ()

    def as_json(self) -> dict[str, object]:
        return {**self.action.model_dump(by_alias=True), "state": self.state, "said": list(self.said), "receipts": list(self.receipts)}


def counts(outcomes: Sequence[Outcome]) -> Mapping[str, int]:
    """How many actions are in which state."""
    return {state: n for state in get_args(State) if (n := sum(outcome.state == state for outcome in outcomes))}
