"""Input files: the format by suffix, the content hash, the rows."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from knowledge.errors import ConfigError, DataError
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
    """A file whose format is known. `source` is its content hash, `size` its bytes, `stamp` tells whether it changed since."""

    path: Path
    source: str
    size: int
    reader: Reader
    stamp: tuple[int, ...] = ()

    @classmethod
    def of(cls, path: Path) -> "InputFile":
        """ConfigError where the suffix names no format, DataError where the file cannot be read, and be read again."""
        reader = FORMATS.get(path.suffix.lower())
        if reader is None:
            raise ConfigError(f"{path}: the format is told by the suffix, one of {' '.join(sorted(FORMATS))}; rename the file")
        if path.exists() and not path.is_file():
            raise DataError(f"{path} is no regular file, and a load reads it more than once; copy it into one", file=str(path))
        before = _stamp(path)
        source = content_hash(path)
        return cls(path, source, before[0], reader, before)

    def rows(self) -> Iterator[Parsed]:
        """Every row. DataError at the end where the file is no longer the one whose content hash was taken."""
        yield from self.reader(self.path, self.source)
        if _stamp(self.path) != self.stamp:
            raise DataError(f"{self.path} changed while it was loaded; load it again once nobody writes it", file=str(self.path))


def _stamp(path: Path) -> tuple[int, ...]:
    """Differs after any change: size, time of the last write, and which file it is."""
    try:
        found = path.stat()
    except OSError as error:
        raise DataError(f"{path} cannot be read ({error.strerror}); check the path", file=str(path)) from error
    return found.st_size, found.st_mtime_ns, found.st_ino


def declared(files: Iterable[InputFile]) -> Iterator[EntityRow]:
    """The entity rows of all files, read in a pass of their own; tables have none."""
    rows = (parsed.row for file in files if file.reader in _DECLARING for parsed in file.rows())
    return (row for row in rows if isinstance(row, EntityRow))
