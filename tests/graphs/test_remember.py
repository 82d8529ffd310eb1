"""The remembering graph: a text becomes a proposal, a promise, a decision where one is needed, and a receipt that is true."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from agents.writer import RulesWriter
from evals.benchmarks.toy import ToyKg
from graphs.context import RunContext, Services
from graphs.door import RememberGraph
from graphs.remember import build_remember
from knowledge.errors import DatabaseError
from knowledge.remember.approvals import Approvals
from knowledge.remember.inbox import Inbox
from knowledge.remember.proposal import Provenance
from knowledge.scope import Principal
from tests.knowledge.remember.world import BOT, OTHER_PERSON, PERSON, Office

GUIDED = "Remember in guide: look before you write"
THREAD = {"configurable": {"thread_id": "t"}}


class ToyDesk:
    """An office whose work is not done here, unless it is told what to do instead."""

    def __init__(self, office: Office, apply: Callable[[], str] = lambda: "") -> None:
        self.office, self.apply = office, apply

    def inbox(self, principal: Principal, provenance: Provenance, holder: str) -> Inbox:
        return Inbox(self.office.journal, self.office.registry, principal, provenance, holder)

    def approvals(self, principal: Principal) -> Approvals:
        return Approvals(self.office.journal, self.office.registry, principal)


@pytest.fixture
def office(tmp_path: Path) -> Iterator[Office]:
    made = Office(tmp_path)
    yield made
    made.journal.close()


def remembering(
    office: Office, who: Callable[[], Principal] = lambda: BOT, apply: Callable[[], str] = lambda: "", **given: Any
) -> RememberGraph:
    kg = ToyKg()
    services = Services(kg.open, who, kg.terminate, desk=ToyDesk(office, apply))
    return build_remember(services, RulesWriter(), **given)


def test_what_is_said_is_promised_and_told(office: Office) -> None:
    result = remembering(office).invoke({"question": "Remember that Neo4j retries deadlocks."})
    [receipt] = result["receipts"]
    assert (receipt["status"], receipt["namespace"]) == ("accepted", "lessons")
    assert receipt["receipt"] in result["answer"] and result["messages"][-1].text == result["answer"]
    [event] = office.journal.events(kind="submitted")
    assert event.principal == "bot" and event.about["agent_id"] == "writer" and event.about["run_id"] == result["trace_id"]


def test_what_must_be_approved_waits_where_nobody_can_be_asked(office: Office) -> None:
    result = remembering(office).invoke({"question": GUIDED})
    assert result["receipts"][0]["status"] == "review" and "waits for approval" in result["answer"]


def test_a_person_who_is_asked_decides_and_the_run_goes_on(office: Office) -> None:
    who = [BOT]
    graph = remembering(office, lambda: who[0], checkpointer=InMemorySaver())
    stopped = graph.invoke({"question": GUIDED}, THREAD)
    asked = stopped["__interrupt__"][0].value
    assert asked["waiting"][0]["status"] == "review" and asked["drafts"][0]["episode_body"] == "look before you write"
    who[0] = PERSON
    result = graph.invoke(Command(resume={"decision": "approve"}), THREAD)
    assert result["receipts"][0]["status"] == "accepted" and "approved" in result["answer"]
    assert [event.principal for event in office.journal.events(kind="approved")] == ["ann"]
    assert len(office.journal.events(kind="submitted")) == 1


@pytest.mark.parametrize(
    ("resume", "status", "said"),
    [
        ({"decision": "reject", "why": "we know"}, "rejected", "we know"),
        ({"decision": "leave"}, "review", "left in the queue"),
        ({"decision": "amend", "changes": {"episode_body": "look, then write"}}, "review", "amended"),
        ({"decision": "reroute", "namespace": "nowhere"}, "review", "not registered"),
        ({"decision": "amend", "changes": {"colour": "red"}}, "review", "cannot be read"),
        ("approve", "accepted", "approved"),
        ("yes", "review", "is no decision"),
    ],
)
def test_every_decision_is_told(office: Office, resume: Any, status: str, said: str) -> None:
    who = [BOT]
    graph = remembering(office, lambda: who[0], checkpointer=InMemorySaver())
    graph.invoke({"question": GUIDED}, THREAD)
    who[0] = OTHER_PERSON
    result = graph.invoke(Command(resume=resume), THREAD)
    assert result["receipts"][0]["status"] == status and said in result["answer"]


def test_nobody_approves_what_they_had_remembered_themselves(office: Office) -> None:
    graph = remembering(office, lambda: PERSON, checkpointer=InMemorySaver())
    graph.invoke({"question": GUIDED}, THREAD)
    result = graph.invoke(Command(resume={"decision": "approve"}), THREAD)
    assert result["receipts"][0]["status"] == "review" and "their own" in result["answer"]


def test_who_is_refused_leaves_the_question_to_the_next_who_comes(office: Office) -> None:
    who = [BOT]
    graph = remembering(office, lambda: who[0], checkpointer=InMemorySaver())
    graph.invoke({"question": GUIDED}, THREAD)
    again = graph.invoke(Command(resume={"decision": "approve"}), THREAD)
    assert "their own" in again["__interrupt__"][0].value["refused"] and office.journal.events(kind="approved") == []
    who[0] = PERSON
    rejected = graph.invoke(Command(resume={"decision": "reject", "why": "we know"}), THREAD)
    assert rejected["receipts"][0]["status"] == "rejected" and "__interrupt__" not in rejected
    assert office.journal.events(kind="approved") == []


@pytest.mark.parametrize(
    "forged",
    [
        {"drafts": [{"name": "Lesson: Guide - harmless", "episode_body": "a harmless text", "group_id": "guide", "operations": []}]},
        {"drafts": []},
        {"valid_at": "1999"},
    ],
)
def test_a_thread_that_shows_something_else_than_what_waits_is_not_approved(office: Office, forged: dict[str, Any]) -> None:
    who = [BOT]
    graph = remembering(office, lambda: who[0], checkpointer=InMemorySaver())
    graph.invoke({"question": GUIDED}, THREAD)
    graph.invoke(Command(resume={"decision": "leave it"}, update=forged), THREAD)
    who[0] = PERSON
    result = graph.invoke(Command(resume={"decision": "approve"}), THREAD)
    assert "is not what is shown here" in result["answer"] and result["receipts"][0]["status"] == "review"
    assert office.journal.events(kind="approved") == []


def test_running_a_node_again_submits_nothing_twice(office: Office) -> None:
    graph = remembering(office, checkpointer=InMemorySaver())
    first = graph.invoke({"question": "Remember that Neo4j retries deadlocks."}, THREAD)
    before = [
        state for state in graph.get_state_history(THREAD) if "submit" in state.next or "observe" in state.next or "__start__" in state.next
    ]
    again = graph.invoke(None, before[0].config) if before else graph.invoke({"question": "Remember that Neo4j retries deadlocks."}, THREAD)
    assert again["receipts"][0]["receipt"] == first["receipts"][0]["receipt"]
    assert len(office.journal.events(kind="submitted")) == 1


def test_a_database_that_is_away_costs_no_memory(office: Office) -> None:
    def away(*_: Any) -> Any:
        raise DatabaseError("nobody listens there")

    services = Services(away, lambda: BOT, desk=ToyDesk(office, lambda: "the database is away, so it is applied later"))
    result = build_remember(services, RulesWriter()).invoke({"question": "Remember that Neo4j retries deadlocks."})
    assert result["receipts"][0]["status"] == "accepted"
    assert "away" in result["health"] and "applied later" in result["answer"]


@pytest.mark.parametrize("agent", ["navigator", "planner", "supervisor", "synthesizer", ""])
def test_the_tool_in_the_hands_of_another_agent_is_refused_and_recorded(office: Office, agent: str) -> None:
    context = RunContext.claim(None, Services(ToyKg().open, lambda: BOT, desk=ToyDesk(office)))
    from tools.add_memory import add_memory

    cited = add_memory(context.run.inbox(agent), "Lesson: a - b", "some text that is long enough", "lessons")
    assert (cited.artifact.verdict.code, cited.artifact.status) == ("forged", "rejected")
    [event] = office.journal.events(kind="submitted")
    assert event.about["code"] == "forged" and event.about["holder"] == agent and event.principal == "bot"
    assert office.inbox().submit_many([]) == []


def test_with_nothing_to_remember_nothing_is_submitted(office: Office) -> None:
    result = remembering(office).invoke({"messages": [("human", "remember")]})
    assert result["receipts"] == [] and "nothing to remember" in result["answer"].lower()


async def _remembered(graph: RememberGraph) -> Any:
    return await graph.ainvoke({"question": "Remember that Neo4j retries deadlocks."})


def test_it_can_be_awaited(office: Office) -> None:
    import asyncio

    assert asyncio.run(_remembered(remembering(office)))["receipts"][0]["status"] == "accepted"


def test_in_a_conversation_that_means_the_message_before(office: Office) -> None:
    graph = remembering(office, checkpointer=InMemorySaver())
    told = [("human", "Neo4j retries deadlocks."), ("ai", "Noted."), ("human", "Remember that.")]
    [receipt] = graph.invoke({"messages": told}, THREAD)["receipts"]
    assert receipt["status"] == "accepted" and office.inbox(BOT).receipt(receipt["receipt"]).status == "accepted"
    again = graph.invoke({"messages": [("human", "Kafka never polls."), ("human", "Remember that.")]}, THREAD)["receipts"]
    assert again[0]["receipt"] != receipt["receipt"], "said again it is about something else"
