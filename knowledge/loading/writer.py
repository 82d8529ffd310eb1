"""What the loader asks of a shape: write one batch in one transaction, and remember how far it got."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from knowledge.loading.rows import Row


@dataclass(frozen=True)
class Checkpoint:
    """How many rows of a load are committed; `load` names the files, the namespace and the shape."""

    load: str
    rows: int


@dataclass
class Written:
    """What one transaction did: an outcome per row, in order; the new entities with the texts that are embedded; how many new facts."""

    outcomes: list[str] = field(default_factory=list)
    entities: dict[str, str] = field(default_factory=dict)
    facts: int = 0
    version: int = 0


class Writer(Protocol):
    """Writes one shape."""

    def refusal(self, row: Row) -> str:
        """Why the shape cannot hold what the row says; empty where it can."""
        ...

    def learn(self, rows: Iterable[Row]) -> None:
        """Take note of rows that an earlier run of this load has committed."""
        ...

    def write(self, rows: Sequence[Row], checkpoint: Checkpoint) -> Written: ...
