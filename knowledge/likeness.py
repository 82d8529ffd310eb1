"""Which texts nearly say the same. Texts whose numbers differ do not: step 3 is not step 4."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from knowledge.identity import words

RUN = 3
NEARLY = 0.8
"""Two texts of which four fifths of all runs of three words are common: one sentence in five may differ."""
_NUMBER = re.compile(r"\d+")
COMMON = 200
"""A run of words that so many texts hold is a turn of phrase and finds no pairs."""


@dataclass(frozen=True)
class Pair:
    """Two texts by their place, the earlier first, and what part of their runs of words they share."""

    one: int
    other: int
    likeness: float


def near(texts: Sequence[str]) -> Iterator[Pair]:
    """Pairs that are nearly the same, most alike first. Jaccard's measure over runs of RUN words (Broder 1997)."""
    runs, numbers = [_runs(text) for text in texts], [sorted(_NUMBER.findall(text)) for text in texts]
    holding: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for place, own in enumerate(runs):
        for run in own:
            holding[run].append(place)
    shared: Counter[tuple[int, int]] = Counter()
    for places in holding.values():
        if len(places) <= COMMON:
            shared.update((one, other) for at, one in enumerate(places) for other in places[at + 1 :])
    found = [
        Pair(one, other, n / (len(runs[one]) + len(runs[other]) - n))
        for (one, other), n in shared.items()
        if numbers[one] == numbers[other]
    ]
    yield from sorted((pair for pair in found if pair.likeness >= NEARLY), key=lambda pair: (-pair.likeness, pair.one, pair.other))


def _runs(text: str) -> set[tuple[str, ...]]:
    told = [part for word in words(text) for part in _parts(word)]
    return {tuple(told[at : at + RUN]) for at in range(max(1, len(told) - RUN + 1))}


def _parts(word: str) -> Sequence[str]:
    """Chinese and Japanese runs have no spaces: each character counts."""
    return word if any(character >= "\u2e80" for character in word) else [word]
