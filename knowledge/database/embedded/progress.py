"""How long work tells what it is doing, without knowing who draws it."""

from typing import Protocol


class Progress(Protocol):
    """Called often and from one thread at a time. `total` is 0 where the length is unknown; a new `label` begins a new step."""

    def __call__(self, done: int, total: int, label: str) -> None: ...


def silent(done: int, total: int, label: str) -> None:
    """A Progress that shows nothing."""
