"""The file of a snapshot: JSON Lines, first what it is, then one line per node or relationship. For its owner alone, whole or not there."""

import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import UTC
from pathlib import Path
from typing import IO, cast

from neo4j.time import DateTime

from knowledge.errors import ConfigError

PART = ".part"
TIME = "@time"
MARK = b'"snapshot": '
LONGEST_HEAD = 512
Line = Mapping[str, object]


def part_of(file: Path) -> Path:
    """Where a snapshot stands until it is whole."""
    return file.with_name(file.name + PART)


def write(file: Path, lines: Iterable[Line]) -> str:
    """Durable beside its name when it returns: the SHA-256 of all. ConfigError where it cannot be written."""
    part = part_of(file)
    part.unlink(missing_ok=True)
    try:
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as opened:
            whole = _put(opened, lines)
            os.fsync(opened.fileno())
    except OSError as error:
        raise ConfigError(f"{file} cannot be written ({error.strerror}); name another file") from error
    return whole


def publish(file: Path) -> None:
    """Under its name from now on."""
    part_of(file).rename(file)
    folder = os.open(file.parent, os.O_RDONLY)
    os.fsync(folder)
    os.close(folder)


def remove(file: Path) -> None:
    """With what was left of an attempt to write it; what is no snapshot is left alone. OSError where it stays."""
    part_of(file).unlink(missing_ok=True)
    if file.exists() and _is_one(file):
        file.unlink()


def _is_one(file: Path) -> bool:
    with file.open("rb") as opened:
        return MARK in opened.readline(LONGEST_HEAD)


def sha256(file: Path) -> str:
    """Of the whole file; empty where it cannot be read."""
    with suppress(OSError), file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()
    return ""


def read(file: Path) -> Iterator[Line]:
    """Every line after the first."""
    with file.open(encoding="utf-8") as opened:
        next(opened)
        yield from (cast(Line, json.loads(line, object_hook=_timed)) for line in opened)


def _put(opened: IO[bytes], lines: Iterable[Line]) -> str:
    whole = hashlib.sha256()
    for line in lines:
        text = json.dumps(line, ensure_ascii=False, sort_keys=True, default=_told).encode() + b"\n"
        opened.write(text)
        whole.update(text)
    opened.flush()
    return whole.hexdigest()


def _told(value: object) -> object:
    if isinstance(value, DateTime):
        return {TIME: value.iso_format()}
    raise TypeError(f"a {type(value).__name__} is nothing that Gavel keeps")


def _timed(value: dict[str, object]) -> object:
    """All times of Gavel are in UTC. The driver's own UTC would come back as a named zone, which is another value."""
    return DateTime.from_iso_format(str(value[TIME])).replace(tzinfo=UTC) if TIME in value else value
