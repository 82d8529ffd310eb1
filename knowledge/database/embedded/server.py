"""A real Neo4j Community server of our own: one per data folder, shared by processes, outliving the one that started it."""

import logging
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from platformdirs import user_cache_path

from knowledge.database.embedded import backup, jars, logs
from knowledge.database.embedded.archive import Archive
from knowledge.database.embedded.backup import Dump
from knowledge.database.embedded.folder import USER, Folder, Record, check_version
from knowledge.database.embedded.launcher import STOP_SECONDS, Launcher, Needs, is_open, uri
from knowledge.database.embedded.logs import Entry
from knowledge.database.embedded.progress import Progress, silent
from knowledge.errors import ServerError, StoreError

_LOG = logging.getLogger(__name__)
_SPARE = 64 * 2**20


@dataclass(frozen=True)
class Running:
    """A server that answers. `notice` tells what had to be mended before it did, if anything."""

    uri: str
    user: str
    password: str = field(repr=False)
    pid: int
    version: str
    home: Path
    notice: str = ""

    @property
    def password_file(self) -> Path:
        """Where the password is kept, readable by its owner only."""
        return self.home / "store" / "password"


@dataclass(frozen=True)
class Status:
    """What is known of a folder without touching it. `uri` and `pid` are empty and 0 while stopped."""

    state: Literal["running", "starting", "stopped"]
    version: str
    home: Path
    uri: str = ""
    pid: int = 0


class EmbeddedServer:
    """The server of the data folder `folder` for one version, such as `2026.09` or `5.26`; each major version has a folder of its own in it.

    `java_home` is tried before the PATH; `heap` is Java's -Xmx; `cache` holds class archives; `repository` and `remote` are
    another local Maven cache and another Maven repository than Maven's own and Central.
    """

    def __init__(
        self,
        folder: Path,
        version: str = "2026.09",
        *,
        java_home: str | None = None,
        heap: str = "512m",
        cache: Path | None = None,
        repository: Path | None = None,
        remote: str | None = None,
    ) -> None:
        self.version = jars.full_version(version)
        self._folder = Folder(folder, self.version)
        self._needs = Needs(self.version, java_home, heap, (cache or user_cache_path("gavel")) / "classes", repository, remote)

    @property
    def path(self) -> Path:
        """The folder that holds the store, its password and its logs."""
        return self._folder.home

    def start(self, progress: Progress = silent) -> Running:
        """Start the server, or attach to it where it runs; the first start fetches Neo4j.

        ServerError or StoreError says what is in the way and what to do; nothing is damaged then, and the next start goes on.
        """
        with self._folder.locked(progress):
            return self._up(progress)

    def stop(self, progress: Progress = silent) -> bool:
        """Stop the server; False when none ran. Committed work is safe however it ends."""
        with self._folder.locked(progress):
            return self._down(progress)

    def status(self) -> Status:
        """Whether a server of this folder runs, and where."""
        record = self._folder.read()
        if record is None or not record.identity.alive():
            return Status("stopped", self.version, self.path)
        return Status("running" if is_open(record.port) else "starting", record.version, self.path, uri(record), record.identity.pid)

    def logs(self, lines: int = 50) -> str:
        """The last lines that the server wrote, its console after its log."""
        return logs.last_lines(self.path, lines)

    def log_entries(self, lines: int = 50) -> list[Entry]:
        """The same for programs."""
        return logs.entries(self.path, lines)

    def dump(self, file: Path, progress: Progress = silent) -> Dump:
        """Write the whole store to a new file, private because it holds the password; a running server is down meanwhile."""
        if file.exists():
            raise StoreError(f"{file} exists; name a file that does not")
        with self._folder.locked(progress):
            if not self._folder.store.exists():
                raise StoreError(f"there is no database in {self.path} yet; nothing to dump")
            ran = self._down(progress)
            self._folder.check_unused()
            try:
                return backup.pack(self._folder.store, self._folder.made_by(), file, progress)
            except OSError as error:
                raise StoreError(f"cannot write {file} ({error.strerror or error}); nothing was changed") from error
            finally:
                if ran:
                    self._up(progress)

    def restore(self, file: Path, progress: Progress = silent) -> Dump:
        """Put the store of a dump in the place of this one, once every file of it is unpacked and checked.

        StoreError when the dump is damaged or of a version that does not fit; the present store stays as it is then.
        """
        dump = backup.inspect(file)
        check_version(dump.version, self.version, f"the dump {file}")
        with self._folder.locked(progress):
            self._folder.check_space(dump.size + _SPARE)
            fresh = self.path / "store.restored"
            backup.unpack(file, fresh, progress)
            ran = self._down(progress)
            self._folder.check_unused()
            self._folder.replace_store(fresh)
            if ran:
                self._up(progress)
            return dump

    def reset(self, progress: Progress = silent) -> bool:
        """Stop the server and remove its store for ever; False when there was none. The caller asks for confirmation."""
        with self._folder.locked(progress):
            self._down(progress)
            self._folder.check_unused()
            return self._folder.discard_store()

    def _up(self, progress: Progress) -> Running:
        launcher = Launcher(self._folder, self._needs, progress)
        record = self._folder.read()
        if record is None or not record.identity.alive() or not launcher.answers(record):
            record = launcher.run()
        if record.version != self.version:
            raise ServerError(
                f"Neo4j {record.version} runs in {self.path} and {self.version} was asked for; `gavel db stop` it first, "
                f"or set GAVEL_NEO4J_VERSION={record.version.rpartition('.')[0]}"
            )
        if launcher.notice:
            _LOG.warning("%s", launcher.notice)
        return Running(uri(record), USER, self._folder.password(), record.identity.pid, record.version, self.path, launcher.notice)

    def _down(self, progress: Progress) -> bool:
        record = self._folder.read()
        if record is None or not record.identity.alive():
            return False
        progress(0, 0, f"stopping Neo4j {record.version}")
        if record.identity.end(STOP_SECONDS):
            self._keep_classes(record)
        return True

    def _keep_classes(self, record: Record) -> None:
        if record.archive:
            Archive(Path(record.archive)).keep(self._folder.recording)
