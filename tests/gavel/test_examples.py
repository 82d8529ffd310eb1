"""Every file in examples/ runs over the sample world and prints something sensible."""

import os
import runpy
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import gavel as door
from gavel import app
from knowledge.database.connection import Database
from knowledge.loading.loader import load

ROOT = Path(door.__file__).parent.parent
EXAMPLES = ROOT / "examples"
WORLD = ROOT / "gavel" / "world"


@pytest.fixture(scope="module")
def world(empty_kg: Path, shared_database: Database) -> Path:
    load(shared_database, [WORLD / "entities.jsonl", WORLD / "facts.jsonl"], "demo")
    return empty_kg


@pytest.fixture
def ready(environment: pytest.MonkeyPatch, world: Path, neo4j_version: str) -> Iterator[None]:
    environment.setenv("GAVEL_DATA_DIR", str(world))
    environment.setenv("GAVEL_NEO4J_VERSION", neo4j_version)
    environment.setenv("GAVEL_PROFILE", str(WORLD / "profile.yaml"))
    environment.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    environment.delitem(door.__dict__, "graph", raising=False)
    app.current.cache_clear()
    yield
    app.current().close()
    app.current.cache_clear()


EXPECTED = {
    "ask.py": "Dario Amodei",
    "stream_a_thread.py": "Claude",
    "in_the_past.py": "Sam Altman",
    "load_your_own.sh": "Northwind Analytics",
}


def test_every_example_is_tested() -> None:
    assert {path.name for path in EXAMPLES.iterdir() if path.is_file()} == set(EXPECTED)


@pytest.mark.usefixtures("ready")
@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_an_example_prints_its_answer(name: str, capfd: pytest.CaptureFixture[str]) -> None:
    if name.endswith(".py"):
        runpy.run_path(str(EXAMPLES / name))
    else:
        subprocess.run(["sh", str(EXAMPLES / name)], check=True, stdin=subprocess.DEVNULL)
    assert EXPECTED[name] in capfd.readouterr().out
