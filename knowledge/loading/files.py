"""Input files: the format by suffix, the content hash, the rows."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from knowledge.errors import ConfigError
from knowledge.loading.json_files import json_file, json_lines
from knowledge.loading.lines import content_hash
from knowledge.loading.parsed import Parsed, Reader
from knowledge.loading.rows import EntityRow
from knowledge.loading.tables import csv_rows, tsv

FORMATS: dict[str, Reader] = {
    ".tsv": tsv,
    ".tab": tsv,
    ".txt": tsv,
    ".csv": csv_rows,
    ".jsonl": json_lines,
    ".ndjson": json_lines,
    ".json": json_file,
}
_DECLARING = (json_lines, json_file)


@dataclass(frozen=True)
class InputFile:
    """A file whose format is known. `source` is its content hash, `size` its bytes."""

    path: Path
    source: str
    size: int
    reader: Reader

    @classmethod
    def of(cls, path: Path) -> "InputFile":
        """ConfigError where the suffix names no format, DataError where the file cannot be read."""
        reader = FORMATS.get(path.suffix.lower())
        if reader is None:
            raise ConfigError(f"{path}: the format is told by the suffix, one of {' '.join(sorted(FORMATS))}; rename the file")
        source = content_hash(path)
        return cls(path, source, path.stat().st_size, reader)

    def rows(self) -> Iterator[Parsed]:
        return self.reader(self.path, self.source)


def declared(files: Iterable[InputFile]) -> Iterator[EntityRow]:
    """The entity rows of all files, read in a pass of their own; tables have none."""
    rows = (parsed.row for file in files if file.reader in _DECLARING for parsed in file.rows())
    return (row for row in rows if isinstance(row, EntityRow))
