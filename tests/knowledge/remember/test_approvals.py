"""Who decides about what waits, and what a decision holds for."""

from datetime import timedelta

import pytest

from knowledge.database.connection import Database
from knowledge.errors import ScopeError
from knowledge.remember.approvals import Approvals
from knowledge.remember.delegations import Delegations
from knowledge.remember.verdict import Receipt
from knowledge.remember.worker import Worker
from knowledge.scope import Principal
from tests.knowledge.remember.world import BOT, OTHER_PERSON, OWNER, PERSON, FakeClock, Office, lesson, principal


def approvals(office: Office, who: Principal = PERSON) -> Approvals:
    return Approvals(office.journal, office.registry, who)


def proposed(office: Office, who: Principal = BOT, namespace: str = "guide", body: str = "Start the server, then load.") -> Receipt:
    receipt = office.inbox(who).submit(lesson(body, namespace=namespace))
    assert receipt.status == "review"
    return receipt


def status(office: Office, receipt: Receipt) -> str:
    return office.inbox(PERSON).receipt(receipt.id).status


def test_a_person_approves_and_it_is_written(office: Office, database: Database) -> None:
    receipt = proposed(office)
    [waiting] = approvals(office).waiting()
    assert (waiting.receipt, waiting.principal, waiting.proposal.episode_body) == (receipt.id, "bot", "Start the server, then load.")
    assert approvals(office).approve([receipt.id], shown={receipt.id: waiting.payload})[0].done
    assert status(office, receipt) == "accepted"
    Worker(office.journal, office.registry, lambda: database).drain()
    assert status(office, receipt) == "applied" and approvals(office).waiting() == []


@pytest.mark.parametrize("who", [BOT, principal("helper"), principal("carl", "person", writes=frozenset({"lessons"}))])
def test_neither_the_proposer_nor_an_agent_nor_a_person_without_a_grant_approves(office: Office, who: Principal) -> None:
    receipt = proposed(office)
    assert not approvals(office, who).approve([receipt.id])[0].done
    assert not approvals(office, who).reject([receipt.id], "no")[0].done
    assert approvals(office, who).waiting() == [] and status(office, receipt) == "review"


def test_a_person_does_not_approve_their_own(office: Office) -> None:
    receipt = proposed(office, PERSON)
    assert "their own" in approvals(office).approve([receipt.id])[0].message
    assert approvals(office, OTHER_PERSON).approve([receipt.id])[0].done


def test_the_owner_of_a_namespace_decides_about_it(office: Office) -> None:
    receipt = proposed(office, namespace="alpha")
    assert approvals(office, OWNER).approve([receipt.id])[0].done
    assert not approvals(office, OWNER).approve([proposed(office).id])[0].done


def test_what_was_decided_is_not_decided_again(office: Office) -> None:
    receipt = proposed(office)
    assert [decision.done for decision in approvals(office).approve([receipt.id, receipt.id])] == [True, False]
    assert "accepted already" in approvals(office, OTHER_PERSON).reject([receipt.id], "no")[0].message
    assert len(office.journal.events(kind="approved")) == 1


def test_an_amended_payload_needs_someone_who_neither_proposed_nor_amended_it(office: Office) -> None:
    receipt = proposed(office)
    [before] = approvals(office).waiting()
    assert approvals(office).amend(receipt.id, {"episode_body": "Start the server; wait until it answers; then load."}).done
    assert "amended" in approvals(office).approve([receipt.id])[0].message
    stale = approvals(office, OTHER_PERSON).approve([receipt.id], shown={receipt.id: before.payload})
    assert not stale[0].done and status(office, receipt) == "review"
    [now] = approvals(office, OTHER_PERSON).waiting()
    assert now.proposal.episode_body.startswith("Start the server; wait") and now.amended_by == "ann"
    assert approvals(office, OTHER_PERSON).approve([receipt.id], shown={receipt.id: now.payload})[0].done


def test_an_amendment_that_would_be_refused_changes_nothing(office: Office) -> None:
    receipt = proposed(office)
    assert not approvals(office).amend(receipt.id, {"name": "no name"}).done
    assert approvals(office).waiting()[0].proposal.name.startswith("Lesson")


def test_what_is_sent_elsewhere_is_decided_there(office: Office) -> None:
    receipt = proposed(office)
    assert approvals(office).reroute(receipt.id, "alpha").done
    assert approvals(office, OWNER).waiting("alpha")[0].receipt == receipt.id
    assert not approvals(office).reroute(receipt.id, "nowhere").done
    assert approvals(office, OWNER).approve([receipt.id])[0].done and status(office, receipt) == "accepted"


def test_a_full_namespace_takes_no_more_whoever_approves(office: Office) -> None:
    receipts = [proposed(office, namespace="alpha", body=f"number {i} of the proposals") for i in range(4)]
    decisions = approvals(office, OWNER).approve([receipt.id for receipt in receipts])
    assert [decision.done for decision in decisions] == [True, True, True, False] and "full" in decisions[3].message


def test_the_queue_does_not_rot(office: Office) -> None:
    receipt = proposed(office)
    assert isinstance(office.clock, FakeClock)
    office.clock.pass_(days=15)
    assert approvals(office).waiting() == [] and status(office, receipt) == "expired"
    assert "expired already" in approvals(office).approve([receipt.id])[0].message


def test_a_delegate_writes_until_it_ends(office: Office, database: Database) -> None:
    owner = Delegations(office.journal, office.registry, OWNER)
    owner.grant("bot", "alpha", uses=2, duration=timedelta(hours=1))
    inbox = office.inbox(BOT)
    used = [inbox.submit(lesson(f"by delegation, number {i}", namespace="alpha")) for i in range(3)]
    assert [receipt.verdict.code for receipt in used] == ["delegation", "delegation", "not_owner"]
    assert isinstance(office.clock, FakeClock)
    office.clock.pass_(hours=2)
    Worker(office.journal, office.registry, lambda: database).drain()
    assert [inbox.receipt(receipt.id).status for receipt in used] == ["rejected", "rejected", "review"]
    assert "delegation ended" in inbox.receipt(used[0].id).why


def test_a_delegation_that_has_ended_lets_nothing_more_in(office: Office) -> None:
    Delegations(office.journal, office.registry, OWNER).grant("bot", "alpha", uses=9, duration=timedelta(hours=1))
    assert isinstance(office.clock, FakeClock)
    office.clock.pass_(hours=2)
    assert office.inbox(BOT).submit(lesson("after its end", namespace="alpha")).verdict.code == "not_owner"


def test_a_revoked_delegation_stops_what_was_accepted_on_it(office: Office, database: Database) -> None:
    owner = Delegations(office.journal, office.registry, OWNER)
    delegation = owner.grant("bot", "alpha", uses=5, duration=timedelta(days=1))
    receipt = office.inbox(BOT).submit(lesson("accepted by delegation", namespace="alpha"))
    owner.revoke(delegation)
    Worker(office.journal, office.registry, lambda: database).drain()
    assert office.inbox(BOT).receipt(receipt.id).status == "rejected"
    assert office.inbox(BOT).submit(lesson("after the revocation", namespace="alpha")).status == "review"


@pytest.mark.parametrize(
    ("who", "actor", "namespace", "uses"),
    [
        (BOT, "eve", "alpha", 1), (OWNER, "alpha-bot", "alpha", 1), (OWNER, "bot", "guide", 1), (PERSON, "bot", "guide", 1),
        (OWNER, "bot", "alpha", 0), (OWNER, "bot", "nowhere", 1),
    ],
)  # fmt: skip
def test_only_the_owner_or_a_person_delegates_and_never_to_themselves(
    office: Office, who: Principal, actor: str, namespace: str, uses: int
) -> None:
    with pytest.raises(ScopeError):
        Delegations(office.journal, office.registry, who).grant(actor, namespace, uses=uses, duration=timedelta(hours=1))
    assert office.journal.events(kind="delegated") == []
