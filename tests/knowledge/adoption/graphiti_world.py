"""A small database as Graphiti itself wrote it, put back as it was: nodes, relationships, dates and indexes."""

import json
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from knowledge.database.connection import Database

FILE = Path(__file__).with_name("graphiti_graph.json")


def put_back(database: Database, graph: Mapping[str, Any] | None = None) -> None:
    graph = graph or json.loads(FILE.read_text())
    for node in graph["nodes"]:
        labels = ":".join(f"`{label}`" for label in node["labels"])
        database.write(f"CREATE (n:{labels}) SET n = $has, n.fixture = $id", {"has": _dates(node["properties"]), "id": node["id"]})
    for edge in graph["relationships"]:
        database.write(
            f"MATCH (a {{fixture: $a}}), (b {{fixture: $b}}) CREATE (a)-[r:{edge['type']}]->(b) SET r = $has",
            {"a": edge["start"], "b": edge["end"], "has": _dates(edge["properties"])},
        )
    database.write("MATCH (n) REMOVE n.fixture")
    for index in graph["indexes"]:
        database.schema(_index(index))
    database.read("CALL db.awaitIndexes(60)")


def everything(database: Database) -> list[str]:
    """All that is in a database, indexes too: equal for equal databases."""
    nodes = database.read("MATCH (n) RETURN labels(n) AS labels, properties(n) AS has")
    edges = database.read("MATCH (a)-[r]->(b) RETURN a.uuid AS a, type(r) AS t, b.uuid AS b, properties(r) AS has")
    kept = "SHOW INDEXES YIELD name, type, labelsOrTypes, properties WHERE type <> 'LOOKUP' RETURN name, type, labelsOrTypes, properties"
    rows = [*nodes, *edges, *database.read(kept), *database.read("SHOW CONSTRAINTS YIELD name RETURN name")]
    return sorted(json.dumps(row, sort_keys=True, default=str) for row in rows)


def _dates(has: Mapping[str, Any]) -> dict[str, Any]:
    return {k: datetime.fromisoformat(v["$datetime"]) if isinstance(v, dict) else v for k, v in has.items()}


def _index(index: Mapping[str, Any]) -> str:
    label = index["labelsOrTypes"][0]
    pattern = f"(x:{label})" if index["entityType"] == "NODE" else f"()-[x:{label}]-()"
    fields = ", ".join(f"x.{name}" for name in index["properties"])
    if index["type"] == "FULLTEXT":
        return f"CREATE FULLTEXT INDEX {index['name']} FOR {pattern} ON EACH [{fields}]"
    return f"CREATE INDEX {index['name']} FOR {pattern} ON ({fields})"
