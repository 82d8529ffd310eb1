"""The embedded server through its public face, against real ones."""

import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from knowledge.database.connection import Database
from knowledge.database.embedded import EmbeddedServer, Running
from knowledge.database.embedded.config import mark
from knowledge.errors import DatabaseError, ServerError, StoreError

ENDLESS = "UNWIND range(1, 100000) AS a UNWIND range(1, 100000) AS b RETURN count(CASE WHEN a * b % 7 = 1 THEN 1 END) AS c"
ATTACH = (
    "import sys\nfrom pathlib import Path\nfrom knowledge.database.embedded import EmbeddedServer\n"
    "print(EmbeddedServer(Path(sys.argv[1]), sys.argv[2]).start().pid)"
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("own")


@pytest.fixture(scope="module")
def stopping(folder: Path, neo4j_version: str) -> Iterator[EmbeddedServer]:
    """A server that the tests of this file may stop, kill and spoil, but leave in order."""
    server = EmbeddedServer(folder, neo4j_version)
    yield server
    server.stop()


@pytest.fixture
def own(stopping: EmbeddedServer) -> EmbeddedServer:
    stopping.start()
    return stopping


def open_database(running: Running) -> Database:
    return Database.connect(running.uri, running.user, running.password)


def count(running: Running, label: str) -> int:
    with open_database(running) as database:
        return int(database.read(f"MATCH (n:{label}) RETURN count(n) AS c")[0]["c"])


def add(running: Running, label: str) -> None:
    with open_database(running) as database:
        database.write(f"CREATE (:{label})")


def servers_of(home: Path) -> list[int]:
    found = [process for process in psutil.process_iter() if _words(process)[-2:-1] == [mark(home)]]
    return [process.pid for process in found]


def _words(process: psutil.Process) -> list[str]:
    try:
        return process.cmdline()
    except psutil.Error:
        return []


def test_processes_share_one_server(own: EmbeddedServer, folder: Path) -> None:
    command = [sys.executable, "-c", ATTACH, str(folder), own.version]
    others = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    pids = {int(other.communicate()[0]) for other in others}
    assert pids == {own.start().pid}
    assert servers_of(own.path) == list(pids)


def test_status_and_logs_tell_what_runs(own: EmbeddedServer) -> None:
    running = own.start()
    status = own.status()
    assert (status.state, status.uri, status.pid, status.home) == ("running", running.uri, running.pid, running.home)
    assert "Started." in own.logs(200)
    assert running.password not in repr(running)
    assert running.password_file.read_text() == running.password


def test_the_password_is_on_no_command_line_and_in_no_log(own: EmbeddedServer) -> None:
    running = own.start()
    assert running.password not in " ".join(psutil.Process(running.pid).cmdline())
    for file in own.path.rglob("*"):
        if file.is_file() and file != running.password_file and file.stat().st_size < 10**7:
            assert running.password.encode() not in file.read_bytes(), file


def test_a_wrong_password_in_the_file_is_named(own: EmbeddedServer) -> None:
    running = own.start()
    running.password_file.write_text("wrong")
    try:
        with pytest.raises(ServerError, match=f"refuses the password in {running.password_file}"):
            own.start()
    finally:
        running.password_file.write_text(running.password)
    assert own.start().pid == running.pid


def test_a_server_that_we_have_no_record_of_keeps_its_folder(own: EmbeddedServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("knowledge.database.embedded.folder.LET_GO_SECONDS", 0.5)
    record = own.path / "server.json"
    text = record.read_text()
    record.unlink()
    try:
        for attempt in (own.start, own.reset):
            with pytest.raises(ServerError, match="another server, which Gavel did not start"):
                attempt()
    finally:
        record.write_text(text)
    assert own.status().state == "running"


def test_a_pid_and_a_port_that_were_taken_meanwhile_are_left_to_their_new_owners(stopping: EmbeddedServer) -> None:
    running = stopping.start()
    stopping.stop()
    port = int(running.uri.rpartition(":")[2])
    sleeper = [sys.executable, "-c", "import time; time.sleep(600)", mark(stopping.path)]
    with subprocess.Popen(sleeper) as stranger, socket.socket() as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(("127.0.0.1", port))
        listener.listen()
        record = stopping.path / "server.json"
        record.write_text(record.read_text().replace(f'"pid": {running.pid}', f'"pid": {stranger.pid}'))
        assert stopping.status().state == "stopped"
        assert not stopping.stop()
        again = stopping.start()
        assert again.pid != stranger.pid
        assert not again.uri.endswith(f":{port}")
        assert stranger.poll() is None
        stranger.kill()


def test_a_server_that_dies_in_the_middle_of_a_statement_loses_nothing_and_is_started_again(own: EmbeddedServer) -> None:
    running = own.start()
    add(running, "Confirmed")
    failures: list[BaseException] = []

    def ask() -> None:
        try:
            database.read(ENDLESS)
        except BaseException as error:
            failures.append(error)

    with open_database(running) as database:
        thread = threading.Thread(target=ask)
        thread.start()
        while not database.read("SHOW TRANSACTIONS YIELD currentQuery WHERE currentQuery STARTS WITH 'UNWIND' RETURN 1 AS one"):
            time.sleep(0.05)
        psutil.Process(running.pid).send_signal(signal.SIGKILL)
        began = time.monotonic()
        thread.join(timeout=30)
        assert time.monotonic() - began < 15
        assert [type(error) for error in failures] == [DatabaseError]
        assert "gavel db status" in str(failures[0])
        assert own.status().state == "stopped"
        again = own.start()
        assert again.uri == running.uri
        assert database.read("MATCH (n:Confirmed) RETURN count(n) AS c") == [{"c": 1}]


def test_a_dump_brings_the_data_back_and_a_damaged_one_changes_nothing(own: EmbeddedServer, tmp_path: Path) -> None:
    running = own.start()
    add(running, "Dumped")
    file = tmp_path / "gavel.dump"
    dump = own.dump(file)
    assert dump.version == own.version
    assert own.status().state == "running"
    add(own.start(), "Later")

    damaged = tmp_path / "damaged.dump"
    damaged.write_bytes(file.read_bytes()[:-5000])
    before = own.status()
    with pytest.raises(StoreError, match="nothing was changed"):
        own.restore(damaged)
    assert own.status() == before
    assert count(own.start(), "Later") == 1

    own.restore(file)
    assert (count(own.start(), "Dumped"), count(own.start(), "Later")) == (1, 0)
    with pytest.raises(StoreError, match="exists"):
        own.dump(file)


def test_a_dump_of_another_version_is_refused_by_name(own: EmbeddedServer, tmp_path: Path) -> None:
    from knowledge.database.embedded import backup
    from knowledge.database.embedded.progress import silent

    (tmp_path / "store").mkdir()
    (tmp_path / "store" / "file").touch()
    backup.pack(tmp_path / "store", "2031.01.0", tmp_path / "newer.dump", silent)
    pid = own.start().pid
    with pytest.raises(StoreError, match=r"Neo4j 2031\.01\.0"):
        own.restore(tmp_path / "newer.dump")
    assert own.start().pid == pid


def test_a_reset_leaves_an_empty_database_with_another_password(stopping: EmbeddedServer) -> None:
    before = stopping.start()
    add(before, "Gone")
    assert stopping.reset()
    assert stopping.status().state == "stopped"
    assert not stopping.reset()
    after = stopping.start()
    assert after.password != before.password
    assert count(after, "Gone") == 0


def test_nothing_to_dump_is_said(tmp_path: Path, neo4j_version: str) -> None:
    with pytest.raises(StoreError, match="nothing to dump"):
        EmbeddedServer(tmp_path, neo4j_version).dump(tmp_path / "x")


def test_without_network_and_jars_the_start_says_so_and_leaves_the_folder_usable(tmp_path: Path, neo4j_version: str) -> None:
    server = EmbeddedServer(tmp_path / "data", neo4j_version, repository=tmp_path / "m2", remote="http://127.0.0.1:9")
    with pytest.raises(ServerError, match="is there a network"):
        server.start()
    assert server.status().state == "stopped"
    assert not (server.path / "store").exists()


STEPS = [
    ("folder", "Folder.check_store", "1", "before"),
    ("jars", "fetch", "1", "after"),
    ("folder", "write", "1", "after"),
    ("folder", "write", "2", "before"),
    ("folder", "write", "2", "after"),
    ("folder", "write", "3", "after"),
    ("folder", "write", "4", "after"),
    ("folder", "write", "5", "before"),
    ("folder", "write", "5", "after"),
    ("launcher", "launch", "1", "after"),
    ("launcher", "Launcher._greets", "1", "before"),
    ("launcher", "Launcher.run", "1", "after"),
]
QUICK = {3, 9}


@pytest.mark.parametrize(
    "step", [pytest.param(s, id="-".join(s), marks=[] if i in QUICK else [pytest.mark.full]) for i, s in enumerate(STEPS)]
)
def test_a_starter_killed_at_any_step_leaves_a_folder_that_the_next_start_takes(
    step: tuple[str, str, str, str], tmp_path: Path, neo4j_version: str
) -> None:
    script = Path(__file__).with_name("start_and_die.py")
    done = subprocess.run([sys.executable, str(script), str(tmp_path), neo4j_version, *step], check=False, timeout=300)
    assert done.returncode == -signal.SIGKILL
    server = EmbeddedServer(tmp_path, neo4j_version)
    try:
        running = server.start()
        add(running, "Works")
        assert servers_of(server.path) == [running.pid]
        assert running.password_file.stat().st_mode & 0o777 == 0o600
    finally:
        server.stop()
    assert servers_of(server.path) == []
