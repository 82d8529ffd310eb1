"""What a question may cost, from what questions of its kind have cost before."""

from collections.abc import Sequence
from dataclasses import dataclass

from gavel.runs import Run
from knowledge.wording.frame import frame

UNITS = ("queries", "model_calls", "tokens", "money", "milliseconds")
LEAST_ALIKE = 5
LOOKED_AT = 500


@dataclass(frozen=True)
class Range:
    """The median of past runs, and what nine of ten lay between (the 5th and the 95th percentile)."""

    median: float
    low: float
    high: float


@dataclass(frozen=True)
class Estimate:
    """By unit. `runs`: how many past runs it rests on; `alike`: whether they asked the same kind of question. Empty where there are none."""

    runs: int
    alike: bool
    units: dict[str, Range]


def estimate(question: str, past: Sequence[Run], *, by_model: bool) -> Estimate:
    """From ended runs of the same sort of brain: those of the same kind of question where there are five, else all."""
    ended = [run for run in past if run.stop_reason not in ("cancelled", "failed") and bool(run.spent.get("model_calls")) == by_model]
    kind = frame(question).kind
    alike = [run for run in ended if frame(run.question).kind == kind]
    chosen = alike if len(alike) >= LEAST_ALIKE else ended
    units = {unit: _range(sorted(_number(run.spent.get(unit)) for run in chosen)) for unit in UNITS} if chosen else {}
    return Estimate(len(chosen), chosen is alike, units)


def _range(values: Sequence[float]) -> Range:
    return Range(_quantile(values, 0.5), _quantile(values, 0.05), _quantile(values, 0.95))


def _quantile(values: Sequence[float], share: float) -> float:
    """Of sorted values, the nearest one."""
    return values[min(len(values) - 1, round(share * (len(values) - 1)))]


def _number(value: object) -> float:
    return float(value) if isinstance(value, int | float) else 0.0
