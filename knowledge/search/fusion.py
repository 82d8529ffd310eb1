"""Reciprocal rank fusion: Cormack, Clarke and Büttcher, SIGIR 2009."""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from typing import TypeVar

T = TypeVar("T", bound=Hashable)
K = 60


def fused(rankings: Iterable[Sequence[T]], k: int = K) -> list[tuple[T, float]]:
    """Items by the sum of 1 / (k + rank) over the rankings (ranks from 1), best first; ties keep the order of first appearance."""
    scores: dict[T, float] = defaultdict(float)
    for ranking in rankings:
        for rank, item in enumerate(ranking, 1):
            scores[item] += 1.0 / (k + rank)
    return sorted(scores.items(), key=lambda pair: -pair[1])
