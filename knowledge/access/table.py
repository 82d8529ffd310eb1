"""The one table of `access.sqlite`. Python's own sqlite3, since nothing else of a question needs an SQL toolkit, whose import would cost a tenth of it."""

import json
import os
import sqlite3
from collections.abc import Sequence
from dataclasses import fields
from datetime import datetime
from pathlib import Path

from knowledge.access.access import Access

BUSY_SECONDS = 10
VERSION = 1
_TABLE = """
CREATE TABLE IF NOT EXISTS access (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, at TEXT NOT NULL, principal TEXT NOT NULL, run TEXT NOT NULL, tool TEXT NOT NULL,
    namespaces TEXT NOT NULL, statement TEXT NOT NULL, ids TEXT NOT NULL, more INTEGER NOT NULL, rows INTEGER NOT NULL,
    restricted INTEGER NOT NULL
);
CREATE INDEX IF NOT EXISTS access_at ON access (at);
CREATE INDEX IF NOT EXISTS access_principal ON access (principal, seq);
CREATE TRIGGER IF NOT EXISTS access_is_only_appended BEFORE UPDATE ON access BEGIN SELECT RAISE(ABORT, 'rows are never changed'); END
"""
_COLUMNS = tuple(field.name for field in fields(Access))
_INSERT = f"INSERT INTO access ({', '.join(_COLUMNS)}) VALUES ({', '.join(f':{name}' for name in _COLUMNS)})"
_SELECT = f"""
SELECT {", ".join(_COLUMNS)} FROM access
WHERE (:principal = '' OR principal = :principal) AND (:run = '' OR substr(run, 1, length(:run)) = :run)
  AND (:namespace = '' OR instr(namespaces, :namespace)) AND (:id = '' OR instr(ids, :id))
ORDER BY seq DESC LIMIT :limit
"""


def connect(file: Path) -> sqlite3.Connection:
    """Private to its owner; a commit is on the disk when it returns, and readers go on beside the writer."""
    file.parent.mkdir(parents=True, exist_ok=True)
    os.close(os.open(file, os.O_CREAT, 0o600))
    connection = sqlite3.connect(file, timeout=BUSY_SECONDS, check_same_thread=False)
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        _made(connection)
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def place(file: Path) -> tuple[int, int]:
    """Which file it is, whatever its name; zeros where there is none."""
    try:
        found = file.stat()
    except FileNotFoundError:
        return 0, 0
    return found.st_dev, found.st_ino


def insert(connection: sqlite3.Connection, batch: Sequence[Access]) -> None:
    """Append them in this order."""
    listed = ("namespaces", "ids")
    rows = [{**vars(access), **{name: json.dumps(getattr(access, name), ensure_ascii=False) for name in listed}} for access in batch]
    connection.executemany(_INSERT, rows)


def probe(connection: sqlite3.Connection) -> None:
    """An error where nothing can be appended; nothing is."""
    connection.execute("BEGIN IMMEDIATE")
    connection.rollback()


def sweep(connection: sqlite3.Connection, before: datetime) -> None:
    """Remove what is older."""
    connection.execute("DELETE FROM access WHERE at < ?", (before.isoformat(timespec="microseconds"),))


def select(connection: sqlite3.Connection, principal: str, run: str, namespace: str, id_: str, limit: int) -> list[Access]:
    """The latest that have all of these, newest first; what is empty is not asked for."""
    quoted = {"namespace": namespace and json.dumps(namespace), "id": id_ and json.dumps(id_, ensure_ascii=False)}
    found = connection.execute(_SELECT, {"principal": principal, "run": run, "limit": limit, **quoted})
    return [_access(dict(zip(_COLUMNS, row, strict=True))) for row in found]


def _made(connection: sqlite3.Connection) -> None:
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if version > VERSION:
        raise sqlite3.DatabaseError(f"a newer Gavel wrote it, version {version}")
    if version < VERSION:
        connection.executescript(f"BEGIN IMMEDIATE; {_TABLE}; PRAGMA user_version = {VERSION}; COMMIT")


def _access(row: dict[str, str]) -> Access:
    lists = {name: tuple(json.loads(row[name])) for name in ("namespaces", "ids")}
    return Access(**{**row, **lists, "restricted": bool(row["restricted"])})  # type: ignore[arg-type]
