"""The statements that read a namespace whole, and that write it again. Vectors are left out: `gavel index build` makes them."""

from collections.abc import Mapping

LOCK = "MATCH (n:GavelNamespace {group_id: $namespace}) SET n.version = n.version RETURN n.version AS version"

_ALL = "{.*, gavel_vec: null, gavel_vec_model: null} AS properties"
LABELS = (
    "GavelNamespace", "Entity", "Episodic", "GavelPastEpisode", "GavelEvidence", "GavelEntityVersion", "GavelRelationType", "GavelAudit",
)  # fmt: skip
RECORDS = ("GavelNamespace", "GavelAudit")
ENDS = {"RELATES_TO": ("Entity", "Entity"), "MENTIONS": ("Episodic|GavelPastEpisode", "Entity")}

READ: Mapping[str, str] = {
    **{label: f"MATCH (n:{label} {{group_id: $namespace}}) RETURN n {_ALL}" for label in LABELS},
    **{
        type_: f"MATCH (a)-[r:{type_} {{group_id: $namespace}}]->(b) RETURN a.uuid AS subject, b.uuid AS object, r {_ALL}" for type_ in ENDS
    },
}
"""By label and by type, each row with its properties; relationships with the uuids of their ends too."""

WRITE: Mapping[str, str] = {
    **{label: f"UNWIND $rows AS row CREATE (n:{label}) SET n = row.properties" for label in LABELS},
    **{
        type_: f"UNWIND $rows AS row MATCH (a:{subject} {{uuid: row.subject}}) MATCH (b:{object_} {{uuid: row.object}}) "
        f"CREATE (a)-[r:{type_}]->(b) SET r = row.properties"
        for type_, (subject, object_) in ENDS.items()
    },
}

ADVANCE = """
MATCH (n:GavelNamespace {group_id: $namespace}) WHERE n.version < $version
SET n.guarded = coalesce(n.guarded, 0) + $version - n.version, n.version = $version
"""

HELD = """
MATCH (n:GavelNamespace)
RETURN n.group_id AS namespace, n.version AS version ORDER BY namespace
"""

COUNTS: Mapping[str, str] = {
    "memory": """
CALL () { MATCH (n:Entity {group_id: $namespace}) RETURN count(*) AS entities }
CALL () { MATCH (n:Episodic {group_id: $namespace}) RETURN count(*) AS episodes }
CALL () { MATCH ()-[r:RELATES_TO {group_id: $namespace}]->() RETURN count(*) AS facts }
RETURN entities, episodes, facts
""",
    "native": """
CALL () { MATCH (n) WHERE none(label IN labels(n) WHERE label STARTS WITH 'Gavel') RETURN count(*) AS entities }
CALL () { MATCH ()-[r]->() RETURN count(*) AS facts }
RETURN entities, facts
""",
}
"""By shape: how much of each there is. A native graph is one namespace."""
