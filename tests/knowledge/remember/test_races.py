"""Many at once: never one too many in, and nothing applied twice."""

import subprocess
import sys
import threading
from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from knowledge.database.connection import Database
from knowledge.journal.journal import Journal
from knowledge.remember.delegations import Delegations
from knowledge.remember.worker import Worker
from tests.knowledge.remember.delegated_in_a_process import CONTRACTS, HELPER
from tests.knowledge.remember.submit_in_a_process import registry
from tests.knowledge.remember.world import BOT, Office, lesson, principal

SECONDS = 600


def now() -> datetime:
    return datetime.now(UTC)


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


@pytest.mark.parametrize("rounds", [10, pytest.param(200, marks=pytest.mark.full)])
def test_the_last_use_of_a_delegation_is_one_write_when_two_processes_take_it_at_once(
    journal_url: str, database: Database, tmp_path: Path, rounds: int
) -> None:
    office = Office(tmp_path, contracts=CONTRACTS, url=journal_url, clock=now)
    owner = principal("alpha-bot", reads=frozenset(CONTRACTS), writes=frozenset(CONTRACTS))
    spaces = list(CONTRACTS)[:rounds]
    for space in spaces:
        Delegations(office.journal, office.registry, owner).grant(HELPER.id, space, uses=1, duration=timedelta(hours=1))
    script = [sys.executable, "-m", "tests.knowledge.remember.delegated_in_a_process", journal_url]
    pair = [subprocess.Popen([*script, who], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for who in ("one", "two")]
    assert [_line(process) for process in pair] == ["ready", "ready"]
    for space in spaces:
        for process in pair:
            _tell(process, space)
        assert [_line(process) for process in pair] == [space, space]
    for process in pair:
        process.communicate(timeout=SECONDS)
    told = Counter((event.namespace, event.about["code"]) for event in office.journal.events(kind="submitted"))
    assert told == {(space, code): 1 for space in spaces for code in ("delegation", "not_owner")}
    Worker(office.journal, office.registry, lambda: database).drain()
    office.journal.close()
    written = database.read("MATCH (e:Episodic) RETURN e.group_id AS space, count(*) AS n")
    assert {row["space"]: row["n"] for row in written} == dict.fromkeys(spaces, 1)


def _tell(process: subprocess.Popen[str], line: str) -> None:
    assert process.stdin
    process.stdin.write(f"{line}\n")
    process.stdin.flush()


def _line(process: subprocess.Popen[str]) -> str:
    assert process.stdout
    return process.stdout.readline().strip()


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
