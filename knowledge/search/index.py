"""The vectors of a kg: build what is missing, rebuild all, say what there is."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from knowledge.ahead import ahead
from knowledge.database import ddl
from knowledge.database.connection import Database
from knowledge.embedding.embedder import Embedder, Vectors
from knowledge.errors import StatementError, StoreError
from knowledge.progress import Progress, Step, silent
from knowledge.search import vectors
from knowledge.search.vectors import ELEMENTS, LABELS, Element, Page

_INDEXED: tuple[ddl.Element, ...] = ("entity", "fact")
_POLL_SECONDS = 0.2


@dataclass
class Built:
    """What a build did: texts embedded (each distinct text of a page once), vectors written, and the seconds of both, which overlap."""

    model: str
    texts: int = 0
    vectors: int = 0
    embedding_seconds: float = 0.0
    writing_seconds: float = 0.0
    indexing_seconds: float = 0.0
    seconds: float = 0.0


@dataclass(frozen=True)
class ElementStatus:
    """How many elements of one kind have a vector of the model."""

    element: Element
    total: int
    embedded: int

    @property
    def missing(self) -> int:
        return self.total - self.embedded


@dataclass(frozen=True)
class IndexState:
    """One index of ours as the database reports it; `populated` in percent."""

    name: str
    type: str
    state: str
    populated: float


@dataclass(frozen=True)
class IndexStatus:
    """Vectors and indexes of a kg for one model. `filters_inside`: whether the server narrows a vector search inside the index."""

    model: str
    elements: tuple[ElementStatus, ...]
    indexes: tuple[IndexState, ...]
    filters_inside: bool

    @property
    def complete(self) -> bool:
        """Whether nothing lacks a vector and every index answers."""
        return not any(e.missing for e in self.elements) and all(i.state == "ONLINE" for i in self.indexes)


def build(database: Database, embedder: Embedder, elements: Sequence[Element] = ELEMENTS, progress: Progress = silent) -> Built:
    """Embed whatever lacks a vector of this model, then make its indexes. Killed, it goes on where it stopped when called again.

    StoreError where the database is not a memory that Gavel loaded.
    """
    _check(database)
    began = time.monotonic()
    built = Built(embedder.model)
    for element in elements:
        _build(database, embedder, element, built, progress)
    for indexed in _INDEXED:
        if indexed in elements:
            _index(database, indexed, embedder, built, progress)
    if built.vectors:
        announce(database)
    built.seconds = time.monotonic() - began
    return built


def rebuild(database: Database, embedder: Embedder, progress: Progress = silent) -> Built:
    """Forget all vectors and the vector indexes of every model, then build. Until it is done, search is by words."""
    _check(database)
    _drop(database, "")
    for element in ELEMENTS:
        vectors.forget(database, element)
    return build(database, embedder, progress=progress)


def status(database: Database, model: str) -> IndexStatus:
    """What has vectors of this model, and the state of every index of ours."""
    elements = []
    for element in ELEMENTS:
        total = vectors.total(database, element)
        elements.append(ElementStatus(element, total, total - vectors.lacking(database, element, model)))
    found = database.read(
        "SHOW INDEXES YIELD name, type, state, populationPercent AS populated WHERE name STARTS WITH 'gavel_' "
        "RETURN name, type, state, populated ORDER BY name"
    )
    indexes = tuple(IndexState(row["name"], row["type"], row["state"], row["populated"]) for row in found)
    return IndexStatus(model, tuple(elements), indexes, database.capability.vector_filters)


def announce(database: Database) -> None:
    """New vectors change what a search finds: caches that key on the version of a namespace must miss. What it believes
    stays as it was, so where the journal told of every version, it still does."""
    database.write("MATCH (n:GavelNamespace) SET n.version = n.version + 1, n.guarded = n.guarded + 1")


def write_pages(
    database: Database, embedder: Embedder, element: Element, found: Iterator[Page], built: Built, progress: Progress, total: int
) -> None:
    """Embed in a thread, one page ahead of the writing."""
    done, began = 0, time.monotonic()
    for page, rows, spent in ahead(_embedded(embedder, found), depth=1):
        started = time.monotonic()
        written = vectors.write(database, element, embedder.model, page, rows)
        built.writing_seconds += time.monotonic() - started
        built.embedding_seconds += spent.seconds
        built.texts += spent.texts
        built.vectors += written
        done += len(page.ids)
        progress(Step(LABELS[element], done, done, max(total, done), time.monotonic() - began))


@dataclass(frozen=True)
class _Spent:
    texts: int
    seconds: float


def _embedded(embedder: Embedder, found: Iterator[Page]) -> Iterator[tuple[Page, Vectors, _Spent]]:
    for page in found:
        started = time.monotonic()
        distinct = {text: at for at, text in enumerate(dict.fromkeys(page.texts))}
        rows = embedder.embed(list(distinct))[[distinct[text] for text in page.texts]]
        yield page, rows, _Spent(len(distinct), time.monotonic() - started)


def _build(database: Database, embedder: Embedder, element: Element, built: Built, progress: Progress) -> None:
    if total := vectors.lacking(database, element, embedder.model):
        write_pages(database, embedder, element, vectors.pages(database, element, embedder.model), built, progress, total)


def _index(database: Database, element: ddl.Element, embedder: Embedder, built: Built, progress: Progress) -> None:
    """The index of another model has nothing left to find, and only one can be on a property: it goes."""
    began = time.monotonic()
    _drop(database, ddl.vector_index(element, embedder.model), element)
    name = ddl.create_vector_index(database, element, embedder.model, embedder.dimensions)
    while True:
        rows = database.read(
            "SHOW INDEXES YIELD name, state, populationPercent AS populated WHERE name = $name RETURN state, populated", {"name": name}
        )
        if not rows or rows[0]["state"] == "FAILED":
            raise StatementError(f"the index {name} could not be filled; see `gavel db logs`, then `gavel index rebuild`")
        progress(Step(f"index of {LABELS[element]}", 0, int(rows[0]["populated"]), 100, time.monotonic() - began))
        if rows[0]["state"] == "ONLINE":
            break
        time.sleep(_POLL_SECONDS)
    built.indexing_seconds += time.monotonic() - began


def _drop(database: Database, keep: str, element: ddl.Element | None = None) -> None:
    prefixes = [ddl.vector_prefix(each) for each in _INDEXED if element in (None, each)]
    for row in database.read("SHOW INDEXES YIELD name, type WHERE type = 'VECTOR' RETURN name"):
        if row["name"] != keep and row["name"].startswith(tuple(prefixes)):
            database.schema(f"DROP INDEX {ddl.quoted(row['name'])} IF EXISTS")


def _check(database: Database) -> None:
    found = ddl.stored(database)
    if found is None or found.shape != "memory":
        raise StoreError("vectors are stored in a memory that Gavel loaded; this database is none: load one with `gavel load`")
