"""Rows are kept once each and in order; what is restricted is on the disk before it is shown, and nothing of it is ever lost in silence."""

import logging
import multiprocessing
import sqlite3
import stat
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from knowledge.access import log as module
from knowledge.access import table
from knowledge.access.access import LONGEST_ID, MOST_IDS, Access
from knowledge.access.log import AccessLog
from knowledge.errors import AuditError, ScopeError
from knowledge.scope import EVERY_NAMESPACE, LOCAL, Grants, Scope
from tests.knowledge.access.world import ROW, access

ROOT = Path(__file__).parents[3]
ALL = frozenset({EVERY_NAMESPACE})
AT = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "access.sqlite"


@pytest.fixture
def log(file: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[AccessLog]:
    """One that writes nothing by itself within a test."""
    monkeypatch.setattr(module, "PAUSE_SECONDS", 3600.0)
    made = AccessLog(file, 0)
    yield made
    made.close()


def kept(file: Path) -> list[str]:
    """The ids that are on the disk, as another process sees them."""
    if not file.exists():
        return []
    connection = sqlite3.connect(file)
    try:
        return [str(row[0]) for row in connection.execute("SELECT json_extract(ids, '$[0]') FROM access ORDER BY seq")]
    finally:
        connection.close()


def in_a_process(*arguments: object) -> "subprocess.Popen[bytes]":
    return subprocess.Popen([sys.executable, "-m", "tests.knowledge.access.read_in_a_process", *map(str, arguments)], cwd=ROOT)


def test_public_reads_are_written_in_a_batch_and_restricted_ones_at_once_with_what_waited(log: AccessLog, file: Path) -> None:
    log.note(access(ids=("a",)))
    log.note(access(ids=("b",)))
    assert kept(file) == []
    log.note(access(ids=("c",), restricted=True))
    assert kept(file) == ["a", "b", "c"]
    log.note(access(ids=("d",)))
    log.flush()
    assert kept(file) == ["a", "b", "c", "d"]


def test_a_public_read_is_written_soon_by_itself(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written = threading.Event()
    monkeypatch.setattr(module, "PAUSE_SECONDS", 0.01)
    log = AccessLog(file, 0)
    monkeypatch.setattr(log, "_write", lambda batch: written.set())
    log.note(access())
    assert written.wait(30)


def test_what_waits_is_written_at_the_end_of_a_process_and_by_closing(log: AccessLog, file: Path) -> None:
    log.note(access(ids=("own",)))
    log.close()
    log.close()
    assert in_a_process(file, "other", "public", 3).wait(60) == 0
    assert kept(file) == ["own", "other-0", "other-1", "other-2"]


def test_a_full_batch_does_not_wait(log: AccessLog, file: Path) -> None:
    for number in range(module.BATCH):
        log.note(access(ids=(str(number),)))
    assert kept(file) == [str(number) for number in range(module.BATCH)]


def test_a_restricted_read_survives_a_kill_right_after_it(file: Path) -> None:
    assert in_a_process(file, "bot", "restricted", 3, "kill").wait(60) == -9
    assert kept(file) == ["bot-0", "bot-1", "bot-2"]


@pytest.mark.parametrize("kind", [False, True])
def test_eight_threads_lose_and_double_nothing(log: AccessLog, file: Path, kind: bool) -> None:
    def read(thread: int) -> None:
        for number in range(25):
            log.note(access(ids=(f"{thread}-{number}",), restricted=kind and number % 5 == 0))

    threads = [threading.Thread(target=read, args=(thread,)) for thread in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    log.flush()
    assert Counter(kept(file)) == Counter(f"{thread}-{number}" for thread in range(8) for number in range(25))


def test_processes_share_the_file(file: Path) -> None:
    processes = [in_a_process(file, name, kind, 40) for name, kind in (("one", "restricted"), ("two", "public"), ("three", "restricted"))]
    assert [process.wait(120) for process in processes] == [0, 0, 0]
    found = kept(file)
    assert len(found) == 120 and [id_ for id_ in found if id_.startswith("one")] == [f"one-{number}" for number in range(40)]


def test_a_forked_process_writes_its_own_and_leaves_the_parents_alone(log: AccessLog, file: Path) -> None:
    log.note(access(ids=("before",), restricted=True))
    log.note(access(ids=("parent",)))

    def read() -> None:
        log.note(access(ids=("child",)))
        log.close()

    child = multiprocessing.get_context("fork").Process(target=read)
    child.start()
    child.join(30)
    log.flush()
    assert child.exitcode == 0 and kept(file) == ["before", "child", "parent"]


def test_rows_are_private_and_never_changed(log: AccessLog, file: Path) -> None:
    log.note(access(restricted=True))
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    connection = sqlite3.connect(file)
    with pytest.raises(sqlite3.IntegrityError, match="never changed"):
        connection.execute("UPDATE access SET principal = 'eve'")
    connection.close()


def test_rows_are_kept_for_so_many_days(file: Path) -> None:
    at = [AT]
    log = AccessLog(file, 30, lambda: at[0])
    for day in (0, 20, 40, 60):
        at[0] = AT + timedelta(days=day)
        log.note(access(at=at[0].isoformat(timespec="microseconds"), ids=(str(day),), restricted=True))
    log.close()
    assert kept(file) == ["40", "60"]


def test_what_is_kept_for_ever_is(file: Path) -> None:
    log = AccessLog(file, 0, lambda: AT + timedelta(days=50_000))
    log.note(access(restricted=True))
    log.close()
    assert kept(file) == ["id-1"]


@pytest.mark.parametrize("damage", ["garbage", "folder", "newer"])
def test_a_broken_store_refuses_what_is_restricted_lets_public_reads_go_on_and_counts_what_is_lost(
    damage: str, file: Path, caplog: pytest.LogCaptureFixture
) -> None:
    if damage == "garbage":
        file.write_bytes(b"\x00garbage" * 1000)
    elif damage == "folder":
        file.mkdir()
    else:
        with sqlite3.connect(file) as newer:
            newer.execute("PRAGMA user_version = 99")
    log = AccessLog(file, 0, lambda: AT)
    with caplog.at_level(logging.WARNING):
        for _ in range(3):
            log.note(access())
        for _ in range(2):
            with pytest.raises(AuditError, match=r"nothing that is not public is shown; free space or mend the file, or move it away"):
                log.note(access(restricted=True))
        with pytest.raises(AuditError, match="move it away"):
            log.probe()
        with pytest.raises(AuditError, match="cannot be read"):
            log.seen(LOCAL)
        log.close()
    assert len([record for record in caplog.records if "cannot be recorded" in record.message]) == 1
    loss = log.lost.told()
    assert loss is not None and (loss.rows, loss.since) == (3, AT.isoformat()) and loss.why


def test_a_store_that_is_full_keeps_what_waits_until_there_is_room(log: AccessLog, file: Path) -> None:
    log.note(access(ids=("first",), restricted=True))
    full = log._open()
    full.execute(f"PRAGMA max_page_count = {full.execute('PRAGMA page_count').fetchone()[0]}")
    many = tuple(f"{number:060}" for number in range(MOST_IDS))
    log.note(access(ids=("waits",)))
    with pytest.raises(AuditError, match="full"):
        log.note(access(ids=many, restricted=True))
    assert kept(file) == ["first"]
    log.note(access(ids=("later",), restricted=True))
    assert kept(file) == ["first", "waits", "later"] and log.lost.told() is None


def test_more_than_can_wait_is_dropped_and_counted(log: AccessLog, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_WAITING", 4)
    file.mkdir()
    for number in range(6):
        log.note(access(ids=(str(number),)))
    log.flush()
    loss = log.lost.told()
    assert loss is not None and loss.rows == 2
    file.rmdir()
    log.flush()
    assert kept(file) == ["2", "3", "4", "5"]


def test_a_file_that_was_removed_is_begun_anew_and_not_written_into_the_void(log: AccessLog, file: Path) -> None:
    log.note(access(ids=("gone",), restricted=True))
    for left in file.parent.glob("access.sqlite*"):
        left.unlink()
    log.note(access(ids=("new",), restricted=True))
    assert kept(file) == ["new"]


def test_losses_are_told_also_where_a_line_is_not_whole(log: AccessLog) -> None:
    assert log.lost.told() is None
    log.lost.add(5, AT, "the disk was full")
    with log.lost.file.open("a") as opened:
        opened.write('{"rows": 7, "at"\n')
    loss = log.lost.told()
    assert loss is not None and loss.rows == 6


@pytest.fixture
def full(log: AccessLog) -> AccessLog:
    """What bot and eve have read."""
    log.note(access("bot", run="abc-1", ids=("e1", "f1"), namespaces=("team",)))
    log.note(access("eve", run="abd-2", ids=("e1",), namespaces=("secret", "team")))
    log.note(access("bot", run="abd-3", ids=("e11",), namespaces=("teams",)))
    return log


@pytest.mark.parametrize(
    ("asked", "runs"),
    [
        ({}, ["abd-3", "abd-2", "abc-1"]), ({"principal": "bot"}, ["abd-3", "abc-1"]), ({"run": "abd"}, ["abd-3", "abd-2"]), ({"run": "%"}, []),
        ({"namespace": "team"}, ["abd-2", "abc-1"]), ({"id_": "e1"}, ["abd-2", "abc-1"]), ({"id_": "f1", "principal": "eve"}, []),
        ({"limit": 1}, ["abd-3"]), ({"id_": '"'}, []), ({"principal": "' OR 1=1 --"}, []),
    ],
)  # fmt: skip
def test_a_person_who_may_read_everything_finds_who_has_seen_what(full: AccessLog, asked: dict[str, object], runs: list[str]) -> None:
    person = Grants("ann", "person", ALL, frozenset(), ALL, ALL)
    assert [row.run for row in full.seen(person, **asked)] == runs  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "who", [Grants("bot", "agent", ALL, ALL, ALL, ALL), Grants("bot", "person", ALL, ALL), Grants("bot", "person", frozenset({"team"}), ALL, ALL, ALL)]
)  # fmt: skip
def test_all_others_see_what_they_have_read_themselves(full: AccessLog, who: Grants) -> None:
    assert [row.run for row in full.seen(who)] == [row.run for row in full.seen(who, principal="bot")] == ["abd-3", "abc-1"]
    assert full.seen(who, run="abd-2") == []
    with pytest.raises(ScopeError, match="a person who may read everything"):
        full.seen(who, principal="eve")


def test_a_row_comes_back_as_it_was_noted_and_looking_makes_no_file(log: AccessLog, file: Path) -> None:
    assert log.seen(LOCAL) == [] and not file.exists()
    log.note(ROW)
    assert log.seen(LOCAL) == [ROW]


def of(ids: list[str], **scope: frozenset[str]) -> Access:
    return Access.of(AT, ("bot", "run"), "link", Scope(frozenset({"b", "a"}), **scope), "MATCH (n) RETURN n", ids, 3)


def test_ids_are_told_once_and_cut_with_how_many_more_there_were() -> None:
    made = of(["x", "x", "y" * (LONGEST_ID + 5)])
    assert (made.ids, made.more) == (("x", "y" * LONGEST_ID), 0)
    numbered = of([str(number) for number in range(MOST_IDS + 5)])
    assert (len(numbered.ids), numbered.more, numbered.namespaces) == (MOST_IDS, 5, ("a", "b"))


@pytest.mark.parametrize(
    ("scope", "restricted"),
    [
        ({}, False), ({"access_levels": frozenset[str]()}, False), ({"access_levels": frozenset({"public", "internal"})}, True),
        ({"access_levels": frozenset({"internal"})}, True), ({"visibility_groups": frozenset({"", "board"})}, True),
    ],
)  # fmt: skip
def test_what_could_bring_up_more_than_is_public_is_restricted(scope: dict[str, frozenset[str]], restricted: bool) -> None:
    assert of([], **scope).restricted is restricted


def test_what_is_written_waits_for_the_disk(tmp_path: Path) -> None:
    connection = table.connect(tmp_path / "access.sqlite")
    assert connection.execute("PRAGMA synchronous").fetchone() == (2,), "FULL, as SQLite numbers it"
    connection.close()
