"""Rows of all input files in batches that fit one transaction and one message."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from knowledge.loading.files import InputFile
from knowledge.loading.parsed import Parsed

BATCH_ROWS = 1_000
BATCH_BYTES = 1_000_000


@dataclass
class RowBatch:
    """Consecutive rows. `position` counts the rows of all files up to its end, `done` their bytes."""

    parsed: list[Parsed] = field(default_factory=list)
    position: int = 0
    done: int = 0


def batches(files: Sequence[InputFile]) -> Iterator[RowBatch]:
    """At most 1,000 rows and about 1 MB of input each; a name may be written eight times, so that a message stays far below 16 MB."""
    position = before = 0
    for file in files:
        batch, start = RowBatch(), 0
        for parsed in file.rows():
            position += 1
            batch.parsed.append(parsed)
            if len(batch.parsed) >= BATCH_ROWS or parsed.end - start >= BATCH_BYTES:
                start = parsed.end
                yield RowBatch(batch.parsed, position, before + parsed.end)
                batch = RowBatch()
        before += file.size
        if batch.parsed:
            yield RowBatch(batch.parsed, position, before)
