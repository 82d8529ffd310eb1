"""Bringing a server up: Java, jars, configuration, a port, a process; and what to try again when it ends too early."""

import contextlib
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import psutil

from knowledge.database.embedded import config, diagnosis, jars, java
from knowledge.database.embedded.archive import Archive
from knowledge.database.embedded.folder import USER, Folder, Record
from knowledge.database.embedded.process import Identity, launch
from knowledge.database.embedded.progress import Progress
from knowledge.errors import ServerError

START_SECONDS = 180.0
TRIES = 3
STOP_SECONDS = 60.0
LEAST_FREE = 200 * 2**20
_POLL = 0.1


@dataclass(frozen=True)
class Needs:
    """What a server is started with. `cache` holds class archives, `repository` and `remote` are the Maven cache and source."""

    version: str
    java_home: str | None
    heap: str
    cache: Path
    repository: Path | None = None
    remote: str | None = None


class Launcher:
    """Starts the server of one folder, whose lock the caller holds. `notice` tells what had to be mended, if anything."""

    def __init__(self, folder: Folder, needs: Needs, progress: Progress) -> None:
        self._folder = folder
        self._home = folder.home
        self._needs = needs
        self._progress = progress
        self.notice = ""

    def run(self) -> Record:
        """A server that answers; ServerError after three tries, or at once where trying again cannot help."""
        self._folder.check_store()
        self._folder.check_unused()
        self._folder.check_space(LEAST_FREE)
        binary = java.find(self._needs.java_home)
        paths = self._jars()
        archive = Archive.of(self._needs.cache, binary, self._needs.version, paths)
        self._folder.prepare()
        for attempt in range(TRIES):
            flags = archive.flags(binary, self._folder.recording)
            listener = diagnosis.Listener(self._home)
            record = self._launch(config.Command(binary, tuple(paths), self._needs.heap, tuple(flags)), archive)
            if self.answers(record, listener.details):
                return record
            if attempt == TRIES - 1 or not self._curable(listener.everything(), archive):
                raise diagnosis.explain(self._home, listener)
        raise AssertionError("unreachable")

    def answers(self, record: Record, details: Callable[[], str] = str) -> bool:
        """Wait until the server of the record answers; False when it ends before, or has to be ended since it gave up. ServerError when it refuses us or takes too long.

        `details`: what it has logged so far.
        """
        began = time.monotonic()
        while (waited := time.monotonic() - began) < START_SECONDS:
            if not record.identity.alive():
                return False
            if listens(record) and self._greets(record):
                self._folder.finish()
                return True
            if diagnosis.lost(details()):
                record.identity.end(STOP_SECONDS)
                return False
            self._progress(int(waited), 0, f"starting Neo4j {record.version}")
            time.sleep(_POLL)
        raise ServerError(
            f"Neo4j (pid {record.identity.pid}) did not answer within {START_SECONDS:.0f} s; see `gavel db logs`, then try `gavel db stop`"
        )

    def _jars(self) -> list[Path]:
        rows = jars.lock(self._needs.version)
        label = f"fetching Neo4j {self._needs.version} ({len(rows)} jars)"
        return jars.fetch(rows, repository=self._needs.repository, remote=self._needs.remote, progress=self._progress, label=label)

    def _launch(self, command: config.Command, archive: Archive) -> Record:
        last = self._folder.read()
        port = free_port(last.port if last else 0)
        self._folder.configure(config.settings(self._home, port, cut_torn_log=bool(self.notice)))
        record: list[Record] = []

        def remember(identity: Identity) -> None:
            record.append(Record(self._needs.version, port, identity, str(archive.folder)))
            self._folder.write(record[0])

        launch(command.words(self._needs.version, self._home), self._home, self._folder.console, config.mark(self._home), remember)
        return record[0]

    def _curable(self, words: str, archive: Archive) -> bool:
        """Whether the next try differs: another port, no class archive, a log without its torn end, or a store begun anew."""
        if diagnosis.port_taken(words):
            self._folder.forget()
            return True
        if diagnosis.crashed(words) and archive.classes.exists():
            archive.discard()
            return True
        if diagnosis.torn(words) and not self.notice:
            self.notice = (
                "the last transaction was never written whole (a full disk?) and was dropped; nothing that was confirmed is lost. "
                f"The log as it was is kept in {self._folder.keep_logs()}"
            )
            return True
        return not diagnosis.known(words) and self._folder.begin_anew()

    def _greets(self, record: Record) -> bool:
        from neo4j.exceptions import AuthError, DriverError, Neo4jError

        try:
            self._ask(record, "neo4j", "RETURN 1")
            return True
        except AuthError as error:
            raise ServerError(
                f"the database in {self._home} refuses the password in {self._folder.password_file}; "
                "write the right password there, or point GAVEL_DATA_DIR at another folder"
            ) from error
        except Neo4jError as error:
            if diagnosis.beyond_help(str(error.message)) or self._gave_up(record):
                record.identity.end(STOP_SECONDS)
            return False
        except (DriverError, OSError):
            return False

    def _gave_up(self, record: Record) -> bool:
        """Whether the server runs but could not start its database."""
        from neo4j.exceptions import DriverError, Neo4jError

        try:
            return bool(self._ask(record, "system", "SHOW DATABASE neo4j YIELD statusMessage"))
        except (DriverError, Neo4jError, OSError):
            return False

    def _ask(self, record: Record, database: str, statement: str) -> str:
        """The first value of the answer, as text."""
        from neo4j import GraphDatabase

        auth = (USER, self._folder.password())
        with GraphDatabase.driver(uri(record), auth=auth, connection_timeout=5) as driver, driver.session(database=database) as session:
            return str(next(iter(session.run(statement).values()), [""])[0] or "")


def uri(record: Record) -> str:
    """Where the recorded server is reached over Bolt."""
    return f"bolt://127.0.0.1:{record.port}"


def listens(record: Record) -> bool:
    """Whether the recorded process itself, and no stranger, listens on the recorded port."""
    if not is_open(record.port):
        return False
    with contextlib.suppress(psutil.Error, OSError):
        sockets = psutil.Process(record.identity.pid).net_connections(kind="tcp")
        return any(s.status == psutil.CONN_LISTEN and s.laddr.port == record.port for s in sockets)
    return False


def is_open(port: int) -> bool:
    """Whether anyone listens on the port of the loopback interface."""
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
        return True
    return False


def free_port(preferred: int) -> int:
    """The preferred port where it is free, else one that the system picks."""
    for port in (preferred, 0):
        with contextlib.suppress(OSError), socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(("127.0.0.1", port))
            return int(probe.getsockname()[1])
    raise ServerError("no free port on 127.0.0.1; end programs that listen, then try again")
