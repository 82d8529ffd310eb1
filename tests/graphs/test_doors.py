"""Every way in costs the same and streams the same."""

import asyncio
import dataclasses
from typing import Any

import pytest
from langchain_core.messages import AIMessage

from evals.benchmarks.toy_brains import BRAINS
from graphs.context import RunContext
from graphs.door import AskGraph
from graphs.state import Result
from graphs.trace import RunRecord
from prompts.prompt import load
from tests.graphs.scripted import ONE_ROUND, PARALLEL, TWO_ROUNDS, misbehaving, toy_graph

GRAPH = toy_graph()


def test_invoke_and_ainvoke_work_without_a_context() -> None:
    result, later = GRAPH.invoke({"question": PARALLEL}), asyncio.run(GRAPH.ainvoke({"question": PARALLEL}))
    assert result["answer"] == later["answer"] == "Ilmo; Hessi" and result["spent"]["turns"] == later["spent"]["turns"]


def test_the_result_has_all_its_keys_whatever_happened() -> None:
    for question in (PARALLEL, "what is love", ""):
        result = GRAPH.invoke({"question": question})
        assert set(Result.__annotations__) <= set(result) and result["calibrated"] is False
        assert set(result["spent"]) == {"rounds", "turns", "queries", "model_calls", "tokens", "money", "milliseconds", "roles", "thread"}
        assert set(result["brains"].values()) == {"rules"}


def test_a_copy_with_other_settings_is_still_the_same_graph() -> None:
    copy = GRAPH.with_config({"recursion_limit": 2, "tags": ["x"]})
    assert isinstance(copy, AskGraph) and copy.invoke({"question": TWO_ROUNDS})["answer"] == "Ilmo"


def test_the_graph_serves_as_a_node_of_someone_elses_graph() -> None:
    from langgraph.graph import START, MessagesState, StateGraph

    outer = StateGraph(MessagesState).add_node("gavel", GRAPH).add_edge(START, "gavel").compile()
    said = outer.invoke({"messages": [("user", PARALLEL)]})["messages"]  # type: ignore[arg-type]
    assert [m.text for m in said] == [PARALLEL, "Ilmo; Hessi"]


@pytest.mark.parametrize("mode", ["updates", "messages", "custom", "values"])
@pytest.mark.parametrize("model", [None, misbehaving("unknown", 1)])
def test_every_stream_mode_runs_with_subgraphs_and_costs_the_same(mode: Any, model: Any) -> None:
    graph, context = toy_graph(model=model), RunContext()
    chunks = list(graph.stream({"question": TWO_ROUNDS}, context=context, stream_mode=mode, subgraphs=True))
    assert chunks and context.run.ledger.spent()["turns"] == 10 and context.run.ledger.stop_reason is None
    if mode == "messages":
        root = [m for ns, (m, meta) in chunks if ns == ()]
        assert [m.text for m in root if isinstance(m, AIMessage)] == ["Ilmo"]
        outside = [m for m, meta in graph.stream({"question": TWO_ROUNDS}, stream_mode="messages")]
        assert [m.text for m in outside] == [TWO_ROUNDS, "Ilmo"]  # without subgraphs the team is silent

    async def drain() -> int:
        return len([c async for c in graph.astream({"question": TWO_ROUNDS}, stream_mode=mode, subgraphs=True)])

    assert asyncio.run(drain()) == len(chunks)


def test_the_trace_tells_turns_tasks_and_statements_as_they_happen() -> None:
    events = list(GRAPH.stream({"question": ONE_ROUND}, stream_mode="custom"))
    kinds = [event["event"] for event in events]
    assert kinds.count("turn") == 5 and kinds.count("task") == 2 and kinds.count("statement") == 3
    statement = next(event for event in events if event["event"] == "statement" and event["task"])
    assert (statement["agent"], statement["task"], statement["method"], statement["rows"]) == ("navigator", "r1.0.0", "expand", 1)
    assert len(statement["cypher"]) == 1


class Recorder:
    """Keeps what it is given."""

    def __init__(self) -> None:
        self.records: list[RunRecord] = []

    def finished(self, record: RunRecord) -> None:
        self.records.append(record)


def test_a_run_is_recorded_once_with_its_question_result_and_events() -> None:
    recorder = Recorder()
    result = toy_graph(recorder=recorder).invoke({"question": TWO_ROUNDS})
    (record,) = recorder.records
    assert (record.trace_id, record.question, record.result["answer"]) == (result["trace_id"], TWO_ROUNDS, "Ilmo")
    assert set(record.result) == set(Result.__annotations__) and record.prompts == {"supervisor": load("supervisor").hash}
    assert [e.kind for e in record.events].count("turn") == 10
    assert [e.milliseconds for e in record.events] == sorted(e.milliseconds for e in record.events)


def test_a_trace_that_cannot_be_kept_costs_no_answer(caplog: pytest.LogCaptureFixture) -> None:
    class Full:
        def finished(self, record: RunRecord) -> None:
            raise OSError("no space left")

    assert toy_graph(recorder=Full()).invoke({"question": TWO_ROUNDS})["stop_reason"] == "answered"
    assert "is lost: no space left" in caplog.text


def test_a_failing_brain_leaves_its_reason_in_the_trace() -> None:
    def broken(view: Any, reader: Any) -> Any:
        raise KeyError("lost")

    recorder = Recorder()
    toy_graph(recorder=recorder, brains=dataclasses.replace(BRAINS, gap_detector=broken)).invoke({"question": ONE_ROUND})
    failures = [e.detail for e in recorder.records[0].events if e.kind == "failure"]
    assert failures[0] == {"where": "gap_detector", "why": "KeyError: 'lost'"}


def test_half_a_character_in_the_question_breaks_nothing() -> None:
    recorder = Recorder()
    result = toy_graph(recorder=recorder).invoke({"question": f"{ONE_ROUND} \ud83e"})
    assert result["stop_reason"] != "failed" and recorder.records[0].question == f"{ONE_ROUND} ?"
