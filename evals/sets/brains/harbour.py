"""The harbour world: a native graph with typed properties, written by hand."""

import json
from pathlib import Path

from knowledge.database.connection import Database
from knowledge.database.ddl import quoted

WORLD = Path(__file__).parent / "world.jsonl"
PROFILE = Path(__file__).parent / "profile.yaml"
QUESTIONS = Path(__file__).parent / "questions.jsonl"


def build_harbour(database: Database) -> None:
    """Write it into an empty database."""
    rows = [json.loads(line) for line in WORLD.read_text(encoding="utf-8").splitlines()]
    for row in rows:
        if labels := row.pop("labels", None):
            database.write(f"CREATE (n:{quoted(labels[0])}) SET n = $row", {"row": row})
    for row in rows:
        if "type" in row:
            database.write(f"MATCH (a {{name: $from}}), (b {{name: $to}}) CREATE (a)-[:{quoted(row['type'])}]->(b)", row)
