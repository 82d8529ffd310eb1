"""Small worlds in the memory shape, written straight into the database so that a test can place anything in or out of scope."""

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import ClassVar

import numpy as np

from knowledge.database import ddl
from knowledge.database.connection import Database
from knowledge.database.ddl import quoted
from knowledge.embedding.embedder import Vectors
from knowledge.identity import digest, entity_uuid, fold
from knowledge.profile.profile import GraphProfile, LabelProfile, RelationProfile, Shape
from knowledge.reading.kg import Kg
from knowledge.reading.meter import Unmetered
from knowledge.reading.native import node_id
from knowledge.reading.reader import Reader
from knowledge.scope import Scope

ALWAYS = ("0001-01-01T00:00:00Z", "9999-12-31T00:00:00Z")
SINCE_JANUARY = ("2026-01-01T00:00:00Z", "9999-12-31T00:00:00Z")
NOW = datetime(2026, 11, 29, tzinfo=UTC)


@dataclass(frozen=True)
class Place:
    """Where a thing stands: namespace, who may see it, and its two intervals."""

    namespace: str = "team"
    access: str = "public"
    group: str = ""
    valid: tuple[str, str] = ALWAYS
    known: tuple[str, str] = SINCE_JANUARY


@dataclass(frozen=True)
class Node:
    name: str
    kind: str = ""
    aliases: tuple[str, ...] = ()
    summary: str = ""
    place: Place = Place()
    key: str = ""

    shape: ClassVar[Shape] = "memory"
    """The shape of the world that was made last: it decides what ids look like."""

    @property
    def label(self) -> str:
        return self.kind or "thing"

    @property
    def id(self) -> str:
        if self.shape == "native":
            return node_id(self.label, self.name, "")
        return entity_uuid(self.place.namespace, self.place.group, self.key or self.name)


@dataclass(frozen=True)
class Edge:
    subject: Node
    relation: str
    object: Node
    place: Place = Place()
    text: str = ""
    precision: str = "instant"
    confidence: float = 1.0

    @property
    def sentence(self) -> str:
        return self.text or f"{self.subject.name} {self.relation.replace('_', ' ')} {self.object.name}"

    @property
    def id(self) -> str:
        return digest(self.subject.id, self.relation, self.object.id, *self.place.valid, *self.place.known, self.text, str(self.place))


class LetterEmbedder:
    """Unit vectors from letter pairs: alike words are near, and nothing is downloaded."""

    model = "letters"
    dimensions = 32

    def embed(self, texts: Sequence[str]) -> Vectors:
        rows = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            row[0] = 0.01
            for pair in zip(text.casefold(), text.casefold()[1:], strict=False):
                row[hashlib.blake2s("".join(pair).encode()).digest()[0] % self.dimensions] += 1
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)


@dataclass
class World:
    """A memory-shape database under construction."""

    database: Database
    embedder: LetterEmbedder | None = None

    def write(self, nodes: Iterable[Node], edges: Iterable[Edge]) -> None:
        self._nodes(list(nodes))
        self._edges(list(edges))
        if self.embedder:
            self._vectors()
        self.database.read("CALL db.index.fulltext.awaitEventuallyConsistentIndexRefresh()")

    def kg(self) -> Kg:
        return Kg(self.database, GraphProfile(), self.embedder, now=lambda: NOW)

    def reader(self, *namespaces: str, **scope: object) -> Reader:
        return self.kg().reader(replace(Scope(frozenset(namespaces or ("team",))), **scope), Unmetered())

    def _nodes(self, nodes: list[Node]) -> None:
        rows = [
            {
                "said": {
                    "uuid": n.id, "key": n.key or n.name, "name": n.name, "kind": n.kind, "aliases": list(n.aliases),
                    "folded_name": fold(n.name), "folded_aliases": [fold(a) for a in n.aliases], "summary": n.summary,
                    "search_text": " | ".join(filter(None, [fold(n.name), *map(fold, n.aliases), fold(n.summary)])),
                    "properties": json.dumps({}), **_open_to(n.place),
                },
                **_clocks(n.place),
            }
            for n in nodes
        ]  # fmt: skip
        self.database.write(f"UNWIND $rows AS row CREATE (x:Entity) SET x = row.said, {_SET_CLOCKS}", {"rows": rows})
        names = sorted({n.place.namespace for n in nodes})
        self.database.write(
            "UNWIND $names AS name MERGE (n:GavelNamespace {group_id: name}) SET n.version = coalesce(n.version, 0) + 1", {"names": names}
        )

    def _edges(self, edges: list[Edge]) -> None:
        rows = [
            {
                "from": e.subject.id, "to": e.object.id,
                "said": {
                    "uuid": e.id, "fact_id": e.id, "name": e.relation, "fact": e.sentence, "search_text": fold(e.sentence),
                    "from_key": e.subject.key or e.subject.name, "to_key": f"{e.object.key or e.object.name} {e.text}", "episodes": [], "source": "test", "confidence": e.confidence,
                    "valid_from_precision": e.precision, "valid_to_precision": e.precision, **_open_to(e.place),
                },
                **_clocks(e.place),
            }
            for e in edges
        ]  # fmt: skip
        self.database.write(
            "UNWIND $rows AS row MATCH (a:Entity {uuid: row.from}) MATCH (b:Entity {uuid: row.to})"
            f" CREATE (a)-[x:RELATES_TO]->(b) SET x = row.said, {_SET_CLOCKS}",
            {"rows": rows},
        )

    def _vectors(self) -> None:
        assert self.embedder
        for element, pattern, text in (("entity", "(x:Entity)", "x.name"), ("fact", "()-[x:RELATES_TO]->()", "x.fact")):
            ddl.create_vector_index(self.database, element, self.embedder.model, self.embedder.dimensions)
            lacking = self.database.read(f"MATCH {pattern} WHERE x.gavel_vec IS NULL RETURN x.uuid AS uuid, {text} AS text")
            vectors = self.embedder.embed([row["text"] for row in lacking]) if lacking else []
            rows = [{"uuid": row["uuid"], "vector": v.tolist()} for row, v in zip(lacking, vectors, strict=True)]
            find = pattern.replace("x:Entity", "x:Entity {uuid: row.uuid}").replace("x:RELATES_TO", "x:RELATES_TO {uuid: row.uuid}")
            self.database.write(
                f"UNWIND $rows AS row MATCH {find} SET x.gavel_vec = row.vector, x.gavel_vec_model = $model",
                {"rows": rows, "model": self.embedder.model},
            )
        self.database.read("CALL db.awaitIndexes(60)")


@dataclass
class NativeWorld(World):
    """The same things as a native graph: labels are kinds, types are relations; only access of nodes and validity are kept."""

    labels: set[str] = field(default_factory=set)
    types: set[str] = field(default_factory=set)

    def write(self, nodes: Iterable[Node], edges: Iterable[Edge]) -> None:
        for node in nodes:
            self.labels.add(node.label)
            said = {
                "name": node.name,
                "summary": node.summary,
                "access": node.place.access,
                "aliases": list(node.aliases),
                "test_key": _at(node),
            }
            self.database.write(f"CREATE (x:{quoted(node.label)}) SET x = $said, {_native_dates(node.place)}", {"said": said})
        for edge in edges:
            self.types.add(edge.relation)
            said = {"fact": edge.sentence, "source": "test", "confidence": edge.confidence, "valid_from_precision": edge.precision,
                    "valid_to_precision": edge.precision}  # fmt: skip
            self.database.write(
                f"MATCH (a:{quoted(edge.subject.label)} {{test_key: $a}}) MATCH (b:{quoted(edge.object.label)} {{test_key: $b}})"
                f" CREATE (a)-[x:{quoted(edge.relation)}]->(b) SET x = $said, {_native_dates(edge.place)}",
                {"a": _at(edge.subject), "b": _at(edge.object), "said": said},
            )

    def kg(self) -> Kg:
        label = LabelProfile(text=("summary",), access="access", valid_from="valid_from", valid_to="valid_to")
        relation = RelationProfile(valid_from="valid_from", valid_to="valid_to")
        profile = GraphProfile(
            shape="native",
            namespace="team",
            labels=dict.fromkeys(sorted(self.labels), label),
            relations=dict.fromkeys(sorted(self.types), relation),
        )
        kg = Kg(self.database, profile, self.embedder, now=lambda: NOW)
        if kg.aside and self.embedder:
            kg.aside.build(self.embedder)
        return kg


def _at(node: Node) -> str:
    return f"{node.name} {node.key} {node.place}"


def _native_dates(place: Place) -> str:
    dates = [
        f"x.{name} = datetime('{date}')"
        for name, date, open_ in zip(("valid_from", "valid_to"), place.valid, ALWAYS, strict=True)
        if date != open_
    ]
    return ", ".join(["x.there = true", *dates])


_SET_CLOCKS = ", ".join(f"x.{c} = datetime(row.{c})" for c in ("valid_from", "valid_to", "known_from", "known_to"))


def _open_to(place: Place) -> dict[str, str]:
    return {"group_id": place.namespace, "access_level": place.access, "visibility_group": place.group}


def _clocks(place: Place) -> dict[str, str]:
    return dict(zip(("valid_from", "valid_to", "known_from", "known_to"), (*place.valid, *place.known), strict=True))
