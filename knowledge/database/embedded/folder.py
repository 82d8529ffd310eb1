"""What we keep beside a Neo4j store: version stamp, password, process identity, lock. Everything is written whole or not at all."""

import contextlib
import fcntl
import hashlib
import json
import os
import secrets
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from knowledge.database.embedded.jars import numbers
from knowledge.database.embedded.process import Identity
from knowledge.database.embedded.progress import Progress
from knowledge.errors import ServerError, StoreError

USER = "neo4j"
_ITERATIONS = 1024


@dataclass(frozen=True)
class Record:
    """What the starter knew of the server before it could matter. A record may outlive its process."""

    version: str
    port: int
    identity: Identity


class Folder:
    """The folder of one major version inside a data folder."""

    def __init__(self, data: Path, version: str) -> None:
        self.home = data.expanduser().resolve() / f"neo4j-{version.split('.', maxsplit=1)[0]}"
        self._version = version

    @property
    def console(self) -> Path:
        return self.home / "console.log"

    @property
    def store(self) -> Path:
        return self.home / "data"

    @contextlib.contextmanager
    def locked(self, progress: Progress) -> Iterator[None]:
        """Only one process at a time starts, stops or replaces the server of a folder; a dead one lets go by itself."""
        self.home.mkdir(parents=True, exist_ok=True, mode=0o700)
        self.check_owner()
        with (self.home / "start.lock").open("w") as gate:
            try:
                fcntl.flock(gate, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                progress(0, 0, "waiting for another process that starts or stops this database")
                fcntl.flock(gate, fcntl.LOCK_EX)
            yield

    def check_owner(self) -> None:
        owner = self.home.stat().st_uid
        if owner != os.getuid():
            raise ServerError(f"{self.home} belongs to another user (uid {owner}); set GAVEL_DATA_DIR to a folder of your own")

    def check_store(self) -> None:
        """StoreError when the store was made by a newer version, or by we do not know which."""
        stamp = self.home / "version"
        if not stamp.exists():
            if (self.store / "databases").exists():
                raise StoreError(
                    f"{self.home} holds a Neo4j store of unknown version; write its version into {stamp}, or set GAVEL_DATA_DIR to another folder"
                )
            return
        made_by = stamp.read_text().strip()
        if numbers(made_by) > numbers(self._version):
            raise StoreError(
                f"the store in {self.home} was made by Neo4j {made_by}, which is newer than {self._version}; "
                f"set GAVEL_NEO4J_VERSION={made_by.rpartition('.')[0]}, or GAVEL_DATA_DIR to another folder"
            )

    def check_free(self) -> None:
        """ServerError when another process holds the store's own lock."""
        lock = self.store / "databases" / "store_lock"
        if not lock.exists():
            return
        with lock.open("rb+") as file:
            try:
                fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                raise ServerError(
                    f"another Neo4j that Gavel did not start uses {self.store}; stop it, or set GAVEL_DATA_DIR to another folder"
                ) from error

    def stamp(self) -> None:
        """Say which version makes this store, before it does."""
        _write(self.home / "version", self._version + "\n")

    def password(self) -> str:
        """The password of this folder, made and handed to Neo4j as the initial one where there is none yet."""
        file = self.home / "password"
        if not file.exists():
            _write(file, secrets.token_urlsafe(24))
        password = file.read_text().strip()
        initial = self.store / "dbms" / "auth.ini"
        if not initial.exists():
            initial.parent.mkdir(parents=True, exist_ok=True)
            _write(initial, _credential(password))
        return password

    def read(self) -> Record | None:
        """The last record, or None when there is none that can be read."""
        try:
            row = json.loads((self.home / "server.json").read_text())
            return Record(row["version"], row["port"], Identity(**row["identity"]))
        except (FileNotFoundError, ValueError, KeyError, TypeError):
            return None

    def write(self, record: Record) -> None:
        _write(self.home / "server.json", json.dumps(asdict(record)))

    def forget(self) -> None:
        (self.home / "server.json").unlink(missing_ok=True)


def _write(path: Path, text: str) -> None:
    """Whole or not at all, readable by the owner only."""
    fresh = path.with_name(path.name + ".new")
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)


def _credential(password: str) -> str:
    """A line of Neo4j's auth.ini: user, salted and iterated SHA-256, no flags (no change of password demanded)."""
    salt = secrets.token_bytes(16)
    value = hashlib.sha256(salt + password.encode()).digest()
    for _ in range(_ITERATIONS - 1):
        value = hashlib.sha256(value).digest()
    return f"{USER}:SHA-256,{value.hex()},{salt.hex()},{_ITERATIONS}:\n"
