"""`gavel journal …`: what each command says and how it ends."""

import json
import sqlite3
from datetime import UTC, datetime
from pathlib import Path

import pytest

from gavel.app import App
from gavel.settings import Settings
from graphs.trace import Event, RunRecord
from knowledge.database.connection import Database
from knowledge.database.embedded import Running
from knowledge.journal.journal import Entry
from knowledge.remember.proposal import Proposal, Provenance
from knowledge.scope import Principal, Scope
from tests.conftest import wipe
from tests.gavel.conftest import Gavel
from tests.postgres import Cluster

REGISTRY = Path(__file__).parents[2] / "docs" / "NAMESPACE_REGISTRY.yaml"


@pytest.fixture
def folder(gavel: Gavel, environment: pytest.MonkeyPatch, server: Running, tmp_path: Path) -> Path:
    """A data folder of its own over the session's server."""
    environment.setenv("GAVEL_DATA_DIR", str(tmp_path / "data"))
    environment.setenv("GAVEL_NEO4J_URI", server.uri)
    environment.setenv("GAVEL_NEO4J_PASSWORD", server.password)
    with App(Settings()) as app, app.memory.journal.writing() as writing:
        writing.append([Entry("delegated"), Entry("revoked"), Entry("expired")])
    return tmp_path / "data"


def test_a_whole_journal_is_said_to_be_whole(gavel: Gavel, folder: Path) -> None:
    told = gavel("journal", "verify")
    assert (told.code, told.out) == (0, "the journal is as it was written\n")


def test_a_changed_journal_ends_with_1_and_names_the_event(gavel: Gavel, folder: Path) -> None:
    connection = sqlite3.connect(folder / "journal.sqlite")
    with connection:
        connection.execute("UPDATE events SET kind = 'granted' WHERE seq = 2")
    connection.close()
    told = gavel("journal", "verify")
    assert told.code == 1 and "event 2: event" in told.out and "was changed" in told.out
    assert json.loads(gavel("journal", "verify", "--format", "json").out)["faults"][0]["seq"] == 2


def test_an_export_is_for_its_owner_alone_and_overwrites_nothing(gavel: Gavel, folder: Path, tmp_path: Path) -> None:
    assert gavel("journal", "export", "out.jsonl").code == 0
    lines = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert [(line["seq"], line["kind"], line["text"]) for line in lines] == [
        (1, "delegated", None),
        (2, "revoked", None),
        (3, "expired", None),
    ]
    assert (tmp_path / "out.jsonl").stat().st_mode & 0o077 == 0
    told = gavel("journal", "export", "out.jsonl")
    assert told.code == 2 and "is there already" in told.err


def test_what_is_redacted_is_in_no_file_of_the_data_folder(gavel: Gavel, folder: Path, environment: pytest.MonkeyPatch) -> None:
    environment.setenv("GAVEL_REGISTRY", str(REGISTRY))
    told = {"name": "Lesson: swordfish - all", "episode_body": "the password is swordfish", "group_id": "technical_patterns"}
    with App(Settings()) as app:
        receipt = app.memory.inbox(Principal("bot", "agent", Scope(frozenset({"technical_patterns"}))), Provenance()).submit(
            Proposal.read(told)
        )
        app.runs.finished(RunRecord("t-1", datetime.now(UTC), "Remember.", {}, {}, (Event("turn", 0.5, told),)))
    assert {file.name for file in holding(folder)} == {"journal.sqlite", "runs.sqlite"}
    told_back = gavel("redact", receipt.id, "--format", "json")
    assert json.loads(told_back.out)["done"] and holding(folder) == [], told_back
    assert gavel("journal", "verify").code == 0


def holding(folder: Path) -> list[Path]:
    return [file for file in folder.rglob("*") if file.is_file() and b"swordfish" in file.read_bytes()]


@pytest.mark.parametrize("command", ["undo", "redact"])
def test_an_unknown_receipt_ends_with_1(gavel: Gavel, folder: Path, command: str) -> None:
    told = gavel(command, "nothing")
    assert told.code == 1 and "nothing" in told.out


def test_decisions_are_told_by_kind(gavel: Gavel, folder: Path) -> None:
    assert [event["kind"] for event in json.loads(gavel("audit", "--kind", "delegation", "--format", "json").out)] == [
        "delegated",
        "revoked",
    ]


def test_what_was_loaded_is_recorded_kept_and_brought_back(gavel: Gavel, folder: Path, shared_database: Database, tmp_path: Path) -> None:
    wipe(shared_database)
    (tmp_path / "facts.tsv").write_text("Alder\tmade_by\tBoreal\n")
    assert gavel("load", "facts.tsv", "--namespace", "team").code == 0
    assert gavel("journal", "baseline").out.startswith("team, version ")
    assert "(as recorded before)" in gavel("journal", "baseline").out
    assert gavel("journal", "snapshot", "team", "team.snapshot").code == 0
    assert [event["kind"] for event in json.loads(gavel("audit", "--kind", "load", "--format", "json").out)] == [
        "load_ended", "baseline", "snapshot",
    ]  # fmt: skip
    (tmp_path / "team.snapshot").rename(tmp_path / "moved")
    wipe(shared_database)
    assert "journal snapshot" in gavel("journal", "replay").err
    assert gavel("journal", "replay", "--snapshot", "moved").out == "team: 0 commits\n"
    assert gavel("journal", "verify", "--database").code == 0
    shared_database.write("MATCH (n:Entity {name: 'Alder'}) SET n.summary = 'told otherwise'")
    told = gavel("journal", "verify", "--database")
    assert told.code == 1 and "team does not hold what this baseline recorded" in told.out


def test_health_and_doctor_name_the_engine_of_the_journal(gavel: Gavel, folder: Path) -> None:
    assert json.loads(gavel("health", "--format", "json").out)["journal"].startswith("SQLite 3")
    findings = {finding["check"]: finding["found"] for finding in json.loads(gavel("doctor", "--format", "json").out)}
    assert findings["journal"].startswith("SQLite 3") and str(folder) in findings["journal"]


@pytest.mark.full
def test_a_journal_in_postgres_serves_the_command_line(
    gavel: Gavel, folder: Path, environment: pytest.MonkeyPatch, postgres: Cluster
) -> None:
    address = postgres.database()
    environment.setenv("GAVEL_JOURNAL", address)
    environment.setenv("GAVEL_REGISTRY", str(REGISTRY))
    told = gavel("remember", "Retry.", "--name", "Lesson: Neo4j - jitter", "--namespace", "technical_patterns", "--format", "json")
    assert told.code == 0, told.err
    assert json.loads(gavel("health", "--format", "json").out)["journal"].startswith("Postgres ")
    findings = {finding["check"]: finding["found"] for finding in json.loads(gavel("doctor", "--format", "json").out)}
    assert findings["journal"].startswith("Postgres ") and gavel("journal", "verify").code == 0
    postgres.drop(address)
