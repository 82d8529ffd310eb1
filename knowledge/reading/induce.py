"""The schema of a graph from grouped counts: which node sets are one kind, which steps can follow each other, which only repeat another."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from knowledge.profile.profile import GraphProfile
from knowledge.records import GraphSchema, RelationSchema, Step

OVERLAP = 0.1
SMALL_OVERLAP = 0.6
COPY_SIZE = 1.25
COPY_SHARE = 0.9
SAMPLES = 150


@dataclass(frozen=True)
class Census:
    """What is counted in the scope, without reading a fact one by one.

    A slot is written as the Step that starts there: `Step(r, "out")` is the set of subjects of `r`, `Step(r, "in")` the set of its objects.

    signatures: for every entity the set of slots it fills, grouped: `{frozenset of slots: number of entities}`. The empty set may be left out.
    facts: facts per relation. pairs: distinct (subject, object) pairs per relation; a relation that is missing there has as many as facts.
    inverse_pairs: `{(r, q): distinct pairs (x, y) with x -r-> y and y -q-> x}`; `(r, r)` and both orders count; zeros may be left out.
    samples: up to 150 distinct entity names per slot, spread evenly over the slot (not its first ones), the whole slot where it is smaller.
    labels: (label, entities) of a native graph.
    """

    signatures: Mapping[frozenset[Step], int]
    facts: Mapping[str, int]
    pairs: Mapping[str, int] = field(default_factory=dict)
    inverse_pairs: Mapping[tuple[str, str], int] = field(default_factory=dict)
    samples: Mapping[Step, Sequence[str]] = field(default_factory=dict)
    labels: tuple[tuple[str, int], ...] = ()
    entities: int | None = None


def induce(census: Census, *, version: str, declared: Mapping[Step, tuple[str, ...]] | None = None) -> GraphSchema:
    """The schema of what was counted. `declared` names the kinds of slots that a profile or telling labels know; the others are induced.

    A label that most slots share (`Entity`) tells nothing: leave it out of `declared`.
    """
    relations = sorted(census.facts)
    sizes, shared = _slot_sizes(census.signatures)
    stated = declared or {}
    kinds = _kinds(relations, sizes, shared, {slot: named[0] for slot, named in stated.items()})
    more = {slot: named[1:] for slot, named in stated.items()}
    copies = _copies(relations, census)
    rows = tuple(
        RelationSchema(
            name=r,
            facts=census.facts[r],
            subjects=sizes[Step(r, "out")],
            objects=sizes[Step(r, "in")],
            subject_kind=kinds[Step(r, "out")],
            object_kind=kinds[Step(r, "in")],
            subject_samples=tuple(census.samples.get(Step(r, "out"), ()))[:SAMPLES],
            object_samples=tuple(census.samples.get(Step(r, "in"), ()))[:SAMPLES],
            more_subject_kinds=more.get(Step(r, "out"), ()),
            more_object_kinds=more.get(Step(r, "in"), ()),
        )
        for r in relations
    )
    return GraphSchema(
        version=version,
        entities=sum(census.signatures.values()) if census.entities is None else census.entities,
        facts=sum(census.facts.values()),
        relations=rows,
        kinds=tuple(sorted({*kinds.values(), *(kind for others in more.values() for kind in others)})),
        copies=copies,
        follows=_follows(relations, kinds, sizes, shared, copies),
        labels=census.labels,
    )


def declared_kinds(profile: GraphProfile) -> dict[Step, tuple[str, ...]]:
    """The kinds that the owner states for the two sides of each relation."""
    stated = {}
    for name, relation in profile.relations.items():
        stated[Step(name, "out")] = relation.subject
        stated[Step(name, "in")] = relation.object
    return {slot: kind for slot, kind in stated.items() if kind}


def opposite(step: Step) -> Step:
    """The same relation walked the other way; also the slot where `step` ends."""
    return Step(step.relation, "in" if step.direction == "out" else "out")


Overlaps = Mapping[frozenset[Step], int]


def _slot_sizes(signatures: Mapping[frozenset[Step], int]) -> tuple[Counter[Step], Counter[frozenset[Step]]]:
    """Entities per slot, and per pair of slots that they share."""
    sizes: Counter[Step] = Counter()
    shared: Counter[frozenset[Step]] = Counter()
    for slots, entities in signatures.items():
        for slot in slots:
            sizes[slot] += entities
        for pair in combinations(sorted(slots), 2):
            shared[frozenset(pair)] += entities
    return sizes, shared


def _same_kind(both: int, smaller: int) -> bool:
    """Whether two slots overlap enough to be one kind; few nodes must overlap more, so that a chance hit does not merge kinds."""
    return both > OVERLAP * smaller and (both > 5 or both >= SMALL_OVERLAP * smaller)


def _merges(sizes: Mapping[Step, int], shared: Overlaps) -> Iterator[tuple[Step, Step]]:
    """Pairs of slots to merge, those with the largest overlap first. Who reports and is reported to shows that both are of one kind."""
    for pair, both in sorted(shared.items(), key=lambda item: (-item[1], sorted(item[0]))):
        one, other = sorted(pair)
        smaller = min(sizes[one], sizes[other])
        if _same_kind(both, smaller) or (one.relation == other.relation and both > OVERLAP * smaller):
            yield one, other


def _kinds(relations: Sequence[str], sizes: Mapping[Step, int], shared: Overlaps, declared: Mapping[Step, str]) -> dict[Step, str]:
    """The kind of every slot. Two declared kinds never merge; induced ones are named `kind0`, … in the order of their slots."""
    slots = [Step(r, "out") for r in relations] + [Step(r, "in") for r in relations]
    group: dict[Step, list[Step]] = {slot: [slot] for slot in slots}
    name = {slot: declared.get(slot, "") for slot in slots}
    for one, other in _merges(sizes, shared):
        if group[one] is group[other] or (name[one] and name[other]):
            continue
        union, kind = group[one] + group[other], name[one] or name[other]
        for slot in union:
            group[slot], name[slot] = union, kind
    for slot in slots:
        if not name[slot]:
            taken = set(name.values())
            fresh = next(f"kind{n}" for n in range(len(slots) + len(taken)) if f"kind{n}" not in taken)
            for member in group[slot]:
                name[member] = fresh
    return name


def _copies(relations: Sequence[str], census: Census) -> dict[Step, Step]:
    """Steps backwards that only repeat a step forwards: `children` back is `parents`, `spouse` back is `spouse`."""
    size = {r: census.pairs.get(r, census.facts[r]) for r in relations}
    copies: dict[Step, Step] = {}
    for original in relations:
        for other in relations:
            back = census.inverse_pairs.get((original, other), 0)
            if size[other] <= COPY_SIZE * size[original] and back > COPY_SHARE * size[other]:
                copies.setdefault(Step(other, "in"), Step(original, "out"))
    return copies


def _follows(
    relations: Sequence[str], kinds: Mapping[Step, str], sizes: Mapping[Step, int], shared: Overlaps, copies: Mapping[Step, Step]
) -> frozenset[tuple[Step, Step]]:
    """Pairs of steps where some node ends the first and starts the second; copies are left out.

    Within one kind any such node counts; across kinds that an owner keeps apart (a company that also invests) their sets must overlap
    enough to have been one kind.
    """
    steps = [s for r in relations for s in (Step(r, "out"), Step(r, "in")) if s not in copies]

    def leads_on(end: Step, second: Step) -> bool:
        both = shared.get(frozenset((end, second)), 0)
        return end == second or (both > 0 and kinds[end] == kinds[second]) or _same_kind(both, min(sizes[end], sizes[second]))

    return frozenset((first, second) for first in steps for second in steps if leads_on(opposite(first), second))
