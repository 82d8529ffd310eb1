"""95 % intervals: Wilson's for shares, a bootstrap over topics for means of numbers that are no shares."""

import math
from collections.abc import Sequence

import numpy as np

Z = 1.959963984540054
RESAMPLES = 2000
Interval = tuple[float, float]


def wilson(successes: float, trials: int) -> Interval:
    """Wilson 1927: an interval for a share that also holds near 0 and 1. (0, 1) without trials."""
    if not trials:
        return 0.0, 1.0
    share = successes / trials
    spread = Z * math.sqrt(share * (1 - share) / trials + Z**2 / (4 * trials**2))
    scale = 1 + Z**2 / trials
    middle = share + Z**2 / (2 * trials)
    return max(0.0, (middle - spread) / scale), min(1.0, (middle + spread) / scale)


def bootstrap(values: Sequence[float], topics: Sequence[str], seed: int = 0) -> Interval:
    """Percentile bootstrap of the mean that draws whole topics, since questions about one topic succeed and fail together."""
    if not values:
        return 0.0, 1.0
    places = {topic: place for place, topic in enumerate(dict.fromkeys(topics))}
    groups = np.array([places[topic] for topic in topics])
    sums = np.bincount(groups, weights=np.asarray(values, dtype=float))
    counts = np.bincount(groups)
    drawn = np.random.default_rng(seed).integers(0, len(places), (RESAMPLES, len(places)))
    means = sums[drawn].sum(axis=1) / counts[drawn].sum(axis=1)
    low, high = np.percentile(means, (2.5, 97.5))
    return float(low), float(high)
