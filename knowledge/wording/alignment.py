"""Aligns every path from a start with the words of a question, and keeps for each path the best assignment of words to steps."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from knowledge.records import Step
from knowledge.wording.chunks import ChunkReader, Chunks, assignments
from knowledge.wording.expected import Expected, ExpectedKindReader
from knowledge.wording.gender import Sex
from knowledge.wording.lexicon import Lexicon
from knowledge.wording.question import View
from knowledge.wording.steps import Numbers, PathIds, Steps
from knowledge.wording.units import Unit, UnitReader
from knowledge.wording.vectors import Array, vectors
from knowledge.wording.weights import Weights

NAMED = 0.3


@dataclass(frozen=True)
class Order:
    """One reading order: its units, their evidence (n, J), what they say of kinds where a step ends or where the path starts (n, J)."""

    units: list[Unit]
    weights: Array
    evidence: Array
    ends: Array
    starts: Array
    chunks: Chunks
    penalty: float


@dataclass(frozen=True)
class Block:
    """All paths of one length under one order. `steps`, `named`, `returns` (P, L); `assigned` (P, n); `score` (P,).

    `named`: how well a word names the step. `returns`: the step goes back over the one before.
    """

    order: Order
    steps: Numbers
    assigned: Numbers
    named: Array
    returns: NDArray[np.bool_]
    score: Array

    def explained(self, row: int) -> Array:
        """How well each unit is explained by its step or by the start, (n,)."""
        order, n = self.order, len(self.order.units)
        steps = self.steps[row][self.assigned[row]]
        own = np.maximum(order.evidence[np.arange(n), steps], order.ends[np.arange(n), steps])
        start = np.where([u.hard for u in order.units], 0.0, order.starts[:, self.steps[row][0]])
        best: Array = np.maximum(own, start)
        return best


@dataclass(frozen=True)
class Aligned:
    """A path, its score, and where its assignment is kept. `shares`: a sharing word stands in the question."""

    path: PathIds
    score: float
    block: Block
    row: int
    shares: bool

    def _assigned(self) -> list[tuple[Unit, int]]:
        return list(zip(self.block.order.units, map(int, self.block.assigned[self.row]), strict=True))

    def sexes(self) -> set[tuple[int, Sex]]:
        """(step, sex) that words ask of the nodes behind a step which they name."""
        found = set()
        for unit, step in self._assigned():
            if unit.sex and unit.steps[self.path[step]] > 0.5:
                found.add((step, unit.sex))
        return found

    def goes_back(self) -> set[int]:
        """The steps that return over the step before and leave out where they came from: siblings, co-stars."""
        named, returns = self.block.named[self.row], self.block.returns[self.row]
        one_mention = {y for y in range(1, len(self.path)) if returns[y] and (self.shares or min(named[y], named[y - 1]) < NAMED)}
        return one_mention | {step for unit, step in self._assigned() if unit.back}


@dataclass(frozen=True)
class Context:
    """What holds for all paths: what is asked for, what is shared (R,), the question's vector, how much of it is known."""

    expected: Expected
    shares: bool
    shared: Array
    vector: Array
    similarity_weight: float


class Aligner:
    """Scores paths by one sum."""

    def __init__(
        self, lexicon: Lexicon, steps: Steps, units: UnitReader, expected: ExpectedKindReader, chunks: ChunkReader, weights: Weights
    ) -> None:
        self._lexicon = lexicon
        self._steps = steps
        self._units = units
        self._expected = expected
        self._chunks = chunks
        self._weights = weights

    def align(
        self, view: View, first: PathIds, hops: int, neighbours: Mapping[Step, Collection[Step]] | None, most: int
    ) -> tuple[list[Aligned], Expected]:
        """The best `most` paths, best first."""
        orders = [self._order(view, order, number) for number, order in enumerate(view.orders())]
        leading = orders[0]
        strongest = leading.evidence.max(0) if leading.units else np.zeros(len(self._steps.steps))
        compound = sum(u.hard for u in leading.units) > 1
        paths = self._steps.paths(first, hops + compound, strongest, neighbours)
        context = self._context(view, leading)
        blocks = [block for order in orders for steps in _by_length(paths) if (block := self._block(order, steps, context)) is not None]
        return _best(blocks, most, context.shares), context.expected

    def _order(self, view: View, places: list[int], number: int) -> Order:
        w, steps = self._weights, self._steps
        units = self._units.read(view, places)
        kinds = np.array([u.kinds for u in units]).reshape(len(units), len(self._lexicon.meanings.kinds)) * w.kind_word
        factor = np.array([self._start_factor(view, u) for u in units]).reshape(-1, 1)
        return Order(
            units=units,
            weights=np.array([u.weight for u in units]),
            evidence=np.array([u.steps for u in units]).reshape(len(units), len(steps.steps)),
            ends=steps.at_target(kinds),
            starts=steps.at_source(kinds) * factor,
            chunks=self._chunks.read(view, units),
            penalty=w.second_order * number,
        )

    def _start_factor(self, view: View, unit: Unit) -> float:
        """A word for a kind speaks of the start where it stands beside it; not before "X's label": "artist" is not what X is."""
        if view.possessive and unit.place < view.start - 1:
            return 0.0
        return 1.0 if unit.word in view.adjacent else self._weights.far_start

    def _context(self, view: View, order: Order) -> Context:
        shared = np.zeros(len(self._steps.steps) // 2)
        for word in view.shared_words():
            shared = np.maximum(shared, self._lexicon.relation(word))
        units, total = order.units, float(order.weights.sum()) or 1.0
        known = sum(u.weight * min(1.0, max(u.steps.max(), u.kinds.max() * self._weights.kind_word)) for u in units) / total
        texts = vectors([u.word.replace("_", " ") for u in units]) if units else np.zeros((0, self._steps.text.shape[1]))
        return Context(
            expected=self._expected.read(view),
            shares=view.shares,
            shared=shared,
            vector=order.weights @ texts,
            similarity_weight=self._weights.similarity + self._weights.similarity_uncovered * (1 - known),
        )

    def _block(self, order: Order, steps: Numbers, context: Context) -> Block | None:
        assigned = assignments(order.units, steps.shape[1])
        if not len(assigned):
            return None
        explained, named = self._explain(order, steps, assigned)
        returns = np.zeros(steps.shape, dtype=bool)
        returns[:, 1:] = steps[:, 1:] == self._steps.inverse[steps[:, :-1]]
        covered = self._covered(named, returns, context)
        total = explained - self._weights.missing_step * (1 - covered).sum(-1) - self._too_few(order, named, returns, context)
        best = total.argmax(0)
        rows = np.arange(len(steps))
        score = total[best, rows] + self._of_path(order, steps, returns, context)
        return Block(order, steps, assigned[best], named[best, rows], returns, score)

    def _explain(self, order: Order, steps: Numbers, assigned: Numbers) -> tuple[Array, Array]:
        """(sum over the words (S, P), how well each step is named (S, P, L))"""
        w = self._weights
        evidence = order.evidence[:, steps]
        either = np.maximum(evidence, order.ends[:, steps])
        starts = order.starts[:, steps[:, 0]]
        total = np.zeros((len(assigned), len(steps)))
        named = np.zeros((len(assigned), *steps.shape))
        for x, unit in enumerate(order.units):
            at = assigned[:, x]
            value = np.maximum(either[x][:, at].T, 0.0 if unit.hard else starts[x])
            total += unit.weight * (value - w.unexplained * (1 - value))
            if order.chunks.separation[x]:
                same = np.minimum(evidence[x], evidence[x - 1]) * order.chunks.distinct[x][self._steps.relation[steps]]
                total -= order.chunks.separation[x] * (at == assigned[:, x - 1])[:, None] * same[:, at].T
            for step in range(steps.shape[1]):
                here = at == step
                named[here, :, step] = np.maximum(named[here, :, step], evidence[x][None, :, step])
        return total, named

    def _covered(self, named: Array, returns: NDArray[np.bool_], context: Context) -> Array:
        """One mention may cover a step and its inverse."""
        factor = self._weights.inverse_pair_shared if context.shares else self._weights.inverse_pair
        covered = named.copy()
        for y in range(1, named.shape[-1]):
            covered[..., y] = np.maximum(covered[..., y], factor * returns[:, y] * named[..., y - 1])
            covered[..., y - 1] = np.maximum(covered[..., y - 1], factor * returns[:, y] * named[..., y])
        return covered

    def _too_few(self, order: Order, named: Array, returns: NDArray[np.bool_], context: Context) -> Array:
        """Fewer steps than noun chunks; a detour there and back is no second step."""
        before = np.concatenate([named[..., :1], named[..., :-1]], -1)
        detours = (returns & (np.minimum(named, before) < 0.5)).sum(-1) * (not context.shares)
        short = np.maximum(0, min(order.chunks.least, 3) - named.shape[-1] + detours)
        cost: Array = self._weights.too_few * short + self._weights.detour * detours
        return cost

    def _of_path(self, order: Order, steps: Numbers, returns: NDArray[np.bool_], context: Context) -> Array:
        """What does not depend on the assignment, (P,)."""
        w, length = self._weights, steps.shape[1]
        backward = self._steps.backward[steps]
        score = -w.hop * length - order.penalty - w.backwards * (backward * self._steps.within_kind[steps]).sum(1)
        if length > 1:
            score = score + w.returns_second * returns[:, 1]
        score = score + (w.shared * self._shared(steps, returns, context.shared) if context.shares else -w.unshared_return * returns.any(1))
        last, expected = steps[:, -1], context.expected
        if expected.kinds.max(initial=0) > 0:
            score = score + w.expected_kind * (self._steps.at_target(expected.kinds)[last] - 0.5) * 2
        if expected.relations.max(initial=0) > 0:
            forwards = self._steps.backward[last] == 0
            score = score + w.role_noun * (expected.relations[self._steps.relation[last]] * forwards - 0.5) * 2
        whole: Array = score + context.similarity_weight * self._similarity(steps, context.vector)
        return whole

    def _shared(self, steps: Numbers, returns: NDArray[np.bool_], shared: Array) -> Array:
        """How well the returning steps are what is shared; half where nothing says what is."""
        own = shared[self._steps.relation[steps]]
        before = np.concatenate([np.zeros_like(own[:, :1]), own[:, :-1]], axis=1)
        unknown = 0.5 if shared.max(initial=0) < 0.5 else 0.0
        best: Array = (returns * np.maximum(np.maximum(own, before), unknown)).max(1)
        return best

    def _similarity(self, steps: Numbers, vector: Array) -> Array:
        length = float(np.linalg.norm(vector))
        if not length:
            return np.zeros(len(steps))
        paths = self._steps.text[steps].sum(1)
        cosine: Array = (paths @ vector) / (np.linalg.norm(paths, axis=1) * length + 1e-9)
        return cosine


def _by_length(paths: list[PathIds]) -> list[Numbers]:
    lengths = sorted({len(path) for path in paths})
    return [np.array([path for path in paths if len(path) == length], dtype=np.int64) for length in lengths]


def _best(blocks: list[Block], most: int, shares: bool) -> list[Aligned]:
    """Each path once, under the order that suits it best."""
    found: dict[PathIds, Aligned] = {}
    for block in blocks:
        for row in np.argsort(-block.score)[:most]:
            path = tuple(int(j) for j in block.steps[row])
            score = float(block.score[row])
            if path not in found or score > found[path].score:
                found[path] = Aligned(path, score, block, int(row), shares)
    return sorted(found.values(), key=lambda a: -a.score)[:most]
