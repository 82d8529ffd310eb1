"""Keeps the side index of a native graph in step with the graph, and fills it with vectors."""

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from knowledge.database.connection import Database
from knowledge.embedding.embedder import Embedder
from knowledge.progress import Progress, Step, silent
from knowledge.reading.native import NativeDialect
from knowledge.search.index import Built
from knowledge.search.side import SideIndex, SideNode

STALE_SECONDS = 10.0
READ_SECONDS = 600.0
TEXTS = 500


@dataclass
class NativeIndex:
    """Reads all names anew when labels, counts or our own version of the graph have changed, which it looks for at most every
    `STALE_SECONDS`. A node that is renamed while no count changes is found by its old name and then dropped, until the next change.
    """

    database: Database
    dialect: NativeDialect
    clock: Callable[[], float] = time.monotonic
    _checked: float | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def side(self) -> SideIndex:
        return self.dialect.side

    def refresh(self) -> None:
        """Part of opening a graph, as building an index is; not charged to a run."""
        with self._lock:
            if self._checked is not None and self.clock() - self._checked < STALE_SECONDS:
                return
            row = self.database.read(self.dialect.version(), {"namespace": self.dialect.profile.namespace})[0]
            version = f"{row['version']} {self.dialect.profile.model_dump_json(include={'labels'})}"
            if version != self.side.version:
                self.side.replace(self._nodes(), version)
            self._checked = self.clock()

    def build(self, embedder: Embedder, progress: Progress = silent) -> Built:
        """Embed every node that has no vector of this model in the side index; interrupted, it goes on where it stopped."""
        self.refresh()
        built, began = Built(embedder.model), time.monotonic()
        missing = list(self.side.lacking(embedder.model))
        for start in range(0, len(missing), TEXTS):
            page = missing[start : start + TEXTS]
            embedded = time.monotonic()
            vectors = embedder.embed([text for _, text in page])
            written = time.monotonic()
            self.side.keep_vectors(embedder.model, [id_ for id_, _ in page], vectors)
            built.embedding_seconds += written - embedded
            built.writing_seconds += time.monotonic() - written
            built.vectors += len(page)
            progress(Step("vectors of entities", built.vectors, built.vectors, len(missing), time.monotonic() - began))
        built.texts, built.seconds = built.vectors, time.monotonic() - began
        return built

    def _nodes(self) -> Iterator[SideNode]:
        d = self.dialect
        statement = f"MATCH {d.node('n')} WHERE {d.label('n')} <> [] RETURN {d.entity_fields('n')} AS entity"
        for row in self.database.stream(statement, {"labels": list(d.profile.labels)}, seconds=READ_SECONDS):
            entity = d.entity(row["entity"])
            if entity.name:
                text = f"{entity.name}. {entity.summary}" if entity.summary else entity.name
                yield SideNode(row["entity"]["ref"], entity.id, entity.kind, entity.name, entity.aliases, text)
