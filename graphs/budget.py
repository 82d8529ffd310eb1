"""One ledger per question. Everything that costs asks it first; a refusal is a value, and names why the run stops."""

import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Literal, Self, cast, get_args

from pydantic import BaseModel, ConfigDict, Field

from graphs.state import RoleCost, Spent, StopReason
from knowledge.errors import OutOfBudget

STOP_REASONS: frozenset[str] = frozenset(get_args(StopReason))
MAX_TASKS = 24
STATEMENT_SECONDS = 30.0
Unit = Literal["rounds", "turns", "queries"]
Clock = Callable[[], float]


class Limits(BaseModel):
    """What one question may cost; each limit has the name of the stop reason that it gives. `closing_*` is kept back for the answer."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    rounds: int = Field(default=5, ge=1, description="plan → evidence cycles")
    turns: int = Field(default=40, ge=0, description="agent turns and supervisor decisions")
    queries: int = Field(default=20, ge=0, description="statements sent to the database")
    model_calls: int = Field(default=30, ge=0, description="requests to a model provider, retries included")
    tokens: int = Field(default=50_000, ge=0, description="prompt and completion together")
    wall_time: float = Field(default=120.0, ge=0, allow_inf_nan=False, description="seconds from intake to the answer")
    no_news: int = Field(default=2, ge=1, description="rounds in a row that add no evidence")
    repeats: int = Field(default=3, ge=0, description="repeated handoffs before the run counts as a loop")
    closing_tokens: int = Field(default=500, ge=0)
    closing_seconds: float = Field(default=5.0, ge=0, allow_inf_nan=False, description="at most a tenth of wall_time")

    def within(self, most: Mapping[str, float]) -> Self:
        """The same limits, cut down where they are above those of `most`."""
        return self.model_copy(update={name: min(getattr(self, name), value) for name, value in most.items()})

    @property
    def working_seconds(self) -> float:
        return self.wall_time - min(self.closing_seconds, self.wall_time / 10)

    @property
    def recursion_limit(self) -> int:
        """Above every superstep that the limits can pay for, in any one graph, so that it never fires first.

        Main: 2 per round (team, check) + intake, synthesize, error handler. Team: one per turn + the last. Investigate: 2 per wave, and
        each wave ends a task. The react loop stops itself below 2 remaining steps, hence the margin.
        """
        return self.turns + 2 * self.rounds + 2 * MAX_TASKS + 10


class Ledger:
    """Thread-safe. `take` and `reserve` never raise; the first refusal is the stop reason."""

    def __init__(self, limits: Limits, clock: Clock = time.monotonic) -> None:
        self.limits = limits
        self._clock, self._start, self._lock = clock, clock(), threading.Lock()
        self._used: Counter[str] = Counter()
        self._money = 0.0
        self._roles: dict[str, RoleCost] = {}
        self._seen: Counter[str] = Counter()
        self._reserved = 0
        self._stop: StopReason | None = None

    def take(self, unit: Unit) -> bool:
        """Count one; False when the run may spend no more of it, or no more of anything."""
        with self._lock:
            if self._halted():
                return False
            if self._used[unit] >= getattr(self.limits, unit):
                return self._refuse(unit)
            self._used[unit] += 1
            return True

    def reserve(self, tokens: int, *, least: int | None = None, role: str = "", closing: bool = False) -> int | None:
        """Room for one model call of `tokens`, to be settled: all of them, or what is left where that is at least `least`.

        The closing call may use what was kept back for it.
        """
        with self._lock:
            kept_calls, kept_tokens = (0, 0) if closing else (1, self.limits.closing_tokens)
            if self._stop == "cancelled" or (not closing and self._halted()):
                return None
            if self._used["model_calls"] + kept_calls >= self.limits.model_calls:
                return self._refuse("model_calls") or None
            granted = min(tokens, self.limits.tokens - self._used["tokens"] - self._reserved - kept_tokens)
            if granted < (tokens if least is None else least):
                return self._refuse("tokens") or None
            self._used["model_calls"] += 1
            self._role(role)["model_calls"] += 1
            self._reserved += granted
            return granted

    def settle(self, reserved: int, used: int | None, *, role: str = "", money: float = 0.0) -> None:
        """Replace a reservation by what the provider reported; unknown usage costs the whole reservation."""
        spent = reserved if used is None else used
        with self._lock:
            self._reserved -= reserved
            self._used["tokens"] += spent
            self._money += money
            cost = self._role(role)
            cost["tokens"] += spent
            cost["money"] += money

    def _role(self, role: str) -> RoleCost:  # the caller holds the lock
        return self._roles.setdefault(role, {"model_calls": 0, "tokens": 0, "money": 0.0})

    def repeats(self, key: str) -> bool:
        """True when this exact step was taken before; more than `limits.repeats` of them in a question is a loop."""
        with self._lock:
            self._seen[key] += 1
            if self._seen[key] == 1:
                return False
            self._used["repeats"] += 1
            if self._used["repeats"] > self.limits.repeats:
                self._refuse("loop")
            return True

    def stop(self, reason: StopReason) -> None:
        """End the run for this reason, unless another one came first; being cancelled always wins."""
        with self._lock:
            self._stop = reason if reason == "cancelled" else self._stop or reason

    @property
    def stop_reason(self) -> StopReason | None:
        with self._lock:
            return self._stop

    @property
    def running(self) -> bool:
        with self._lock:
            return not self._halted()

    @property
    def cancelled(self) -> bool:
        return self.stop_reason == "cancelled"

    @property
    def elapsed(self) -> float:
        """Seconds since the run began."""
        return self._clock() - self._start

    @property
    def remaining(self) -> float:
        """Seconds left to work in; what the closing answer needs is not among them."""
        return self.limits.working_seconds - self.elapsed

    @property
    def outstanding(self) -> int:
        """Tokens of calls that are not settled."""
        with self._lock:
            return self._reserved

    def spent(self) -> Spent:
        """What the run has cost so far, by unit, and what of it each role's model cost; money stays 0 while no price is known."""
        with self._lock:
            return {
                "rounds": self._used["rounds"], "turns": self._used["turns"], "queries": self._used["queries"],
                "model_calls": self._used["model_calls"], "tokens": self._used["tokens"], "money": self._money,
                "milliseconds": round(self.elapsed * 1000, 1), "roles": {role: {**cost} for role, cost in self._roles.items()},
            }  # fmt: skip

    def _halted(self) -> bool:  # the caller holds the lock
        if self._stop is None and self.remaining <= 0:
            self._stop = "wall_time"
        return self._stop is not None

    def _refuse(self, reason: StopReason) -> Literal[False]:  # the caller holds the lock
        self._stop = self._stop or reason
        return False


class RunMeter:
    """Charges a run's statements to its ledger; the `knowledge.reading.meter.Meter` that its reader is bound to."""

    def __init__(self, ledger: Ledger, tag: str, principal: str = "") -> None:
        self._ledger = ledger
        self._tag = tag
        self.principal = principal
        self._here = threading.local()

    @property
    def tag(self) -> str:
        return self._tag

    def charge(self, statement: str) -> float:
        """Count one statement of Cypher; returns the seconds that it may take. Raises OutOfBudget when the run may send no more."""
        if not self._ledger.take("queries"):
            raise OutOfBudget(self._ledger.stop_reason or "queries")
        self._here.sent = (*self.sent, statement)
        return max(0.05, min(STATEMENT_SECONDS, self._ledger.remaining))

    @property
    def sent(self) -> tuple[str, ...]:
        """The statements that the calling thread has sent, so that a read can tell what it cost."""
        return cast(tuple[str, ...], getattr(self._here, "sent", ()))
