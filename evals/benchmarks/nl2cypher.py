"""Foreign read statements and the schemas they were written for. Nothing of the data set is copied into the repository."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

FOLDER = "nl2cypher"
_VALUES = {
    "INTEGER": "1", "FLOAT": "1.5", "BOOLEAN": "true", "DATE": "date('2020-01-01')", "DATE_TIME": "datetime('2020-01-01T00:00:00Z')",
    "LOCAL_DATE_TIME": "localdatetime('2020-01-01T00:00:00')", "LIST": "['a']", "POINT": "point({x: 1, y: 2})",
    "DURATION": "duration('P1D')",
}  # fmt: skip
_NAME = re.compile(r"- \*\*(.+)\*\*")
_PROPERTY = re.compile(r"\s+- `(.+?)`?: `?([A-Z_]+)")
_TRIPLE = re.compile(r"\(:(.+?)\)-\[:(.+?)\]->\(:(.+?)\)")


@dataclass(frozen=True)
class Statement:
    """One read statement; `sound` is false where the data set itself doubts its schema."""

    text: str
    database: str
    sound: bool


@dataclass
class Described:
    """One database of the data set: properties with an example value as Cypher, by label and by type, and who is related to whom."""

    labels: dict[str, dict[str, str]] = field(default_factory=dict)
    types: dict[str, dict[str, str]] = field(default_factory=dict)
    triples: list[tuple[str, str, str]] = field(default_factory=list)


def statements(datasets: Path) -> list[Statement]:
    """All statements, in the order of the file."""
    rows = _rows(datasets / FOLDER / "text2cypher_claudeopus_800.jsonl")
    return [Statement(str(row["cypher"]), str(row["database"]), not row["false_schema"]) for row in rows]


def described(datasets: Path) -> dict[str, Described]:
    """The databases by name."""
    return {str(row["database"]): _described(str(row["schema"])) for row in _rows(datasets / FOLDER / "schemas.jsonl")}


def _rows(path: Path) -> Iterator[dict[str, object]]:
    return (json.loads(line) for line in path.read_text(encoding="utf-8").splitlines())


def _described(text: str) -> Described:
    found = Described()
    into, current = found.labels, dict[str, str]()
    for line in text.splitlines():
        if line.startswith("Relationship properties"):
            into = found.types
        elif name := _NAME.match(line):
            current = into.setdefault(name[1], {})
        elif said := _PROPERTY.match(line):
            current[said[1]] = _VALUES.get(said[2], "'text'")
        elif triple := _TRIPLE.match(line):
            found.triples.append((triple[1], triple[2], triple[3]))
    return found
