"""A real Neo4j Community server of our own: one per data folder, shared by processes, outliving the one that started it."""

import contextlib
import socket
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from knowledge.database.embedded import config, jars, java
from knowledge.database.embedded.folder import USER, Folder, Record
from knowledge.database.embedded.process import launch
from knowledge.database.embedded.progress import Progress, silent
from knowledge.errors import ServerError

START_SECONDS = 120.0
STOP_SECONDS = 30.0
PORT_TRIES = 3


@dataclass(frozen=True)
class Running:
    """A server that answers."""

    uri: str
    user: str
    password: str = field(repr=False)
    pid: int
    version: str
    home: Path


@dataclass(frozen=True)
class Status:
    """What is known of a folder without touching it. `uri` and `pid` are empty and 0 while stopped."""

    state: Literal["running", "starting", "stopped"]
    version: str
    home: Path
    uri: str = ""
    pid: int = 0


class EmbeddedServer:
    """The server of `folder`, for one version such as `2026.09` or `5.26`."""

    def __init__(self, folder: Path, version: str = "2026.09", *, java_home: str | None = None, heap: str = "512m") -> None:
        self.version = jars.full_version(version)
        self._folder = Folder(folder, self.version)
        self._java_home = java_home
        self._heap = heap

    @property
    def path(self) -> Path:
        """The folder that holds the store, its password and its logs."""
        return self._folder.home

    def start(self, progress: Progress = silent) -> Running:
        """Start the server, or attach to it where it runs. ServerError or StoreError says what is in the way."""
        with self._folder.locked(progress):
            record = self._folder.read()
            if record is None or not record.identity.alive():
                record = self._launch(progress)
            return self._await(record, progress)

    def stop(self, progress: Progress = silent) -> bool:
        """Stop the server; False when none ran. Committed work is safe however it ends."""
        with self._folder.locked(progress):
            record = self._folder.read()
            if record is None or not record.identity.alive():
                self._folder.forget()
                return False
            progress(0, 0, "stopping Neo4j")
            record.identity.end(STOP_SECONDS)
            self._folder.forget()
            return True

    def status(self) -> Status:
        """Whether a server of this folder runs, and where."""
        record = self._folder.read()
        if record is None or not record.identity.alive():
            return Status("stopped", self.version, self.path)
        state: Literal["running", "starting"] = "running" if _open(record.port) else "starting"
        return Status(state, record.version, self.path, _uri(record), record.identity.pid)

    def _launch(self, progress: Progress) -> Record:
        self._folder.check_store()
        self._folder.check_free()
        binary = java.find(self._java_home)
        paths = jars.fetch(jars.lock(self.version), progress=progress, label=f"fetching Neo4j {self.version}")
        self._folder.stamp()
        self._folder.password()
        port = _free_port()
        home = self._folder.home
        (home / "conf").mkdir(exist_ok=True)
        (home / "conf" / "neo4j.conf").write_text(config.settings(home, port))
        identity = launch(
            config.command(binary, self.version, paths, home, self._heap, []),
            home,
            self._folder.console,
            config.mark(home),
            lambda identity: self._folder.write(Record(self.version, port, identity)),
        )
        return Record(self.version, port, identity)

    def _await(self, record: Record, progress: Progress) -> Running:
        deadline = time.monotonic() + START_SECONDS
        began = time.monotonic()
        while time.monotonic() < deadline:
            if not record.identity.alive():
                raise ServerError(f"Neo4j stopped while starting: {_tail(self._folder.console)}")
            if _open(record.port) and self._answers(record):
                return Running(_uri(record), USER, self._folder.password(), record.identity.pid, record.version, self.path)
            progress(int(time.monotonic() - began), 0, f"starting Neo4j {record.version}")
            time.sleep(0.05)
        raise ServerError(f"Neo4j (pid {record.identity.pid}) did not answer within {START_SECONDS:.0f} s; see {self._folder.console}")

    def _answers(self, record: Record) -> bool:
        from neo4j import GraphDatabase
        from neo4j.exceptions import AuthError, DriverError, Neo4jError

        try:
            with GraphDatabase.driver(_uri(record), auth=(USER, self._folder.password())) as driver:
                driver.execute_query("RETURN 1", database_="neo4j")
                return True
        except AuthError as error:
            raise ServerError(f"the server refuses the password in {self.path / 'password'}; write the right one there") from error
        except (DriverError, Neo4jError, OSError):
            return False


def _uri(record: Record) -> str:
    return f"bolt://127.0.0.1:{record.port}"


def _open(port: int) -> bool:
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
        return True
    return False


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _tail(file: Path, lines: int = 12) -> str:
    return "\n".join(file.read_text(errors="replace").splitlines()[-lines:])
