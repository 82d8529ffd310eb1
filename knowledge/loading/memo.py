"""What a load has written so far, so that the database need not be asked what is there."""

from collections.abc import Hashable, Iterable
from typing import Generic, TypeVar

MOST_REMEMBERED = 2_000_000
Item = TypeVar("Item", bound=Hashable)


class Memo(Generic[Item]):
    """While nobody else commits to a namespace that was empty when the load began, what the load has written is all that there is.

    The namespace's version tells: it is read under the lock of each transaction and moves with every commit.
    """

    def __init__(self) -> None:
        self._items: set[Item] = set()
        self._version: int | None = 0

    def __contains__(self, item: Item) -> bool:
        return item in self._items

    def complete(self, version: int) -> bool:
        """Whether this is all that a namespace of that version holds."""
        return version == self._version

    def add(self, items: Iterable[Item], complete: bool, version: int) -> None:
        """A transaction that began `complete` has written the items and made this version."""
        if complete and len(self._items) <= MOST_REMEMBERED:
            self._items.update(items)
            self._version = version
        else:
            self._items, self._version = set(), None
