"""What the loader asks of a shape: prepare a batch while earlier ones are written, write it in one transaction."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

from knowledge.loading.rows import Row

Prepared = TypeVar("Prepared")


@dataclass(frozen=True)
class Checkpoint:
    """How many rows of a load are committed; `load` names the files, the namespace and the shape. `event` told the journal of the batch."""

    load: str
    rows: int
    event: str = ""


@dataclass
class Written:
    """What one transaction did: an outcome per row, in order; the new entities with the texts that are embedded; how many new facts."""

    outcomes: list[str] = field(default_factory=list)
    entities: dict[str, str] = field(default_factory=dict)
    facts: int = 0
    version: int = 0


class Writer(Protocol[Prepared]):
    """Writes one shape. `refusal` and `prepare` run in the thread that reads ahead, in file order; `skip` and `write` in the loader's."""

    def refusal(self, row: Row) -> str:
        """Why the shape cannot hold what the row says; empty where it can."""
        ...

    def prepare(self, rows: Sequence[Row]) -> Prepared:
        """All that can be made of the rows before their transaction."""
        ...

    def skip(self, batch: Prepared) -> None:
        """An earlier run of this load has committed the batch."""
        ...

    def write(self, batch: Prepared, checkpoint: Checkpoint) -> Written:
        """All of the batch and its checkpoint in one transaction, or nothing."""
        ...
