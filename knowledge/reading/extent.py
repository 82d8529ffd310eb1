"""All that a database holds, as a scope: what the one local person may read."""

from knowledge.database.connection import Database, Row
from knowledge.profile.profile import GraphProfile
from knowledge.scope import EVERYONE, PUBLIC, Scope

_REGISTERED = """
MATCH (n:GavelNamespace)
RETURN n.group_id AS namespace, coalesce(n.access_levels, []) AS levels, coalesce(n.visibility_groups, []) AS groups
"""
_FOREIGN = "MATCH (n:Entity) WHERE n.group_id IS NOT NULL RETURN DISTINCT n.group_id AS namespace, [] AS levels, [] AS groups"


def extent(database: Database, profile: GraphProfile) -> Scope:
    """The widest scope, in one statement; two where Gavel did not load the memory shape, none for a native graph.

    Empty where nothing is loaded. Both clocks are now.
    """
    if profile.shape == "native":
        return Scope(frozenset({profile.namespace}))
    rows = database.read(_REGISTERED) or database.read(_FOREIGN)
    levels = _all(rows, "levels") | {PUBLIC}
    return Scope(frozenset(row["namespace"] for row in rows), levels, _all(rows, "groups") | {EVERYONE})


def _all(rows: list[Row], column: str) -> frozenset[str]:
    return frozenset(value for row in rows for value in row[column])
