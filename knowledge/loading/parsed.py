"""What a reader yields: one row of a file, checked or rejected."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from knowledge.loading.rows import Origin, Row


@dataclass(frozen=True)
class Parsed:
    """One row of a file: checked, or rejected with the reason and its text.

    `end` is the byte offset after it, `size` about how many characters it holds.
    """

    origin: Origin
    end: int
    size: int
    row: Row | None
    error: str = ""
    text: str = ""


Reader = Callable[[Path, str], Iterator[Parsed]]
