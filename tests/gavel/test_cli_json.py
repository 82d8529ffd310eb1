"""Every command with `--format json`: one document on standard output and nothing else. What ends a server ends one of this file's own."""

import json
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import typer

from gavel.app import App
from gavel.cli.commands import app
from gavel.settings import Settings
from knowledge.database.connection import Database
from knowledge.database.embedded import EmbeddedServer, Running
from knowledge.remember.proposal import Proposal, Provenance
from knowledge.scope import Principal, Scope
from tests.conftest import wipe
from tests.gavel.conftest import Gavel
from tests.knowledge.cleaning.cluttered import clutter

REGISTRY = Path(__file__).parents[2] / "docs" / "NAMESPACE_REGISTRY.yaml"
Lines = dict[str, tuple[tuple[str, ...], str]]
# each with its arguments and a key of its document (of its items, where it is a list)
OVER_DATA: Lines = {
    "config": ((), "data_dir"),
    "namespace list": ((), "allowed_types"),
    "namespace show": (("technical_patterns",), "write_policy"),
    "namespace check": ((), "digest"),
    "namespace create": (("deploys", "--purpose", "How we deploy.", "--owner", "any_agent", "--type", "Lesson"), "proposed"),
    "namespace suggest": (("technical patern",), "suggestions"),
    "db status": ((), "state"),
    "db path": ((), "home"),
    "demo": ((), "asked"),
    "ask": (("Who founded Anthropic?", "--trace"), "stop_reason"),
    "trace": ((), "trace_id"),
    "schema": (("--profile",), "relations"),
    "load": (("more.tsv", "--namespace", "more"), "created"),
    "index status": ((), "recall"),
    "index build": ((), "vectors"),
    "index rebuild": ((), "vectors"),
    "doctor": ((), "check"),
}
OVER_A_MEMORY_OF_GRAPHITI: Lines = {
    "adopt": ((), "namespaces"),
    "namespace audit": (("--plan", "plan.yaml"), "faults"),
    "namespace clean": (("plan.yaml", "--dry-run"), "actions"),
}
OVER_AN_EMPTY_DATABASE: Lines = {"journal replay": ((), "commits")}
OVER_A_SERVER: Lines = {
    "db start": ((), "uri"),
    "db logs": (("--lines", "500"), "level"),
    "db stop": ((), "stopped"),
    "db dump": (("kg.dump",), "size"),
    "db restore": (("kg.dump", "--yes"), "created"),
    "db reset": (("--yes",), "removed"),
}


OVER_PROPOSALS: Lines = {
    "inbox list": ((), "proposal"),
    "inbox show": (("{0}",), "proposal"),
    "inbox approve": (("{0}",), "done"),
    "inbox reject": (("{1}", "--why", "we know"), "done"),
    "inbox amend": (("{2}", "changes.json"), "done"),
    "inbox reroute": (("{3}", "session_reflections"), "done"),
    "inbox delegate": (("bot", "technical_patterns"), "delegation"),
    "inbox revoke": (("{4}",), "revoked"),
    "remember": (("Retry with jitter.", "--name", "Lesson: Neo4j - deadlocks", "--namespace", "technical_patterns"), "status"),
    "receipt": (("{0}",), "status"),
    "worker": (("--once",), "settled"),
    "verify": (("{0}",), "found"),
    "health": ((), "database"),
    "stats": ((), "episodes"),
    "journal verify": (("--database",), "whole"),
    "journal baseline": ((), "namespaces"),
    "journal snapshot": (("technical_patterns", "technical.snapshot"), "sha256"),
    "journal forget": (("technical.snapshot",), "gone"),
    "journal export": (("journal.jsonl",), "events"),
    "provenance": (("{0}",), "principal"),
    "audit": (("--kind", "approval"), "kind"),
    "undo": (("{0}",), "status"),
    "redact": (("{1}",), "status"),
}
OVER_PRINCIPALS: Lines = {
    "principal add": (("ben", "--kind", "person", "--reads", "*"), "token"),
    "principal list": ((), "reads"),
    "principal rotate": (("ben",), "token"),
    "principal revoke": (("ben",), "revoked"),
    "namespace propose": ((), "change"),
    "namespace changes": ((), "diff"),
    "namespace approve": (("{0}",), "approved"),
}


@pytest.fixture(scope="module")
def empty_kg(tmp_path_factory: pytest.TempPathFactory, neo4j_version: str) -> Iterator[Path]:
    """A data folder whose server the tests may stop and remove."""
    folder = tmp_path_factory.mktemp("own")
    yield folder
    EmbeddedServer(folder, neo4j_version).stop()


@pytest.fixture
def kg_of_the_session(gavel: Gavel, environment: pytest.MonkeyPatch, server: Running, shared_database: Database) -> Iterator[None]:
    """The commands work on the session's own server, whose database is empty."""
    assert gavel
    wipe(shared_database)
    _forget(server.home.parent)
    environment.setenv("GAVEL_DATA_DIR", str(server.home.parent))
    yield
    _forget(server.home.parent)


def _forget(folder: Path) -> None:
    stores = [f"{store}.sqlite{part}" for store in ("journal", "access") for part in ("", "-wal", "-shm")]
    for left in ("profile.yaml", "access.lost", *stores):
        (folder / left).unlink(missing_ok=True)


def commands(group: typer.core.TyperGroup, above: str = "") -> Iterator[tuple[str, list[str]]]:
    """Every command below a group, with its options."""
    for name, command in group.commands.items():
        if isinstance(command, typer.core.TyperGroup):
            yield from commands(command, f"{above}{name} ")
        else:
            yield above + name, [option for parameter in command.params for option in parameter.opts]


def test_every_command_knows_the_format_and_is_tried_here() -> None:
    known = dict(commands(typer.main.get_command(app)))
    assert {name for name, options in known.items() if "--format" in options} == set(known)
    assert set(known) == {
        *OVER_DATA,
        *OVER_PROPOSALS,
        *OVER_A_MEMORY_OF_GRAPHITI,
        *OVER_PRINCIPALS,
        *OVER_AN_EMPTY_DATABASE,
        *OVER_A_SERVER,
    }


def documents(gavel: Gavel, lines: Lines, *ids: str) -> dict[str, Any]:
    """What each command prints, which is one document that has its key; `{0}` stands for the first of the ids."""
    printed = {}
    for name, (arguments, key) in lines.items():
        told = gavel(*name.split(), *(argument.format(*ids) for argument in arguments), "--format", "json")
        assert told.code == 0, f"{name}: {told.err}"
        document = printed[name] = json.loads(told.out)
        assert key in (document[0] if isinstance(document, list) else document), name
    return printed


@pytest.fixture
def proposed(kg_of_the_session: None, environment: pytest.MonkeyPatch) -> list[str]:
    """Receipts of an agent whose proposals wait for approval, and the id of a delegation."""
    environment.setenv("GAVEL_REGISTRY", str(REGISTRY))
    bot = Principal("bot", "agent", Scope(frozenset({"technical_patterns"})))
    with App(Settings()) as app:
        inbox = app.memory.inbox(bot, Provenance())
        told = [
            {"name": f"Lesson: Work - part {i}", "episode_body": f"what part {i} taught", "group_id": "technical_patterns"}
            for i in range(4)
        ]
        receipts = inbox.submit_many([Proposal.read(one) for one in told])
        delegation = app.memory.delegations(app.principal()).grant("bot", "technical_patterns", uses=1, duration=timedelta(hours=1))
    return [*(receipt.id for receipt in receipts), delegation]


def test_every_command_over_proposals_prints_one_document(gavel: Gavel, proposed: list[str], tmp_path: Path) -> None:
    (tmp_path / "changes.json").write_text('{"episode_body": "what part 2 really taught"}')
    printed = documents(gavel, OVER_PROPOSALS, *proposed)
    assert printed["receipt"]["status"] == printed["remember"]["status"] == "applied"
    assert (printed["undo"]["status"], printed["redact"]["status"]) == ("undone", "redacted")


def test_every_command_over_an_empty_database_prints_one_document(gavel: Gavel, kg_of_the_session: None, shared_database: Database) -> None:
    wipe(shared_database)
    documents(gavel, OVER_AN_EMPTY_DATABASE)


def test_every_command_over_a_memory_of_graphiti_prints_one_document(
    gavel: Gavel, kg_of_the_session: None, environment: pytest.MonkeyPatch, shared_database: Database
) -> None:
    environment.setenv("GAVEL_REGISTRY", str(REGISTRY))
    wipe(shared_database)
    clutter(shared_database)
    documents(gavel, OVER_A_MEMORY_OF_GRAPHITI)


def test_every_command_over_principals_prints_one_document(gavel: Gavel, environment: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "registry.yaml").write_text(REGISTRY.read_text())
    environment.setenv("GAVEL_REGISTRY", str(tmp_path / "registry.yaml"))
    environment.setenv("GAVEL_DATA_DIR", str(tmp_path / "data"))
    proposal = json.loads(gavel("namespace", "create", *OVER_DATA["namespace create"][0], "--format", "json").out)
    added = json.loads(gavel("principal", "add", "ann", "--kind", "person", "--everything", "--format", "json").out)
    environment.setenv("GAVEL_TOKEN", added["token"])
    (tmp_path / "registry.yaml").write_text(REGISTRY.read_text().replace("size_limit: 15", "size_limit: 16"))
    documents(gavel, OVER_PRINCIPALS, proposal["change"])


def test_every_command_over_data_prints_one_document(
    gavel: Gavel, kg_of_the_session: None, environment: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    environment.setenv("GAVEL_REGISTRY", str(REGISTRY))
    (tmp_path / "more.tsv").write_text("Alder\tmade_by\tBoreal\n")
    documents(gavel, OVER_DATA)


def test_every_command_over_a_server_prints_one_document(gavel: Gavel) -> None:
    logs = documents(gavel, OVER_A_SERVER)["db logs"]
    assert {"level": "INFO", "message": "Started."}.items() <= next(entry for entry in logs if entry["message"] == "Started.").items()


def test_a_refusal_leaves_standard_output_empty(gavel: Gavel, tmp_path: Path) -> None:
    (tmp_path / "no.dump").write_text("nothing of the kind")
    for arguments in (["reset"], ["restore", "no.dump", "--yes"], ["dump", "no.dump"]):
        told = gavel("db", *arguments, "--format", "json")
        assert told.out == ""
        assert told.err.startswith("gavel: ")


def test_the_question_whether_to_go_on_is_asked_beside_the_document(gavel: Gavel, environment: pytest.MonkeyPatch) -> None:
    environment.setattr("sys.stdin.isatty", lambda: True, raising=False)
    environment.setattr("typer.confirm", lambda asked, abort, err: None if err else pytest.fail(f"on standard output: {asked}"))
    assert json.loads(gavel("db", "reset", "--format", "json").out)["removed"] in (True, False)
