"""The doors over a database of the test session's own server: settings point at it, and nothing of the caller's environment is seen."""

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from gavel import settings
from gavel.cli import main
from knowledge.database.connection import Database
from knowledge.database.embedded import Running
from tests.conftest import wipe


@dataclass(frozen=True)
class Told:
    """What a command printed, and its exit code."""

    out: str
    err: str
    code: int


Gavel = Callable[..., Told]


@pytest.fixture(scope="module")
def empty_kg(server: Running, shared_database: Database) -> Path:
    """The data folder of a server whose database is empty when the module begins."""
    wipe(shared_database)
    return server.home.parent


@pytest.fixture
def environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[pytest.MonkeyPatch]:
    """No variable of Gavel is set, no .env is near, and settings are read anew."""
    monkeypatch.chdir(tmp_path)
    for name in settings.Settings.model_fields:
        monkeypatch.delenv(settings.variable(name), raising=False)
    monkeypatch.delenv("JAVA_HOME", raising=False)
    settings.load.cache_clear()
    yield monkeypatch
    settings.load.cache_clear()


@pytest.fixture
def gavel(environment: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], empty_kg: Path, neo4j_version: str) -> Iterator[Gavel]:
    """Run a command line in this process."""
    environment.setenv("GAVEL_DATA_DIR", str(empty_kg))
    environment.setenv("GAVEL_NEO4J_VERSION", neo4j_version)

    def run(*arguments: str) -> Told:
        environment.setattr(sys, "argv", ["gavel", *arguments])
        settings.load.cache_clear()
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            main()
        printed = capsys.readouterr()
        return Told(printed.out, printed.err, int(ended.value.code or 0))

    yield run
    (empty_kg / "profile.yaml").unlink(missing_ok=True)
