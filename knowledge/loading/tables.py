"""Triples as TSV or CSV, with or without a header line."""

import csv
from collections.abc import Iterator, Sequence
from pathlib import Path

from knowledge.errors import DataError
from knowledge.loading.columns import COLUMN, POSITIONS, REQUIRED
from knowledge.loading.fields import fact_row
from knowledge.loading.lines import Line, lines
from knowledge.loading.parsed import Parsed
from knowledge.loading.rows import Origin

NO_DATA = frozenset({"valid_from", "valid_to", "confidence"})


def tsv(path: Path, source: str) -> Iterator[Parsed]:
    """Tab-separated lines: no quoting, every character but tab and line end is data."""
    records = ((line, line.text.split("\t")) for line in lines(path))
    yield from _table(path, source, records)


def csv_rows(path: Path, source: str) -> Iterator[Parsed]:
    """Comma-separated records with quoting; a record may span lines and is named by its first one."""
    yield from _table(path, source, _csv_records(path))


def _table(path: Path, source: str, records: Iterator[tuple[Line, list[str]]]) -> Iterator[Parsed]:
    columns: Sequence[str] = ()
    exact = False
    for line, cells in records:
        if not (line.error or any(cells)):
            continue
        if not columns and not line.error:
            header = _header(path, line, cells)
            columns, exact = header or POSITIONS, bool(header)
            if header:
                continue
        yield _parsed(Origin(str(path), line.number, source), line, cells, columns, exact)


def _parsed(origin: Origin, line: Line, cells: list[str], columns: Sequence[str], exact: bool) -> Parsed:
    try:
        if line.error:
            raise DataError(line.error)
        _check_width(len(cells), columns, exact)
        return Parsed(origin, line.end, len(line.text), fact_row(dict(zip(columns, cells, strict=False)), origin))
    except DataError as error:
        return Parsed(origin, line.end, len(line.text), None, str(error), line.text)


def _check_width(width: int, columns: Sequence[str], exact: bool) -> None:
    if exact and width != len(columns):
        raise DataError(f"{width} columns where the header names {len(columns)}")
    if not 3 <= width <= len(columns):
        raise DataError(f"{width} columns; without a header a row has {', '.join(columns[:3])} and up to {len(columns) - 3} more")


def _header(path: Path, line: Line, cells: list[str]) -> tuple[str, ...]:
    names = tuple(COLUMN.get(cell.strip().casefold(), cell.strip().casefold()) for cell in cells)
    if not set(names) >= REQUIRED:
        if NO_DATA & set(names[3:]):
            missing = ", ".join(sorted(REQUIRED - set(names), key=POSITIONS.index))
            raise DataError(
                f"this header names no {missing}; give the columns that hold them these names", file=str(path), line=line.number
            )
        return ()
    if repeated := sorted({n for n in names if names.count(n) > 1}):
        raise DataError(f"the header names {', '.join(repeated)} twice", file=str(path), line=line.number)
    if "" in names:
        raise DataError(f"column {names.index('') + 1} of the header has no name", file=str(path), line=line.number)
    return names


def _csv_records(path: Path) -> Iterator[tuple[Line, list[str]]]:
    """The csv module reads from `_Feed`, which keeps what the record under way was made of."""
    feed = _Feed(path)
    reader = csv.reader(feed, strict=True)
    while True:
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            yield feed.take(str(error)), []
            reader = csv.reader(feed, strict=True)
        else:
            yield feed.take(), cells


class _Feed:
    """Lines for the csv module: a bad line goes in as an empty one and its error is kept for the record."""

    def __init__(self, path: Path) -> None:
        self._lines = lines(path)
        self._taken: list[Line] = []

    def __iter__(self) -> "_Feed":
        return self

    def __next__(self) -> str:
        line = next(self._lines)
        self._taken.append(line)
        return line.text + "\n"

    def take(self, error: str = "") -> Line:
        first, last = self._taken[0], self._taken[-1]
        error = next((line.error for line in self._taken if line.error), error)
        text = "\n".join(line.text for line in self._taken)
        self._taken = []
        return Line(first.number, text, last.end, error)
