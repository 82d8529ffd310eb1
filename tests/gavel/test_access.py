"""Who has read what, from a question to `gavel audit --access`."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from gavel.app import App
from gavel.settings import Settings
from knowledge.database.connection import Database
from tests.conftest import wipe
from tests.gavel.conftest import Gavel

ROOT = Path(__file__).parents[2]
QUESTION = "Who made Alder?"
KILLED_AFTER_ITS_ANSWER = f"""
import os, signal
from gavel.app import App
from gavel.settings import Settings
result = App(Settings()).graph().invoke({{"question": "{QUESTION}"}})
print(result["trace_id"], result["stop_reason"], result["spent"]["queries"], flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture
def own(gavel: Gavel, environment: pytest.MonkeyPatch, empty_kg: Path, shared_database: Database, tmp_path: Path) -> Iterator[Gavel]:
    """A kg of one public fact, with a journal and a record of accesses that are this test's own."""
    wipe(shared_database)
    environment.setenv("GAVEL_JOURNAL", f"sqlite:///{tmp_path / 'journal.sqlite'}")
    _forget(empty_kg)
    (tmp_path / "facts.tsv").write_text("Alder\tmade_by\tBoreal\n")
    assert gavel("load", "facts.tsv", "--namespace", "team").code == 0
    yield gavel
    _forget(empty_kg)


@pytest.fixture
def restricted(own: Gavel, tmp_path: Path) -> Gavel:
    """With a second fact that is not public."""
    fact = {"subject": "Birch", "relation": "made_by", "object": "Boreal", "access_level": "internal"}
    (tmp_path / "more.jsonl").write_text(json.dumps(fact) + "\n")
    assert own("load", "more.jsonl", "--namespace", "team").code == 0
    return own


def _forget(folder: Path) -> None:
    for file in folder.glob("access.*"):
        file.unlink()


def ask(gavel: Gavel, *options: str) -> dict[str, Any]:
    return dict(json.loads(gavel("ask", QUESTION, *options, "--format", "json").out))


def seen(gavel: Gavel, *filters: str) -> list[dict[str, Any]]:
    told = gavel("audit", "--access", *filters, "--format", "json")
    assert told.code == 0, told.err
    return list(json.loads(told.out))


def test_a_question_is_recorded_statement_by_statement_and_it_is_found_who_has_seen_a_fact(own: Gavel) -> None:
    result = ask(own)
    rows = seen(own, "--run", result["trace_id"][:10])
    assert result["stop_reason"] == "answered" and len(rows) == result["spent"]["queries"]
    assert {(row["principal"], row["run"], *row["namespaces"], row["restricted"]) for row in rows} == {
        ("local", result["trace_id"], "team", False)
    }
    [fact] = result["evidence"]
    assert {row["run"] for row in seen(own, "--id", fact)} == {result["trace_id"]} and seen(own, "--id", fact[:-1]) == []
    assert [row["at"] for row in rows] == sorted((row["at"] for row in rows), reverse=True)
    shown = own("audit", "--access", "--limit", "1").out
    assert shown.splitlines()[0].split()[:3] == ["at", "by", "run"] and result["trace_id"][:12] in shown
    assert "Alder" not in json.dumps(rows) and "Boreal" not in json.dumps(rows)


def test_others_see_their_own_and_a_person_who_may_read_everything_sees_all(own: Gavel, environment: pytest.MonkeyPatch) -> None:
    environment.setenv("GAVEL_TOKEN", ann := own("principal", "add", "ann", "--kind", "person", "--everything").out.strip())
    bot = own("principal", "add", "bot", "--kind", "agent", "--reads", "team").out.strip()
    of_ann = ask(own)
    environment.setenv("GAVEL_TOKEN", bot)
    of_bot = ask(own)
    assert {row["run"] for row in seen(own)} == {of_bot["trace_id"]} and seen(own, "--run", of_ann["trace_id"]) == []
    refused = own("audit", "--access", "--principal", "ann")
    assert (refused.out, refused.code) == ("", 1) and "a person who may read everything" in refused.err
    environment.setenv("GAVEL_TOKEN", ann)
    assert {(row["principal"], row["run"]) for row in seen(own)} == {("ann", of_ann["trace_id"]), ("bot", of_bot["trace_id"])}
    assert {row["run"] for row in seen(own, "--principal", "bot", "--namespace", "team")} == {of_bot["trace_id"]}
    environment.setenv("GAVEL_TOKEN", "")
    assert "nobody acts without a token" in own("audit", "--access").err


def test_what_is_restricted_is_on_the_disk_before_the_answer_whatever_happens_next(restricted: Gavel) -> None:
    died = subprocess.run(
        [sys.executable, "-c", KILLED_AFTER_ITS_ANSWER], cwd=ROOT, env=dict(os.environ), capture_output=True, text=True, check=False
    )
    assert died.returncode == -signal.SIGKILL, died.stderr
    run, ended, queries = died.stdout.split()
    rows = seen(restricted, "--run", run)
    assert ended == "answered" and len(rows) == int(queries) and all(row["restricted"] for row in rows)


def test_with_a_broken_store_public_answers_go_on_and_the_doctor_tells_what_is_lost(own: Gavel, empty_kg: Path) -> None:
    (empty_kg / "access.sqlite").write_bytes(b"\x00garbage" * 1000)
    result = ask(own)
    assert result["stop_reason"] == "answered"
    refused = own("audit", "--access")
    assert refused.code == 1 and "move it away" in refused.err
    checks = {each["check"]: each for each in json.loads(own("doctor", "--format", "json").out)}
    assert checks["access"]["state"] == "failure" and "move it away" in checks["access"]["advice"]
    (empty_kg / "access.sqlite").unlink()
    checks = {each["check"]: each for each in json.loads(own("doctor", "--format", "json").out)}
    lost = int(checks["access"]["found"].split()[0])
    assert checks["access"]["state"] == "warning" and lost >= result["spent"]["queries"] and "access.lost" in checks["access"]["advice"]
    (empty_kg / "access.lost").unlink()
    assert {each["check"]: each["state"] for each in json.loads(own("doctor", "--format", "json").out)}["access"] == "ok"


def test_with_a_broken_store_nothing_restricted_is_shown(restricted: Gavel, empty_kg: Path) -> None:
    (empty_kg / "access.sqlite").write_bytes(b"\x00garbage" * 1000)
    told = restricted("ask", QUESTION)
    assert told.code == 1 and "Boreal" not in told.out
    assert "cannot be recorded" in told.out + told.err
    schema = restricted("schema")
    assert schema.code == 1 and "nothing that is not public is shown" in schema.err


def test_remembering_looks_first_and_that_is_recorded(own: Gavel, environment: pytest.MonkeyPatch) -> None:
    environment.setenv("GAVEL_REGISTRY", str(ROOT / "docs" / "NAMESPACE_REGISTRY.yaml"))
    with App(Settings()) as app:
        result = app.remember_graph().invoke({"question": "Remember that Alder was made by Boreal in 2020"})
        rows = app.access.seen(app.grants(), run=result["trace_id"])
    assert {(row.principal, row.tool) for row in rows} == {("local", "search_facts")}


@pytest.mark.parametrize("options", [("--principal", "ann"), ("--run", "abc"), ("--id", "x"), ("--access", "--kind", "write")])
def test_options_that_do_not_go_together_are_refused(own: Gavel, options: tuple[str, ...]) -> None:
    refused = own("audit", *options)
    assert (refused.out, refused.code) == ("", 2) and "--access" in refused.err
