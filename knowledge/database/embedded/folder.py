"""The folder of one major version: `store/` holds what must stay together (data, password, version), the rest can be made anew."""

import contextlib
import errno
import fcntl
import hashlib
import json
import os
import secrets
import shutil
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

from knowledge.database.embedded.jars import numbers
from knowledge.database.embedded.process import Identity
from knowledge.database.embedded.progress import Progress
from knowledge.errors import ServerError, StoreError

USER = "neo4j"
LET_GO_SECONDS = 5.0
_ITERATIONS = 1024
_PIDS = 2**31


@dataclass(frozen=True)
class Record:
    """What the starter knew of the server before it could matter. A record may outlive its process."""

    version: str
    port: int
    identity: Identity
    archive: str = ""


class Folder:
    """Files are written whole or not at all, readable by their owner only."""

    def __init__(self, data: Path, version: str) -> None:
        self.home = data.expanduser().resolve() / f"neo4j-{version.partition('.')[0]}"
        self.store = self.home / "store"
        self.before = self.home / "store.before"
        self.discarded = self.home / "store.discarded"
        self.console = self.home / "console.log"
        self.recording = self.home / "classes.recording"
        self._unfinished = self.store / "unfinished"
        self.password_file = self.store / "password"
        self._version = version

    @contextlib.contextmanager
    def locked(self, progress: Progress) -> Iterator[None]:
        """Only one process at a time starts, stops or replaces the server of a folder; a dead one lets go by itself."""
        try:
            self.home.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._check_owner()
            with (self.home / "start.lock").open("w") as gate:
                _wait_for(gate.fileno(), progress)
                self._settle()
                yield
        except OSError as error:
            cure = "free some space" if error.errno == errno.ENOSPC else "mend that"
            raise ServerError(
                f"cannot use {self.home} ({error.strerror or error}); {cure}, or set GAVEL_DATA_DIR to another folder"
            ) from error

    def check_store(self) -> None:
        """StoreError when the store was made by a newer version, or by we do not know which."""
        stamp = self.store / "version"
        if stamp.exists():
            check_version(stamp.read_text(errors="replace").strip(), self._version, f"the store in {self.home}")
        elif (self.store / "data" / "databases").exists():
            raise StoreError(
                f"{self.store} holds a Neo4j store of unknown version; write its version into {stamp}, or set GAVEL_DATA_DIR to another folder"
            )

    def made_by(self) -> str:
        """The full version that made the store."""
        return (self.store / "version").read_text(errors="replace").strip()

    def check_unused(self) -> None:
        """ServerError when another process holds the store's own lock; one that is just ending has a few seconds to let go."""
        lock = self.store / "data" / "databases" / "store_lock"
        deadline = time.monotonic() + LET_GO_SECONDS
        while _held(lock):
            if time.monotonic() > deadline:
                raise ServerError(
                    f"another server, which Gavel did not start, uses {self.store}; stop it, or set GAVEL_DATA_DIR to another folder"
                )
            time.sleep(0.1)

    def check_space(self, least: int) -> None:
        """ServerError when the disk has fewer than `least` bytes left."""
        free = shutil.disk_usage(self.home).free
        if free < least:
            raise ServerError(
                f"the disk of {self.home} has {free >> 20} MB left and {least >> 20} MB are needed; "
                "free some space, or set GAVEL_DATA_DIR to a folder on another disk"
            )

    def prepare(self) -> None:
        """Everything that has to be known of a store before a server may touch it: its version, its password."""
        initial = self.store / "data" / "dbms" / "auth.ini"
        initial.parent.mkdir(parents=True, exist_ok=True)
        if not (self.store / "data" / "databases").exists():
            write(self._unfinished, "no server has answered from this store yet\n")
        write(self.store / "version", self._version + "\n")
        if not self.password_file.exists():
            if (self.store / "data" / "databases" / "system").exists():
                raise ServerError(
                    f"the password of this database is gone: put it back into {self.password_file}, or `gavel db restore` a dump"
                )
            write(self.password_file, secrets.token_urlsafe(24))
        if not initial.exists():
            write(initial, _credential(self.password()))

    def finish(self) -> None:
        """A server has answered: from now on the store may hold what was confirmed."""
        self._unfinished.unlink(missing_ok=True)

    def begin_anew(self) -> bool:
        """Remove the data of a store from which no server ever answered; False when one did, and nothing is touched."""
        if not self._unfinished.exists():
            return False
        for part in ("databases", "transactions"):
            shutil.rmtree(self.store / "data" / part, ignore_errors=True)
        return True

    def password(self) -> str:
        return self.password_file.read_text(errors="replace").strip()

    def configure(self, text: str) -> None:
        (self.home / "conf").mkdir(exist_ok=True)
        write(self.home / "conf" / "neo4j.conf", text)

    def keep_logs(self) -> Path:
        """Copy the transaction logs aside, before Neo4j is let to cut them; returns where."""
        kept = self.home / f"transactions-{datetime.now(UTC):%Y%m%dT%H%M%S}"
        shutil.copytree(self.store / "data" / "transactions", kept)
        return kept

    def read(self) -> Record | None:
        """The last record, or None when there is none or it is no record. ServerError when we may not look."""
        try:
            row = json.loads((self.home / "server.json").read_text())
            of = row["identity"]
            identity = Identity(int(of["pid"]), float(of["created"]), str(of["mark"]))
            return Record(str(row["version"]), int(row["port"]), identity, str(row["archive"])) if 0 < identity.pid < _PIDS else None
        except (FileNotFoundError, NotADirectoryError, ValueError, KeyError, TypeError):
            return None
        except OSError as error:
            raise ServerError(f"{self.home} cannot be read ({error.strerror}); set GAVEL_DATA_DIR to a folder of your own") from error

    def write(self, record: Record) -> None:
        write(self.home / "server.json", json.dumps(asdict(record)))

    def forget(self) -> None:
        (self.home / "server.json").unlink(missing_ok=True)

    def replace_store(self, fresh: Path) -> None:
        """Put a whole store in the place of this one. Killed at any moment, one of the two is there afterwards."""
        if self.store.exists():
            self.store.rename(self.before)
        fresh.rename(self.store)
        self._settle()

    def discard_store(self) -> bool:
        """Remove the store for ever; False when there is none."""
        if not self.store.exists():
            return False
        self.store.rename(self.discarded)
        self._settle()
        return True

    def _settle(self) -> None:
        """Finish what a killed replacement or removal left."""
        if self.before.exists():
            self.before.rename(self.discarded if self.store.exists() else self.store)
        if self.discarded.exists():
            shutil.rmtree(self.discarded)

    def _check_owner(self) -> None:
        owner = self.home.stat().st_uid
        if owner != os.getuid():
            raise ServerError(f"{self.home} belongs to another user (uid {owner}); set GAVEL_DATA_DIR to a folder of your own")


def check_version(made_by: str, version: str, what: str) -> None:
    """StoreError, naming both, when `what` was made by a newer version or by another major one."""
    if numbers(made_by)[:1] == numbers(version)[:1] and numbers(made_by) <= numbers(version):
        return
    reason = "newer than" if numbers(made_by) > numbers(version) else "of another major version than"
    raise StoreError(
        f"{what} was made by Neo4j {made_by}, which is {reason} {version}; "
        f"set GAVEL_NEO4J_VERSION={made_by.rpartition('.')[0] or made_by}, or GAVEL_DATA_DIR to another folder"
    )


def write(path: Path, text: str) -> None:
    """Whole or not at all, readable by the owner only."""
    fresh = path.with_name(path.name + ".new")
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)


def _held(lock: Path) -> bool:
    if not lock.exists():
        return False
    with lock.open("rb+") as file:
        try:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return True
    return False


def _wait_for(descriptor: int, progress: Progress) -> None:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        progress(0, 0, "waiting for another process that starts or stops this database")
        fcntl.flock(descriptor, fcntl.LOCK_EX)


def _credential(password: str) -> str:
    """A line of Neo4j's auth.ini: user, salted and iterated SHA-256, no flags (no change of password demanded)."""
    salt = secrets.token_bytes(16)
    value = hashlib.sha256(salt + password.encode()).digest()
    for _ in range(_ITERATIONS - 1):
        value = hashlib.sha256(value).digest()
    return f"{USER}:SHA-256,{value.hex()},{salt.hex()},{_ITERATIONS}:\n"
