"""Lines of a file as text with their numbers; what is not clean UTF-8 is named by line."""

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from knowledge.errors import DataError

LINE_BYTES = 4_000_000
HASHED = "sha256:"
_OTHER_ENCODINGS = {b"\xff\xfe": "UTF-16", b"\xfe\xff": "UTF-16"}
_BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True)
class Line:
    """One line without its ending, or what is wrong with it. `end` is the byte offset after it."""

    number: int
    text: str
    end: int
    error: str = ""


def lines(path: Path) -> Iterator[Line]:
    """Every line of the file. DataError where the file cannot be opened or is no UTF-8 text file at all."""
    number = end = 0
    try:
        with path.open("rb") as stream:
            while raw := stream.readline(LINE_BYTES + 1):
                number += 1
                end += len(raw)
                if number == 1:
                    raw = _without_mark(path, raw)
                if len(raw) > LINE_BYTES:
                    end += _skip_line(stream.readline, raw)
                    yield Line(number, "", end, f"the line is longer than {LINE_BYTES:,} bytes; split it")
                else:
                    yield _line(number, raw, end)
    except OSError as error:
        raise DataError(f"{path} cannot be read ({error.strerror}); check the path", file=str(path)) from error


def whole_text(path: Path) -> str:
    """The file as one text. DataError names the line that is no UTF-8."""
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise DataError(f"{path} cannot be read ({error.strerror}); check the path", file=str(path)) from error
    raw = _without_mark(path, raw)
    try:
        return raw.decode()
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise DataError("the line is no UTF-8; convert the file to UTF-8", file=str(path), line=line) from error


def content_hash(path: Path) -> str:
    """Names the content of a file: the source of its rows where they name none. DataError where it cannot be read."""
    try:
        with path.open("rb") as stream:
            return HASHED + hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError as error:
        raise DataError(f"{path} cannot be read ({error.strerror}); check the path", file=str(path)) from error


def _without_mark(path: Path, raw: bytes) -> bytes:
    if encoding := _OTHER_ENCODINGS.get(raw[:2]):
        raise DataError(f"the file is {encoding}; save it as UTF-8", file=str(path), line=1)
    return raw.removeprefix(_BOM)


def _skip_line(readline: Callable[[int], bytes], raw: bytes) -> int:
    skipped = 0
    while raw and not raw.endswith(b"\n"):
        raw = readline(LINE_BYTES)
        skipped += len(raw)
    return skipped


def _line(number: int, raw: bytes, end: int) -> Line:
    try:
        text = raw.removesuffix(b"\n").removesuffix(b"\r").decode()
    except UnicodeDecodeError as error:
        return Line(number, "", end, f"byte {error.start + 1} of the line is no UTF-8; convert the file to UTF-8")
    return Line(number, text, end, "the line holds a NUL character; remove it" if "\x00" in text else "")
