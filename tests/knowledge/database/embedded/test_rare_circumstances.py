"""What happens seldom and takes long to try: full disks, damaged archives, lost races, servers that die while they are born."""

import os
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from knowledge.database.connection import Database
from knowledge.database.embedded import EmbeddedServer, Running, launcher
from knowledge.errors import DatabaseError, ServerError

pytestmark = pytest.mark.full
MEGABYTES = 120
CAP_SYS_ADMIN = 1 << 21


def may_mount() -> bool:
    """Whether this process has the right to mount, as root has outside of containers."""
    status = Path("/proc/self/status")
    lines = status.read_text().splitlines() if status.exists() else []
    return any(int(line.split()[1], 16) & CAP_SYS_ADMIN for line in lines if line.startswith("CapEff"))


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of its own that can be filled."""
    place = tmp_path / "disk"
    place.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={MEGABYTES}m", "tmpfs", str(place)], check=True)
    yield place
    subprocess.run(["umount", "--lazy", str(place)], check=True)


def fill(disk: Path) -> Path:
    ballast = disk / "ballast"
    with ballast.open("wb", buffering=0) as file:
        try:
            while file.write(b"x" * 4096):
                pass
        except OSError:
            return ballast
    raise AssertionError("the disk has no end")


def open_database(running: Running) -> Database:
    return Database.connect(running.uri, running.user, running.password)


@pytest.mark.skipif(not may_mount(), reason="a small disk can be mounted by root only: run make full as root to see a full disk")
@pytest.mark.parametrize("batch", [10, 20_000])
def test_a_full_disk_is_named_and_costs_nothing_that_was_confirmed(
    small_disk: Path, neo4j_version: str, monkeypatch: pytest.MonkeyPatch, batch: int
) -> None:
    server = EmbeddedServer(small_disk, neo4j_version)
    with pytest.raises(ServerError, match="free some space"):
        server.start()
    monkeypatch.setattr(launcher, "LEAST_FREE", 0)
    running = server.start()
    confirmed = 0
    try:
        with open_database(running) as database:
            ballast = fill(small_disk)
            with pytest.raises(DatabaseError, match="its disk is full; what was confirmed is safe"):
                for _ in range(100_000):
                    database.write("UNWIND range(1, $n) AS i CREATE (:N {n: i, text: 'some text that takes room' + i})", {"n": batch})
                    confirmed += batch
            with pytest.raises(DatabaseError, match="gavel db start"):
                database.read("MATCH (n:N) RETURN count(n) AS c")
        monkeypatch.setattr(launcher, "LEAST_FREE", 1 << 20)
        with pytest.raises(ServerError, match="free some space"):
            server.start()
        ballast.unlink()
        running = server.start()
        with open_database(running) as database:
            assert database.read("MATCH (n:N) RETURN count(n) AS c") == [{"c": confirmed}]
            database.write("CREATE (:N)")
        assert not running.notice or list(server.path.glob("transactions-*"))
    finally:
        server.stop()


def test_a_port_that_is_taken_at_the_last_moment_is_left_for_another(
    tmp_path: Path, neo4j_version: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        taken = other.getsockname()[1]
        real = launcher.free_port
        offers = iter([taken])
        monkeypatch.setattr(launcher, "free_port", lambda preferred: next(offers, 0) or real(preferred))
        server = EmbeddedServer(tmp_path, neo4j_version)
        try:
            assert not server.start().uri.endswith(f":{taken}")
        finally:
            server.stop()


def test_classes_are_shared_from_the_second_start_on_and_a_damaged_archive_is_replaced(tmp_path: Path, neo4j_version: str) -> None:
    server = EmbeddedServer(tmp_path / "data", neo4j_version, cache=tmp_path / "cache")
    server.start()
    server.stop()
    [classes] = (tmp_path / "cache").rglob("classes.jsa")
    server.start()
    server.stop()
    spoil(classes.with_name("base.jsa"))
    try:
        with open_database(server.start()) as database:
            assert database.read("RETURN 1 AS one") == [{"one": 1}]
    finally:
        server.stop()
    [again] = (tmp_path / "cache").rglob("classes.jsa")
    assert again == classes


def spoil(file: Path) -> None:
    content = bytearray(file.read_bytes())
    third = len(content) // 3
    content[third : 2 * third] = os.urandom(third)
    file.write_bytes(content)


@pytest.fixture(scope="module")
def seconds_of_a_first_start(tmp_path_factory: pytest.TempPathFactory, neo4j_version: str) -> float:
    measured = EmbeddedServer(tmp_path_factory.mktemp("measured"), neo4j_version)
    began = time.monotonic()
    measured.start()
    seconds = time.monotonic() - began
    measured.stop()
    return seconds


@pytest.mark.parametrize("share", [0.2, 0.4, 0.6, 0.8])
def test_a_server_killed_while_it_makes_its_store_is_started_again(
    tmp_path: Path, neo4j_version: str, seconds_of_a_first_start: float, share: float
) -> None:
    server = EmbeddedServer(tmp_path / "killed", neo4j_version)
    outcome: list[object] = []

    def start() -> None:
        try:
            outcome.append(server.start())
        except ServerError as error:
            outcome.append(error)

    thread = threading.Thread(target=start)
    thread.start()
    time.sleep(seconds_of_a_first_start * share)
    if pid := server.status().pid:
        os.kill(pid, signal.SIGKILL)
    thread.join()
    assert len(outcome) == 1
    try:
        with open_database(server.start()) as database:
            database.write("CREATE (:N)")
            assert database.read("MATCH (n) RETURN count(n) AS c") == [{"c": 1}]
    finally:
        server.stop()


@pytest.mark.parametrize("database", ["system", "neo4j"])
def test_only_a_store_that_never_answered_is_begun_anew_when_it_is_damaged(tmp_path: Path, neo4j_version: str, database: str) -> None:
    server = EmbeddedServer(tmp_path, neo4j_version)
    server.start()
    server.stop()
    metadata = server.path / "store" / "data" / "databases" / database / "neostore"
    metadata.write_bytes(b"")
    with pytest.raises(ServerError, match="Neo4j ended while starting"):
        server.start()
    assert metadata.read_bytes() == b""
    (server.path / "store" / "unfinished").touch()
    try:
        with open_database(server.start()) as opened:
            opened.write("CREATE (:N)")
    finally:
        server.stop()
    assert not (server.path / "store" / "unfinished").exists()


def test_both_lines_live_side_by_side_in_one_data_folder(tmp_path: Path) -> None:
    servers = [EmbeddedServer(tmp_path, version) for version in ("2026.09", "5.26")]
    try:
        for number, server in enumerate(servers):
            with open_database(server.start()) as database:
                database.write("CREATE (:N {number: $number})", {"number": number})
        for number, server in enumerate(servers):
            with open_database(server.start()) as database:
                assert database.read("MATCH (n:N) RETURN n.number AS number") == [{"number": number}]
    finally:
        for server in servers:
            server.stop()
