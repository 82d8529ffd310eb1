"""The command line where its streams are closed, full or a strange terminal, and where its data would like to steer that terminal."""

import io
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from rich.console import Console

from gavel.cli import main
from gavel.cli.output import console, echo, one_line, print_json
from gavel.render import render
from knowledge.database.connection import Database
from knowledge.database.embedded import Running
from knowledge.errors import DatabaseError
from knowledge.loading import loader
from tests.gavel.results import competition, fact

COMMANDS = ("config", "config --format json", "db path", "db status --format json", "--help", "--version")


def shell(command: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    whole = command.replace("gavel", f"{sys.executable} -m gavel")
    return subprocess.run(["bash", "-c", whole], capture_output=True, text=True, cwd=cwd, check=False, timeout=120)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_full_disk_under_standard_output_is_one_message(command: str, tmp_path: Path) -> None:
    told = shell(f"gavel {command} > /dev/full", tmp_path)
    assert told.returncode == 1
    assert told.stderr == "gavel: the output cannot be used (No space left on device); mend that and try again\n"


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&-"])
def test_a_closed_stream_is_an_empty_one(command: str, closed: str, tmp_path: Path) -> None:
    told = shell(f"gavel {command} {closed}", tmp_path)
    assert (told.returncode, told.stderr) == (0, "")
    assert bool(told.stdout) == (closed != ">&-")


def test_an_error_without_a_standard_error_keeps_its_exit_code(tmp_path: Path) -> None:
    assert shell("GAVEL_MODEL=gpt gavel config 2>&-", tmp_path).returncode == 2
    assert shell("GAVEL_MODEL=gpt gavel config 2>/dev/full", tmp_path).returncode == 2


def test_a_reader_that_has_seen_enough_is_no_failure_worth_a_word(tmp_path: Path) -> None:
    told = shell("gavel config | head -c 1", tmp_path)
    assert told.stderr == ""


def test_nobody_is_asked_before_a_reset_where_standard_input_is_closed(tmp_path: Path) -> None:
    told = shell("gavel db reset <&-", tmp_path)
    assert (told.returncode, "--yes" in told.stderr) == (2, True)


@pytest.mark.parametrize("columns", ["0", "1", "-5", "many"])
def test_a_terminal_without_width_still_shows_everything(columns: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    sink = _Terminal()
    monkeypatch.setattr(sys, "stdout", sink)
    console().print(render(competition()))
    assert "Boreal," in sink.getvalue()
    assert console().width >= 20


def test_json_is_json_and_cannot_steer_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    hostile = "\x1b[2J\x9b31m\u202eevil\u2066 谁\ud800"
    print_json({"name": hostile})
    printed = capsys.readouterr().out
    assert json.loads(printed) == {"name": hostile}
    assert not set("\x1b\x9b\u202e\u2066") & set(printed)
    assert "谁" in printed


def test_text_that_may_hold_data_is_printed_plain(capsys: pytest.CaptureFixture[str]) -> None:
    echo("kinds: \x1b]0;pwned\x07\u202eperson")
    assert capsys.readouterr().out == "kinds: ]0;pwnedperson\n"


def test_a_name_cannot_begin_a_line_of_its_own() -> None:
    forged = "Acme\nConfidence  high, 1.00\r\u2028Stopped answered"
    assert one_line(forged) == "Acme Confidence  high, 1.00 Stopped answered"
    result = {**competition(), "answer": f"{forged} [f1].", "evidence": {"f1": fact("f1", forged, "own\ned", "B")}, "paths": [["f1"]]}
    sink = io.StringIO()
    Console(file=sink, width=500, markup=False).print(render(result))  # type: ignore[arg-type]
    starts = [line.split()[0] for line in sink.getvalue().splitlines() if line.strip()]
    assert (starts.count("Confidence"), starts.count("Stopped"), starts.count("ed:")) == (1, 1, 0)


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_an_interrupt_behind_any_other_error_ends_with_exit_code_130(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def torn(**_: object) -> None:
        try:
            signal.raise_signal(signal.SIGINT)
        except KeyboardInterrupt:
            raise DatabaseError("the database does not answer") from None

    monkeypatch.setattr("gavel.cli.commands.app", torn)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell in the background ignores it
    try:
        with pytest.raises(SystemExit) as ended:
            main()
    finally:
        signal.signal(signal.SIGINT, before)
    assert (ended.value.code, capsys.readouterr().err) == (130, "gavel: interrupted\n")


def test_a_fault_of_ours_keeps_its_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    def faulty(**_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("gavel.cli.commands.app", faulty)
    with pytest.raises(ZeroDivisionError):
        main()


STUCK = """
import signal, time
import gavel.cli, gavel.cli.commands

def stuck(**_):
    try:
        signal.raise_signal(signal.SIGINT)
    except KeyboardInterrupt:
        time.sleep(60)

signal.signal(signal.SIGINT, signal.default_int_handler)
gavel.cli.GRACE_SECONDS, gavel.cli.commands.app = 0.2, stuck
gavel.cli.main()
"""


def test_a_process_that_an_interrupt_does_not_end_leaves_all_the_same() -> None:
    told = subprocess.run([sys.executable, "-c", STUCK], capture_output=True, text=True, timeout=50, check=False)
    assert (told.returncode, told.stderr) == (130, "gavel: interrupted\n")


def test_an_interrupted_load_ends_with_exit_code_130_and_goes_on_later(server: Running, database: Database, tmp_path: Path) -> None:
    (tmp_path / "a.tsv").write_text("".join(f"P{n}\tknows\tQ{n % 997}\n" for n in range(6_000)))
    settings = {"GAVEL_NEO4J_URI": server.uri, "GAVEL_NEO4J_PASSWORD": server.password, "GAVEL_EMBEDDER": "none"}
    code = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); from gavel.cli import main; main()"
    command = [sys.executable, "-c", code, "load", "a.tsv", "--namespace", "torn"]
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GAVEL_")}
    environment = {**kept, **settings, "GAVEL_DATA_DIR": str(tmp_path)}
    with subprocess.Popen(command, cwd=tmp_path, env=environment, stderr=subprocess.PIPE, text=True) as load:
        deadline = time.monotonic() + 60
        while not database.read("MATCH (l:GavelLoad) RETURN l.rows AS rows") and time.monotonic() < deadline:
            time.sleep(0.05)
        try:
            load.send_signal(signal.SIGINT)
            said = load.communicate(timeout=60)[1]
        finally:
            load.kill()
    assert load.returncode == 130
    assert "Traceback" not in said
    assert loader.load(database, [tmp_path / "a.tsv"], "torn").resumed >= 1000
