"""A kg that can be read: the database with its profile, embedder and caches, shared by all readers."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from knowledge.access.access import Unwitnessed, Witness
from knowledge.database.connection import Database
from knowledge.database.ddl import SAME_KEY, graph_identity
from knowledge.embedding.embedder import Embedder
from knowledge.identity import words
from knowledge.profile.profile import GraphProfile
from knowledge.reading.aside import Aside
from knowledge.reading.dialect import Dialect, SideDialect
from knowledge.reading.graphiti import GraphitiDialect
from knowledge.reading.memory import MemoryDialect
from knowledge.reading.meter import Meter
from knowledge.reading.native import NativeDialect
from knowledge.reading.reader import Reader
from knowledge.reading.schema import SchemaCache
from knowledge.reading.schema_files import SchemaFiles
from knowledge.reading.session import Session
from knowledge.reading.vectors_ready import VectorsReady
from knowledge.scope import Scope
from knowledge.search.side import SideIndex

Joining = Callable[[frozenset[str]], frozenset[str]]
_ANY_JOINED = f"MATCH ()-[r:{SAME_KEY}]->() RETURN count(r) AS n"
"""Answered from the store's own counts, whatever its size."""


def utc_now() -> datetime:
    """The clock that reads are made by."""
    return datetime.now(UTC)


class Kg:
    """One database as its profile describes it. Thread-safe.

    `folder` keeps counted schemas, and the side index of a graph to which nothing is added; without it both live in memory. Without an embedder, search is
    by words only. `witness` is told of every statement of every reader. `joining` says which of some namespaces join others by key; without it none
    does.
    """

    def __init__(
        self,
        database: Database,
        profile: GraphProfile,
        embedder: Embedder | None = None,
        folder: Path | None = None,
        *,
        now: Callable[[], datetime] = utc_now,
        witness: Witness | None = None,
        joining: Joining | None = None,
    ) -> None:
        self.database, self.profile, self.embedder, self.folder, self.now = database, profile, embedder, folder, now
        self._witness = Unwitnessed() if witness is None else witness
        self._joins = joining
        self._graph = graph_identity(database) if folder else ""
        self.schemas = SchemaCache(SchemaFiles(folder, self._graph) if folder else None)
        self._vectors = VectorsReady(database)
        self.aside = None if profile.shape == "memory" else self._aside()

    def reader(self, scope: Scope, meter: Meter) -> Reader:
        """A reader that sees this scope and is charged on this meter."""
        self.refresh()
        return Reader(self, scope, meter)

    def session(self, scope: Scope, meter: Meter, tool: str = "") -> Session:
        """How one reader's statements are sent. `tool`: what sends them."""
        return Session(self.database, self.dialect(scope), scope, meter, self.now, self._witness, tool)

    def refresh(self) -> None:
        """Let what is kept beside the graph see what was added to it."""
        if self.aside:
            self.aside.refresh()

    def dialect(self, scope: Scope) -> Dialect:
        """How this kg is read within a scope."""
        if self.aside:
            return self._within(scope, self.aside.dialect)
        return MemoryDialect(self.database.capability, self._model, past=scope.known_at is not None, joining=self._joining(scope))

    @property
    def semantic(self) -> bool:
        """Whether there is an embedder, and stored vectors of its model."""
        if self.aside:
            return bool(self._model) and self.aside.side.has_vectors(self._model)
        return bool(self._model) and self._vectors.of(self._model)

    def vector(self, text: str) -> tuple[float, ...]:
        """The text's vector; empty without an embedder, without stored vectors of its model, and for a text without words."""
        if self.embedder is None or not self.semantic or not words(text):
            return ()
        return tuple(float(x) for x in self.embedder.embed([text])[0])

    @property
    def _model(self) -> str:
        return self.embedder.model if self.embedder else ""

    def _joining(self, scope: Scope) -> tuple[str, ...]:
        """The namespaces of the scope whose entities may be one; none where nothing can be, which leaves statements as they are."""
        if self._joins is None or len(scope.namespaces) * len(scope.visibility_groups) < 2:
            return ()
        return tuple(sorted(self._joins(scope.namespaces))) if self.database.read(_ANY_JOINED)[0]["n"] else ()

    @staticmethod
    def _within(scope: Scope, dialect: SideDialect) -> SideDialect:
        return replace(dialect, inside=sorted(scope.namespaces)) if isinstance(dialect, GraphitiDialect) else dialect

    def _aside(self) -> Aside:
        path = self.folder / "side" / f"{self._graph}.sqlite" if self.folder else None
        side, graphiti = SideIndex(path), self.profile.shape == "graphiti"
        dialect = GraphitiDialect(side, self._model) if graphiti else NativeDialect(self.profile, side, self._model)
        return Aside(self.database, dialect)
