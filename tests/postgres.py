"""A Postgres of the tests' own: made in a folder of its own, reached by a socket in it, ended by its pid."""

import importlib.util
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
import uuid
from pathlib import Path

from sqlalchemy import create_engine

PATIENCE = 30.0
UNPRIVILEGED = ("postgres", "nobody")
USER = "gavel"


def missing() -> str:
    """What to install before a Postgres can be started here; empty where nothing is missing."""
    if importlib.util.find_spec("psycopg") is None:
        return "the tests over Postgres need its driver: pip install 'gavel[postgres]'"
    if _programs() is None:
        return "the tests over Postgres need a Postgres server: apt-get install postgresql"
    return ""


class Cluster:
    """One server. It refuses to run as root, so there another user is taken."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="gavel-postgres-"))
        self._programs = _programs() or Path()
        self._user = next(name for name in UNPRIVILEGED if _exists(name)) if os.getuid() == 0 else None
        if self._user:
            os.chown(self.folder, pwd.getpwnam(self._user).pw_uid, -1)
        self._run("initdb", "-D", self._data, "-U", USER, "--auth=trust", "--no-sync", "--locale=C", "--encoding=UTF8").wait(PATIENCE)
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> "Cluster":
        """Returns once it answers."""
        self._process = self._run("postgres", "-D", self._data, "-k", self.folder, "-h", "")
        until = time.monotonic() + PATIENCE
        while self._run("pg_isready", "-q", "-h", self.folder).wait(PATIENCE):
            assert time.monotonic() < until, (self.folder / "log").read_text()
            time.sleep(0.05)
        return self

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """SIGINT cuts every connection and ends; SIGQUIT ends as a crash would, so that the next start recovers."""
        if self._process:
            self._process.send_signal(how)
            self._process.wait(PATIENCE)
            self._process = None

    def remove(self) -> None:
        self.stop()
        shutil.rmtree(self.folder)

    def database(self) -> str:
        """The address of a new one."""
        name = f"j{uuid.uuid4().hex}"
        self._execute(f"CREATE DATABASE {name}")
        return self._address(name)

    def drop(self, address: str) -> None:
        self._execute(f"DROP DATABASE {address.partition('///')[2].partition('?')[0]} WITH (FORCE)")

    @property
    def _data(self) -> Path:
        return self.folder / "data"

    def _address(self, name: str) -> str:
        return f"postgresql+psycopg:///{name}?host={self.folder}&user={USER}"

    def _execute(self, statement: str) -> None:
        engine = create_engine(self._address("postgres"), isolation_level="AUTOCOMMIT")
        with engine.connect() as connection:
            connection.exec_driver_sql(statement)
        engine.dispose()

    def _run(self, program: str, *arguments: object) -> subprocess.Popen[bytes]:
        command = [str(self._programs / program), *map(str, arguments)]
        with (self.folder / "log").open("ab") as log:
            return subprocess.Popen(
                command, cwd=self.folder, stdout=log, stderr=log, user=self._user, extra_groups=[] if self._user else None
            )


def _programs() -> Path | None:
    found = shutil.which("initdb") or next(map(str, sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), reverse=True)), None)
    return Path(found).resolve().parent if found else None


def _exists(name: str) -> bool:
    return any(entry.pw_name == name for entry in pwd.getpwall())
