"""Where a crash may separate two steps. Each module on the way of a memory names its own points; tests end a process at each of them."""

from collections.abc import Callable

Hook = Callable[[str], None]


def nowhere(point: str) -> None:
    """Nothing happens at a point, unless a test says otherwise."""
