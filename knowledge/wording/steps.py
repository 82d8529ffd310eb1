"""The steps that a schema allows, as numbers: where each leads, which may follow, and the paths from a start."""

from collections.abc import Collection, Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from knowledge.records import GraphSchema, RelationUse, Step
from knowledge.wording.relation_name import parse
from knowledge.wording.vectors import Array, vectors

Numbers = NDArray[np.int64]
PathIds = tuple[int, ...]
MOST_PATHS = 6000
TOP_STEPS = 60
BEAM = 200
NAMES_KIND = 0.6
AS_WELL = 0.05


class Steps:
    """Step 2·i is relation i forwards, 2·i + 1 backwards. A step that only repeats another one is never walked.

    `source`, `target`: numbers of the commonest kinds there. `mixed`: the kinds at its two ends are not the same.
    `inverse`: the step back. `copies`: step → the steps that repeat it. `text`: vectors of the names.
    """

    def __init__(self, schema: GraphSchema) -> None:
        kinds = {kind: k for k, kind in enumerate(schema.kinds)}
        self.steps = [step for r in schema.relations for step in (Step(r.name, "out"), Step(r.name, "in"))]
        self.number = {step: j for j, step in enumerate(self.steps)}
        ends = [(kinds[r.subject_kind], kinds[r.object_kind]) for r in schema.relations]
        self.source: Numbers = np.array([k for subject, value in ends for k in (subject, value)], dtype=np.int64)
        self.target: Numbers = np.array([k for subject, value in ends for k in (value, subject)], dtype=np.int64)
        self.relation: Numbers = np.arange(len(self.steps)) // 2
        self.backward: Numbers = np.arange(len(self.steps)) % 2
        self._sources = [[kinds[k] for k in ks] for r in schema.relations for ks in (r.subject_kinds, r.object_kinds)]
        self._targets = [[kinds[k] for k in ks] for r in schema.relations for ks in (r.object_kinds, r.subject_kinds)]
        self.mixed = np.array([set(a) != set(b) for a, b in zip(self._sources, self._targets, strict=True)], dtype=np.bool_)
        self.within_kind = np.array([bool(set(a) & set(b)) for a, b in zip(self._sources, self._targets, strict=True)], dtype=np.bool_)
        original = {self.number[copy]: self.number[step] for copy, step in schema.copies.items()}
        self.copies: dict[int, list[int]] = {}
        for copy, step in original.items():
            self.copies.setdefault(step, []).append(copy)
        self.inverse: Numbers = np.array([original.get(j ^ 1, j ^ 1) for j in range(len(self.steps))], dtype=np.int64)
        self._walked = [j not in original for j in range(len(self.steps))]
        self._next: list[list[int]] = [[] for _ in self.steps]
        for first, second in schema.follows:
            self._next[self.number[first]].append(self.number[second])
        for after in self._next:
            after.sort()
        self.text = self._texts(schema)
        self._paths: dict[tuple[PathIds, int], list[PathIds] | None] = {}

    def _texts(self, schema: GraphSchema) -> Array:
        """A vector per step: mean over the name and its words, with those of the step's copies where it changes the kind."""
        names = [parse(r.name) for r in schema.relations]
        if not names:
            return np.zeros((0, 1))
        own = np.array([vectors([n.text, *n.words]).mean(0) for n in names])
        text = np.repeat(own, 2, axis=0)
        for step, copies in self.copies.items():
            if not self.within_kind[step]:
                text[step] = text[[step, *copies]].mean(0)
        return text

    def at_source(self, kinds: Array) -> Array:
        """Values per kind (…, K) as values per step (…, J): the best of the kinds that the step may start from."""
        return _of_ends(kinds, self.source, self._sources)

    def at_target(self, kinds: Array) -> Array:
        """The same for the kinds that the step may lead to."""
        return _of_ends(kinds, self.target, self._targets)

    def others(self, step: int, named: Array) -> tuple[int, ...]:
        """The kinds at the mixed end of a step that a noun for some of its kinds (K,) leaves out; none where it tells nothing apart."""
        ends = self._targets[step]
        kept = {k for k in ends if named[k] >= NAMES_KIND and named[k] >= max(named[ends]) - AS_WELL}
        return tuple(k for k in ends if k not in kept) if kept else ()

    def fold(self, evidence: Array) -> Array:
        """Evidence per step where each step inherits from its copies; works on the last axis, in place."""
        for step, copies in self.copies.items():
            evidence[..., step] = np.maximum(evidence[..., step], evidence[..., copies].max(-1))
        return evidence

    def walked(self) -> list[tuple[int, Step]]:
        """The steps that repeat no other, with their numbers."""
        return [(j, step) for j, step in enumerate(self.steps) if self._walked[j]]

    def first(self, uses: Iterable[RelationUse]) -> PathIds:
        """The steps that an entity offers."""
        numbers = {self.number.get(Step(use.relation, use.direction), -1) for use in uses}
        return tuple(sorted(j for j in numbers if j >= 0 and self._walked[j]))

    def paths(self, first: PathIds, hops: int, evidence: Array, neighbours: Mapping[Step, Collection[Step]] | None = None) -> list[PathIds]:
        """All paths of at most `hops` steps that start with one of `first`. Where they are too many, later steps need evidence;
        `neighbours` (step → steps that the nodes behind it offer) then narrows the second step to what is really there.
        """
        key = first, hops
        if key not in self._paths:
            self._paths[key] = self._all_paths(first, hops)
        found = self._paths[key]
        return self._likely_paths(first, hops, evidence, neighbours) if found is None else found

    def _all_paths(self, first: PathIds, hops: int) -> list[PathIds] | None:
        """None when there are more than MOST_PATHS of one length."""
        found: list[PathIds] = []
        current: list[PathIds] = [(j,) for j in first]
        for _ in range(hops):
            found += current
            if sum(len(self._next[path[-1]]) for path in current) > MOST_PATHS:
                return None
            current = [(*path, j) for path in current for j in self._next[path[-1]]]
        return found

    def _likely_paths(
        self, first: PathIds, hops: int, evidence: Array, neighbours: Mapping[Step, Collection[Step]] | None
    ) -> list[PathIds]:
        top = set(np.argsort(-evidence)[:TOP_STEPS].tolist())
        found: list[PathIds] = []
        current: list[PathIds] = [(j,) for j in first]
        for hop in range(min(hops, 3)):
            found += current
            kept = current if len(current) < BEAM else sorted(current, key=lambda path: -sum(evidence[j] for j in path))[:BEAM]
            present = None if hop or neighbours is None else neighbours
            current = [(*path, j) for path in kept for j in self._next[path[-1]] if self._allowed(path, j, top, present)][:MOST_PATHS]
        return found

    def _allowed(self, path: PathIds, step: int, top: set[int], neighbours: Mapping[Step, Collection[Step]] | None) -> bool:
        if neighbours is not None:
            return self.steps[step] in neighbours.get(self.steps[path[-1]], ())
        return step in top or step == self.inverse[path[-1]]

    def may_meet(self, first: int, second: int) -> bool:
        """Whether `first` leads to a kind of things that `second` starts from."""
        return not set(self._targets[first]).isdisjoint(self._sources[second])

    def may_follow(self, first: int, second: int) -> bool:
        """Whether some entity that `first` leads to offers `second`."""
        return second in self._next[first]

    def named(self, path: Sequence[int]) -> tuple[Step, ...]:
        return tuple(self.steps[j] for j in path)


def _of_ends(kinds: Array, first: Numbers, all_: Sequence[Sequence[int]]) -> Array:
    found: Array = kinds[..., first]
    for step, ends in enumerate(all_):
        for kind in ends[1:]:
            found[..., step] = np.maximum(found[..., step], kinds[..., kind])
    return found
