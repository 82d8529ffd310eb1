"""`gavel journal …`: what each command says and how it ends."""

import json
import sqlite3
from pathlib import Path

import pytest

from gavel.app import App
from gavel.settings import Settings
from knowledge.journal.journal import Entry
from tests.gavel.conftest import Gavel


@pytest.fixture
def folder(gavel: Gavel, environment: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    environment.setenv("GAVEL_DATA_DIR", str(tmp_path / "data"))
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
