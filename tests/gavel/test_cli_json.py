"""Every command with `--format json`: one document on standard output and nothing else, for a server of this file's own."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer

from gavel.cli.commands import app
from knowledge.database.embedded import EmbeddedServer
from tests.gavel.conftest import Gavel

REGISTRY = Path(__file__).parents[2] / "docs" / "NAMESPACE_REGISTRY.yaml"
# in an order that needs one start only; each with its arguments and a key of its document (of its items, where it is a list)
LINES = {
    "config": ((), "data_dir"),
    "namespace list": ((), "allowed_types"),
    "namespace show": (("technical_patterns",), "write_policy"),
    "namespace check": ((), "digest"),
    "namespace create": (("deploys", "--purpose", "How we deploy.", "--owner", "any_agent", "--type", "Lesson"), "proposed"),
    "namespace suggest": (("technical patern",), "suggestions"),
    "db status": ((), "state"),
    "db path": ((), "home"),
    "db start": ((), "uri"),
    "demo": ((), "asked"),
    "ask": (("Who founded Anthropic?", "--trace"), "stop_reason"),
    "trace": ((), "trace_id"),
    "schema": (("--profile",), "relations"),
    "load": (("more.tsv", "--namespace", "more"), "created"),
    "index status": ((), "recall"),
    "index build": ((), "vectors"),
    "index rebuild": ((), "vectors"),
    "doctor": ((), "check"),
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


def commands(group: typer.core.TyperGroup, above: str = "") -> Iterator[tuple[str, list[str]]]:
    """Every command below a group, with its options."""
    for name, command in group.commands.items():
        if isinstance(command, typer.core.TyperGroup):
            yield from commands(command, f"{above}{name} ")
        else:
            yield above + name, [option for parameter in command.params for option in parameter.opts]


def test_every_command_knows_the_format_and_is_tried_here() -> None:
    known = dict(commands(typer.main.get_command(app)))
    assert {name for name, options in known.items() if "--format" in options} == set(known) == set(LINES)


def test_every_command_prints_one_document(gavel: Gavel, environment: pytest.MonkeyPatch, tmp_path: Path) -> None:
    environment.setenv("GAVEL_REGISTRY", str(REGISTRY))
    (tmp_path / "more.tsv").write_text("Alder\tmade_by\tBoreal\n")
    for name, (arguments, key) in LINES.items():
        told = gavel(*name.split(), *arguments, "--format", "json")
        assert told.code == 0, f"{name}: {told.err}"
        document = json.loads(told.out)
        assert key in (document[0] if isinstance(document, list) else document), name
        if name == "db logs":
            assert {"level": "INFO", "message": "Started."}.items() <= next(e for e in document if e["message"] == "Started.").items()


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
