"""Who pays for statements, and in whose name: the run's ledger, seen from below."""

from dataclasses import dataclass
from typing import Protocol


class Meter(Protocol):
    """Asked once before every statement."""

    def charge(self, statement: str) -> float:
        """Count one statement of Cypher; returns the seconds that it may take. Raises OutOfBudget when the run may send no more."""
        ...

    @property
    def tag(self) -> str:
        """Marks the run's transactions, so that a cancelled run can end them."""
        ...

    @property
    def principal(self) -> str:
        """The id of whoever reads; empty where nobody came through a door."""
        ...


@dataclass(frozen=True)
class Unmetered:
    """For work outside a run: no limit, default time."""

    principal: str = ""
    tag: str = ""

    def charge(self, statement: str) -> float:
        return 30.0
