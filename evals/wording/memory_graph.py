"""A graph of triples in memory that answers what the wording engine asks of a Reader: census, links, relation uses, walks."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from knowledge.identity import fold
from knowledge.reading.induce import SAMPLES, Census
from knowledge.records import Candidate, Entity, RelationUse, Step, Walk


class MemoryGraph:
    """Names are ids."""

    def __init__(self, triples: Iterable[tuple[str, str, str]]) -> None:
        self.facts = list(dict.fromkeys(triples))
        self.ends: dict[str, dict[Step, set[str]]] = defaultdict(lambda: defaultdict(set))
        for subject, relation, value in self.facts:
            self.ends[subject][Step(relation, "out")].add(value)
            self.ends[value][Step(relation, "in")].add(subject)
        self.named: dict[str, list[str]] = defaultdict(list)
        for name in sorted(self.ends, key=lambda n: (-self.degree(n), n)):
            self.named[fold(name)].append(name)

    @classmethod
    def read(cls, path: Path) -> "MemoryGraph":
        """Subject, relation and object, separated by tabs; shorter lines are left out."""
        rows = (line.split("\t") for line in path.read_text(encoding="utf-8").split("\n"))
        return cls((row[0], row[1], row[2]) for row in rows if len(row) >= 3)

    def degree(self, name: str) -> int:
        return sum(map(len, self.ends[name].values()))

    def census(self) -> Census:
        pairs: dict[str, set[tuple[str, str]]] = defaultdict(set)
        slots: dict[Step, set[str]] = defaultdict(set)
        for subject, relation, value in self.facts:
            pairs[relation].add((subject, value))
            slots[Step(relation, "out")].add(subject)
            slots[Step(relation, "in")].add(value)
        inverse = Counter(
            (step.relation, back.relation)
            for subject, relation, value in self.facts
            for step in (Step(relation, "out"),)
            for back, ends in self.ends[value].items()
            if back.direction == "out" and subject in ends
        )
        return Census(
            signatures=Counter(frozenset(ends) for ends in self.ends.values()),
            facts={relation: len(found) for relation, found in pairs.items()},
            inverse_pairs=inverse,
            samples={slot: _spread(sorted(names)) for slot, names in slots.items()},
        )

    def link(self, spans: Sequence[str]) -> Mapping[str, list[Candidate]]:
        return {
            span: [Candidate(span, Entity(name, name), "folded", 1.0, self.degree(name)) for name in self.named[span][:5]]
            for span in spans
            if span in self.named
        }

    def relations(self, ids: Iterable[str]) -> Mapping[str, list[RelationUse]]:
        return {i: [RelationUse(step.relation, step.direction, len(ends)) for step, ends in self.ends[i].items()] for i in ids}

    def follow(self, walk: Walk) -> set[str]:
        """The ids where the walk ends."""
        before, current = set(walk.starts), set(walk.starts)
        for y, step in enumerate(walk.steps):
            if y in walk.back and y:
                reached = self._return(before, current, walk.steps[y - 1], step)
            else:
                reached = {z for x in current for z in self.ends[x].get(step, ())}
            if not walk.keep_start:
                reached -= set(walk.starts)
            for condition in walk.filters:
                if condition.step == y + 1:
                    wanted, asked = set(condition.values), Step(condition.relation, condition.direction)
                    reached = {x for x in reached if wanted & self.ends[x].get(asked, set())}
            before, current = current, reached
        return current

    def _return(self, before: set[str], current: set[str], there: Step, back: Step) -> set[str]:
        """Over the nodes between, each without the node it came from."""
        reached: set[str] = set()
        for x in before:
            between = self.ends[x].get(there, set()) & current
            reached |= {z for m in between for z in self.ends[m].get(back, ())} - {x}
        return reached


def _spread(names: list[str]) -> list[str]:
    return names[:: max(1, -(-len(names) // SAMPLES))]
