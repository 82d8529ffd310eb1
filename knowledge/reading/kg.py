"""A kg that can be read: the database with its profile, embedder and caches, shared by all readers."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from knowledge.database.connection import Database
from knowledge.embedding.embedder import Embedder
from knowledge.profile.profile import GraphProfile
from knowledge.reading.dialect import Dialect
from knowledge.reading.memory import MemoryDialect
from knowledge.reading.meter import Meter
from knowledge.reading.reader import Reader
from knowledge.reading.schema import SchemaCache
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
        self.schemas = SchemaCache()
        self.dialect: Dialect = MemoryDialect()

    def reader(self, scope: Scope, meter: Meter) -> Reader:
        """A reader that sees this scope and is charged on this meter."""
        return Reader(self, scope, meter)
