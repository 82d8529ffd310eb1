"""The Python door: a graph that connects when first run, and one function."""

import dataclasses
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import gavel as door
from gavel import app, settings
from gavel.app import App
from gavel.runs import Runs
from knowledge.database.connection import Database
from knowledge.database.embedded import Running
from knowledge.errors import ConfigError, ScopeError
from knowledge.loading.loader import load

WORLD = Path(door.__file__).parent / "world"
QUESTION = "Who founded Anthropic?"


@pytest.fixture(scope="module")
def world(empty_kg: Path, shared_database: Database) -> Path:
    load(shared_database, [WORLD / "entities.jsonl", WORLD / "facts.jsonl"], "world")
    return empty_kg


@pytest.fixture
def ready(environment: pytest.MonkeyPatch, world: Path, neo4j_version: str) -> Iterator[None]:
    environment.setenv("GAVEL_DATA_DIR", str(world))
    environment.setenv("GAVEL_NEO4J_VERSION", neo4j_version)
    door.__dict__.pop("graph", None)
    app.current.cache_clear()
    yield
    app.current().close()
    app.current.cache_clear()
    door.__dict__.pop("graph", None)


def test_importing_the_package_imports_nothing_heavy(tmp_path: Path) -> None:
    code = "import sys, gavel; print(' '.join(sys.modules))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, check=True).stdout.split()
    assert {"langgraph", "neo4j", "pydantic", "numpy"} & set(loaded) == set()


@pytest.mark.usefixtures("ready")
def test_the_graph_answers_a_question() -> None:
    state = door.graph.invoke({"question": QUESTION})
    assert {answer["name"] for answer in state["answers"]} == {"Dario Amodei", "Daniela Amodei", "Jared Kaplan"}


@pytest.mark.usefixtures("ready")
def test_the_graph_is_made_once() -> None:
    assert door.graph is door.graph


@pytest.mark.usefixtures("ready")
def test_ask_answers_with_the_result_alone() -> None:
    result = door.ask(QUESTION, namespaces=["world"], limits={"queries": 10})
    assert result["stop_reason"] == "answered"
    assert "plan" not in result


@pytest.mark.usefixtures("ready")
def test_an_unknown_limit_and_a_foreign_namespace_are_refused_by_name() -> None:
    with pytest.raises(ConfigError, match="coffee"):
        door.ask(QUESTION, limits={"coffee": 1})
    with pytest.raises(ScopeError, match="elsewhere"):
        door.ask(QUESTION, namespaces=["elsewhere"])


@pytest.mark.usefixtures("ready")
def test_every_run_is_kept_with_its_statements() -> None:
    result = door.ask(QUESTION)
    run = app.current().runs.find(result["trace_id"])
    assert run is not None
    assert run.question == QUESTION
    assert "statement" in {event.kind for event in run.events}


@pytest.mark.usefixtures("ready")
def test_an_app_connects_anew_when_the_embedded_server_is_another_one() -> None:
    with App(settings.load()) as one:
        before = one.database
        assert one._connected
        one._connected.pid = 1
        assert one.database is not before


@pytest.mark.usefixtures("ready")
def test_an_app_keeps_its_connection_to_a_server_that_only_seems_to_be_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    with App(settings.load()) as one:
        before, status = one.database, one.server.status()
        monkeypatch.setattr(one.server, "status", lambda: dataclasses.replace(status, state="starting"))
        assert one.database is before


def test_another_neo4j_is_used_by_its_address(environment: pytest.MonkeyPatch, server: Running) -> None:
    environment.setenv("GAVEL_NEO4J_URI", server.uri)
    environment.setenv("GAVEL_NEO4J_PASSWORD", server.password)
    with App(settings.load()) as one:
        assert one.database.read("RETURN 1 AS one") == [{"one": 1}]


def test_the_package_has_no_other_attribute() -> None:
    with pytest.raises(AttributeError, match="nothing_such"):
        door.nothing_such


@pytest.mark.usefixtures("ready")
def test_wrong_arguments_are_named_as_such() -> None:
    with pytest.raises(ConfigError, match=r"scope\.namespaces: Input should be a valid list"):
        door.ask(QUESTION, namespaces="world")
    with pytest.raises(ConfigError, match="limits: Input should be a valid dictionary"):
        door.ask(QUESTION, limits=5)  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match="the question must be text"):
        door.ask(5)  # type: ignore[arg-type]
    assert door.ask(QUESTION, known_at="0001")["answers"] == []


FORKS = """
import multiprocessing, sys
from gavel import ask
def answer(question):
    return ask(question)["answers"]
before = answer(sys.argv[1])
assert before
with multiprocessing.get_context("fork").Pool(3) as pool:
    assert pool.map_async(answer, [sys.argv[1]] * 6).get(60) == [before] * 6
assert answer(sys.argv[1]) == before
"""


@pytest.mark.usefixtures("ready")
def test_a_forked_process_connects_anew_and_leaves_its_parents_connection_alone(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-c", FORKS, QUESTION], check=True, cwd=tmp_path, timeout=120)
    runs = Runs(app.current().settings.runs_file, 0)
    assert len([run for run in runs.recent() if run.question == QUESTION]) >= 8
    runs.close()
