"""What a native load knows about its graph, as a profile that reading needs and the owner may correct."""

from pathlib import Path

from knowledge.database import ddl
from knowledge.database.connection import Database, Row
from knowledge.errors import StoreError
from knowledge.profile.profile import GraphProfile, LabelProfile, RelationProfile
from knowledge.profile.store import load_profile, save_profile

_SUMMARISED = """
CALL db.schema.nodeTypeProperties() YIELD nodeLabels, propertyName
WHERE propertyName = 'summary' UNWIND nodeLabels AS label RETURN DISTINCT label
"""
_TYPES = "CALL db.relationshipTypes() YIELD relationshipType AS type RETURN type ORDER BY type"


def check_single(database: Database, namespace: str) -> None:
    """StoreError where the native graph is another namespace: a native graph is one."""
    others = database.read("MATCH (n:GavelNamespace) WHERE n.group_id <> $namespace RETURN n.group_id AS other", {"namespace": namespace})
    if others:
        raise StoreError(
            f"this native graph is the namespace {others[0]['other']!r} and holds no second one; load it there, "
            "or use another GAVEL_DATA_DIR or GAVEL_NEO4J_DATABASE"
        )


def keep_profile(database: Database, namespace: str, folder: Path, said: GraphProfile | None) -> None:
    """Keep what the graph has become in the data folder; what the owner has corrected there stays."""
    graph = ddl.graph_identity(database)
    save_profile(folder, graph, native_profile(database, namespace, said or load_profile(folder, graph)))


def native_profile(database: Database, namespace: str, said: GraphProfile | None = None) -> GraphProfile:
    """The labels, dates and relation types of a graph that we loaded, under what was said about it before."""
    given = said or GraphProfile()
    summarised = {row["label"] for row in database.read(_SUMMARISED)}
    texts = {label: ("summary",) if label in summarised else () for label in ddl.named_labels(database)}
    labels = {label: LabelProfile(name="name", text=text) for label, text in texts.items()}
    relations = {row["type"]: _relation(database, row, given) for row in database.read(_TYPES)}
    return given.model_copy(
        update={
            "shape": "native",
            "namespace": namespace,
            "labels": {**labels, **given.labels},
            "relations": {**given.relations, **relations},
        }
    )


def _relation(database: Database, row: Row, given: GraphProfile) -> RelationProfile:
    said = given.relations.get(row["type"], RelationProfile())
    pattern = f"MATCH ()-[r:{ddl.quoted(row['type'])}]->()"
    dates = {}
    for name in ("valid_from", "valid_to"):
        if database.read(f"{pattern} WHERE r.{name} IS NOT NULL RETURN 1 LIMIT 1"):
            dates[name] = name
    return said.model_copy(update={name: getattr(said, name) or found for name, found in dates.items()})
