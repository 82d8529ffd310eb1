"""A process that goes on applies what it could not apply at once."""

import threading
from pathlib import Path

import pytest

from gavel.again import Again
from gavel.app import App
from gavel.settings import Settings
from knowledge.database.connection import Database
from knowledge.errors import ServerError
from knowledge.remember.proposal import Proposal, Provenance
from tests.conftest import wipe
from tests.gavel.test_cli_json import REGISTRY, kg_of_the_session

__all__ = ["kg_of_the_session"]
LESSON = {"name": "Lesson: Neo4j - deadlocks", "episode_body": "Retry with jitter, never at once.", "group_id": "technical_patterns"}


def test_it_is_tried_until_there_is_nothing_left(caplog: pytest.LogCaptureFixture) -> None:
    tries, done = [ServerError("away"), ServerError("away"), False, True], threading.Event()

    def work() -> bool:
        now = tries.pop(0)
        if isinstance(now, ServerError):
            raise now
        if now:
            done.set()
        return now

    again = Again(work, first=0.001)
    again.begin()
    again.begin()
    assert done.wait(20) and not tries
    again.close()
    assert [record.getMessage() for record in caplog.records] == ["it is tried again: away"]


def test_closed_it_tries_no_more() -> None:
    again = Again(lambda: pytest.fail("it was closed"), first=3600)
    again.begin()
    again.close()
    again.begin()
    assert not [thread for thread in threading.enumerate() if thread.name == "gavel-again"]


def test_what_was_accepted_while_the_database_was_away_is_applied_when_it_is_back(
    kg_of_the_session: None, environment: pytest.MonkeyPatch, shared_database: Database, tmp_path: Path
) -> None:
    wipe(shared_database)
    environment.setenv("GAVEL_DATA_DIR", str(tmp_path / "data"))
    environment.setenv("GAVEL_REGISTRY", str(REGISTRY))
    back = threading.Event()

    def database() -> Database:
        if not back.is_set():
            raise ServerError("nobody listens")
        return shared_database

    with App(Settings()) as app:
        app.memory._database = database
        receipt = app.memory.inbox(app.actor(), Provenance()).submit(Proposal.read(LESSON))
        assert "applied later" in app.memory.apply()
        assert app.memory.inbox(app.actor(), Provenance()).receipt(receipt.id).status == "accepted"
        back.set()
        app.memory._again._thread.join(30)
        assert app.memory.inbox(app.actor(), Provenance()).receipt(receipt.id).status == "applied"
