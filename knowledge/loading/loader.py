"""Load files into a database: one door for both shapes, with or without vectors."""

import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path

from knowledge.database import ddl
from knowledge.database.connection import Database
from knowledge.embedding.embedder import Embedder
from knowledge.errors import ConfigError
from knowledge.identity import check_namespace
from knowledge.loading.entity_vectors import EntityVectors
from knowledge.loading.files import InputFile, declared
from knowledge.loading.log import LoadLog
from knowledge.loading.memory import MemoryWriter
from knowledge.loading.memory_batch import IdentifiedRows
from knowledge.loading.native import NativeWriter
from knowledge.loading.native_profile import check_single, keep_profile
from knowledge.loading.rejects import OnError, Rejects
from knowledge.loading.report import LoadReport
from knowledge.loading.run import LoadRun
from knowledge.profile.profile import GraphProfile, Shape
from knowledge.progress import Progress, silent
from knowledge.search import index, vectors
from knowledge.search.vectors import ELEMENTS, Element

FACTS_EMBEDDED_AT_ONCE = 10_000


def utc_now() -> datetime:
    """The clock that stamps what is loaded."""
    return datetime.now(UTC)


def load(
    database: Database,
    files: Sequence[Path],
    namespace: str,
    shape: Shape = "memory",
    *,
    embedder: Embedder | None = None,
    profile: GraphProfile | None = None,
    folder: Path | None = None,
    on_error: OnError = "stop",
    rejects: Path | None = None,
    progress: Progress = silent,
    clock: Callable[[], datetime] = utc_now,
    log: LoadLog | None = None,
) -> LoadReport:
    """Load all files as one load: loading them again changes nothing, and a load that was killed goes on where it stopped.

    memory: with an embedder, entities and relation types get vectors, and facts where at most 10,000 lack one; the report counts the
    others. native: one label per kind, which the rows, earlier rows or `profile` tell, else `Thing`; the profile that reading needs is
    kept in `folder` where that is given.
    DataError names file and line of a row that cannot be loaded; with `on_error="skip"` such rows go to `rejects` instead
    (default `<namespace>.rejects.jsonl` in the working folder). `log` tells the journal of every batch before it is written. StoreError where the database holds another shape or native graph.
    """
    check_namespace(namespace)
    if not files:
        raise ConfigError("no file to load; name at least one")
    inputs = [InputFile.of(Path(file)) for file in files]
    ddl.ensure(database, shape)
    with Rejects(on_error, rejects or Path(f"{namespace}.rejects.jsonl"), [file.path for file in inputs]) as rejected:
        if shape == "native":
            check_single(database, namespace)
            native = NativeWriter(database, namespace, clock, profile, declared(inputs))
            report = LoadRun(database, inputs, namespace, shape, native, rejected, progress, log).run()
            if folder:
                keep_profile(database, namespace, folder, profile)
            return report
        run = LoadRun(database, inputs, namespace, shape, MemoryWriter(database, namespace, clock), rejected, progress, log)
        return run.run() if embedder is None else _with_vectors(database, run, embedder, progress)


def _with_vectors(database: Database, run: LoadRun[IdentifiedRows], embedder: Embedder, progress: Progress) -> LoadReport:
    with EntityVectors(database, embedder) as stage:
        report = run.run(stage.feed)
        began = time.monotonic()
        built = stage.drain(progress)
    waiting = vectors.lacking(database, "fact", embedder.model)
    elements: tuple[Element, ...] = ELEMENTS if waiting <= FACTS_EMBEDDED_AT_ONCE else ("entity", "relation")
    rest = index.build(database, embedder, elements, progress)
    if built.vectors and not rest.vectors:
        index.announce(database)
    report.version += bool(built.vectors + rest.vectors)
    report.texts = built.texts + rest.texts
    report.vectors = built.vectors + rest.vectors
    report.embedding_seconds = built.embedding_seconds + rest.embedding_seconds
    report.writing_seconds = built.writing_seconds + rest.writing_seconds
    report.facts_without_vectors = 0 if "fact" in elements else waiting
    report.vector_seconds = time.monotonic() - began
    return report
