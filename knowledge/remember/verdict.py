"""What the guard says of a proposal, and the durable promise that comes back."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Self, cast

Outcome = Literal["accept", "review", "reject", "invalid"]
Status = Literal["review", "accepted", "applied", "rejected", "invalid", "expired", "dead", "undoing", "undone", "erasing", "redacted"]
Code = Literal[
    "ok", "malformed", "name", "operations", "namespace", "agent_named", "unknown_namespace", "type", "capacity", "duplicate",
    "approval", "not_owner", "no_grant", "no_owner", "delegation", "conflict", "key", "forged",
]  # fmt: skip
OPEN: tuple[Status, ...] = ("review", "accepted")


@dataclass(frozen=True)
class Verdict:
    """accept: it will be written; review: someone must approve it; reject: it will not be; invalid: it cannot be read.

    `suggestion`: the namespace where it should go instead. `advice`: what would make it better, though it may stay as it is.
    """

    outcome: Outcome
    code: Code = "ok"
    message: str = ""
    suggestion: str = ""
    advice: tuple[str, ...] = ()

    @property
    def stands(self) -> bool:
        """Whether something was promised."""
        return self.outcome in ("accept", "review")

    @classmethod
    def read(cls, told: Mapping[str, object]) -> Self:
        """From what `as_json` gave."""
        return cls(**{**told, "advice": tuple(cast(Sequence[str], told["advice"]))})  # type: ignore[arg-type]

    def as_json(self) -> dict[str, object]:
        return {
            "outcome": self.outcome,
            "code": self.code,
            "message": self.message,
            "suggestion": self.suggestion,
            "advice": list(self.advice),
        }


@dataclass(frozen=True)
class Receipt:
    """The promise. `status` is what holds now: accepted is not yet applied. `repeated`: the same submission had come before."""

    id: str
    status: Status
    namespace: str
    verdict: Verdict
    why: str = ""
    repeated: bool = False

    def as_json(self) -> dict[str, object]:
        told: dict[str, object] = {
            "receipt": self.id,
            "status": self.status,
            "namespace": self.namespace,
            "verdict": self.verdict.as_json(),
        }
        return told | ({"why": self.why} if self.why else {}) | ({"repeated": True} if self.repeated else {})
