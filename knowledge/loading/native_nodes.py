"""Nodes and relationships of the native shape: a label per kind, a type per relation, a name, and what else a row says."""

from collections.abc import Mapping
from dataclasses import dataclass

from knowledge.loading.properties import dated, precisions
from knowledge.loading.rows import EntityRow, FactRow, Value
from knowledge.profile.profile import GraphProfile

NO_KIND = "Thing"


@dataclass(frozen=True)
class NodeKey:
    """What tells nodes apart."""

    label: str
    name: str


@dataclass(frozen=True)
class EdgeKey:
    """What tells relationships apart; `valid_from` is None where it is open."""

    subject: NodeKey
    type: str
    object: NodeKey
    valid_from: str | None

    @property
    def ends(self) -> tuple[str, str, str]:
        """Labels and type: what one statement is about."""
        return self.subject.label, self.type, self.object.label


class Kinds:
    """Which node a key means: declared in this load, given by the row, said by the profile, found in the graph, or no kind at all."""

    def __init__(self, profile: GraphProfile | None) -> None:
        self._relations = profile.relations if profile else {}
        self._declared: dict[str, NodeKey] = {}
        self.found: dict[str, str] = {}

    def declare(self, row: EntityRow) -> NodeKey:
        node = NodeKey(row.kind or NO_KIND, row.name)
        self._declared.setdefault(row.key, node)
        return node

    def subject(self, row: FactRow) -> NodeKey:
        said = self._relations.get(row.relation)
        return self._node(row.subject, row.subject_kind or (said.subject if said else ""))

    def object(self, row: FactRow) -> NodeKey:
        said = self._relations.get(row.relation)
        return self._node(row.object, row.object_kind or (said.object if said else ""))

    def edge(self, row: FactRow) -> EdgeKey:
        """The relationship that a fact is."""
        return EdgeKey(self.subject(row), row.relation, self.object(row), dated(row.period)["valid_from"])

    def _node(self, key: str, kind: str) -> NodeKey:
        declared = self._declared.get(key)
        if declared and kind in ("", declared.label):
            return declared
        return NodeKey(kind or self.found.get(key, NO_KIND), declared.name if declared else key)

    def unknown(self, row: FactRow) -> list[str]:
        """The keys of a fact whose kind nothing in the files or the profile tells."""
        ends = ((row.subject, self.subject(row)), (row.object, self.object(row)))
        return [key for key, node in ends if node.label == NO_KIND and key not in self._declared and key not in self.found]


def node_properties(row: EntityRow) -> dict[str, object]:
    """What a node holds besides its name. Own names win over free properties."""
    own: dict[str, object] = {"key": row.key if row.key != row.name else "", "aliases": list(row.aliases), "summary": row.summary}
    given: Mapping[str, Value] = {name: value for name, value in row.properties.items() if name != "name"}
    return {**given, **{name: value for name, value in own.items() if value}}


def edge_properties(row: FactRow) -> dict[str, object]:
    """What a relationship holds, dates apart."""
    own: dict[str, object] = {"source": row.origin.source if not row.origin.source.startswith("sha256:") else "", "fact": row.text}
    confidence = {} if row.confidence == 1.0 else {"confidence": row.confidence}
    dates = {name: value for name, value in precisions(row.period).items() if _dated(row, name)}
    return {**row.properties, **{name: value for name, value in own.items() if value}, **confidence, **dates}


def _dated(row: FactRow, name: str) -> bool:
    dates = dated(row.period)
    return name.endswith("_text") or dates["valid_from" if name.startswith("valid_from") else "valid_to"] is not None
