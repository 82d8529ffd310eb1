"""A thread keeps two messages per question and nothing else of an earlier one; a follow-up still knows what it was about."""

import asyncio
import dataclasses
import itertools
from typing import Any

import pytest
from langchain_core.messages import AIMessage, HumanMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.sqlite import SqliteSaver

from agents.contract import IntakeReply, IntakeView
from evals.benchmarks.toy_brains import BRAINS
from tests.graphs.scripted import FACT, PARALLEL, TWO_ROUNDS, toy_graph

GRAPH = toy_graph()


@pytest.mark.parametrize("saver", ["memory", "sqlite"])
def test_twenty_turns_leave_two_messages_each_and_nothing_of_another_question(saver: str) -> None:
    with SqliteSaver.from_conn_string(":memory:") as sqlite:
        graph = toy_graph(checkpointer=InMemorySaver() if saver == "memory" else sqlite)
        config: Any = {"configurable": {"thread_id": "t"}}
        cycle, seen = itertools.cycle([PARALLEL, "what is love", FACT, TWO_ROUNDS, "remember that"]), set()
        for turn in range(1, 21):
            question = next(cycle)
            given: Any = {"messages": [HumanMessage(question)]} if turn % 2 else {"question": question}
            result = graph.invoke(given, config)
            assert [m.type for m in result["messages"]] == ["human", "ai"] * turn
            assert [m.text for m in result["messages"][-2:]] == [question, result["answer"]]
            assert result["trace_id"] not in seen
            seen.add(result["trace_id"])
            fresh = GRAPH.invoke({"question": question})
            for kept in (s.values for s in graph.get_state_history(config) if s.values.get("trace_id") == result["trace_id"]):
                assert set(kept["evidence"]) <= set(fresh["evidence"]) and set(kept["plan"]) <= set(fresh["plan"])
            for key in ("evidence", "plan", "gaps", "answers", "paths", "rounds", "stop_reason", "understanding"):
                assert result[key] == fresh[key]


def test_a_question_once_asked_is_not_asked_again_by_a_later_message() -> None:
    graph, config = toy_graph(checkpointer=InMemorySaver()), {"configurable": {"thread_id": "t"}}
    graph.invoke({"question": FACT}, config)  # type: ignore[arg-type]
    assert graph.invoke({"messages": [("user", "who made Ciro")]}, config)["asked"] == "who made Ciro"  # type: ignore[arg-type]


def test_a_question_costs_one_checkpoint_whatever_the_team_does() -> None:
    saver = InMemorySaver()
    graph, config = toy_graph(checkpointer=saver), {"configurable": {"thread_id": "t"}}
    for turn in range(1, 4):
        graph.invoke({"question": TWO_ROUNDS}, config)  # type: ignore[arg-type]
        assert len(list(saver.list(None))) == turn


@pytest.mark.parametrize("durability", ["sync", "async", "exit"])
def test_every_durability_answers(durability: Any) -> None:
    graph = toy_graph(checkpointer=InMemorySaver())
    blocking = graph.invoke({"question": TWO_ROUNDS}, {"configurable": {"thread_id": "a"}}, durability=durability)
    awaited = asyncio.run(graph.ainvoke({"question": TWO_ROUNDS}, {"configurable": {"thread_id": "b"}}, durability=durability))
    assert blocking["stop_reason"] == awaited["stop_reason"] == "answered"


class Watched:
    """A graph whose intake tells what it saw."""

    def __init__(self, **services: Any) -> None:
        self.views: list[IntakeView] = []
        self.graph = toy_graph(brains=dataclasses.replace(BRAINS, intake=self._look), **services)

    def _look(self, view: IntakeView, reader: Any) -> IntakeReply:
        self.views.append(view)
        return BRAINS.intake(view, reader)


def test_intake_sees_the_turns_before_with_the_entities_of_the_last() -> None:
    watched, config = Watched(checkpointer=InMemorySaver()), {"configurable": {"thread_id": "t"}}
    for question in (FACT, "who made Ciro", "writer of Belo", "what is love", "and who made it?"):
        watched.graph.invoke({"question": question}, config)  # type: ignore[arg-type]
    histories = [view["history"] for view in watched.views]
    assert [[turn["asked"] for turn in history] for history in histories[:2]] == [[], [FACT]]
    assert histories[1][0]["mentioned"] == [{"id": "id-Auro", "name": "Auro", "kind": "thing"}]
    assert [a["name"] for a in histories[1][0]["answered"]] == ["Dunka"] and histories[1][0]["answer"] == "Dunka"
    assert [turn["asked"] for turn in histories[4]] == ["who made Ciro", "writer of Belo", "what is love"]
    assert histories[4][-1]["mentioned"] == [] == histories[4][0]["mentioned"]


def test_a_chat_front_end_without_a_checkpointer_brings_its_history_as_messages() -> None:
    watched = Watched()
    said = [HumanMessage(FACT), AIMessage("x" * 900), HumanMessage("and who made Ciro?")]
    result = watched.graph.invoke({"messages": said})
    assert (result["asked"], result["answer"]) == ("and who made Ciro?", "Dunka")
    (turn,) = watched.views[0]["history"]
    assert (turn["asked"], len(turn["answer"]), turn["mentioned"]) == (FACT, 500, [])


def test_two_hundred_turns_do_not_make_the_state_grow_by_more_than_their_messages() -> None:
    graph, config = toy_graph(checkpointer=InMemorySaver()), {"configurable": {"thread_id": "t"}}
    for _ in range(200):
        result = graph.invoke({"question": FACT}, config)  # type: ignore[arg-type]
    assert len(result["messages"]) == 400 and len(result["evidence"]) == len(result["plan"]) == 1


def test_a_thread_adds_up_what_its_questions_cost() -> None:
    graph, config = toy_graph(checkpointer=InMemorySaver()), {"configurable": {"thread_id": "t"}}
    results = [graph.invoke({"question": question}, config)["spent"] for question in (FACT, TWO_ROUNDS, "what is love")]  # type: ignore[arg-type]
    assert [spent["thread"]["questions"] for spent in results] == [1, 2, 3]
    assert results[-1]["thread"]["queries"] == sum(spent["queries"] for spent in results)
