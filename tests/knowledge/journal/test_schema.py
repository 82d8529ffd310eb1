"""A journal of an earlier Gavel is brought up once and whole; one of a later Gavel is left alone."""

import sqlite3
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from knowledge.errors import JournalError
from knowledge.journal import schema
from knowledge.journal.journal import Journal
from knowledge.journal.verify import verify
from tests.knowledge.remember.world import Office, lesson

EARLIER = Path(__file__).with_name("journal_of_version_1.sql").read_text()


@pytest.fixture
def earlier(journal_url: str) -> str:
    """The address of a journal as Gavel made it before schemas had versions: four submissions, one of which waits for approval."""
    if journal_url.startswith("sqlite"):
        connection = sqlite3.connect(journal_url.removeprefix("sqlite:///"))
        connection.executescript(EARLIER)
        connection.close()
        return journal_url
    engine = create_engine(journal_url, isolation_level="AUTOCOMMIT")
    with engine.connect() as connected:
        connected.exec_driver_sql(EARLIER)
    engine.dispose()
    return journal_url


def version(url: str) -> int:
    engine = create_engine(url)
    with engine.connect() as connection:
        found = schema.stored(connection)
    engine.dispose()
    return found


def test_an_earlier_journal_is_brought_up_once_and_loses_nothing(earlier: str, tmp_path: Path) -> None:
    assert version(earlier) == 1
    office = Office(tmp_path, url=earlier)
    assert version(earlier) == schema.VERSION and verify(office.journal) == []
    assert [event.kind for event in office.journal.events()] == ["submitted"] * 4 + ["migrated"]
    again = office.inbox().submit(lesson("lesson 1 of an older journal"))
    assert again.repeated and again.status == "accepted"
    assert office.inbox().submit(lesson("a lesson of today")).status == "accepted"
    office.journal.close()
    reopened = Journal(earlier)
    assert len(reopened.events(kind="migrated")) == 1 and verify(reopened) == []
    reopened.close()


def test_an_earlier_journal_that_several_processes_open_is_brought_up_once(earlier: str) -> None:
    command = [sys.executable, "-m", "tests.knowledge.remember.submit_in_a_process", earlier]
    started = [subprocess.Popen([*command, f"bot{number}", "1"]) for number in range(4)]
    assert [process.wait(60) for process in started] == [0] * 4
    journal = Journal(earlier)
    assert len(journal.events(kind="migrated")) == 1 and len(journal.events(kind="submitted")) == 8 and verify(journal) == []
    journal.close()


def test_a_migration_that_fails_leaves_the_journal_as_it_was(earlier: str, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = {name: ("DELETE FROM events", "no statement") for name in ("sqlite", "postgresql")}
    monkeypatch.setattr(schema, "MIGRATIONS", (replace(schema.MIGRATIONS[0], statements=broken),))
    with pytest.raises(JournalError, match="cannot be used"):
        Journal(earlier)
    monkeypatch.undo()
    assert version(earlier) == 1
    journal = Journal(earlier)
    assert len(journal.events(kind="submitted")) == 4 and verify(journal) == []
    journal.close()


def test_a_migration_may_be_done_twice(earlier: str) -> None:
    Journal(earlier).close()
    engine = create_engine(earlier)
    with engine.begin() as connection:
        connection.execute(text("UPDATE schema_version SET version = 1"))
    engine.dispose()
    journal = Journal(earlier)
    assert version(earlier) == schema.VERSION and verify(journal) == []
    journal.close()


def test_a_later_journal_is_refused_by_its_version_and_not_touched(journal_url: str) -> None:
    Journal(journal_url).close()
    engine = create_engine(journal_url)
    with engine.begin() as connection:
        connection.execute(text("UPDATE schema_version SET version = 99"))
    with pytest.raises(JournalError, match=r"has schema version 99, and this Gavel knows \d+; upgrade Gavel"):
        Journal(journal_url)
    assert version(journal_url) == 99
    engine.dispose()


@pytest.mark.full
@pytest.mark.parametrize("journal_url", ["postgres"], indirect=True)
def test_a_namespace_may_hold_more_bytes_than_four_bytes_count(earlier: str) -> None:
    journal = Journal(earlier)
    with journal.writing() as writing:
        writing.connection.execute(text("INSERT INTO counters VALUES ('lessons', 1, 1, 5000000000)"))
    journal.close()
