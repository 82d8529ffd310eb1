"""What a server wrote: its log, whose entries begin with time and level, and its console, where Java speaks before there is a log."""

import re
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from knowledge.errors import ServerError

LOG = Path("logs", "neo4j.log")
CONSOLE = Path("console.log")
_BYTES = 200_000
_STAMPED = re.compile(r"(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d+[+-]\d{4}) ([A-Z]+) +(.*)")


@dataclass(frozen=True)
class Entry:
    """`time` is ISO 8601; `time` and `level` are empty for a line of the console, and where the lines begin within an entry."""

    time: str
    level: str
    message: str


def last_lines(home: Path, count: int) -> str:
    """The end of the log, then the end of the console."""
    return "\n".join([*_end(home / LOG, count), *_end(home / CONSOLE, count)])


def entries(home: Path, count: int) -> list[Entry]:
    """The same lines as entries; those that the log continues an entry with, such as a stack trace, belong to its message."""
    found: list[Entry] = []
    for line in _end(home / LOG, count):
        if stamped := _STAMPED.fullmatch(line):
            found.append(Entry(datetime.fromisoformat(stamped[1]).isoformat(), stamped[2], stamped[3]))
        else:
            begun = found.pop() if found else Entry("", "", "")
            found.append(Entry(begun.time, begun.level, f"{begun.message}\n{line}".lstrip("\n")))
    return found + [Entry("", "", line) for line in _end(home / CONSOLE, count)]


def text(file: Path, since: int = 0) -> str:
    """What a file holds from the byte `since` on, at most its last 200 kB; nothing where there is none. ServerError when we may not look."""
    try:
        with file.open("rb") as handle:
            size = handle.seek(0, 2)
            handle.seek(max(since if since <= size else 0, size - _BYTES))
            return handle.read().decode(errors="replace")
    except (FileNotFoundError, NotADirectoryError):
        return ""
    except OSError as error:
        raise ServerError(f"{file} cannot be read ({error.strerror}); set GAVEL_DATA_DIR to a folder of your own") from error


def _end(file: Path, count: int) -> list[str]:
    return text(file).strip().splitlines()[-count:]
