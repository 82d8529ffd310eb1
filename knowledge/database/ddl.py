"""Constraints and indexes of both shapes: their names, their making, and the schema version that the database itself keeps."""

import re
import time
from dataclasses import dataclass
from typing import Literal

from knowledge.database.connection import Database
from knowledge.errors import StatementError, StoreError
from knowledge.identity import digest
from knowledge.profile.profile import Shape

Element = Literal["entity", "fact"]

ENTITY_UUID = "gavel_entity_uuid"
ENTITY_KEY = "gavel_entity_key"
ENTITY_NAME = "gavel_entity_name"
ENTITY_TEXT = "gavel_entity_text"
FACT_UUID = "gavel_fact_uuid"
FACT_VERSION = "gavel_fact_version"
FACT_ID = "gavel_fact_id"
FACT_TEXT = "gavel_fact_text"
EVIDENCE_ID = "gavel_evidence_id"
EVIDENCE_FACT = "gavel_evidence_fact"
ENTITY_VERSION = "gavel_entity_version_entity"
VERSION_NAME = "gavel_entity_version_name"
RELATION_TYPE = "gavel_relation_type"
NAMESPACE = "gavel_namespace"
LOAD = "gavel_load"
EPISODE_UUID = "gavel_episode_uuid"
EPISODE_NEWEST = "gavel_episode_newest"
PAST_EPISODE_UUID = "gavel_past_episode_uuid"
EPISODE_NAMESPACE = "gavel_episode_namespace"
AUDIT = "gavel_audit"
SCHEMA = "gavel_schema"
ENTITY_JOINED = "gavel_entity_joined"
SAME_KEY = "GAVEL_SAME_KEY"
"""The type of what links entities that were declared with the same key."""

MAKING_PAUSES = (0.1, 0.4, 1.6)
"""Seconds before each of the next tries of a schema statement that another process has disturbed."""
_TEXT_OPTIONS = "OPTIONS {indexConfig: {`fulltext.analyzer`: 'cjk'}}"
_MARKER = f"CREATE CONSTRAINT {SCHEMA} IF NOT EXISTS FOR (n:GavelSchema) REQUIRE n.id IS UNIQUE"
_LOADS = f"CREATE CONSTRAINT {LOAD} IF NOT EXISTS FOR (n:GavelLoad) REQUIRE n.id IS UNIQUE"
_COMMON = (
    _LOADS,
    f"CREATE CONSTRAINT {NAMESPACE} IF NOT EXISTS FOR (n:GavelNamespace) REQUIRE n.group_id IS UNIQUE",
)
_FACT_KEY = "r.group_id, r.visibility_group, r.from_key, r.name, r.to_key, r.valid_from, r.known_to"
_MEMORY = (
    *_COMMON,
    f"CREATE CONSTRAINT {ENTITY_UUID} IF NOT EXISTS FOR (n:Entity) REQUIRE n.uuid IS UNIQUE",
    f"CREATE CONSTRAINT {ENTITY_KEY} IF NOT EXISTS FOR (n:Entity) REQUIRE (n.group_id, n.visibility_group, n.key) IS UNIQUE",
    f"CREATE CONSTRAINT {FACT_UUID} IF NOT EXISTS FOR ()-[r:RELATES_TO]-() REQUIRE r.uuid IS UNIQUE",
    f"CREATE CONSTRAINT {FACT_VERSION} IF NOT EXISTS FOR ()-[r:RELATES_TO]-() REQUIRE ({_FACT_KEY}) IS UNIQUE",
    f"CREATE CONSTRAINT {EVIDENCE_ID} IF NOT EXISTS FOR (n:GavelEvidence) REQUIRE n.id IS UNIQUE",
    f"CREATE CONSTRAINT {RELATION_TYPE} IF NOT EXISTS FOR (n:GavelRelationType) REQUIRE (n.group_id, n.name) IS UNIQUE",
    f"CREATE INDEX {ENTITY_NAME} IF NOT EXISTS FOR (n:Entity) ON (n.group_id, n.folded_name)",
    f"CREATE INDEX {FACT_ID} IF NOT EXISTS FOR ()-[r:RELATES_TO]-() ON (r.fact_id)",
    f"CREATE INDEX {EVIDENCE_FACT} IF NOT EXISTS FOR (n:GavelEvidence) ON (n.fact_id)",
    f"CREATE INDEX {ENTITY_VERSION} IF NOT EXISTS FOR (n:GavelEntityVersion) ON (n.entity_uuid)",
    f"CREATE FULLTEXT INDEX {ENTITY_TEXT} IF NOT EXISTS FOR (n:Entity) ON EACH [n.search_text] {_TEXT_OPTIONS}",
    f"CREATE FULLTEXT INDEX {FACT_TEXT} IF NOT EXISTS FOR ()-[r:RELATES_TO]-() ON EACH [r.search_text] {_TEXT_OPTIONS}",
)


@dataclass(frozen=True)
class Migration:
    """What brings a database from `version` - 1 to `version`, per shape. Every statement may run twice.

    `filling`: what is repeated in a memory until `changed` is nothing, so that no transaction grows with the database.
    """

    version: int
    memory: tuple[str, ...]
    native: tuple[str, ...]
    filling: str = ""


_EARLIER_NAMES = (f"CREATE INDEX {VERSION_NAME} IF NOT EXISTS FOR (n:GavelEntityVersion) ON (n.group_id, n.folded_name)",)
_EPISODES = (
    f"CREATE CONSTRAINT {EPISODE_UUID} IF NOT EXISTS FOR (n:Episodic) REQUIRE n.uuid IS UNIQUE",
    f"CREATE INDEX {EPISODE_NAMESPACE} IF NOT EXISTS FOR (n:Episodic) ON (n.group_id, n.known_to)",
    f"CREATE CONSTRAINT {AUDIT} IF NOT EXISTS FOR (n:GavelAudit) REQUIRE n.event_id IS UNIQUE",
)
_PAST_EPISODES = (f"CREATE CONSTRAINT {PAST_EPISODE_UUID} IF NOT EXISTS FOR (n:GavelPastEpisode) REQUIRE n.uuid IS UNIQUE",)
_NEWEST = (
    "DROP INDEX gavel_episode_topic IF EXISTS",
    f"CREATE INDEX {EPISODE_NEWEST} IF NOT EXISTS FOR (n:Episodic) ON (n.group_id, n.topic, n.known_from)",
)
_JOINS = (f"CREATE INDEX {ENTITY_JOINED} IF NOT EXISTS FOR (n:Entity) ON (n.key)",)
_LINKS = (
    "MATCH (n:Entity) WHERE n.key <> n.name MATCH (t:Entity {key: n.key})"
    f" WHERE t.uuid < n.uuid AND t.key <> t.name AND NOT EXISTS {{ (n)-[:{SAME_KEY}]-(t) }}"
    f" WITH n, t LIMIT 5000 MERGE (n)-[:{SAME_KEY}]-(t) RETURN count(*) AS changed"
)
MIGRATIONS = (
    Migration(1, _MEMORY, _COMMON),
    Migration(2, _EARLIER_NAMES, ()),
    Migration(3, _EPISODES, ()),
    Migration(4, _PAST_EPISODES, ()),
    Migration(5, (), ()),
    Migration(6, (*_NEWEST, *_JOINS), (), filling=_LINKS),
)
SCHEMA_VERSION = MIGRATIONS[-1].version

_VECTOR_FILTERS = {
    "entity": ("group_id", "access_level", "visibility_group", "kind"),
    "fact": ("group_id", "access_level", "visibility_group", "name"),
}
_CLOCKS = ("valid_from", "valid_to", "known_from", "known_to", "gavel_vec_model")
_VECTOR_PATTERNS = {"entity": "(x:Entity)", "fact": "()-[x:RELATES_TO]-()"}


@dataclass(frozen=True)
class Stored:
    """What the database says about itself."""

    shape: Shape
    version: int


def stored(database: Database) -> Stored | None:
    """The shape and schema version kept in the database, or None where Gavel has made nothing yet."""
    rows = database.read("MATCH (s:GavelSchema {id: 'gavel'}) RETURN s.shape AS shape, s.version AS version")
    return Stored(rows[0]["shape"], rows[0]["version"]) if rows else None


def graph_identity(database: Database) -> str:
    """Names one database for as long as its store exists."""
    return str(database.read("CALL db.info() YIELD id RETURN id")[0]["id"])[:24].lower()


def ensure(database: Database, shape: Shape, migrations: tuple[Migration, ...] = MIGRATIONS) -> int:
    """Create or migrate constraints and indexes, and return the schema version.

    StoreError where the database holds the other shape, data that Gavel did not load, or a newer schema.
    """
    found = stored(database)
    if found is None:
        _refuse_foreign(database)
        _make(database, _MARKER)
        found = _mark(database, shape)
    if found.shape != shape:
        raise StoreError(
            f"this database holds the {found.shape} shape and cannot take the {shape} shape; "
            "use another GAVEL_DATA_DIR or GAVEL_NEO4J_DATABASE, or empty this one with `gavel db reset`"
        )
    newest = migrations[-1].version
    if found.version > newest:
        raise StoreError(f"this database has schema {found.version}, made by a newer Gavel; this one knows {newest}: upgrade Gavel")
    for migration in migrations:
        if migration.version > found.version:
            _migrate(database, migration, shape)
    return newest


def build(database: Database, shape: Shape) -> None:
    """All constraints and indexes, without saying that the database is Gavel's."""
    _make(database, _MARKER)
    for migration in MIGRATIONS:
        _statements(database, migration, shape)


def vector_index(element: Element, model: str) -> str:
    """The name of the vector index of one element kind and embedding model."""
    readable = re.sub(r"[^a-z0-9]+", "_", model.lower()).strip("_")
    return f"{vector_prefix(element)}{readable[:40]}_{digest(model)[:6]}"


def vector_prefix(element: Element) -> str:
    """How the names of all vector indexes of one element kind begin."""
    return f"gavel_{element}_vector_"


def create_vector_index(database: Database, element: Element, model: str, dimensions: int) -> str:
    """Make the vector index where it is missing and return its name. Where the server can filter inside it, scope and clocks are in it."""
    name = vector_index(element, model)
    filters = [f"x.{p}" for p in (*_VECTOR_FILTERS[element], *_CLOCKS)]
    within = f"WITH [{', '.join(filters)}]" if database.capability.vector_filters else ""
    language = "CYPHER 25 " if database.capability.vector_filters else ""
    options = f"OPTIONS {{indexConfig: {{`vector.dimensions`: {int(dimensions)}, `vector.similarity_function`: 'cosine'}}}}"
    _make(
        database,
        f"{language}CREATE VECTOR INDEX {name} IF NOT EXISTS FOR {_VECTOR_PATTERNS[element]} ON (x.gavel_vec) {within} {options}",
    )
    return name


def quoted(name: str) -> str:
    """A label, relationship type or property as a Cypher identifier, whatever characters it has.

    The server reads `\\u0060` anywhere in a statement as a backtick, so a backslash is written as such an escape itself.
    """
    return "`" + name.replace("`", "``").replace("\\", "\\u005C") + "`"


def literal(text: str) -> str:
    """A text as a Cypher literal, whatever characters it has, for the places where no parameter may stand.

    A backslash that is doubled begins no unicode escape.
    """
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def create_name_constraint(database: Database, label: str) -> None:
    """One node per name and label of a native graph that we load."""
    _make(database, f"CREATE CONSTRAINT IF NOT EXISTS FOR (n:{quoted(label)}) REQUIRE n.name IS UNIQUE")


def named_labels(database: Database) -> list[str]:
    """The labels of a native graph that have that constraint."""
    rows = database.read("SHOW CONSTRAINTS YIELD labelsOrTypes, properties WHERE properties = ['name'] RETURN labelsOrTypes[0] AS label")
    return sorted(row["label"] for row in rows)


def _refuse_foreign(database: Database) -> None:
    if database.read("MATCH (n) WHERE NOT n:GavelSchema RETURN 1 LIMIT 1") and stored(database) is None:
        raise StoreError(
            "this database holds data that Gavel did not load, and loading never adds to such a graph; "
            "use another GAVEL_DATA_DIR or GAVEL_NEO4J_DATABASE"
        )


def _mark(database: Database, shape: Shape) -> Stored:
    row = database.write(
        "MERGE (s:GavelSchema {id: 'gavel'}) ON CREATE SET s.shape = $shape, s.version = 0 RETURN s.shape AS shape, s.version AS version",
        {"shape": shape},
    )[0]
    return Stored(row["shape"], row["version"])


def _make(database: Database, statement: str) -> None:
    """`IF NOT EXISTS` looks before the lock is taken: whoever comes second at the same moment is told that it exists, or that the index
    behind a constraint could not be made; then it is there when asked for again."""
    for pause in (*MAKING_PAUSES, None):
        try:
            database.schema(statement)
        except StatementError as error:
            if error.code.endswith("AlreadyExists"):
                return
            if pause is None or ".Schema." not in error.code:
                raise
            time.sleep(pause)
        else:
            return


def _migrate(database: Database, migration: Migration, shape: Shape) -> None:
    _statements(database, migration, shape)
    while migration.filling and shape == "memory" and database.write(migration.filling)[0]["changed"]:
        pass
    database.write(
        "MATCH (s:GavelSchema {id: 'gavel'}) SET s.version = CASE WHEN s.version < $v THEN $v ELSE s.version END", {"v": migration.version}
    )


def _statements(database: Database, migration: Migration, shape: Shape) -> None:
    for statement in migration.memory if shape == "memory" else migration.native:
        _make(database, statement)
    _await(database)


def _await(database: Database) -> None:
    """The index behind a constraint that another process has made first counts as failed until it is gone."""
    for pause in (*MAKING_PAUSES, None):
        try:
            database.read("CALL db.awaitIndexes(120)", seconds=130)
        except StatementError as error:
            if pause is None or not error.code.endswith("ProcedureCallFailed"):
                raise
            time.sleep(pause)
        else:
            return
