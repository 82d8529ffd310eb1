"""The live memories of a Graphiti-shaped database, adopted or not, as far as a scope may see them."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from knowledge.access.access import Access, Unwitnessed, Witness
from knowledge.clocks import OPEN_END, OPEN_START, written
from knowledge.database.connection import Database
from knowledge.identity import fold
from knowledge.loading.properties import instant, iso
from knowledge.registry.memory_name import MemoryName, memory_name
from knowledge.scope import Scope

PAGE = 1_000
SECONDS = 60.0

_SEEN = (
    "{0}.group_id IN $namespaces AND coalesce({0}.access_level, 'public') IN $levels AND coalesce({0}.visibility_group, '') IN $groups"
    " AND coalesce({0}.known_to, datetime($open_end)) = datetime($open_end)"
)
_MEMORIES = f"""
MATCH (e:Episodic) WHERE e.uuid > $after AND {_SEEN.format("e")}
WITH e ORDER BY e.uuid LIMIT $page
RETURN e.uuid AS uuid, e.group_id AS namespace, e.name AS name, e.content AS body, coalesce(e.source, 'text') AS source,
  coalesce(e.source_description, '') AS source_description, toStringOrNull(e.valid_at) AS valid_at, toStringOrNull(e.created_at) AS created,
  size(coalesce(e.entity_edges, [])) AS facts
"""
_NAMESPACES = """
CALL () { MATCH (n:Entity|Episodic) RETURN n.group_id AS namespace UNION MATCH (n:GavelNamespace) RETURN n.group_id AS namespace }
RETURN DISTINCT namespace ORDER BY namespace
"""
_FACTS = f"""
UNWIND $memories AS memory
MATCH (e:Episodic {{uuid: memory}})
UNWIND coalesce(e.entity_edges, []) AS edge
MATCH ()-[told:RELATES_TO {{uuid: edge}}]->()
WITH DISTINCT memory, coalesce(told.fact_id, told.uuid) AS fact, told
MATCH (a)-[r:RELATES_TO]->(b) WHERE (r.fact_id = told.fact_id OR r.uuid = told.uuid) AND {_SEEN.format("r")}
RETURN DISTINCT memory, r.uuid AS uuid, a.name AS subject, coalesce(a.kind, '') AS subject_kind, r.name AS relation, b.name AS object,
  coalesce(b.kind, '') AS object_kind, r.fact AS text, coalesce(r.confidence, 1.0) AS confidence,
  toString(coalesce(r.valid_from, r.valid_at)) AS valid_from, toString(coalesce(r.valid_to, r.invalid_at)) AS valid_to,
  coalesce(r.valid_from_precision, 'instant') AS from_precision, coalesce(r.valid_to_precision, 'instant') AS to_precision
ORDER BY memory, uuid
"""
_LONE_ENTITIES = f"""
MATCH (n:Entity) WHERE {_SEEN.format("n")}
  AND NOT EXISTS {{ (n)-[r:RELATES_TO]-() WHERE coalesce(r.known_to, datetime($open_end)) = datetime($open_end) }}
  AND NOT EXISTS {{ (:Episodic)-[:MENTIONS]->(n) }}
RETURN n.group_id AS namespace, n.uuid AS uuid, n.name AS name ORDER BY namespace, name
"""
_LOST_FACTS = f"""
MATCH (a)-[r:RELATES_TO]->(b) WHERE {_SEEN.format("r")} AND (coalesce(r.source, '') = '' OR size(coalesce(r.episodes, [])) > 0)
  AND NOT EXISTS {{ MATCH (e:Episodic|GavelPastEpisode) WHERE e.uuid IN r.episodes }}
RETURN r.group_id AS namespace, r.uuid AS uuid, coalesce(r.fact, a.name + ' ' + r.name + ' ' + b.name) AS name ORDER BY namespace, name
"""


@dataclass(frozen=True)
class Memory:
    """An episode. `at`: when it was true, or else when it was written. `facts`: how many it tells of."""

    uuid: str
    namespace: str
    name: str
    body: str
    source: str
    source_description: str
    valid_at: str
    at: datetime
    facts: int

    @property
    def named(self) -> MemoryName | None:
        return memory_name(self.name)

    @property
    def size(self) -> int:
        """In bytes, as limits count them."""
        return sum(len(text.encode()) for text in (self.body, self.name, self.source_description))

    @property
    def words(self) -> str:
        """What it says, whatever the case, the accents and the spaces."""
        return fold(self.body)


@dataclass(frozen=True)
class ToldFact:
    """A fact that a memory tells, as an operation would say it again."""

    said: Mapping[str, str]
    confidence: float
    valid_from: str
    valid_to: str

    def as_operation(self) -> Mapping[str, object]:
        dates = {"valid_from": self.valid_from, "valid_to": self.valid_to}
        return {"op": "add_relation", **self.said, **dates, "confidence": self.confidence}


@dataclass(frozen=True)
class Lone:
    """Something of the graph that nothing holds on to."""

    namespace: str
    uuid: str
    name: str


@dataclass(frozen=True)
class Memories:
    """What a scope may see of one database. Nothing here writes. `witness` is told what `principal` was shown."""

    database: Database
    scope: Scope
    principal: str = ""
    witness: Witness = field(default_factory=Unwitnessed)

    def namespaces(self) -> list[str]:
        """Those that hold anything, of those in scope."""
        return [name for row in self.database.read(_NAMESPACES) if (name := row["namespace"]) in self.scope.namespaces]

    def live(self, namespaces: Collection[str]) -> list[Memory]:
        """In the order in which they were true."""
        found = [_memory(row) for rows in self._pages(sorted(namespaces)) for row in rows]
        return sorted(found, key=lambda memory: (memory.at, memory.uuid))

    def told(self, memories: Sequence[str]) -> dict[str, list[ToldFact]]:
        """The facts that memories tell and that are believed, by memory."""
        found: dict[str, list[ToldFact]] = {}
        for row in self._read(_FACTS, sorted(self.scope.namespaces), memories=memories):
            found.setdefault(str(row["memory"]), []).append(_fact(row))
        return found

    def lone_entities(self, namespaces: Collection[str]) -> list[Lone]:
        """Entities with no fact that no memory mentions."""
        return [_lone(row) for row in self._read(_LONE_ENTITIES, sorted(namespaces))]

    def lost_facts(self, namespaces: Collection[str]) -> list[Lone]:
        """Facts whose source is gone."""
        return [_lone(row) for row in self._read(_LOST_FACTS, sorted(namespaces))]

    def _pages(self, namespaces: Sequence[str]) -> Iterator[list[dict[str, object]]]:
        after = ""
        while rows := self._read(_MEMORIES, namespaces, after=after, page=PAGE):
            yield rows
            after = str(rows[-1]["uuid"])

    def _read(self, statement: str, namespaces: Sequence[str], **parameters: object) -> list[dict[str, object]]:
        seen = {"namespaces": namespaces, "levels": sorted(self.scope.access_levels), "groups": sorted(self.scope.visibility_groups)}
        rows = self.database.read(statement, {**seen, "open_end": iso(OPEN_END), **parameters}, seconds=SECONDS)
        scope = replace(self.scope, namespaces=frozenset(namespaces))
        ids = (str(row["uuid"]) for row in rows)
        self.witness.note(Access.of(datetime.now(UTC), (self.principal, ""), "audit", scope, statement, ids, len(rows)))
        return rows


def _memory(row: Mapping[str, object]) -> Memory:
    said = {name: str(row[name] or "") for name in ("uuid", "namespace", "name", "body", "source", "source_description", "valid_at")}
    at = str(row["valid_at"] or row["created"] or iso(OPEN_START))
    return Memory(**said, at=instant(at), facts=int(str(row["facts"])))


def _fact(row: Mapping[str, object]) -> ToldFact:
    said = {name: str(row[name] or "") for name in ("subject", "subject_kind", "relation", "object", "object_kind", "text")}
    start, end = _date(row["valid_from"]), _date(row["valid_to"])
    from_precision, to_precision = str(row["from_precision"]), str(row["to_precision"])
    last = end and (end if to_precision == "instant" or end == OPEN_END else end - (OPEN_END.resolution))
    return ToldFact(
        said, confidence=float(str(row["confidence"])),
        valid_from=written(start, from_precision) if start else "", valid_to=written(last, to_precision) if last else "",
    )  # fmt: skip


def _lone(row: Mapping[str, object]) -> Lone:
    return Lone(str(row["namespace"]), str(row["uuid"]), str(row["name"] or ""))


def _date(value: object) -> datetime | None:
    return instant(str(value)) if value else None
