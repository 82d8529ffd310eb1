"""What is adopted is on the record: a baseline of the journal, counted against limits, replayed from a snapshot, forgotten when it is let go."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from knowledge.adoption.governing import Governing
from knowledge.database.connection import Database
from knowledge.errors import StoreError
from knowledge.journal.verify import verify
from knowledge.loading.canonical import canonical_hash
from knowledge.registry.contract import SizeLimit
from knowledge.remember.baseline import drifted
from knowledge.remember.replay import replay
from knowledge.remember.snapshot import take
from tests.knowledge.adoption.graphiti_world import everything, put_back
from tests.knowledge.adoption.test_adopt import CONTRACTS, SPACES, remember
from tests.knowledge.remember.world import BOT, PERSON, Office, lesson, principal


@pytest.fixture
def office(tmp_path: Path) -> Iterator[Office]:
    made = Office(tmp_path, contracts=CONTRACTS)
    made.clock.pass_(days=365)  # type: ignore[attr-defined]
    yield made
    made.journal.close()


@pytest.fixture
def adopted(database: Database, office: Office) -> Database:
    put_back(database)
    Governing(office.journal, lambda: database, PERSON).adopt(lambda *told: None)
    return database


def test_it_counts_against_the_limits_from_the_first_verdict_on(adopted: Database, office: Office) -> None:
    held = adopted.read("MATCH (e:Episodic {group_id: 'proj-harbor'}) RETURN count(*) AS n")[0]["n"]
    office.contracts = {**CONTRACTS, "proj-harbor": replace(CONTRACTS["proj-harbor"], size_limit=SizeLimit(held))}
    who = principal("bot", reads=SPACES, writes=SPACES)
    assert office.inbox(who).submit(lesson(namespace="proj-harbor")).verdict.code == "capacity"
    assert [event.about["episodes"] for event in office.journal.events(kind="adopted") if event.namespace == "proj-harbor"] == [held]


def test_its_baseline_is_watched_and_a_replay_needs_a_snapshot(adopted: Database, office: Office) -> None:
    assert drifted(office.journal, adopted) == []
    with pytest.raises(StoreError, match="empty"):
        replay(office.journal, adopted)
    take(office.journal, adopted, "proj-harbor", office.folder / "harbor", "ann")
    take(office.journal, adopted, "team-aurora", office.folder / "aurora", "ann")
    assert remember(office, adopted, "Luca Ferri repaired the Tide Gauge.").status == "applied"
    before = {space: canonical_hash(adopted, space) for space in SPACES}
    adopted.write("MATCH (n) WHERE NOT n:GavelSchema DETACH DELETE n")
    replay(office.journal, adopted)
    assert {space: canonical_hash(adopted, space) for space in SPACES} == before
    assert verify(office.journal) == []


def test_let_go_it_is_as_if_the_journal_had_never_told_of_it(database: Database, office: Office) -> None:
    put_back(database)
    before = everything(database)
    governing = Governing(office.journal, lambda: database, PERSON)
    governing.adopt(lambda *told: None)
    governing.release(lambda *told: None)
    assert everything(database) == before
    assert [one.kind for one in office.journal.events() if one.namespace == "proj-harbor"] == ["adopted", "baseline", "released"]
    database.write("MATCH (n) DETACH DELETE n")
    assert sum(replay(office.journal, database).values()) == 0
    assert BOT.id not in {event.principal for event in office.journal.events()}
