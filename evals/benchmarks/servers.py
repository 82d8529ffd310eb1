"""A fresh embedded server per measurement, with the processor seconds that server and client spend beside the wall's."""

import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psutil

from knowledge.database.connection import Database
from knowledge.database.embedded import EmbeddedServer


@dataclass(frozen=True)
class Spent:
    """Wall seconds, and processor seconds of this process and of the server: the latter hold still when the machine is busy."""

    wall: float
    client: float
    server: float

    @property
    def processor(self) -> float:
        """Of both together."""
        return self.client + self.server


class Bench:
    """One server with one database, in a folder of its own."""

    def __init__(self, folder: Path, version: str) -> None:
        self._server = EmbeddedServer(folder, version)
        self._connect()

    def spent(self, work: Callable[[], object]) -> Spent:
        """Do the work once and measure it."""
        server, wall, client = self._processor(), time.perf_counter(), time.process_time()
        work()
        return Spent(time.perf_counter() - wall, time.process_time() - client, self._processor() - server)

    def megabytes(self) -> float:
        """The size of the store without its transaction logs. The server is stopped for it, so that everything is on disk."""
        self.close()
        stores = self.running.home.rglob("databases/neo4j/**/*")
        size = sum(file.stat().st_size for file in stores if file.is_file()) / 1e6
        self._connect()
        return size

    def close(self) -> None:
        """Disconnect and stop the server."""
        self.database.close()
        self._server.stop()

    def _connect(self) -> None:
        self.running = self._server.start()
        self.database = Database.connect(self.running.uri, self.running.user, self.running.password)

    def _processor(self) -> float:
        times = psutil.Process(self.running.pid).cpu_times()
        return times.user + times.system


@contextmanager
def fresh(version: str) -> Iterator[Bench]:
    """A new, empty server, whose folder is removed afterwards."""
    folder = Path(tempfile.mkdtemp(prefix="gavel-benchmark-"))
    bench = Bench(folder, version)
    try:
        yield bench
    finally:
        bench.close()
        shutil.rmtree(folder, ignore_errors=True)
