"""What both engines promise: one state to a reader, one writer at a time, a commit that is on the disk, words where they cannot be used."""

import subprocess
import sys
import threading
from pathlib import Path

import pytest
from sqlalchemy import create_engine, func, select, text

from knowledge.errors import JournalError
from knowledge.journal.journal import Entry, Journal
from knowledge.journal.tables import events, head
from knowledge.journal.verify import verify
from tests.knowledge.remember.world import Office
from tests.postgres import Cluster


def append(journal: Journal, number: int = 1) -> None:
    with journal.writing() as writing:
        writing.append([Entry("expired") for _ in range(number)])


def test_a_journal_says_which_engine_keeps_it(office: Office, journal_url: str) -> None:
    name, version = office.journal.engine.split()
    assert name == ("SQLite" if journal_url.startswith("sqlite") else "Postgres") and version[0].isdigit()


def test_a_reader_sees_one_state_while_others_append(office: Office) -> None:
    append(office.journal)
    with office.journal.reading() as connection:
        assert connection.execute(select(func.count()).select_from(events)).scalar() == 1
        writer = threading.Thread(target=append, args=(office.journal,))
        writer.start()
        writer.join()
        assert connection.execute(select(head.c.seq)).scalar() == 1
    assert len(office.journal.events()) == 2


def test_who_waited_for_the_lock_sees_what_was_written_meanwhile(office: Office) -> None:
    writers = [threading.Thread(target=append, args=(office.journal, 3)) for _ in range(6)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert [event.seq for event in office.journal.events()] == list(range(1, 19)) and verify(office.journal) == []


def test_processes_that_begin_a_journal_at_once_begin_one(journal_url: str) -> None:
    command = [sys.executable, "-m", "tests.knowledge.remember.submit_in_a_process", journal_url]
    started = [subprocess.Popen([*command, f"bot{number}", "1"]) for number in range(6)]
    assert [process.wait(60) for process in started] == [0] * 6
    journal = Journal(journal_url)
    assert len(journal.events(kind="submitted")) == 6 and verify(journal) == []
    journal.close()


@pytest.mark.full
def test_a_postgres_that_waits_for_no_disk_is_told_to(postgres: Cluster) -> None:
    address = postgres.database()
    engine = create_engine(address)
    with engine.begin() as connection:
        name = connection.execute(text("SELECT current_database()")).scalar()
        connection.execute(text(f"ALTER DATABASE {name} SET synchronous_commit = off"))
    engine.dispose()
    journal = Journal(address)
    with journal.reading() as connection:
        assert connection.execute(text("SHOW synchronous_commit")).scalar() == "off"
    with journal.writing() as writing:
        assert writing.connection.execute(text("SHOW synchronous_commit")).scalar() == "on"
    journal.close()
    postgres.drop(address)


@pytest.mark.full
def test_a_role_that_may_make_no_tables_writes_into_those_there_are(postgres: Cluster) -> None:
    address = postgres.database()
    owner = Journal(address)
    with owner.writing() as writing:
        writing.connection.execute(text("DROP ROLE IF EXISTS clerk"))
        writing.connection.execute(text("CREATE ROLE clerk LOGIN"))
        writing.connection.execute(text("GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO clerk"))
    clerk = Journal(address.replace("user=gavel", "user=clerk"))
    append(clerk)
    assert len(owner.events()) == 1
    clerk.close()
    owner.close()
    postgres.drop(address)


def test_an_address_of_something_else_is_refused_without_its_password(monkeypatch: pytest.MonkeyPatch) -> None:
    for url in ("mysql://ann:hush@host/db", "no address:hush"):
        with pytest.raises(JournalError, match="write postgresql") as refused:
            Journal(url)
        assert "hush" not in str(refused.value)
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(JournalError, match=r"gavel\[postgres\]"):
        Journal("postgresql://ann@host/db")


def test_a_postgres_that_is_away_is_named_without_the_password(tmp_path: Path) -> None:
    pytest.importorskip("psycopg", reason="install the driver: pip install 'gavel[postgres]'")
    with pytest.raises(JournalError, match="cannot be used") as refused:
        Journal(f"postgresql://ann@/db?host={tmp_path}", password="hush")
    assert "hush" not in str(refused.value) and "ann" in str(refused.value)
