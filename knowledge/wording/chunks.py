"""Noun chunks: which neighbouring words belong to different steps, and how many steps a question has at least."""

from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations_with_replacement, pairwise

import numpy as np

from knowledge.wording.english import AUXILIARIES, PREPOSITIONS
from knowledge.wording.lexicon import Lexicon
from knowledge.wording.question import View, nominal
from knowledge.wording.steps import Numbers, Steps
from knowledge.wording.units import Unit
from knowledge.wording.vectors import Array
from knowledge.wording.weights import Weights

SEPARATORS = PREPOSITIONS | {"s"}


@dataclass(frozen=True)
class Chunks:
    """`least`: steps that the chunks ask for. `separation` (n,): what it costs to give a unit the same step as the one before.

    `distinct` (n, R): false where a unit and the one before are two words of one relation name ("place of birth").
    """

    least: int
    separation: Array
    distinct: Array


class ChunkReader:
    """Finds the borders between chunks."""

    def __init__(self, lexicon: Lexicon, steps: Steps, weights: Weights) -> None:
        self._lexicon = lexicon
        self._steps = steps
        self._weights = weights
        self._places: dict[str, Numbers] = {}

    def read(self, view: View, units: list[Unit]) -> Chunks:
        least, relations = 1, len(self._steps.steps) // 2
        separation, distinct = np.zeros(len(units)), np.ones((len(units), relations))
        for x, (before, unit) in enumerate(pairwise(units), start=1):
            cut, separation[x] = self._border(view, before, unit)
            if separation[x]:
                distinct[x] = self._distinct(before.word, unit.word)
            split = cut and not self._names_only_kind(view, before, unit) and not self._one_name(before, unit)
            least += bool(split or unit.hard)
        return Chunks(least, separation, distinct)

    def _border(self, view: View, before: Unit, unit: Unit) -> tuple[bool, float]:
        """(does a new chunk begin here?, cost of the same step)"""
        if (unit.place < view.start) != (before.place < view.start):
            if view.possessive and before.place >= view.end:
                return True, self._weights.same_step
            return view.possessive or (view.after_of and before.place < view.start), 0.0
        low, high = sorted((unit.place, before.place))
        gap = view.words[low + 1 : high]
        cost = self._weights.same_step if SEPARATORS & set(gap) else 0.0
        verb_between = bool(AUXILIARIES & set(gap)) and nominal(view.words[before.place])
        after_phrase = view.possessive and unit.place - view.end >= view.phrase
        return "s" in gap or "of" in gap or verb_between or after_phrase, cost

    @staticmethod
    def _names_only_kind(view: View, before: Unit, unit: Unit) -> bool:
        """A chunk that only names a kind of node takes no step; nor does an apposition ("the recording X")."""
        if before.place == view.start - 1 and view.start > 0:
            return True
        for u in (before, unit):
            names_kind = u.kinds.max() > 0.6 and u.kinds.max() >= u.steps.max()
            if names_kind and not (view.possessive and view.words[u.place + 1 : u.place + 2] == ("of",)):
                return True
        return False

    def _one_name(self, before: Unit, unit: Unit) -> bool:
        both = (unit.steps > 0.5) & (before.steps > 0.5)
        if not both.any():
            return False
        apart = self._in_name(unit.word) != self._in_name(before.word)
        return bool((both & apart[self._steps.relation]).any())

    def _distinct(self, before: str, word: str) -> Array:
        one, other = self._in_name(before), self._in_name(word)
        same: Array = ((one < 0) | (other < 0) | (one == other)).astype(np.float64)
        return same

    def _in_name(self, word: str) -> Numbers:
        """Per relation, which word of its name this is; -1 for none."""
        if word not in self._places:
            places = [self._lexicon.place(word, i) for i in range(len(self._steps.steps) // 2)]
            self._places[word] = np.array([-1 if place is None else place for place in places], dtype=np.int64)
        return self._places[word]


@lru_cache(maxsize=256)
def _monotone(units: int, steps: int) -> Numbers:
    if not units:
        return np.zeros((1, 0), dtype=np.int64)
    return np.array(list(combinations_with_replacement(range(steps), units)), dtype=np.int64).reshape(-1, units)


def assignments(units: list[Unit], steps: int) -> Numbers:
    """All monotone assignments of units to steps, (S, n), in which each hard unit takes the step after the one before."""
    table = _monotone(len(units), steps)
    for x, unit in enumerate(units):
        if unit.hard:
            table = table[table[:, x] == table[:, x - 1] + 1]
    return table
