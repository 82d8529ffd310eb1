"""A kg that can be read: the database with its profile, embedder and caches, shared by all readers."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from knowledge.database.connection import Database
from knowledge.embedding.embedder import Embedder
from knowledge.identity import words
from knowledge.profile.profile import GraphProfile
from knowledge.reading.dialect import Dialect
from knowledge.reading.memory import MemoryDialect
from knowledge.reading.meter import Meter
from knowledge.reading.reader import Reader
from knowledge.reading.schema import SchemaCache
from knowledge.reading.schema_files import SchemaFiles
from knowledge.reading.vectors_ready import VectorsReady
from knowledge.scope import Scope


def utc_now() -> datetime:
    """The clock that reads are made by."""
    return datetime.now(UTC)


class Kg:
    """One database as its profile describes it. Thread-safe. `folder` holds the side index of a native graph.

    Without an embedder, search is by words only.
    """

    def __init__(
        self,
        database: Database,
        profile: GraphProfile,
        embedder: Embedder | None = None,
        folder: Path | None = None,
        *,
        now: Callable[[], datetime] = utc_now,
    ) -> None:
        self.database, self.profile, self.embedder, self.folder, self.now = database, profile, embedder, folder, now
        self.schemas = SchemaCache(SchemaFiles(folder) if folder else None)
        self._vectors = VectorsReady(database)

    def dialect(self, scope: Scope) -> Dialect:
        """How this kg is read within a scope."""
        return MemoryDialect(self.database.capability, self.embedder.model if self.embedder else "", past=scope.known_at is not None)

    @property
    def semantic(self) -> bool:
        """Whether there is an embedder, and stored vectors of its model with their indexes."""
        return self.embedder is not None and self._vectors.of(self.embedder.model)

    def vector(self, text: str) -> tuple[float, ...]:
        """The text's vector; empty without an embedder, without stored vectors of its model, and for a text without words."""
        if self.embedder is None or not self.semantic or not words(text):
            return ()
        return tuple(float(x) for x in self.embedder.embed([text])[0])

    def reader(self, scope: Scope, meter: Meter) -> Reader:
        """A reader that sees this scope and is charged on this meter."""
        return Reader(self, scope, meter)
