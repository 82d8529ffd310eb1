"""Who wrote what, and who decided what."""

from datetime import timedelta

from knowledge.database.connection import Database
from knowledge.remember.approvals import Approvals
from knowledge.remember.delegations import Delegations
from knowledge.remember.proposal import Provenance
from knowledge.remember.provenance import Audit
from knowledge.remember.worker import Worker
from tests.knowledge.remember.world import BOT, OWNER, PERSON, Office, lesson, principal

CLAIMS = Provenance("scribe", "run-7", "ann", "add_memory")
LEADS = {"op": "add_relation", "subject": "Ada", "relation": "leads", "object": "Alpha", "valid_from": "2020"}


def test_an_entity_a_fact_an_episode_and_a_receipt_lead_to_who_wrote_them(office: Office, memory: Database) -> None:
    inbox = office.inbox(OWNER, provenance=CLAIMS)
    receipt = inbox.submit(lesson("Ada leads Alpha.", namespace="alpha", operations=[LEADS]))
    other = inbox.submit(lesson("Nothing about them.", namespace="alpha"))
    Worker(office.journal, office.registry, lambda: memory).drain()
    [row] = memory.read(
        "MATCH (n:Entity {name: 'Ada'})-[r:RELATES_TO]->() RETURN n.uuid AS entity, r.uuid AS fact, r.episodes[0] AS episode"
    )
    audit = Audit(office.journal, PERSON)
    for id_ in (receipt.id, row["entity"], row["fact"], row["episode"]):
        [origin] = audit.provenance(id_, lambda: memory)
        assert (origin.receipt, origin.principal, origin.source) == (receipt.id, "alpha-bot", "a run")
        assert (origin.agent_id, origin.run_id, origin.on_behalf_of, origin.tool) == ("scribe", "run-7", "ann", "add_memory")
        assert origin.submitted < origin.applied
    assert [origin.receipt for origin in audit.provenance(other.id, lambda: memory)] == [other.id]
    stranger = Audit(office.journal, principal("eve", reads=frozenset({"lessons"}), writes=frozenset()))
    assert stranger.provenance(receipt.id, lambda: memory) == audit.provenance("no such", lambda: memory) == []


def test_decisions_are_told_by_namespace_and_kind(office: Office) -> None:
    office.inbox(BOT).submit(lesson("for nobody at all", namespace="nowhere"))
    waiting = office.inbox(BOT).submit(lesson("Start the server first.", namespace="guide"))
    refused = office.inbox(BOT).submit(lesson("Start the server last.", namespace="guide"))
    office.inbox(BOT).submit(lesson())
    Approvals(office.journal, office.registry, PERSON).approve([waiting.id])
    Approvals(office.journal, office.registry, PERSON).reject([refused.id], "we know")
    Delegations(office.journal, office.registry, OWNER).grant("bot", "alpha", uses=1, duration=timedelta(hours=1))
    audit = Audit(office.journal, PERSON)
    assert [event.kind for event in audit.decisions()] == ["submitted", "approved", "rejected", "delegated"]
    assert [(event.kind, event.principal) for event in audit.decisions(kind="approval")] == [("approved", "ann")]
    assert [event.namespace for event in audit.decisions(kind="refusal")] == ["nowhere", "guide"]
    assert [event.kind for event in audit.decisions("alpha")] == ["delegated"]
    assert Audit(office.journal, principal("eve", reads=frozenset(), writes=frozenset())).decisions() == []
