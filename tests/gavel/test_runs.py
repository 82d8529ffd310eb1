"""The traces of runs: whole or not at all, kept for a set time, never in the way of an answer."""

import sqlite3
import stat
import threading
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from gavel.runs import Runs
from graphs.state import Result
from graphs.trace import Event, RunRecord
from knowledge.errors import ConfigError

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


def run(trace_id: str = "t-1", began: datetime = NOON) -> RunRecord:
    events = (Event("turn", 0.5, {"agent": "intake", "问": "谁"}), Event("statement", 1.25, {"rows": 3}))
    result: Result = {"answer": "Boreal.", "stop_reason": "answered", "confidence": 0.9, "spent": {"queries": 3.0}}
    return RunRecord(trace_id, began, "Who made Alder?", result, {"planner": "abc"}, events)


def test_a_run_comes_back_with_its_events_in_order(tmp_path: Path) -> None:
    runs = Runs(tmp_path / "deep" / "runs.sqlite", 90)
    runs.finished(run())
    found = runs.find("t-1")
    assert found is not None
    assert (found.question, found.began, found.spent, found.prompts) == ("Who made Alder?", NOON, {"queries": 3.0}, {"planner": "abc"})
    assert [(event.kind, event.milliseconds, event.detail) for event in found.events] == [
        ("turn", 0.5, {"agent": "intake", "问": "谁"}),
        ("statement", 1.25, {"rows": 3}),
    ]


def test_a_run_saved_twice_is_one_run(tmp_path: Path) -> None:
    runs = Runs(tmp_path / "runs.sqlite", 90)
    runs.finished(run())
    runs.finished(run())
    assert [found.trace_id for found in runs.recent()] == ["t-1"]


def test_old_runs_go_with_their_events_when_a_new_one_is_written(tmp_path: Path) -> None:
    runs = Runs(tmp_path / "runs.sqlite", 30)
    runs.finished(run("old", NOON - timedelta(days=31)))
    runs.finished(run("young", NOON - timedelta(days=29)))
    runs.finished(run("new"))
    assert [found.trace_id for found in runs.recent()] == ["new", "young"]
    assert runs.find("old") is None


def test_zero_days_keep_runs_for_ever(tmp_path: Path) -> None:
    runs = Runs(tmp_path / "runs.sqlite", 0)
    runs.finished(run("old", NOON - timedelta(days=9999)))
    runs.finished(run("new"))
    assert len(runs.recent()) == 2


def test_looking_creates_no_file(tmp_path: Path) -> None:
    runs = Runs(tmp_path / "runs.sqlite", 90)
    assert (runs.find("t-1"), runs.recent()) == (None, [])
    assert list(tmp_path.iterdir()) == []


def test_the_file_is_readable_by_its_owner_only(tmp_path: Path) -> None:
    Runs(tmp_path / "runs.sqlite", 90).finished(run())
    assert stat.S_IMODE((tmp_path / "runs.sqlite").stat().st_mode) == 0o600


def test_a_run_that_cannot_be_written_is_logged_and_does_not_raise(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "file").write_text("in the way")
    Runs(tmp_path / "file" / "runs.sqlite", 90).finished(run())
    assert "t-1" in caplog.text


def test_many_threads_may_write_at_once(tmp_path: Path) -> None:
    runs = Runs(tmp_path / "runs.sqlite", 90)
    threads = [threading.Thread(target=runs.finished, args=(run(f"t-{n}"),)) for n in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(runs.recent(100)) == 16


def test_a_closed_file_opens_again_when_needed(tmp_path: Path) -> None:
    runs = Runs(tmp_path / "runs.sqlite", 90)
    runs.finished(run())
    runs.close()
    runs.close()
    assert runs.find("t-1") is not None


@pytest.mark.parametrize("damage", ["garbage", "folder", "other tables"])
def test_a_file_that_is_no_file_of_runs_is_named_with_what_to_do(damage: str, tmp_path: Path) -> None:
    file = tmp_path / "runs.sqlite"
    if damage == "garbage":
        file.write_bytes(b"\x00garbage" * 1000)
    elif damage == "folder":
        file.mkdir()
    else:
        other = sqlite3.connect(file)
        other.execute("PRAGMA user_version = 99")
        other.close()
    runs = Runs(file, 90)
    runs.finished(run())
    for look in (lambda: runs.find("t-1"), runs.recent):
        with pytest.raises(ConfigError, match="move it away"):
            look()


def test_a_run_that_held_a_text_is_forgotten_and_nothing_of_it_is_left_in_the_file(tmp_path: Path) -> None:
    runs = Runs(tmp_path / "runs.sqlite", 0)
    secret = 'the "password" is swordfish'
    held = RunRecord("held", NOON, "Remember it.", {}, {}, (Event("turn", 0.5, {"body": f"so: {secret}"}),))
    runs.finished(held)
    runs.finished(run("other"))
    assert runs.forget([]) == 0
    assert runs.forget([secret, secret.replace('"', '\\"')]) == 1
    assert [found.trace_id for found in runs.recent()] == ["other"] and runs.find("other").events
    assert [file.name for file in tmp_path.iterdir() if b"swordfish" in file.read_bytes()] == []


def test_a_file_of_an_earlier_release_gets_the_limits_that_held_of_new_runs(tmp_path: Path) -> None:
    file = tmp_path / "runs.sqlite"
    earlier = Runs(file, 0)
    earlier.finished(run("old"))
    earlier.close()
    with sqlite3.connect(file) as plain:
        plain.execute("ALTER TABLE runs DROP COLUMN limits")
        plain.execute("PRAGMA user_version = 2")
    runs = Runs(file, 0)
    runs.finished(replace(run("new"), limits={"queries": 3}))
    assert [(found.trace_id, found.limits) for found in (runs.find("old"), runs.find("new")) if found] == [
        ("old", {}),
        ("new", {"queries": 3}),
    ]
