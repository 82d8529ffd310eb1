"""A graph to which nothing is added: its side index is kept in step with it, and filled with vectors."""

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from knowledge.database.connection import Database
from knowledge.embedding.embedder import Embedder
from knowledge.progress import Progress, Step, silent
from knowledge.reading.dialect import SideDialect
from knowledge.search.index import Built, ElementStatus, IndexStatus
from knowledge.search.side import SideIndex, SideNode

STALE_SECONDS = 10.0
READ_SECONDS = 600.0
TEXTS = 500


@dataclass
class Aside:
    """Reads all names anew when the state of the graph has changed, which it looks for at most every `STALE_SECONDS`.

    A node of a native graph that is renamed while no count changes is found by its old name and then dropped, until the next change.
    """

    database: Database
    dialect: SideDialect
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
            state = self.dialect.state()
            version = str(self.database.read(state.clause, state.parameters)[0]["version"])
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

    def rebuild(self, embedder: Embedder, progress: Progress = silent) -> Built:
        """Forget all vectors in the side index, then build."""
        self.side.forget_vectors()
        return self.build(embedder, progress)

    def status(self, model: str) -> IndexStatus:
        """How many nodes have a vector of this model in the side index; every search there is exact."""
        self.refresh()
        entities, lacking = len(self.side), len(list(self.side.lacking(model)))
        return IndexStatus(model, (ElementStatus("entity", entities, entities - lacking),), (), filters_inside=True)

    def _nodes(self) -> Iterator[SideNode]:
        d = self.dialect
        everything = d.everything()
        for row in self.database.stream(everything.clause, everything.parameters, seconds=READ_SECONDS):
            entity = d.entity(row["entity"])
            if entity.name:
                text = f"{entity.name}. {entity.summary}" if entity.summary else entity.name
                yield SideNode(row["entity"]["ref"], entity.id, entity.kind, entity.name, entity.aliases, text, entity.namespace)
