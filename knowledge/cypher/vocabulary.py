"""The names that a statement may use: labels, relations with their ends, and properties, as the scope sees them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from knowledge.records import GraphSchema

EVERY = ""
Ends = tuple[frozenset[str], frozenset[str]]


@dataclass(frozen=True)
class Vocabulary:
    """`relations` maps a type to the kinds at its ends. `node_properties` and `fact_properties` map a label or type, or `EVERY`, to names.

    `certain` holds the labels and types whose properties are all known; of others only some elements were looked at.
    """

    labels: frozenset[str] = frozenset()
    relations: Mapping[str, Ends] = field(default_factory=dict)
    node_properties: Mapping[str, frozenset[str]] = field(default_factory=dict)
    fact_properties: Mapping[str, frozenset[str]] = field(default_factory=dict)
    certain: frozenset[str] = frozenset()

    @property
    def all_node_properties(self) -> frozenset[str]:
        return frozenset().union(*self.node_properties.values())

    @property
    def all_fact_properties(self) -> frozenset[str]:
        return frozenset().union(*self.fact_properties.values())

    def of(self, names: Iterable[str], *, fact: bool) -> frozenset[str] | None:
        """The properties of elements with one of these labels or types; None where they are not all known."""
        known = self.fact_properties if fact else self.node_properties
        if EVERY in known:
            return known[EVERY]
        asked = list(names)
        if not asked or not self.certain.issuperset(asked):
            return None
        return frozenset().union(*(known.get(name, frozenset()) for name in asked))


def ends_of(schema: GraphSchema) -> dict[str, Ends]:
    """The relations of a schema with the kinds at their ends."""
    return {r.name: (frozenset(r.subject_kinds), frozenset(r.object_kinds)) for r in schema.relations}
