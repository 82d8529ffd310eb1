"""Rows of all input files in batches that fit one transaction and one message."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from knowledge.loading.files import InputFile
from knowledge.loading.parsed import Parsed

BATCH_ROWS = 1_000
BATCH_CHARACTERS = 400_000


@dataclass
class RowBatch:
    """Consecutive rows of one file, named by its content hash. `position` counts the rows of all files up to its end, `done` their bytes."""

    file: str
    parsed: list[Parsed] = field(default_factory=list)
    position: int = 0
    done: int = 0


def batches(files: Sequence[InputFile]) -> Iterator[RowBatch]:
    """At most 1,000 rows and 400,000 characters each: at most four bytes a character, written up to eight times, stay below a message of 16 MB."""
    position = before = 0
    for file in files:
        batch, size = RowBatch(file.source), 0
        for parsed in file.rows():
            position += 1
            batch.parsed.append(parsed)
            size += parsed.size
            if len(batch.parsed) >= BATCH_ROWS or size >= BATCH_CHARACTERS:
                size = 0
                yield replace(batch, position=position, done=before + parsed.end)
                batch = RowBatch(file.source)
        before += file.size
        if batch.parsed:
            yield replace(batch, position=position, done=before)
