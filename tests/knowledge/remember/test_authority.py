"""What was accepted is written while those who answer for it may act, and no longer; a receipt tells what the kg holds."""

from datetime import timedelta
from typing import NoReturn

import pytest

from knowledge.database.connection import Database
from knowledge.errors import StatementError
from knowledge.journal.verify import verify
from knowledge.remember import commit
from knowledge.remember import worker as worker_module
from knowledge.remember.approvals import Approvals
from knowledge.remember.delegations import Delegations
from knowledge.remember.principals import Principals
from knowledge.remember.verdict import Receipt
from knowledge.remember.worker import Worker
from knowledge.scope import EVERY_NAMESPACE, LOCAL, Principal
from tests.knowledge.remember.world import BOT, EVERYWHERE, OTHER_PERSON, OWNER, PERSON, FakeClock, Office, lesson

ALL = (EVERY_NAMESPACE,)


@pytest.fixture
def principals(office: Office) -> Principals:
    """Two persons who have everything, an agent, and the owner of alpha."""
    made = Principals(office.journal)
    made.add(LOCAL.principal(PERSON.scope), "ann", "person", ALL, ALL, ALL, ALL)
    made.add(PERSON, "ben", "person", ALL, ALL, ALL, ALL)
    for agent in (BOT, OWNER):
        made.add(PERSON, agent.id, "agent", EVERYWHERE, EVERYWHERE)
    return made


def submit(office: Office, who: Principal = BOT, namespace: str = "lessons", body: str = "Look at the plan before the index.") -> Receipt:
    return office.inbox(who).submit(lesson(body, namespace=namespace))


def told(office: Office, receipt: Receipt) -> Receipt:
    found = office.inbox(PERSON).receipt(receipt.id)
    assert found is not None
    return found


def approve(office: Office, by: Principal, receipt: Receipt) -> None:
    assert Approvals(office.journal, office.registry, by).approve([receipt.id])[0].done


def written(database: Database) -> set[str]:
    return {row["uuid"].replace("-", "") for row in database.read("MATCH (e:Episodic) RETURN e.uuid AS uuid")}


def drain(office: Office, database: Database) -> None:
    assert isinstance(office.clock, FakeClock)
    office.clock.pass_(hours=1)
    Worker(office.journal, office.registry, lambda: database).drain()


def test_what_a_revoked_principal_had_accepted_is_refused_and_that_of_others_written(
    office: Office, memory: Database, principals: Principals
) -> None:
    gone, stays = submit(office), submit(office, OWNER, body="What another has learned since.")
    assert (gone.status, stays.status) == ("accepted", "accepted")
    principals.revoke(PERSON, "bot")
    drain(office, memory)
    refused = told(office, gone)
    assert (refused.status, refused.why) == ("rejected", "bot was revoked before it was written")
    assert told(office, stays).status == "applied" and written(memory) == {stays.id}
    [event] = office.journal.events(receipt=gone.id, kind="stopped")
    assert event.about == {"why": refused.why} and verify(office.journal) == []


def test_what_a_person_approved_stands_on_that_person(office: Office, memory: Database, principals: Principals) -> None:
    kept, dropped = (submit(office, namespace="guide", body=f"Step {i} of how to begin here.") for i in range(2))
    approve(office, PERSON, kept)
    approve(office, OTHER_PERSON, dropped)
    principals.revoke(PERSON, "bot")
    principals.revoke(PERSON, "ben")
    drain(office, memory)
    assert told(office, kept).status == "applied" and written(memory) == {kept.id}
    assert (told(office, dropped).status, told(office, dropped).why) == ("rejected", "ben was revoked before it was written")


def test_what_an_agent_approved_stands_on_its_proposer_too(office: Office, memory: Database, principals: Principals) -> None:
    receipt = submit(office, namespace="alpha")
    approve(office, OWNER, receipt)
    principals.revoke(PERSON, "bot")
    drain(office, memory)
    assert (told(office, receipt).status, written(memory)) == ("rejected", set())


def test_a_delegation_goes_with_whoever_gave_it(office: Office, memory: Database, principals: Principals) -> None:
    Delegations(office.journal, office.registry, OTHER_PERSON).grant("bot", "alpha", uses=5, duration=timedelta(days=1))
    receipt = submit(office, namespace="alpha")
    assert receipt.verdict.code == "delegation"
    principals.revoke(PERSON, "ben")
    assert submit(office, namespace="alpha", body="What came after ben had gone.").verdict.code == "not_owner"
    drain(office, memory)
    assert (told(office, receipt).status, told(office, receipt).why) == ("rejected", "the delegation ended before it was written")


def test_what_the_local_person_had_accepted_before_there_were_principals_is_written(office: Office, memory: Database) -> None:
    local = LOCAL.principal(PERSON.scope)
    receipt = submit(office, local)
    Principals(office.journal).add(local, "ann", "person", ALL, ALL, ALL, ALL)
    drain(office, memory)
    assert told(office, receipt).status == "applied"


def test_what_the_local_person_had_approved_stands_when_its_proposer_is_revoked(office: Office, memory: Database) -> None:
    local = LOCAL.principal(PERSON.scope)
    receipt = submit(office, BOT, "guide")
    approve(office, local, receipt)
    made = Principals(office.journal)
    made.add(local, "ann", "person", ALL, ALL, ALL, ALL)
    made.add(PERSON, BOT.id, "agent", EVERYWHERE, EVERYWHERE)
    made.revoke(PERSON, BOT.id)
    drain(office, memory)
    assert told(office, receipt).status == "applied"


def test_a_write_that_failed_is_not_tried_again_for_one_who_was_revoked_meanwhile(
    office: Office, memory: Database, principals: Principals
) -> None:
    def broken() -> NoReturn:
        raise StatementError("the disk is full")

    receipt = submit(office)
    Worker(office.journal, office.registry, broken, lease_seconds=0.0).once()
    assert [event.kind for event in office.journal.events(receipt=receipt.id)][1:2] == ["resolved"]
    principals.revoke(PERSON, "bot")
    drain(office, memory)
    assert (told(office, receipt).why, written(memory)) == ("bot was revoked before it was written", set())


@pytest.mark.parametrize("point", [*worker_module.POINTS[1:-1], *(point for point in commit.POINTS if point != "archived")])
def test_whenever_one_is_revoked_the_receipt_tells_what_the_kg_holds(
    office: Office, memory: Database, principals: Principals, point: str
) -> None:
    reached = []

    def stop(here: str) -> None:
        if here == point:
            reached.append(here)
            raise KeyboardInterrupt

    operations = [{"op": "add_relation", "subject": "Ada", "relation": "knows", "object": "Ben"}]
    receipt = office.inbox().submit(lesson("Ada knows Ben, since they met.", operations=operations))
    with pytest.raises(KeyboardInterrupt):
        Worker(office.journal, office.registry, lambda: memory, stop, lease_seconds=0.0).once()
    principals.revoke(PERSON, "bot")
    there = written(memory)
    drain(office, memory)
    assert reached and written(memory) == there
    assert told(office, receipt).status == ("applied" if there else "rejected") and verify(office.journal) == []
