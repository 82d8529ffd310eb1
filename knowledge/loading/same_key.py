"""What joins namespaces when they are read: entities that were declared with the same key are linked, in whatever namespaces they are.

A key that is nothing but the name says only that no key was given; such entities are namesakes at most.
"""

from collections.abc import Sequence

from knowledge.database.connection import Database
from knowledge.database.ddl import SAME_KEY

AT_ONCE = 5_000
_DECLARED = f"""
UNWIND $uuids AS uuid
MATCH (n:Entity {{uuid: uuid}}) WHERE n.key <> n.name
MATCH (t:Entity {{key: n.key}}) WHERE t.uuid <> n.uuid AND t.key <> t.name AND NOT EXISTS {{ (n)-[:{SAME_KEY}]-(t) }}
MERGE (n)-[:{SAME_KEY}]-(t)
"""
_KEYED = "MATCH (n:Entity {group_id: $namespace}) WHERE n.key <> n.name RETURN n.uuid AS uuid"


def join(database: Database, uuids: Sequence[str]) -> None:
    """Link these entities to those of the same key. After their commit, so that of two that are written at once the later sees the other."""
    for start in range(0, len(uuids), AT_ONCE):
        database.write(_DECLARED, {"uuids": list(uuids[start : start + AT_ONCE])})


def join_namespace(database: Database, namespace: str) -> None:
    """The same for all entities of a namespace."""
    join(database, [row["uuid"] for row in database.read(_KEYED, {"namespace": namespace})])
