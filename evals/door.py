"""What the evals ask through: a function from the turns of a thread to the result of the last one, in one world."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol

from evals.worlds.catalogue import World
from graphs.state import Result
from knowledge.profile.profile import Shape

Ask = Callable[[Sequence[str]], Result]


@dataclass(frozen=True)
class Setting:
    """One way to run the product: the shape of the database, and whether the owner's profile is known."""

    shape: Shape
    profile: bool

    @property
    def label(self) -> str:
        """As a report shows it."""
        return f"{self.shape}, {'with' if self.profile else 'without'} profile"


class OpenWorld(Protocol):
    """A loaded world whose database is running."""

    def ask(self, profile: bool) -> Ask:
        """Through the Python API."""
        ...

    def command(self, profile: bool) -> Ask:
        """Through the command line, one process per question; it takes single turns."""
        ...


Opener = Callable[[World, Shape], AbstractContextManager[OpenWorld]]
