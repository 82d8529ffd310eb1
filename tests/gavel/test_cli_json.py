"""Every command with `--format json`: one document on standard output and nothing else. What ends a server ends one of this file's own."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from gavel.cli.commands import app
from knowledge.database.connection import Database
from knowledge.database.embedded import EmbeddedServer, Running
from tests.conftest import wipe
from tests.gavel.conftest import Gavel

Lines = dict[str, tuple[tuple[str, ...], str]]
# each with its arguments and a key of its document (of its items, where it is a list)
OVER_DATA: Lines = {
    "config": ((), "data_dir"),
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
OVER_A_SERVER: Lines = {
    "db start": ((), "uri"),
    "db logs": (("--lines", "500"), "level"),
    "db stop": ((), "stopped"),
    "db dump": (("kg.dump",), "size"),
    "db restore": (("kg.dump", "--yes"), "created"),
    "db reset": (("--yes",), "removed"),
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
    environment.setenv("GAVEL_DATA_DIR", str(server.home.parent))
    yield
    (server.home.parent / "profile.yaml").unlink(missing_ok=True)


def commands(group: typer.core.TyperGroup, above: str = "") -> Iterator[tuple[str, list[str]]]:
    """Every command below a group, with its options."""
    for name, command in group.commands.items():
        if isinstance(command, typer.core.TyperGroup):
            yield from commands(command, f"{above}{name} ")
        else:
            yield above + name, [option for parameter in command.params for option in parameter.opts]


def test_every_command_knows_the_format_and_is_tried_here() -> None:
    known = dict(commands(typer.main.get_command(app)))
    assert {name for name, options in known.items() if "--format" in options} == set(known) == {*OVER_DATA, *OVER_A_SERVER}


def documents(gavel: Gavel, lines: Lines) -> dict[str, Any]:
    """What each command prints, which is one document that has its key."""
    printed = {}
    for name, (arguments, key) in lines.items():
        told = gavel(*name.split(), *arguments, "--format", "json")
        assert told.code == 0, f"{name}: {told.err}"
        document = printed[name] = json.loads(told.out)
        assert key in (document[0] if isinstance(document, list) else document), name
    return printed


def test_every_command_over_data_prints_one_document(gavel: Gavel, kg_of_the_session: None, tmp_path: Path) -> None:
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
