"""Writes batches of rows into the native shape: a bulk import, not a guarded write. What is there already is left as it is."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from neo4j import ManagedTransaction

from knowledge.database import ddl
from knowledge.database.connection import Database
from knowledge.loading import native_cypher as cypher
from knowledge.loading.commit import Clock, Commit
from knowledge.loading.native_nodes import EdgeKey, Kinds, NodeKey, edge_properties, node_properties
from knowledge.loading.properties import dated
from knowledge.loading.rows import EntityRow, FactRow, Row
from knowledge.loading.writer import Checkpoint, Written
from knowledge.profile.profile import GraphProfile
from knowledge.scope import EVERYONE, PUBLIC


class NativeWriter:
    """One per load. `profile` tells the kinds of subjects and objects where the rows do not."""

    def __init__(self, database: Database, namespace: str, clock: Clock, profile: GraphProfile | None) -> None:
        self._database = database
        self._namespace = namespace
        self._clock = clock
        self._kinds = Kinds(profile)
        self._labels = set(ddl.named_labels(database))
        self._present: set[NodeKey] = set()

    def refusal(self, row: Row) -> str:
        """A native graph has no access levels: writing a restricted row into it would publish it."""
        if row.access_level in ("", PUBLIC) and row.visibility_group == EVERYONE:
            return ""
        return "the native shape keeps no access levels or visibility groups; load restricted rows with --shape memory"

    def learn(self, rows: Iterable[Row]) -> None:
        """Remember which node each declared key is."""
        for row in rows:
            if isinstance(row, EntityRow):
                self._kinds.declare(row)

    def write(self, rows: Sequence[Row], checkpoint: Checkpoint) -> Written:
        """One transaction: all of the batch and its checkpoint, or nothing."""
        self.learn(rows)
        self._find_kinds(rows)
        batch = _sorted(rows, self._kinds, self._present)
        for label in batch.labels - self._labels:
            ddl.create_name_constraint(self._database, label)
            self._labels.add(label)

        def work(transaction: ManagedTransaction) -> Written:
            commit = Commit(transaction, self._namespace, self._clock)
            return _BatchTransaction(commit, batch).write(rows, checkpoint)

        written = cast(Written, self._database.transact(work))
        self._present |= batch.mentioned
        return written

    def _find_kinds(self, rows: Sequence[Row]) -> None:
        """Look for names that nothing gives a kind among the nodes that are there under some kind."""
        unknown = {key for row in rows if isinstance(row, FactRow) for key in self._kinds.unknown(row)}
        for label in sorted(self._labels) if unknown else ():
            for row in self._database.read(cypher.named(label), {"names": sorted(unknown)}):
                self._kinds.found.setdefault(row["name"], label)


@dataclass(frozen=True)
class _Batch:
    """`edges` holds the distinct relationships of the batch with the place of the first row that says each."""

    declared: Mapping[NodeKey, dict[str, object]]
    mentioned: set[NodeKey]
    edges: Mapping[EdgeKey, int]
    placed: Sequence[NodeKey | EdgeKey]

    @property
    def labels(self) -> set[str]:
        return {node.label for node in (*self.declared, *self.mentioned)}


def _sorted(rows: Sequence[Row], kinds: Kinds, present: set[NodeKey]) -> _Batch:
    declared: dict[NodeKey, dict[str, object]] = {}
    mentioned: set[NodeKey] = set()
    edges: dict[EdgeKey, int] = {}
    placed: list[NodeKey | EdgeKey] = []
    for at, row in enumerate(rows):
        if isinstance(row, EntityRow):
            node = kinds.declare(row)
            declared[node] = {**declared.get(node, {}), **node_properties(row)}
            placed.append(node)
        else:
            edge = kinds.edge(row)
            edges.setdefault(edge, at)
            mentioned |= {edge.subject, edge.object} - present
            placed.append(edge)
    return _Batch(declared, mentioned - declared.keys(), edges, placed)


class _BatchTransaction:
    def __init__(self, commit: Commit, batch: _Batch) -> None:
        self._commit = commit
        self._batch = batch

    def write(self, rows: Sequence[Row], checkpoint: Checkpoint) -> Written:
        written = Written()
        changed = self._declare(written)
        self._mention(written)
        created = self._create(rows)
        written.facts = len(created)
        fresh: set[NodeKey | EdgeKey] = set(changed) | created
        for place in self._batch.placed:
            written.outcomes.append("created" if place in fresh else "known")
            fresh.discard(place)
        any_change = bool(changed or created or written.entities)
        written.version = self._commit.close(rows, checkpoint, any_change)
        return written

    def _declare(self, written: Written) -> list[NodeKey]:
        changed = []
        for label, nodes in _by_label(self._batch.declared):
            sent = [{"name": node.name, "properties": self._batch.declared[node]} for node in nodes]
            for row in self._commit.rows(cypher.declare(label), rows=sent):
                node = NodeKey(label, str(row["name"]))
                if row["fresh"]:
                    written.entities[f"{label}/{node.name}"] = node.name
                if row["fresh"] or row["differs"]:
                    changed.append(node)
        return changed

    def _mention(self, written: Written) -> None:
        for label, nodes in _by_label(self._batch.mentioned):
            names = [node.name for node in nodes]
            there = {str(row["name"]) for row in self._commit.rows(cypher.named(label), names=names)}
            missing = [name for name in names if name not in there]
            if missing:
                self._commit.rows(cypher.mention(label), names=missing)
            written.entities.update({f"{label}/{name}": name for name in missing})

    def _create(self, rows: Sequence[Row]) -> set[EdgeKey]:
        created: set[EdgeKey] = set()
        groups = defaultdict(list)
        for edge, at in self._batch.edges.items():
            groups[edge.ends].append((edge, _sent(edge, at, cast(FactRow, rows[at]))))
        for ends, edges in groups.items():
            there = {row["at"] for row in self._commit.rows(cypher.existing(*ends), rows=[sent for _, sent in edges])}
            new = [(edge, sent) for edge, sent in edges if sent["at"] not in there]
            self._commit.many(cypher.create(*ends), [sent for _, sent in new])
            created |= {edge for edge, _ in new}
        return created


def _sent(edge: EdgeKey, at: int, row: FactRow) -> dict[str, object]:
    return {"at": at, "subject": edge.subject.name, "object": edge.object.name, "properties": edge_properties(row), **dated(row.period)}


def _by_label(nodes: Iterable[NodeKey]) -> Iterator[tuple[str, list[NodeKey]]]:
    groups = defaultdict(list)
    for node in nodes:
        groups[node.label].append(node)
    return iter(sorted(groups.items()))
