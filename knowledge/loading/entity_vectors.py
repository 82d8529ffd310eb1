"""Vectors of new entities, made beside the load: embedding and writing them overlaps with reading and writing rows."""

import queue
import threading
import time
from collections.abc import Iterator, Mapping
from types import TracebackType
from typing import Self

from knowledge.database.connection import Database
from knowledge.embedding.embedder import Embedder
from knowledge.progress import Progress, Step, silent
from knowledge.search.index import Built, write_pages
from knowledge.search.vectors import LABELS, PAGE, Page

_POLL_SECONDS = 0.2


class EntityVectors:
    """A stage that is fed with new entities and drained at the end. Use as a context manager: leaving it early abandons what waits."""

    def __init__(self, database: Database, embedder: Embedder) -> None:
        self.built = Built(embedder.model)
        self._queue: queue.SimpleQueue[tuple[str, str] | None] = queue.SimpleQueue()
        self._fed = 0
        self._abandoned = threading.Event()
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._work, args=(database, embedder), name="gavel-entity-vectors", daemon=True)

    def feed(self, entities: Mapping[str, str]) -> None:
        """Uuids with their texts. Raises what has gone wrong in the stage so far."""
        if self._error:
            raise self._error
        self._fed += len(entities)
        for entity in entities.items():
            self._queue.put(entity)

    def drain(self, progress: Progress) -> Built:
        """Wait until all that was fed has its vector. Raises what went wrong in the stage."""
        self._queue.put(None)
        began = time.monotonic()
        while self._thread.is_alive():
            self._thread.join(_POLL_SECONDS)
            progress(Step(LABELS["entity"], self.built.vectors, self.built.vectors, self._fed, time.monotonic() - began))
        if self._error:
            raise self._error
        return self.built

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._abandoned.set()
        self._queue.put(None)
        self._thread.join()

    def _work(self, database: Database, embedder: Embedder) -> None:
        try:
            write_pages(database, embedder, "entity", self._pages(), self.built, silent, 0)
        except BaseException as error:
            self._error = error

    def _pages(self) -> Iterator[Page]:
        waiting: list[tuple[str, str]] = []
        while not self._abandoned.is_set() and (entity := self._queue.get()) is not None:
            waiting.append(entity)
            if len(waiting) == PAGE:
                yield _page(waiting)
                waiting = []
        if waiting and not self._abandoned.is_set():
            yield _page(waiting)


def _page(entities: list[tuple[str, str]]) -> Page:
    return Page(tuple(uuid for uuid, _ in entities), tuple(text for _, text in entities))
