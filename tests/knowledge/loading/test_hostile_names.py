"""Names, kinds, relations and properties that would like to be Cypher stay what they are, in both shapes."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from knowledge.database.connection import Database
from knowledge.errors import DataError
from knowledge.loading.loader import load

NAMES = [
    "`) MATCH (n) DETACH DELETE n //",
    "\\u0060) MATCH (n) DETACH DELETE n //",
    "\\\\u0060",
    "' OR true //",
    "$names",
    "{name: 1}",
    "line\nbreak",
    "\x1b[31m\u202e",
    "RELATES_TO",
    "Entity",
    "\\",
]


def write(path: Path, *rows: dict[str, object]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def hostile() -> list[dict[str, object]]:
    """Every name in every place."""
    kinds = [{"subject_kind": name, "object_kind": name} for name in NAMES]
    return [{"subject": name, "relation": name, "object": f"{name} 2", name: name, **kind} for name, kind in zip(NAMES, kinds, strict=True)]


def _subject(row: Mapping[str, object]) -> str:
    return str(row["s"])


def test_a_native_graph_keeps_them_as_labels_types_and_properties(database: Database, tmp_path: Path) -> None:
    assert load(database, [write(tmp_path / "a.jsonl", *hostile())], "ns", "native").created == len(NAMES)
    rows = database.read(
        "MATCH (a)-[r]->(b) RETURN labels(a) AS a, a.name AS s, type(r) AS r, properties(r) AS p, b.name AS o, labels(b) AS b"
    )
    expected = [{"a": [name], "s": name, "r": name, "p": {name: name}, "o": f"{name} 2", "b": [name]} for name in NAMES]
    assert sorted(rows, key=_subject) == sorted(expected, key=_subject)
    assert load(database, [tmp_path / "a.jsonl"], "ns", "native").known == len(NAMES)


def test_a_memory_keeps_them_as_text(memory: Database, tmp_path: Path) -> None:
    assert load(memory, [write(tmp_path / "a.jsonl", *hostile())], "ns").created == len(NAMES)
    rows = memory.read("MATCH (a:Entity)-[r:RELATES_TO]->(b:Entity) RETURN a.kind AS a, a.name AS s, r.name AS r, b.name AS o, b.kind AS b")
    expected = [{"a": name, "s": name, "r": name, "o": f"{name} 2", "b": name} for name in NAMES]
    assert sorted(rows, key=_subject) == sorted(expected, key=_subject)


@pytest.mark.parametrize("kind", ["GavelNamespace", "GavelSchema", "GavelLoad", "GavelEntityVersion"])
def test_no_row_of_a_native_graph_can_pass_for_a_record_of_ours(kind: str, database: Database, tmp_path: Path) -> None:
    rows: list[dict[str, object]] = [{"name": "x", "kind": kind}, {"subject": "a", "relation": "r", "object": "b", "object_kind": kind}]
    for row in rows:
        with pytest.raises(DataError, match="name the kind otherwise"):
            load(database, [write(tmp_path / "a.jsonl", row)], "ns", "native")
    assert load(database, [write(tmp_path / "a.jsonl", {"name": "x", "kind": "Gavel"})], "ns", "native").created == 1


def test_a_property_without_a_name_is_refused_by_line(memory: Database, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"a\.jsonl:1: the property with the value 'v' has no name"):
        load(memory, [write(tmp_path / "a.jsonl", {"subject": "a", "relation": "r", "object": "b", "": "v"})], "ns")
    assert load(memory, [write(tmp_path / "a.jsonl", {"subject": "a", "relation": "r", "object": "b", "": ""})], "ns").created == 1
