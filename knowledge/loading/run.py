"""One run of a load, whatever the shape."""

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from knowledge.ahead import ahead
from knowledge.database.connection import Database
from knowledge.identity import digest
from knowledge.loading.batches import RowBatch, batches
from knowledge.loading.files import InputFile
from knowledge.loading.parsed import Parsed
from knowledge.loading.rejects import Rejects
from knowledge.loading.report import LoadReport
from knowledge.loading.rows import EntityRow, Row
from knowledge.loading.writer import Checkpoint, Writer
from knowledge.profile.profile import Shape
from knowledge.progress import Progress, Step


class LoadRun:
    """Reads ahead, writes batch by batch, counts every row, keeps the checkpoint."""

    def __init__(
        self,
        database: Database,
        files: Sequence[InputFile],
        namespace: str,
        shape: Shape,
        writer: Writer,
        rejects: Rejects,
        progress: Progress,
    ) -> None:
        self._database = database
        self._files = files
        self._id = digest(namespace, shape, *(file.source for file in files))
        self._writer = writer
        self._rejects = rejects
        self._progress = progress
        self._seen: set[int] = set()
        self._report = LoadReport(namespace, shape)
        self._created: Callable[[Mapping[str, str]], None] = _ignored

    def run(self, created: Callable[[Mapping[str, str]], None] | None = None) -> LoadReport:
        """`created` is told the new entities of every batch, with the texts that are embedded."""
        self._created = created or _ignored
        began = time.monotonic()
        total = sum(file.size for file in self._files)
        committed = self._committed()
        for batch in ahead(batches(self._files)):
            self._take(batch, batch.position <= committed)
            self._report.seconds = time.monotonic() - began
            self._progress(Step("load", self._report.read, batch.done, total, self._report.seconds))
        self._database.write("MATCH (l:GavelLoad {id: $id}) DELETE l", {"id": self._id})
        self._report.seconds = time.monotonic() - began
        self._report.rejects = self._rejects.written
        return self._report

    def _committed(self) -> int:
        rows = self._database.read("MATCH (l:GavelLoad {id: $id}) RETURN l.rows AS rows", {"id": self._id})
        return int(rows[0]["rows"]) if rows else 0

    def _take(self, batch: RowBatch, committed: bool) -> None:
        report = self._report
        report.read += len(batch.parsed)
        rows = []
        for parsed in map(self._checked, batch.parsed):
            if parsed.row is None:
                report.rejected += 1
                self._rejects.add(parsed)
            else:
                rows.append(parsed.row)
                report.early_dates += parsed.row.period.early
        if committed:
            report.resumed += len(rows)
            self._writer.learn(rows)
            self._repeats(rows)
        else:
            self._write(rows, batch.position)

    def _checked(self, parsed: Parsed) -> Parsed:
        refusal = self._writer.refusal(parsed.row) if parsed.row else ""
        return replace(parsed, row=None, error=refusal, text=repr(parsed.row)) if refusal else parsed

    def _write(self, rows: list[Row], position: int) -> None:
        written = self._writer.write(rows, Checkpoint(self._id, position))
        report = self._report
        for outcome, repeated in zip(written.outcomes, self._repeats(rows), strict=True):
            counted = "duplicates" if repeated and outcome == "known" else outcome
            setattr(report, counted, getattr(report, counted) + 1)
        report.entities += len(written.entities)
        self._created(written.entities)
        report.facts += written.facts
        report.version = written.version

    def _repeats(self, rows: Iterable[Row]) -> list[bool]:
        """Whether each row repeats an earlier row of this load."""
        repeated = []
        for row in rows:
            identity = hash(_content(row))
            repeated.append(identity in self._seen)
            self._seen.add(identity)
        return repeated


def _ignored(entities: Mapping[str, str]) -> None:
    """Nobody asks for the new entities."""


def _content(row: Row) -> tuple[object, ...]:
    source = row.origin.source
    if isinstance(row, EntityRow):
        return row.key, row.name, row.kind, row.aliases, row.summary, row.visibility_group, row.period, source, repr(row.properties)
    return row.subject, row.relation, row.object, row.visibility_group, row.period, row.place, source
