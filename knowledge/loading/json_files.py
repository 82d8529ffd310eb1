"""JSON Lines, and JSON files that hold one value or a list of values."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

from knowledge.errors import DataError
from knowledge.loading.json_items import rows
from knowledge.loading.lines import lines, whole_text
from knowledge.loading.parsed import Parsed
from knowledge.loading.rows import Origin

_SPACE = re.compile(r"\s*")


def json_lines(path: Path, source: str) -> Iterator[Parsed]:
    """One value per line; empty lines are passed over."""
    for line in lines(path):
        origin = Origin(str(path), line.number, source)
        if line.error:
            yield Parsed(origin, line.end, len(line.text), None, line.error, line.text)
        elif line.text.strip():
            yield from _line(line.text, line.end, origin)


def json_file(path: Path, source: str) -> Iterator[Parsed]:
    """One value, or a list of them, each named by the line on which it begins. What follows a syntax error is not read."""
    text = whole_text(path)
    number, counted = 1, 0
    for start, end, item, error in _items(text):
        number, counted = number + text.count("\n", counted, start), start
        origin = Origin(str(path), number, source)
        if error:
            yield Parsed(origin, end, 0, None, error, text[start : start + 200])
        else:
            yield from _parsed(item, text[start:end], end, origin)


def _line(text: str, end: int, origin: Origin) -> Iterator[Parsed]:
    try:
        item = json.loads(text, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        yield Parsed(origin, end, len(text), None, f"this is no JSON: {error}", text)
    else:
        yield from _parsed(item, text, end, origin)


def _parsed(item: object, text: str, end: int, origin: Origin) -> Iterator[Parsed]:
    for row in rows(item, origin):
        if isinstance(row, DataError):
            yield Parsed(origin, end, 0, None, str(row), text)
        else:
            yield Parsed(origin, end, row.size, row)


def _items(text: str) -> Iterator[tuple[int, int, object, str]]:
    """Start, end, value and error of each value; an error is the last one."""
    decoder = json.JSONDecoder(parse_constant=_no_number)
    at = _skip(text, 0)
    listed = text.startswith("[", at)
    at = _skip(text, at + 1) if listed else at
    if listed and text.startswith("]", at):
        return
    while True:
        try:
            item, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError) as error:
            yield at, len(text), None, f"this is no JSON: {error}"
            return
        yield at, end, item, ""
        at = _skip(text, end)
        if not (listed and text.startswith(",", at)):
            break
        at = _skip(text, at + 1)
    rest = _skip(text, at + 1) if listed and text.startswith("]", at) else at
    if rest < len(text) or (listed and not text.startswith("]", at)):
        yield (
            at,
            len(text),
            None,
            "this is no JSON: the list is not closed" if rest >= len(text) else "text after the end of the JSON value",
        )


def _skip(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return match.end() if match else at


def _no_number(constant: str) -> float:
    raise ValueError(f"{constant} is no JSON number")
