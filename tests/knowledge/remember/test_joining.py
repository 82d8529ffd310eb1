"""What two agents remember of one thing, under one key in their own namespaces, is one thing to whoever may read both."""

from dataclasses import replace

import pytest

from knowledge.database.connection import Database
from knowledge.profile.profile import GraphProfile
from knowledge.reading.kg import Kg
from knowledge.reading.meter import Unmetered
from knowledge.remember.verdict import Receipt
from knowledge.scope import Scope
from tests.knowledge.loading.test_same_key import linked
from tests.knowledge.remember.test_replay import drain, redact, replayed, status
from tests.knowledge.remember.world import ALPHA, CONTRACTS, OWNER, PERSON, Office, lesson

Told = dict[str, object]
BOTH = frozenset({"alpha", "notes"})
ACME: Told = {"op": "add_entity", "name": "Acme", "key": "org-1"}
ACME_INC: Told = {"op": "add_entity", "name": "Acme Inc", "key": "org-1"}
WORKS: Told = {"op": "add_relation", "subject": "Ada", "relation": "works_at", "object": "Acme"}
SEAT: Told = {"op": "add_relation", "subject": "Acme Inc", "relation": "has_seat_in", "object": "Oslo"}


@pytest.fixture
def office(office: Office) -> Office:
    """With another namespace of the same owner."""
    office.contracts = {**CONTRACTS, "notes": replace(ALPHA, id="notes", single_valued=frozenset())}
    return office


def tell(office: Office, database: Database, namespace: str, *told: Told) -> Receipt:
    who = replace(OWNER, scope=Scope(BOTH), writes=BOTH)
    body = f"{namespace} knows {told[-1]}"
    receipt = office.inbox(who).submit(lesson(body, namespace=namespace, operations=list(told)))
    drain(office, database)
    assert office.inbox(who).receipt(receipt.id).status == "applied"
    return receipt


def way_from_ada_to_oslo(office: Office, database: Database) -> list[str]:
    kg = Kg(database, GraphProfile(), joining=lambda namespaces: namespaces - office.registry().apart)
    reader = kg.reader(Scope(BOTH), Unmetered())
    ada, oslo = (reader.link([name])[name][0].entity.id for name in ("ada", "oslo"))
    [paths] = reader.paths([(ada, oslo)])
    return [fact.relation for path in paths for fact in path.facts]


def test_a_question_is_answered_over_both(office: Office, memory: Database) -> None:
    tell(office, memory, "alpha", ACME, WORKS)
    tell(office, memory, "notes", ACME_INC, SEAT)
    assert way_from_ada_to_oslo(office, memory) == ["works_at", "has_seat_in"]
    office.contracts = {**office.contracts, "notes": replace(office.contracts["notes"], join="none")}
    assert way_from_ada_to_oslo(office, memory) == []


def test_a_replay_joins_them_again(office: Office, memory: Database) -> None:
    tell(office, memory, "alpha", ACME, WORKS)
    tell(office, memory, "notes", ACME_INC, SEAT)
    replayed(office, memory)
    assert linked(memory) == [{"alpha", "notes"}]


def test_removing_another_text_for_good_leaves_them_joined(office: Office, memory: Database) -> None:
    tell(office, memory, "alpha", ACME, WORKS)
    secret = tell(office, memory, "alpha", {"op": "add_relation", "subject": "Ada", "relation": "hides", "object": "Key"})
    tell(office, memory, "notes", ACME_INC, SEAT)
    assert redact(office, memory, secret, replace(PERSON, scope=Scope(BOTH)))
    assert status(office, secret) == "redacted"
    assert way_from_ada_to_oslo(office, memory) == ["works_at", "has_seat_in"]
