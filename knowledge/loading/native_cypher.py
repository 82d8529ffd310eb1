"""The statements that write the native shape. Labels and types are quoted; everything else travels as parameters."""

from knowledge.database.ddl import quoted
from knowledge.loading.native_nodes import Ends


def named(label: str) -> str:
    """Which of the names are nodes of the label."""
    return f"UNWIND $names AS name MATCH (n:{quoted(label)} {{name: name}}) RETURN name"


def mention(label: str) -> str:
    """Make the nodes that facts name; returns, in one row, the names that were there."""
    return (
        f"UNWIND $names AS name OPTIONAL MATCH (old:{quoted(label)} {{name: name}}) WITH name, old IS NOT NULL AS there "
        f"MERGE (:{quoted(label)} {{name: name}}) RETURN collect(CASE WHEN there THEN name END) AS known"
    )


def create_nodes(label: str) -> str:
    """Make nodes that are surely not there; a row is a name."""
    return f"UNWIND $rows AS name CREATE (:{quoted(label)} {{name: name}})"


def declare(label: str) -> str:
    """Make or complete the nodes that entity rows declare; returns per row whether that changes anything."""
    return (
        f"UNWIND $rows AS row OPTIONAL MATCH (old:{quoted(label)} {{name: row.name}}) "
        "WITH row, old IS NULL AS fresh, any(k IN keys(row.properties) WHERE old[k] IS NULL OR old[k] <> row.properties[k]) AS differs "
        f"MERGE (n:{quoted(label)} {{name: row.name}}) SET n += row.properties RETURN row.name AS name, fresh, differs"
    )


def there(ends: Ends) -> str:
    """The places of the relationships that are there; a row is [place, subject, object, said], `said` as `create` wants it."""
    return (
        f"UNWIND $rows AS row {_between(ends, 'row[1]', 'row[2]')} MATCH (a)-[old:{quoted(ends.type)}]->(b) "
        "WHERE old.valid_from = datetime(row[3].valid_from) OR (old.valid_from IS NULL AND row[3].valid_from IS NULL) "
        "RETURN collect(DISTINCT row[0]) AS known"
    )


def create(ends: Ends) -> str:
    """Make relationships; a row is [place, subject, object, {properties, valid_from, valid_to}], the last without what is empty."""
    return (
        f"UNWIND $rows AS row {_between(ends, 'row[1]', 'row[2]')} CREATE (a)-[r:{quoted(ends.type)}]->(b) "
        "SET r = coalesce(row[3].properties, {}), r.valid_from = datetime(row[3].valid_from), r.valid_to = datetime(row[3].valid_to)"
    )


def create_plain(ends: Ends) -> str:
    """Make relationships without properties; a row is [subject, object]."""
    return f"UNWIND $rows AS row {_between(ends, 'row[0]', 'row[1]')} CREATE (a)-[:{quoted(ends.type)}]->(b)"


def _between(ends: Ends, subject: str, object_: str) -> str:
    return f"MATCH (a:{quoted(ends.subject)} {{name: {subject}}}) MATCH (b:{quoted(ends.object)} {{name: {object_}}})"
