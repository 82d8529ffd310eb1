"""Several processes over one journal, whose server may fall meanwhile: each item is written once, what was acknowledged is kept."""

import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import pytest

from knowledge.database.connection import Database
from knowledge.database.embedded import Running
from knowledge.errors import JournalError
from knowledge.journal.journal import Journal, now
from knowledge.journal.verify import verify
from knowledge.registry.contract import SizeLimit
from knowledge.remember import queue
from knowledge.remember.worker import Worker
from tests import postgres as postgres_server
from tests.knowledge.remember.world import BOT, LESSONS, OWNER, Office, lesson
from tests.postgres import Cluster

PATIENCE = 60.0


@pytest.fixture
def falling() -> Iterator[Cluster]:
    """A Postgres that a test may end."""
    if lacks := postgres_server.missing():
        pytest.skip(lacks)
    cluster = Cluster()
    yield cluster.start()
    cluster.remove()


def drained(office: Office, database: Database) -> None:
    """A lease of who was killed must run out first."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        Worker(office.journal, office.registry, lambda: database, lease_seconds=1.0).drain()
        with office.journal.reading() as connection:
            if "accepted" not in queue.by_status(connection):
                return
        time.sleep(0.1)
    raise TimeoutError("something is still to be done")


def check(office: Office, database: Database, expected: set[str]) -> None:
    applied = Counter(event.receipt for event in office.journal.events(kind="applied"))
    assert applied == dict.fromkeys(expected, 1)
    [found] = database.read("MATCH (e:Episodic) RETURN count(*) AS n, count(DISTINCT e.receipt) AS r")
    assert found == {"n": len(expected), "r": len(expected)}
    audited = [row["id"] for row in database.read("MATCH (a:GavelAudit) RETURN a.event_id AS id")]
    assert verify(office.journal, audited) == []


@pytest.mark.parametrize(
    "killed", ["-", pytest.param("committed", marks=pytest.mark.full), pytest.param("settling", marks=pytest.mark.full)]
)
def test_of_workers_in_several_processes_each_item_meets_one(
    office: Office, memory: Database, server: Running, journal_url: str, killed: str
) -> None:
    office.clock = now
    office.journal.clock = now
    sent = office.inbox(BOT).submit_many([lesson(f"lesson number {i} of many") for i in range(40)])
    sent += office.inbox(OWNER).submit_many([lesson(f"what alpha knows {i}", namespace="alpha") for i in range(3)])
    command = [sys.executable, "-m", "tests.knowledge.remember.work_in_a_process", server.uri, server.user, server.password, journal_url]
    if killed != "-":
        assert subprocess.run([*command, killed, "2"], timeout=PATIENCE, check=False).returncode == -signal.SIGKILL
    started = [subprocess.Popen([*command, "-", "0"]) for _ in range(4)]
    assert [process.wait(PATIENCE) for process in started] == [0] * 4
    drained(office, memory)
    check(office, memory, {receipt.id for receipt in sent})


@pytest.mark.full
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGQUIT])
@pytest.mark.parametrize("point", ["resolved", "ready", "committed", "verified", "settling", "released"])
def test_a_journal_whose_server_falls_and_rises_goes_on(falling: Cluster, memory: Database, point: str, how: signal.Signals) -> None:
    office = Office(falling.folder, now, url=falling.database())
    sent = office.inbox(BOT).submit_many([lesson(f"lesson number {i} of many") for i in range(6)])
    fallen: list[str] = []

    def fall(passed: str) -> None:
        if passed == point and not fallen:
            fallen.append(passed)
            falling.stop(how)

    with pytest.raises(JournalError):
        Worker(office.journal, office.registry, lambda: memory, fall, batch=3, lease_seconds=1.0).drain()
    with pytest.raises(JournalError, match="mend that and try again"):
        office.inbox(BOT).submit(lesson("nobody is there to keep this"))
    falling.start()
    drained(office, memory)
    check(office, memory, {receipt.id for receipt in sent})
    office.journal.close()


@pytest.mark.full
def test_no_acknowledged_proposal_is_lost_when_the_server_falls(falling: Cluster) -> None:
    office = Office(falling.folder, now, url=falling.database())
    office.contracts = {"lessons": replace(LESSONS, size_limit=SizeLimit())}
    acknowledged: set[str] = set()
    stop = threading.Event()

    def submit(who: int) -> None:
        number = 0
        while not stop.is_set():
            number += 1
            try:
                acknowledged.add(office.inbox(BOT).submit(lesson(f"what {who} learned as number {number}")).id)
            except JournalError:
                time.sleep(0.05)

    threads = [threading.Thread(target=submit, args=(who,)) for who in range(4)]
    for thread in threads:
        thread.start()
    for _ in range(3):
        time.sleep(0.5)
        falling.stop(signal.SIGQUIT)
        falling.start()
    time.sleep(0.5)
    stop.set()
    for thread in threads:
        thread.join()
    kept = {event.receipt for event in office.journal.events(kind="submitted")}
    assert len(acknowledged) > 20 and acknowledged <= kept and verify(office.journal) == []
    office.journal.close()


@pytest.mark.full
def test_who_is_connected_is_told_that_the_end_is_not_known(falling: Cluster) -> None:
    journal = Journal(falling.database())
    with pytest.raises(JournalError, match="is not known"), journal.writing() as writing:
        falling.stop(signal.SIGQUIT)
        writing.keep([{"text": "cut"}])
    journal.close()
