"""The statements that write the native shape. Labels and types are quoted; everything else travels as parameters."""

from knowledge.database.ddl import quoted


def named(label: str) -> str:
    """Which of the names are nodes of the label."""
    return f"UNWIND $names AS name MATCH (n:{quoted(label)} {{name: name}}) RETURN name"


def mention(label: str) -> str:
    """Make the nodes that facts name."""
    return f"UNWIND $names AS name MERGE (n:{quoted(label)} {{name: name}})"


def declare(label: str) -> str:
    """Make or complete the nodes that entity rows declare; returns per row whether that changes anything."""
    return (
        f"UNWIND $rows AS row OPTIONAL MATCH (old:{quoted(label)} {{name: row.name}}) "
        "WITH row, old IS NULL AS fresh, any(k IN keys(row.properties) WHERE old[k] IS NULL OR old[k] <> row.properties[k]) AS differs "
        f"MERGE (n:{quoted(label)} {{name: row.name}}) SET n += row.properties RETURN row.name AS name, fresh, differs"
    )


def existing(subject: str, relation: str, object_: str) -> str:
    """Which rows are in the graph already."""
    return (
        f"UNWIND $rows AS row MATCH (a:{quoted(subject)} {{name: row.subject}}) MATCH (b:{quoted(object_)} {{name: row.object}}) "
        f"MATCH (a)-[r:{quoted(relation)}]->(b) "
        "WHERE r.valid_from = datetime(row.valid_from) OR (r.valid_from IS NULL AND row.valid_from IS NULL) RETURN DISTINCT row.at AS at"
    )


def create(subject: str, relation: str, object_: str) -> str:
    """Make relationships between nodes that are there."""
    return (
        f"UNWIND $rows AS row MATCH (a:{quoted(subject)} {{name: row.subject}}) MATCH (b:{quoted(object_)} {{name: row.object}}) "
        f"CREATE (a)-[r:{quoted(relation)}]->(b) "
        "SET r = row.properties, r.valid_from = datetime(row.valid_from), r.valid_to = datetime(row.valid_to)"
    )
