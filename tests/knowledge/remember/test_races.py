"""Many at once: never one too many in, and nothing applied twice."""

import subprocess
import sys
import threading
from collections import Counter

import pytest

from knowledge.database.connection import Database
from knowledge.journal.journal import Journal
from knowledge.remember.worker import Worker
from tests.knowledge.remember.submit_in_a_process import registry
from tests.knowledge.remember.world import BOT, Office, lesson

SECONDS = 600


@pytest.mark.parametrize(("processes", "rounds"), [(4, 20), pytest.param(32, 100, marks=pytest.mark.full)])
def test_of_many_processes_one_gets_the_last_place(journal_url: str, processes: int, rounds: int) -> None:
    Journal(journal_url).close()
    script = [sys.executable, "-m", "tests.knowledge.remember.submit_in_a_process", journal_url]
    started = [subprocess.Popen([*script, f"bot{number}", str(rounds)]) for number in range(processes)]
    assert [process.wait(SECONDS) for process in started] == [0] * processes
    journal = Journal(journal_url)
    outcomes = Counter((event.namespace, event.about["code"]) for event in journal.events(kind="submitted"))
    journal.close()
    assert outcomes == {
        (id_, code): times for id_ in registry(rounds).contracts for code, times in (("ok", 1), ("capacity", processes - 1))
    }


def test_of_many_workers_each_item_meets_one(office: Office, database: Database) -> None:
    office.inbox(BOT).submit_many([lesson(f"lesson number {number} of many") for number in range(60)])
    office.inbox(BOT).submit_many([lesson(f"lesson number {number} for alpha", namespace="guide") for number in range(5)])
    workers = [Worker(office.journal, office.registry, lambda: database, batch=3) for _ in range(8)]
    threads = [threading.Thread(target=worker.drain) for worker in workers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    workers[0].drain()
    applied = Counter(event.receipt for event in office.journal.events(kind="applied"))
    assert len(applied) == 60 and set(applied.values()) == {1}
    assert database.read("MATCH (e:Episodic) RETURN count(*) AS n, count(DISTINCT e.uuid) AS u") == [{"n": 60, "u": 60}]
    order = [event.receipt for event in office.journal.events(kind="resolved")]
    assert order == [event.receipt for event in office.journal.events(kind="submitted") if event.about["outcome"] == "accept"]
