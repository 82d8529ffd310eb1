"""Schemas on disk, so that a new process need not count a large kg again."""

import os
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from pydantic import TypeAdapter

from knowledge.identity import digest
from knowledge.reading import induce
from knowledge.records import GraphSchema, PropertySchema, RelationSchema, Step

MOST_FILES = 64
Pairs = tuple[tuple[Step, Step], ...]


@dataclass(frozen=True)
class _Written:
    """A schema as JSON can hold it, with the digest of the rules that made it."""

    rules: str
    version: str
    entities: int
    facts: int
    relations: tuple[RelationSchema, ...]
    kinds: tuple[str, ...]
    copies: Pairs
    follows: Pairs
    labels: tuple[tuple[str, int], ...]
    properties: tuple[PropertySchema, ...]

    @classmethod
    def of(cls, schema: GraphSchema, rules: str) -> Self:
        counts = (schema.version, schema.entities, schema.facts, schema.relations, schema.kinds)
        return cls(rules, *counts, tuple(sorted(schema.copies.items())), tuple(sorted(schema.follows)), schema.labels, schema.properties)

    def schema(self) -> GraphSchema:
        counts = (self.version, self.entities, self.facts, self.relations, self.kinds)
        return GraphSchema(*counts, dict(self.copies), frozenset(self.follows), self.labels, self.properties)


_FILE = TypeAdapter(_Written)


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
            written = _FILE.validate_json(self._file(name).read_bytes())
        except (OSError, ValueError):
            return None
        return written.schema() if written.rules == self._rules else None

    def save(self, name: str, schema: GraphSchema) -> None:
        written = ""
        content = _FILE.dump_json(_Written.of(schema, self._rules))
        try:
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            descriptor, written = tempfile.mkstemp(dir=self._folder, suffix=".part")
            with os.fdopen(descriptor, "wb") as file:
                file.write(content)
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
