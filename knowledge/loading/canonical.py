"""One hash for the content of a kg: equal for two loads that led to the same episodes, entities and facts, whatever the order and the hour."""

import hashlib
import json
from collections.abc import Iterable, Iterator

from knowledge.database import ddl
from knowledge.database.connection import Database
from knowledge.profile.profile import Shape

_PAGE = 5_000
_MODULUS = 1 << 256

_ENTITIES = """
MATCH (n:Entity) WHERE n.uuid > $after AND n.group_id = $namespace
RETURN n.uuid AS id, [n.key, n.name, n.kind, n.aliases, n.folded_name, n.folded_aliases, n.summary, n.search_text, n.properties,
  n.confidence, n.observation_count, n.access_level, n.visibility_group, toString(n.valid_from), toString(n.valid_to),
  n.valid_from_precision, n.valid_to_precision, n.valid_from_text, n.valid_to_text, n.known_to = datetime($open_end)] AS content
ORDER BY n.uuid LIMIT $page
"""
_FACTS = """
MATCH (a)-[r:RELATES_TO]->(b) WHERE r.uuid > $after AND r.group_id = $namespace
RETURN r.uuid AS id, [r.fact_id, a.uuid, b.uuid, r.from_key, r.name, r.to_key, r.fact, r.search_text, r.source, r.place, r.properties,
  r.episodes, r.confidence, r.observation_count, r.access_level, r.visibility_group, toString(r.valid_from), toString(r.valid_to),
  r.valid_from_precision, r.valid_to_precision, r.valid_from_text, r.valid_to_text, toString(r.valid_at), toString(r.invalid_at),
  r.expired_at IS NOT NULL, r.known_to = datetime($open_end)] AS content
ORDER BY r.uuid LIMIT $page
"""
_EVIDENCE = """
MATCH (e:GavelEvidence) WHERE e.id > $after AND e.group_id = $namespace
RETURN e.id AS id, [e.fact_id, e.source, e.place, toString(e.valid_to), e.confidence, e.access_level] AS content
ORDER BY e.id LIMIT $page
"""
_VERSIONS = """
MATCH (v:GavelEntityVersion {group_id: $namespace})
RETURN [v.entity_uuid, v.name, v.kind, v.aliases, v.summary, v.properties, v.confidence, v.access_level] AS content
"""
_EPISODES = """
MATCH (e:Episodic|GavelPastEpisode) WHERE e.uuid > $after AND e.group_id = $namespace
RETURN e.uuid AS id, [e.name, e.content, e.source, e.source_description, e.type, e.topic, e.aspect, e.content_hash, e.bytes, e.principal,
  e.receipt, e.agent_id, e.run_id, e.on_behalf_of, e.tool, e.access_level, e.visibility_group, toString(e.valid_from), toString(e.valid_to),
  e.valid_from_precision, COLLECT { UNWIND e.entity_edges AS edge RETURN edge ORDER BY edge }, e.known_to = datetime($open_end)] AS content
ORDER BY e.uuid LIMIT $page
"""
_MENTIONS = """
MATCH (e:Episodic|GavelPastEpisode {group_id: $namespace})-[m:MENTIONS]->(n:Entity)
RETURN [m.uuid, e.uuid, n.uuid] AS content
"""
_TOLD = """
MATCH ()-[r:RELATES_TO {group_id: $namespace}]->() WHERE r.receipt IS NOT NULL
RETURN [r.uuid, r.receipt, r.principal] AS content
UNION ALL
MATCH (e:GavelEvidence {group_id: $namespace}) WHERE e.receipt IS NOT NULL
RETURN [e.id, e.receipt, e.principal, e.episode_uuid] AS content
"""
_RELATION_TYPES = "MATCH (t:GavelRelationType {group_id: $namespace}) RETURN [t.name] AS content"

_NOW = (
    """
MATCH (n:Entity {group_id: $namespace}) WHERE n.known_to = datetime($open_end)
RETURN ['entity', n.key, n.visibility_group, n.name, n.kind, n.aliases, n.summary, n.properties, n.access_level] AS content
""",
    """
MATCH (e:Episodic {group_id: $namespace}) WHERE e.known_to = datetime($open_end)
RETURN ['episode', e.uuid, e.name, e.content, e.source, e.source_description, toString(e.valid_from), toString(e.valid_to)] AS content
""",
    """
MATCH ()-[r:RELATES_TO {group_id: $namespace}]->() WHERE r.known_to = datetime($open_end)
RETURN ['fact', r.fact_id, r.visibility_group, r.from_key, r.name, r.to_key, r.fact, r.confidence, r.observation_count, r.access_level,
  toString(r.valid_from), toString(r.valid_to)] AS content
""",
)


def believed_hash(database: Database, namespace: str) -> str:
    """SHA-256 over what a namespace of the memory shape believes now, whatever it believed before: equal after an undo."""
    given = {"namespace": namespace, "open_end": "9999-12-31T00:00:00Z"}
    return _sum(element for statement in _NOW for element in _written("", database.read(statement, given, seconds=120)))


def canonical_hash(database: Database, namespace: str) -> str:
    """SHA-256 over all that is believed in a namespace (all of a native graph): commit times, vectors and counters of work left out."""
    found = ddl.stored(database)
    shape: Shape = found.shape if found else "memory"
    content = _memory(database, namespace) if shape == "memory" else _native(database)
    return _sum(content)


def _sum(content: Iterable[str]) -> str:
    total = sum(int.from_bytes(hashlib.sha256(element.encode()).digest()) for element in content) % _MODULUS
    return f"{total:064x}"


def _memory(database: Database, namespace: str) -> Iterator[str]:
    for statement in (_ENTITIES, _FACTS, _EVIDENCE, _EPISODES):
        yield from _paged(database, statement, namespace)
    for statement in (_VERSIONS, _RELATION_TYPES, _MENTIONS, _TOLD):
        yield from _written(statement, database.read(statement, {"namespace": namespace}))


def _paged(database: Database, statement: str, namespace: str) -> Iterator[str]:
    after = ""
    while rows := database.read(statement, {"namespace": namespace, "after": after, "page": _PAGE, "open_end": "9999-12-31T00:00:00Z"}):
        yield from _written(statement, rows)
        after = rows[-1]["id"]


def _native(database: Database) -> Iterator[str]:
    """Labels and types that are ours alone, and vectors, are left out."""
    for row in database.read("CALL db.labels() YIELD label WHERE NOT label STARTS WITH 'Gavel' RETURN label"):
        statement = f"MATCH (n:{ddl.quoted(row['label'])}) RETURN [labels(n), properties(n)] AS content"
        yield from _written(row["label"], database.read(statement, seconds=120))
    for row in database.read("CALL db.relationshipTypes() YIELD relationshipType AS type RETURN type"):
        statement = (
            f"MATCH (a)-[r:{ddl.quoted(row['type'])}]->(b) "
            "RETURN [labels(a), properties(a), type(r), properties(r), labels(b), properties(b)] AS content"
        )
        yield from _written(row["type"], database.read(statement, seconds=120))


def _written(what: str, rows: Iterable[dict[str, object]]) -> Iterator[str]:
    return (what + json.dumps(row["content"], sort_keys=True, default=str, ensure_ascii=False) for row in rows)
