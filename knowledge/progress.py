"""How far long work has come, how fast it goes, and how long it will still take."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Step:
    """`items` (rows or texts) are done; `done` of `total` measures the way (bytes or texts); `seconds` since the work began."""

    label: str
    items: int
    done: int
    total: int
    seconds: float

    @property
    def rate(self) -> float:
        """Items per second."""
        return self.items / self.seconds if self.seconds > 0 else 0.0

    @property
    def left(self) -> float | None:
        """Seconds still to go at this speed; None before anything can be said."""
        return self.seconds * (self.total - self.done) / self.done if self.done > 0 else None


Progress = Callable[[Step], None]


def silent(step: Step) -> None:
    """A Progress that shows nothing."""
