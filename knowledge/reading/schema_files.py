"""Schemas on disk, so that a new process need not count a large kg again."""

import json
import os
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any

from knowledge.identity import digest
from knowledge.reading import induce
from knowledge.records import GraphSchema, RelationSchema, Step

MOST_FILES = 64


class SchemaFiles:
    """One JSON file per schema of `graph` in `<folder>/schemas`, readable by its owner only. A damaged file, or one that an other version of the
    rules of induction wrote, counts as missing; a folder that cannot be written is left alone.
    """

    def __init__(self, folder: Path, graph: str = "") -> None:
        self._folder = folder / "schemas"
        self._graph = graph
        self._rules = digest(Path(induce.__file__).read_text(encoding="utf-8"), Path(__file__).read_text(encoding="utf-8"))

    def load(self, name: str) -> GraphSchema | None:
        try:
            raw = json.loads(self._file(name).read_text(encoding="utf-8"))
            return _schema(raw["schema"]) if raw["rules"] == self._rules else None
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def save(self, name: str, schema: GraphSchema) -> None:
        written = ""
        text = json.dumps({"rules": self._rules, "schema": _plain(schema)}, ensure_ascii=False)
        try:
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            descriptor, written = tempfile.mkstemp(dir=self._folder, suffix=".part")
            with os.fdopen(descriptor, "w", encoding="utf-8") as file:
                file.write(text)
            Path(written).replace(self._file(name))
            self._keep_newest()
        except OSError:
            if written:
                with suppress(OSError):
                    Path(written).unlink()

    def _file(self, name: str) -> Path:
        """Two graphs with equal counts have files of their own."""
        return self._folder / f"{digest(self._graph, name) if self._graph else name}.json"

    def _keep_newest(self) -> None:
        files = sorted(self._folder.glob("*.json"), key=lambda path: path.stat().st_mtime, reverse=True)
        for old in files[MOST_FILES:]:
            old.unlink(missing_ok=True)


def _plain(schema: GraphSchema) -> dict[str, Any]:
    return {
        "version": schema.version,
        "entities": schema.entities,
        "facts": schema.facts,
        "relations": [vars(r) for r in schema.relations],
        "kinds": schema.kinds,
        "copies": sorted(schema.copies.items()),
        "follows": sorted(schema.follows),
        "labels": schema.labels,
    }


def _schema(raw: dict[str, Any]) -> GraphSchema:
    return GraphSchema(
        version=raw["version"],
        entities=raw["entities"],
        facts=raw["facts"],
        relations=tuple(_relation(r) for r in raw["relations"]),
        kinds=tuple(raw["kinds"]),
        copies={Step(*copy): Step(*original) for copy, original in raw["copies"]},
        follows=frozenset((Step(*first), Step(*second)) for first, second in raw["follows"]),
        labels=tuple((label, entities) for label, entities in raw["labels"]),
    )


def _relation(raw: dict[str, Any]) -> RelationSchema:
    values: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in raw.items()}
    return RelationSchema(**values)
