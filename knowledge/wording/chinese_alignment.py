"""How well relation paths fit the words of a Chinese question: words are laid on steps in order, and every word and step is paid for."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement

import numpy as np
from numpy.typing import NDArray

from knowledge.wording.chinese_grammar import AGENT_NOUN
from knowledge.wording.chinese_lexicon import ChineseLexicon, WordEvidence
from knowledge.wording.chinese_question import Asked, Unit
from knowledge.wording.chinese_weights import ChineseWeights
from knowledge.wording.steps import PathIds, Steps
from knowledge.wording.vectors import Array

Grid = NDArray[np.int64]
NAMES_ANSWERS = 0.7
NAMES_KIND = 0.4
BY_WORD = 0.6
UNKNOWN_NOUN = 0.4
COVERED = 0.5
OF_HEAD = 0.5
HEAD_NOUN = 0.6
AGENT_BACK = 0.8


@dataclass(frozen=True)
class AlignedPath:
    """`returns`: places in the path of steps back over the step before. `unexplained`: words that no step accounts for."""

    path: PathIds
    score: float
    best: float
    returns: tuple[int, ...]
    unexplained: tuple[str, ...]


@dataclass(frozen=True)
class _Words:
    """One reading order as arrays over (unit, step)."""

    units: Sequence[Unit]
    weights: Array
    steps: Array
    ends: Array
    starts: Array


@dataclass(frozen=True)
class _Laid:
    """Per laying and path: what the words are worth (S, P), value per unit (n, S, P), cover per step (S, P, L)."""

    totals: Array
    values: Array
    covered: Array


class ChineseAligner:
    """Pure arithmetic over the steps of one schema."""

    def __init__(self, lexicon: ChineseLexicon, steps: Steps, weights: ChineseWeights) -> None:
        self._lexicon = lexicon
        self._steps = steps
        self._weights = weights
        acting = np.array(lexicon.meanings.acting or [False] * (len(steps.steps) // 2), dtype=bool)
        self._acting = np.repeat(acting, 2)
        self._passive = np.repeat(np.array([r.name.endswith("by") for r in lexicon.schema.relations], dtype=bool), 2)

    def expected(self, question: Asked, *, kind_only: bool = False) -> Array:
        """Weight per step that the walk ends with: how well it leads to the kind asked for. Zeros: unknown.

        `kind_only`: the asked noun cannot name a relation.
        """
        at_target = self._steps.at_target
        by_word = at_target(self._kinds_of(question.word))
        if not question.noun:
            return by_word
        evidence = self._lexicon.evidence(question.noun)
        kinds = at_target(np.where(evidence.kinds >= NAMES_KIND, evidence.kinds, 0.0))
        if kind_only:
            return np.asarray(kinds if kinds.any() else by_word)
        if by_word.any():
            named = self._named_ends(question, evidence) * by_word
            return np.asarray(by_word * BY_WORD + (1 - BY_WORD) * named / max(named.max(), NAMES_KIND))
        if evidence.relational > max(NAMES_ANSWERS, kinds.max(initial=0)):
            return self._named_ends(question, evidence)
        return np.asarray(kinds)

    def _kinds_of(self, word: str) -> Array:
        asked_kinds = self._lexicon.meanings.question_kinds.get(word, ())
        return np.array([1.0 if kind in asked_kinds else 0.0 for kind in self._lexicon.schema.kinds])

    def _named_ends(self, question: Asked, evidence: WordEvidence) -> Array:
        """ "甲的导演", "哪些球员": the noun names what its relation leads to; the way back only where the owner says so or it is an agent."""
        back = 1.0 if evidence.exact else AGENT_BACK if AGENT_NOUN.search(question.noun) else 0.0
        agents = self._acting & (self._steps.backward == 1)
        sides = np.where(self._steps.backward == 0, 1.0, np.where(agents, max(back, 0.5), back))
        return np.asarray(evidence.steps * sides)

    def align(self, orders: Sequence[list[Unit]], question: Asked, first: PathIds, hops: int, most: int) -> list[AlignedPath]:
        """The best paths that start with one of `first`, over all reading orders."""
        found: dict[PathIds, AlignedPath] = {}
        expected = self.expected(question, kind_only=any(u.head and u.text == question.noun for u in orders[0]))
        for rank, order in enumerate(orders):
            words = self._words(order)
            evidence = words.steps.max(0) if len(order) else np.zeros(len(self._steps.steps))
            paths = self._steps.paths(first, hops, evidence)
            for length in range(1, hops + 1):
                same = [p for p in paths if len(p) == length]
                for aligned in self._of_length(words, same, question, expected, first, most) if same else ():
                    score = aligned.score - self._weights.second_order * rank
                    if aligned.path not in found or score > found[aligned.path].score:
                        found[aligned.path] = AlignedPath(aligned.path, score, aligned.best, aligned.returns, aligned.unexplained)
        return sorted(found.values(), key=lambda a: (-a.score, a.path))[:most]

    def _words(self, order: Sequence[Unit]) -> _Words:
        self._lexicon.prepare([u.text for u in order])
        found = [self._lexicon.evidence(u.text) for u in order]
        width = len(self._steps.steps)
        vague_nouns = [self._is_vague(u, e) for u, e in zip(order, found, strict=True)]
        rows = [self._directed(u, e) * (not vague) for u, e, vague in zip(order, found, vague_nouns, strict=True)]
        steps = np.array(rows).reshape(len(order), width)
        kinds = np.array([e.kinds for e in found]).reshape(len(order), len(self._lexicon.schema.kinds))
        apposed = np.array([1.0 if u.apposed else self._weights.far_start for u in order])
        return _Words(
            order,
            np.array([self._weight(u, vague) for u, vague in zip(order, vague_nouns, strict=True)]),
            self._steps.fold(steps),
            self._weights.kind_word * self._steps.at_target(kinds),
            self._weights.kind_word * self._steps.at_source(kinds) * apposed[:, None],
        )

    def _weight(self, unit: Unit, vague: bool) -> float:
        """What a verb has said already counts less, and a noun that nothing here explains counts least."""
        return unit.weight * (UNKNOWN_NOUN if vague else HEAD_NOUN if unit.head else 1.0)

    def _is_vague(self, unit: Unit, evidence: WordEvidence) -> bool:
        """A noun for a kind of thing that this graph has no word for."""
        known = evidence.kinds.max(initial=0) >= NAMES_KIND or (not unit.head and evidence.relational >= NAMES_ANSWERS)
        return (unit.asks or unit.head) and not known

    def _directed(self, unit: Unit, evidence: WordEvidence) -> Array:
        """Evidence within one kind is weaker against the direction that the wording gives: the agent walks out where the subject acts."""
        if unit.relation not in ("agent", "patient"):
            return evidence.steps * (OF_HEAD if unit.head else 1.0)
        plain = evidence.steps
        if not AGENT_NOUN.search(unit.text):
            either = np.repeat(plain.reshape(-1, 2).max(1), 2)
            plain = np.where(self._acting | self._passive, either, plain) if evidence.exact else either
        out = self._steps.backward == 0
        forward = self._acting if unit.relation == "agent" else self._passive
        backward = self._passive if unit.relation == "agent" else self._acting
        against = (forward & ~out) | (backward & out)
        return np.where(against & self._steps.within_kind, plain * self._weights.against_direction, plain)

    def _of_length(
        self, words: _Words, paths: list[PathIds], question: Asked, expected: Array, first: PathIds, most: int
    ) -> list[AlignedPath]:
        grid: Grid = np.array(paths, dtype=np.int64)
        inverse = self._inverse(grid)
        laid = self._laid(words, grid)
        weights = self._weights
        totals = laid.totals - self._paid_steps(laid.covered, inverse, question.shares, len(first) == 1)
        chosen = totals.argmax(0)
        score = totals.max(0) - weights.hop * grid.shape[1]
        score -= weights.backwards * (self._steps.backward * self._steps.within_kind)[grid].sum(1)
        score += (weights.shared if question.shares else -weights.unshared_return) * inverse.any(1)
        if expected.any():
            score += weights.expected_kind * (expected[grid[:, -1]] - 0.5) * 2
        best = float(words.weights.sum()) + (weights.expected_kind if expected.any() else 0) - weights.hop * grid.shape[1]
        order = np.argsort(-score, kind="stable")[:most]
        return [self._written(words, grid[i], score[i], best, inverse[i], laid.values[:, chosen[i], i], question) for i in order]

    def _paid_steps(self, covered: Array, inverse: Array, shares: bool, only: bool) -> Array:
        """What unmentioned steps and detours cost, per laying and path. One mention may cover a step and the step back."""
        weights = self._weights
        share = weights.inverse_pair_shared if shares else weights.inverse_pair
        full = covered.copy()
        for y in range(1, covered.shape[2]):
            full[..., y] = np.maximum(full[..., y], share * inverse[:, y] * covered[..., y - 1])
            full[..., y - 1] = np.maximum(full[..., y - 1], share * inverse[:, y] * covered[..., y])
        missing = 1 - full
        missing[..., 0] *= weights.only_step if only else 1
        paid: Array = weights.missing_step * missing.sum(2)
        if not shares:
            both = np.minimum(covered[..., 1:], covered[..., :-1])
            paid = paid + weights.detour * (inverse[:, 1:] * (both < COVERED)).sum(2)
        return paid

    def _written(self, words: _Words, path: Grid, score: float, best: float, inverse: Array, values: Array, question: Asked) -> AlignedPath:
        unexplained = tuple(u.text for u, v in zip(words.units, values, strict=True) if v < 0.3)
        returns = tuple(int(y) for y in np.nonzero(inverse)[0]) if question.shares or inverse.any() else ()
        return AlignedPath(tuple(map(int, path)), float(score), max(best, 0.1), returns, unexplained)

    def _inverse(self, grid: Grid) -> Array:
        """1 where a step goes back over the one before."""
        out: Array = np.zeros(grid.shape)
        out[:, 1:] = grid[:, 1:] == self._steps.inverse[grid[:, :-1]]
        return out

    def _laid(self, words: _Words, grid: Grid) -> _Laid:
        """Every monotone laying of the units on the steps of every path."""
        n, (size, length) = len(words.units), grid.shape
        layings = _layings(n, length)
        relation = words.steps[:, grid]
        start = words.starts[:, grid[:, 0]]
        value = np.maximum(relation, words.ends[:, grid])
        penalty = self._weights.unexplained
        totals = np.zeros((len(layings), size))
        values = np.zeros((n, len(layings), size))
        covered = np.zeros((len(layings), size, length))
        for x in range(n):
            at = layings[:, x]
            values[x] = np.maximum(value[x][:, at].T, start[x][None])
            totals += words.weights[x] * (values[x] - penalty * (1 - values[x]))
            if x and words.units[x].apart:
                both = np.minimum(relation[x], relation[x - 1])[:, at].T
                totals -= self._weights.possessive * (at == layings[:, x - 1])[:, None] * both
            for y in range(length):
                covered[at == y, :, y] = np.maximum(covered[at == y, :, y], relation[x][None, :, y])
        return _Laid(totals, values, covered)


@cache
def _layings(units: int, steps: int) -> Grid:
    """Every monotone assignment of units to steps, (S, units)."""
    found = list(combinations_with_replacement(range(steps), units))
    return np.array(found, dtype=np.int64).reshape(len(found), units)
