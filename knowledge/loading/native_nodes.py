"""Nodes and relationships of the native shape: a label per kind, a type per relation, a name, and what else a row says."""

from collections.abc import Mapping
from typing import NamedTuple

from knowledge.loading.lines import HASHED
from knowledge.loading.period import ALWAYS
from knowledge.loading.properties import dated, precisions
from knowledge.loading.rows import EntityRow, FactRow, Value
from knowledge.profile.profile import GraphProfile

NO_KIND = "Thing"


class NodeKey(NamedTuple):
    """What tells nodes apart."""

    label: str
    name: str


class Ends(NamedTuple):
    """Labels and type of a relationship: what one statement is about."""

    subject: str
    type: str
    object: str


class EdgeKey(NamedTuple):
    """What tells relationships apart; `valid_from` is None where it is open."""

    subject: NodeKey
    type: str
    object: NodeKey
    valid_from: str | None

    @property
    def ends(self) -> Ends:
        return Ends(self.subject.label, self.type, self.object.label)


class Kinds:
    """Which node a key means: the row's kind, else the profile's, else what earlier rows said of the key, else what was found in the
    graph, else no kind at all."""

    def __init__(self, profile: GraphProfile | None) -> None:
        relations = profile.relations if profile else {}
        self._said = {name: (_only(relation.subject), _only(relation.object)) for name, relation in relations.items()}
        self._nodes: dict[str, NodeKey] = {}

    def declare(self, row: EntityRow) -> NodeKey:
        """The node of an entity row; facts may name it by its key."""
        return self._nodes.setdefault(row.key, NodeKey(row.kind or NO_KIND, row.name))

    def find(self, key: str, label: str) -> None:
        """A node of that name was in the graph before."""
        self._nodes.setdefault(key, NodeKey(label, key))

    def edge(self, row: FactRow) -> EdgeKey:
        """The relationship that a fact is."""
        subject, object_ = self._said.get(row.relation, ("", ""))
        valid_from = None if row.period is ALWAYS else dated(row.period)["valid_from"]
        return EdgeKey(
            self._node(row.subject, row.subject_kind or subject),
            row.relation,
            self._node(row.object, row.object_kind or object_),
            valid_from,
        )

    def unknown(self, row: FactRow) -> list[str]:
        """The keys of a fact whose kind nothing in the files or the profile tells."""
        subject, object_ = self._said.get(row.relation, ("", ""))
        ends = ((row.subject, row.subject_kind or subject), (row.object, row.object_kind or object_))
        return [key for key, kind in ends if not kind and key not in self._nodes]

    def _node(self, key: str, kind: str) -> NodeKey:
        node = self._nodes.get(key)
        if node is None:
            node = self._nodes[key] = NodeKey(kind or NO_KIND, key)
        return node if kind in ("", node.label) else NodeKey(kind, node.name)


def _only(kinds: tuple[str, ...]) -> str:
    """Where an end holds several kinds, the relation alone does not tell which one a node is."""
    return kinds[0] if len(kinds) == 1 else ""


def node_properties(row: EntityRow) -> dict[str, object]:
    """What a node holds besides its name. Own names win over free properties."""
    own: dict[str, object] = {"key": row.key if row.key != row.name else "", "aliases": list(row.aliases), "summary": row.summary}
    given: Mapping[str, Value] = {name: value for name, value in row.properties.items() if name != "name"}
    return {**given, **{name: value for name, value in own.items() if value}}


def edge_properties(row: FactRow) -> dict[str, object]:
    """What a relationship holds, dates apart."""
    said: dict[str, object] = dict(row.properties)
    if not row.origin.source.startswith(HASHED):
        said["source"] = row.origin.source
    if row.text:
        said["fact"] = row.text
    if row.confidence != 1.0:
        said["confidence"] = row.confidence
    return said if row.period == ALWAYS else {**said, **_precisions(row)}


def _precisions(row: FactRow) -> dict[str, object]:
    """Of the dates that are there."""
    dates = dated(row.period)
    said = precisions(row.period)
    return {name: value for name, value in said.items() if name.endswith("_text") or dates[name.removesuffix("_precision")]}
