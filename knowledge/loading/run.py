"""One run of a load, whatever the shape."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Generic

from knowledge.ahead import ahead
from knowledge.database.connection import Database
from knowledge.identity import digest
from knowledge.loading.batches import RowBatch, batches
from knowledge.loading.files import InputFile
from knowledge.loading.log import BatchTold, LoadLog, digest_of
from knowledge.loading.parsed import Parsed
from knowledge.loading.period import ALWAYS
from knowledge.loading.rejects import Rejects
from knowledge.loading.report import LoadReport
from knowledge.loading.rows import EntityRow, Row
from knowledge.loading.writer import Checkpoint, Prepared, Writer
from knowledge.profile.profile import Shape
from knowledge.progress import Progress, Step


def _ignored(entities: Mapping[str, str]) -> None:
    """Nobody asks for the new entities."""


@dataclass(frozen=True)
class _Ready(Generic[Prepared]):
    """A batch that only waits for its transaction. `repeated`: whether each row repeats an earlier row of this load. `told`: what the
    journal is told of it, where there is one."""

    position: int
    done: int
    rejected: Sequence[Parsed]
    repeated: Sequence[bool]
    early_dates: int
    batch: Prepared
    told: BatchTold | None


class LoadRun(Generic[Prepared]):
    """Reads and prepares ahead, writes batch by batch, counts every row, keeps the checkpoint."""

    def __init__(
        self,
        database: Database,
        files: Sequence[InputFile],
        namespace: str,
        shape: Shape,
        writer: Writer[Prepared],
        rejects: Rejects,
        progress: Progress,
        log: LoadLog | None = None,
    ) -> None:
        self._database = database
        self._files = files
        self._id = digest(namespace, shape, *(file.source for file in files))
        self._writer = writer
        self._rejects = rejects
        self._progress = progress
        self._seen: set[int] = set()
        self._report = LoadReport(namespace, shape)
        self._log = log.open(self._id, namespace, shape) if log else None

    def run(self, created: Callable[[Mapping[str, str]], None] = _ignored) -> LoadReport:
        """`created` is told the new entities of every batch, with the texts that are embedded."""
        began = time.monotonic()
        total = sum(file.size for file in self._files)
        committed = self._committed()
        for ready in ahead(map(self._ready, batches(self._files))):
            self._report.read += len(ready.rejected) + len(ready.repeated)
            self._reject(ready.rejected)
            if ready.position <= committed:
                self._report.resumed += len(ready.repeated)
                self._writer.skip(ready.batch)
            else:
                created(self._write(ready))
            self._report.early_dates += ready.early_dates
            self._report.seconds = time.monotonic() - began
            self._progress(Step("load", self._report.read, ready.done, total, self._report.seconds))
        self._database.write("MATCH (l:GavelLoad {id: $id}) DELETE l", {"id": self._id})
        if self._log:
            self._log.end(self._report)
        self._report.seconds = time.monotonic() - began
        self._report.rejects = self._rejects.written
        return self._report

    def _committed(self) -> int:
        rows = self._database.read("MATCH (l:GavelLoad {id: $id}) RETURN l.rows AS rows", {"id": self._id})
        return int(rows[0]["rows"]) if rows else 0

    def _ready(self, batch: RowBatch) -> _Ready[Prepared]:
        checked = [self._checked(parsed) for parsed in batch.parsed]
        rows = [parsed.row for parsed in checked if parsed.row]
        contents = [_content(row) for row in rows]
        return _Ready(
            batch.position,
            batch.done,
            [parsed for parsed in checked if parsed.row is None],
            [self._repeats(content) for content in contents],
            sum(row.period.early for row in rows),
            self._writer.prepare(rows),
            self._told(batch, contents) if self._log else None,
        )

    def _told(self, batch: RowBatch, contents: Sequence[object]) -> BatchTold:
        return BatchTold(batch.file, batch.position, len(contents), len(batch.parsed) - len(contents), digest_of(contents))

    def _checked(self, parsed: Parsed) -> Parsed:
        refusal = self._writer.refusal(parsed.row) if parsed.row else ""
        return replace(parsed, row=None, error=refusal, text=repr(parsed.row)) if refusal else parsed

    def _repeats(self, content: object) -> bool:
        identity = hash(content)
        if identity in self._seen:
            return True
        self._seen.add(identity)
        return False

    def _reject(self, rejected: Sequence[Parsed]) -> None:
        for parsed in rejected:
            self._report.rejected += 1
            self._rejects.add(parsed)

    def _write(self, ready: _Ready[Prepared]) -> Mapping[str, str]:
        event = self._log.batch(ready.told) if self._log and ready.told else ""
        written = self._writer.write(ready.batch, Checkpoint(self._id, ready.position, event))
        report = self._report
        for outcome, repeated in zip(written.outcomes, ready.repeated, strict=True):
            counted = "duplicates" if repeated and outcome == "known" else outcome
            setattr(report, counted, getattr(report, counted) + 1)
        report.entities += len(written.entities)
        report.facts += written.facts
        report.version = written.version
        return written.entities


def _content(row: Row) -> tuple[object, ...]:
    source = row.origin.source
    if isinstance(row, EntityRow):
        return row.key, row.name, row.kind, row.aliases, row.summary, row.visibility_group, _dates(row), source, repr(row.properties)
    return row.subject, row.relation, row.object, row.visibility_group, _dates(row), row.place, source


def _dates(row: Row) -> object:
    return None if row.period is ALWAYS else row.period
