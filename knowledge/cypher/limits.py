"""How much one model-written statement may ask for."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """`rows`: most rows given back. `depth`: longest path. `listed`: most elements of a written list or range, and of all of them multiplied.

    `estimated`: most rows that the planner may expect at any step; `product`: of a cartesian product; `scan`: of a scan of everything. `size`: most bytes of all rows together,
    measured as JSON. `text`: most characters of a statement; `given`: most characters of its parameters, as JSON.
    """

    rows: int = 100
    depth: int = 5
    listed: int = 10_000
    unwinds: int = 4
    reduces: int = 3
    sums: int = 10
    estimated: float = 1_000_000
    scan: float = 1_000
    product: float = 100_000
    seconds: float = 10.0
    size: int = 256_000
    text: int = 8_000
    given: int = 100_000
