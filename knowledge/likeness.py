"""Which texts nearly say the same. Texts whose numbers differ do not: step 3 is not step 4."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
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
    of_numbers: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for place, text in enumerate(texts):
        of_numbers[tuple(sorted(_NUMBER.findall(text)))].append(place)
    found = [pair for places in of_numbers.values() if len(places) > 1 for pair in _pairs({place: _runs(texts[place]) for place in places})]
    yield from sorted(found, key=lambda pair: (-pair.likeness, pair.one, pair.other))


def _pairs(runs: Mapping[int, set[tuple[str, ...]]]) -> Iterator[Pair]:
    holding: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for place, own in runs.items():
        for run in own:
            holding[run].append(place)
    shared: Counter[tuple[int, int]] = Counter()
    for places in holding.values():
        if len(places) <= COMMON:
            shared.update((one, other) for at, one in enumerate(places) for other in places[at + 1 :])
    for (one, other), n in shared.items():
        likeness = n / (len(runs[one]) + len(runs[other]) - n)
        if likeness >= NEARLY:
            yield Pair(one, other, likeness)


def _runs(text: str) -> set[tuple[str, ...]]:
    told = [part for word in words(text) for part in _parts(word)]
    return {tuple(told[at : at + RUN]) for at in range(max(1, len(told) - RUN + 1))}


def _parts(word: str) -> Sequence[str]:
    """Chinese and Japanese runs have no spaces: each character counts."""
    return word if any(character >= "\u2e80" for character in word) else [word]
