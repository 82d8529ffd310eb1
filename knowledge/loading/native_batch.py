"""One batch of rows in one transaction of the native shape."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from knowledge.loading import native_cypher as cypher
from knowledge.loading.commit import Commit
from knowledge.loading.memo import Memo
from knowledge.loading.native_nodes import EdgeKey, Ends, Kinds, NodeKey, edge_properties, node_properties
from knowledge.loading.period import ALWAYS
from knowledge.loading.properties import dated
from knowledge.loading.rows import EntityRow, FactRow, Row
from knowledge.loading.writer import Checkpoint, Written

Said = dict[str, object]


@dataclass(frozen=True)
class NativeBatch:
    """Distinct nodes and relationships of a batch with what is said of them; `placed` holds the one that each row is about."""

    rows: Sequence[Row]
    declared: Mapping[NodeKey, Said]
    mentioned: set[NodeKey]
    edges: Mapping[EdgeKey, Said]
    placed: Sequence[NodeKey | EdgeKey]

    @property
    def labels(self) -> set[str]:
        return {node.label for node in (*self.declared, *self.mentioned)}


def batch_of(rows: Sequence[Row], kinds: Kinds) -> NativeBatch:
    """What the rows are about. Of a repeated relationship the first row is kept, of a repeated node all that its rows say."""
    declared: dict[NodeKey, Said] = {}
    mentioned: set[NodeKey] = set()
    edges: dict[EdgeKey, Said] = {}
    placed: list[NodeKey | EdgeKey] = []
    for row in rows:
        if isinstance(row, EntityRow):
            node = kinds.declare(row)
            declared[node] = {**declared.get(node, {}), **node_properties(row)}
            placed.append(node)
        else:
            edge = kinds.edge(row)
            if edge not in edges:
                edges[edge] = _said(row)
                mentioned.update((edge.subject, edge.object))
            placed.append(edge)
    return NativeBatch(rows, declared, mentioned - declared.keys(), edges, placed)


class NativeTransaction:
    """The statements of one batch. `present` are nodes that are surely there."""

    def __init__(self, commit: Commit, batch: NativeBatch, present: set[NodeKey], memo: Memo[EdgeKey]) -> None:
        self._commit = commit
        self._batch = batch
        self._present = present
        self._memo = memo
        self.alone = memo.complete(commit.version)

    def write(self, checkpoint: Checkpoint) -> Written:
        """Everything of the batch; the version moves only where something changed."""
        written = Written()
        changed = self._declare(written)
        self._mention(written)
        created = self._create()
        written.facts = len(created)
        fresh: set[NodeKey | EdgeKey] = changed | created
        for place in self._batch.placed:
            written.outcomes.append("created" if place in fresh else "known")
            fresh.discard(place)
        written.version = self._commit.close(self._batch.rows, checkpoint, bool(changed or created or written.entities))
        return written

    def _declare(self, written: Written) -> set[NodeKey | EdgeKey]:
        changed: set[NodeKey | EdgeKey] = set()
        for label, nodes in _by_label(self._batch.declared):
            sent = [{"name": node.name, "properties": self._batch.declared[node]} for node in nodes]
            for row in self._commit.rows(cypher.declare(label), rows=sent):
                node = NodeKey(label, str(row["name"]))
                if row["fresh"]:
                    written.entities[f"{label}/{node.name}"] = node.name
                if row["fresh"] or row["differs"]:
                    changed.add(node)
        return changed

    def _mention(self, written: Written) -> None:
        for label, nodes in _by_label(self._batch.mentioned - self._present):
            names = [node.name for node in nodes]
            if self.alone:
                self._commit.many(cypher.create_nodes(label), names)
            known = set() if self.alone else set(cast(list[str], self._commit.rows(cypher.mention(label), names=names)[0]["known"]))
            written.entities.update({f"{label}/{name}": name for name in names if name not in known})

    def _create(self) -> set[EdgeKey]:
        new = [edge for edge in self._batch.edges if edge not in self._memo] if self.alone else self._missing()
        for ends, edges in _by_ends(new):
            plain = [[edge.subject.name, edge.object.name] for edge in edges if not self._batch.edges[edge]]
            self._commit.many(cypher.create_plain(ends), plain)
            self._commit.many(cypher.create(ends), self._sent([edge for edge in edges if self._batch.edges[edge]]))
        return set(new)

    def _missing(self) -> list[EdgeKey]:
        """The relationships that the database has not."""
        missing = []
        for ends, edges in _by_ends(self._batch.edges):
            known = set(cast(list[int], self._commit.rows(cypher.there(ends), rows=self._sent(edges))[0]["known"]))
            missing += [edge for place, edge in enumerate(edges) if place not in known]
        return missing

    def _sent(self, edges: Sequence[EdgeKey]) -> list[list[object]]:
        return [[place, edge.subject.name, edge.object.name, self._batch.edges[edge]] for place, edge in enumerate(edges)]


def _said(row: FactRow) -> Said:
    """Without what is empty."""
    properties = edge_properties(row)
    said: Said = {"properties": properties} if properties else {}
    if row.period is not ALWAYS:
        said |= {name: value for name, value in dated(row.period).items() if value}
    return said


def _by_label(nodes: Iterable[NodeKey]) -> Iterator[tuple[str, list[NodeKey]]]:
    groups = defaultdict(list)
    for node in nodes:
        groups[node.label].append(node)
    return iter(sorted(groups.items()))


def _by_ends(edges: Iterable[EdgeKey]) -> Iterator[tuple[Ends, list[EdgeKey]]]:
    groups = defaultdict(list)
    for edge in edges:
        groups[edge.ends].append(edge)
    return iter(groups.items())
