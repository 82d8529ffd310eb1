"""How writing is, and whether a memory is there as it was sent."""

from typing import NoReturn

import pytest

from knowledge.database.connection import Database
from knowledge.errors import DatabaseError
from knowledge.remember.overview import Overview
from knowledge.remember.worker import Worker
from knowledge.scope import Principal
from tests.knowledge.remember.world import BOT, OWNER, FakeClock, Office, lesson, principal
from tools.errors import ToolError
from tools.health import health
from tools.kg_stats import kg_stats
from tools.verify import verify


def overview(office: Office, database: Database, who: Principal = BOT) -> Overview:
    return Overview(office.journal, office.registry, lambda: database, who)


def test_a_memory_is_unchanged_until_someone_changes_or_removes_it(office: Office, database: Database) -> None:
    receipt = office.inbox().submit(lesson())
    look = overview(office, database)
    assert look.verify(receipt.id) == "not written"
    Worker(office.journal, office.registry, lambda: database).drain()
    assert look.verify(receipt.id) == "unchanged" and verify(look, receipt.id).artifact == "unchanged"
    database.write("MATCH (e:Episodic) SET e.content = 'something else'")
    assert look.verify(receipt.id) == "changed"
    database.write("MATCH (e:Episodic) DETACH DELETE e")
    assert look.verify(receipt.id) == "missing"
    assert overview(office, database, principal("eve", reads=frozenset())).verify(receipt.id) == "unknown"
    with pytest.raises(ToolError):
        verify(look, "no receipt")


def test_health_tells_what_waits_and_for_how_long(office: Office, database: Database) -> None:
    office.inbox().submit_many([lesson(), lesson("needs approval by someone", namespace="guide")])
    assert isinstance(office.clock, FakeClock)
    office.clock.pass_(seconds=30)
    found = overview(office, database).health()
    assert (found.database, dict(found.work), found.well) == ("well", {"accepted": 1, "review": 1}, True)
    assert 29 < found.oldest < 31 and "1 accepted, 1 review" in health(overview(office, database)).text


def test_a_database_that_is_away_is_told_and_raises_nothing(office: Office) -> None:
    def away() -> NoReturn:
        raise DatabaseError("nobody listens there")

    found = Overview(office.journal, office.registry, away, BOT).health()
    assert found.database == "away: nobody listens there" and not found.well


def test_what_a_namespace_holds_is_told_to_who_may_know_of_it(office: Office, database: Database) -> None:
    told = [{"op": "add_relation", "subject": "Ada", "relation": "knows", "object": "Ben"}]
    office.inbox(OWNER).submit(lesson("Ada knows Ben, as everyone does.", namespace="alpha", operations=told))
    [alpha] = [one for one in kg_stats(overview(office, database, OWNER)).artifact if one["namespace"] == "alpha"]
    assert (alpha["episodes"], alpha["facts"], alpha["limits"]) == (1, 1, {"episodes": 3, "facts": 5, "bytes": 5000})
    stranger = principal("eve", reads=frozenset({"lessons"}), writes=frozenset())
    assert [one["namespace"] for one in overview(office, database, stranger).stats()] == ["lessons"]
