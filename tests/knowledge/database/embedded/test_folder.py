"""What stands beside a store, and what is refused before a server may touch it."""

import fcntl
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from knowledge.database.embedded import EmbeddedServer
from knowledge.database.embedded import folder as embedded_folder
from knowledge.database.embedded.folder import Folder, Record, check_version
from knowledge.database.embedded.logs import last_lines
from knowledge.database.embedded.process import Identity
from knowledge.database.embedded.progress import silent
from knowledge.errors import ServerError, StoreError

RECORD = Record("2026.09.0", 7687, Identity(1, 2.0, "mark"), "archive")


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    folder = Folder(tmp_path, "2026.09.0")
    with folder.locked(silent):
        folder.prepare()
    return folder


def test_each_major_version_has_a_folder_of_its_own(tmp_path: Path) -> None:
    assert Folder(tmp_path, "2026.09.0").home == tmp_path / "neo4j-2026"
    assert Folder(tmp_path, "5.26.20").home == tmp_path / "neo4j-5"


def test_password_and_record_are_readable_by_their_owner_only(folder: Folder) -> None:
    folder.write(RECORD)
    for file in (folder.password_file, folder.home / "server.json", folder.store / "data" / "dbms" / "auth.ini"):
        assert file.stat().st_mode & 0o777 == 0o600
    assert folder.home.stat().st_mode & 0o777 == 0o700


def test_preparing_again_keeps_the_password(folder: Folder) -> None:
    before = folder.password()
    folder.prepare()
    assert folder.password() == before
    assert len(before) >= 32


def test_a_record_comes_back_and_a_broken_one_counts_as_none(folder: Folder) -> None:
    folder.write(RECORD)
    assert folder.read() == RECORD
    for text in ("", "{", "[]", '{"version": "x"}', '{"version": "1", "port": "no", "identity": {}, "archive": ""}'):
        (folder.home / "server.json").write_text(text)
        assert folder.read() is None


@pytest.mark.parametrize(
    ("made_by", "says"),
    [
        ("2026.10.0", r"made by Neo4j 2026\.10\.0, which is newer than 2026\.09\.0; set GAVEL_NEO4J_VERSION=2026\.10"),
        ("2027.01.1", "newer than"),
        ("5.26.20", r"another major version than 2026\.09\.0; set GAVEL_NEO4J_VERSION=5\.26"),
    ],
)
def test_a_store_of_a_newer_or_other_version_is_refused_by_name(folder: Folder, made_by: str, says: str) -> None:
    (folder.store / "version").write_text(made_by)
    with pytest.raises(StoreError, match=says):
        folder.check_store()


def test_a_store_of_the_same_or_an_older_version_is_accepted() -> None:
    check_version("2026.09.0", "2026.09.0", "it")
    check_version("2026.05.3", "2026.09.0", "it")


def test_a_store_of_unknown_version_is_refused(folder: Folder) -> None:
    (folder.store / "data" / "databases").mkdir(parents=True)
    (folder.store / "version").unlink()
    with pytest.raises(StoreError, match="unknown version"):
        folder.check_store()


def test_a_store_that_another_server_holds_is_refused(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedded_folder, "LET_GO_SECONDS", 0.2)
    lock = folder.store / "data" / "databases" / "store_lock"
    lock.parent.mkdir(parents=True)
    lock.touch()
    folder.check_unused()
    script = "import fcntl, sys; f = open(sys.argv[1], 'rb+'); fcntl.lockf(f, fcntl.LOCK_EX); print(flush=True); sys.stdin.read()"
    with subprocess.Popen([sys.executable, "-c", script, str(lock)], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        holder.stdout.readline()
        with pytest.raises(ServerError, match="another server, which Gavel did not start"):
            folder.check_unused()
        holder.communicate()
    folder.check_unused()


def test_a_folder_of_another_user_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only root can give a folder away; anybody else becomes another user in the eyes of Gavel."""
    folder = Folder(tmp_path, "2026.09.0")
    folder.home.mkdir()
    if os.getuid() == 0:
        os.chown(folder.home, 12345, -1)
    else:
        monkeypatch.setattr(os, "getuid", lambda: 12345)
    with pytest.raises(ServerError, match="belongs to another user"), folder.locked(silent):
        pass
    assert not list(folder.home.iterdir())


def test_a_place_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(ServerError, match=r"cannot use .*/file/neo4j-2026"), Folder(tmp_path / "file", "2026.09.0").locked(silent):
        pass


def test_too_little_space_is_said_before_anything_is_written(folder: Folder) -> None:
    folder.check_space(1)
    with pytest.raises(ServerError, match="free some space"):
        folder.check_space(1 << 60)


def test_a_lost_password_is_not_replaced_by_a_new_one(folder: Folder) -> None:
    (folder.store / "data" / "databases" / "system").mkdir(parents=True)
    folder.password_file.unlink()
    with pytest.raises(ServerError, match="put it back into"):
        folder.prepare()


def test_who_comes_second_waits_and_says_so(folder: Folder) -> None:
    said: list[str] = []

    def second() -> None:
        with folder.locked(lambda done, total, label: said.append(label)):
            said.append("in")

    with (folder.home / "start.lock").open() as gate:
        fcntl.flock(gate, fcntl.LOCK_EX)
        thread = threading.Thread(target=second)
        thread.start()
        deadline = time.monotonic() + 10
        while not said and time.monotonic() < deadline:
            time.sleep(0.01)
        assert said == ["waiting for another process that starts or stops this database"]
    thread.join()
    assert said[-1] == "in"


def marked(path: Path, mark: str) -> Path:
    path.mkdir(parents=True)
    (path / "mark").write_text(mark)
    return path


@pytest.mark.parametrize(
    ("present", "survives"),
    [
        ({"store.before": "old"}, "old"),
        ({"store.before": "old", "store": "new"}, "new"),
        ({"store.discarded": "old", "store": "new"}, "new"),
        ({"store.discarded": "old"}, ""),
        ({"store": "new"}, "new"),
    ],
)
def test_a_replacement_killed_at_any_moment_leaves_one_whole_store(tmp_path: Path, present: dict[str, str], survives: str) -> None:
    folder = Folder(tmp_path, "2026.09.0")
    for name, mark in present.items():
        marked(folder.home / name, mark)
    with folder.locked(silent):
        left = {path.name for path in folder.home.iterdir()} - {"start.lock"}
        assert left == ({"store"} if survives else set())
        assert not survives or (folder.store / "mark").read_text() == survives


def test_replacing_and_discarding_a_store(tmp_path: Path) -> None:
    folder = Folder(tmp_path, "2026.09.0")
    folder.replace_store(marked(folder.home / "fresh", "one"))
    folder.replace_store(marked(folder.home / "fresh", "two"))
    assert (folder.store / "mark").read_text() == "two"
    assert [path.name for path in folder.home.iterdir()] == ["store"]
    assert folder.discard_store()
    assert not folder.discard_store()
    assert not list(folder.home.iterdir())


@pytest.mark.parametrize(
    "record",
    [b"[]", b"\xff\xfe", b'{"version": "1", "port": 7687, "identity": {"pid": "me", "created": 1, "mark": ""}, "archive": ""}',
     b'{"version": "1", "port": 7687, "identity": {"pid": -1, "created": 1, "mark": ""}, "archive": ""}',
     b'{"version": "1", "port": 7687, "identity": {"pid": 99999999999999999999, "created": 1, "mark": ""}, "archive": ""}'],
)  # fmt: skip
def test_a_record_that_names_no_process_is_none(record: bytes, folder: Folder) -> None:
    (folder.home / "server.json").write_bytes(record)
    assert folder.read() is None


def test_a_data_folder_that_is_a_file_holds_no_server(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    server = EmbeddedServer(tmp_path / "file")
    assert (server.status().state, server.logs()) == ("stopped", "")
    with pytest.raises(ServerError, match="Not a directory"):
        server.start()


def test_a_record_and_logs_that_we_may_not_read_are_named(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_text", refused)
    monkeypatch.setattr(Path, "open", refused)
    for look in (folder.read, lambda: last_lines(folder.home, 5)):
        with pytest.raises(ServerError, match="set GAVEL_DATA_DIR to a folder of your own"):
            look()


def test_a_stamp_that_is_no_text_is_an_unknown_version_and_a_password_that_is_none_is_still_read(folder: Folder) -> None:
    (folder.store / "version").write_bytes(b"\xff\xfe")
    folder.password_file.write_bytes(b"\xff\xfe")
    with pytest.raises(StoreError, match="was made by Neo4j"):
        folder.check_store()
    assert folder.made_by()
    assert folder.password()
