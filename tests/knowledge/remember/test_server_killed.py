"""The database server is killed while a commit is under way: what was promised is written once, and the receipt says so."""

import signal
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from knowledge.database.connection import Database
from knowledge.database.embedded import EmbeddedServer, Running
from knowledge.errors import DatabaseError
from knowledge.journal.verify import verify
from knowledge.loading.canonical import canonical_hash
from knowledge.remember.replay import replay
from knowledge.remember.worker import Worker
from tests.knowledge.remember.world import Office, lesson


@pytest.fixture
def own(tmp_path: Path, neo4j_version: str) -> Iterator[EmbeddedServer]:
    embedded = EmbeddedServer(tmp_path / "kg", neo4j_version)
    yield embedded
    embedded.stop()


def connected(running: Running) -> Database:
    return Database.connect(running.uri, running.user, running.password)


@pytest.mark.full
@pytest.mark.parametrize("point", ["closed", "committed"])
def test_a_server_that_is_killed_during_a_commit_loses_and_doubles_nothing(office: Office, own: EmbeddedServer, point: str) -> None:
    running = own.start()
    receipts = office.inbox().submit_many([lesson(f"number {i} of the lessons") for i in range(5)])

    def kill(passed: str) -> None:
        if passed == point:
            server = psutil.Process(running.pid)
            server.send_signal(signal.SIGKILL)
            psutil.wait_procs([server], timeout=10)

    with connected(running) as database, pytest.raises(DatabaseError):
        Worker(office.journal, office.registry, lambda: database, kill).drain()
    assert {office.inbox().receipt(receipt.id).status for receipt in receipts} == {"accepted"}
    with connected(own.start()) as database:
        Worker(office.journal, office.registry, lambda: database).drain()
        assert {office.inbox().receipt(receipt.id).status for receipt in receipts} == {"applied"}
        assert database.read("MATCH (e:Episodic) RETURN count(*) AS n, count(DISTINCT e.receipt) AS r") == [{"n": 5, "r": 5}]
        assert verify(office.journal) == []
        written = canonical_hash(database, "lessons")
        database.write("MATCH (n) WHERE NOT n:GavelSchema DETACH DELETE n")
        replay(office.journal, database)
        assert canonical_hash(database, "lessons") == written
