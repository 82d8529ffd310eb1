"""One typed view in, at most one valid handoff out, whatever the model behind it says."""

from typing import Any

import pytest
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage
from langgraph.checkpoint.memory import InMemorySaver

from agents.exchange import Gap
from graphs.models import calls
from graphs.state import nothing_proved
from graphs.supervisor import RulesSupervisor, SupervisorView, next_agent, seen, view_of
from prompts.prompt import load
from tests.graphs.scripted import ONE_ROUND, TWO_ROUNDS, Scripted, misbehaving, to, toy_graph, turns

AGENTS = ["planner", "navigator", "reasoner", "gap_detector", "investigate"]
RULES_FIRST = ["supervisor", "planner", "investigate", "supervisor", "reasoner"]


def view(**changes: Any) -> SupervisorView:
    base: dict[str, Any] = {
        "question": "q", "round": 1, "tasks": {}, "planned": False, "evidence": 0, "proved": False, "gaps": [], "stopped": [], "reports": [],
    }  # fmt: skip
    return SupervisorView(**{**base, **changes})


@pytest.mark.parametrize(
    ("state", "chosen"),
    [
        ({}, "planner"),
        ({"planned": True, "tasks": {"pending": 2}}, "investigate"),
        ({"planned": True, "tasks": {"completed": 2}, "evidence": 3}, "reasoner"),
        ({"planned": True, "tasks": {"completed": 2}, "evidence": 3, "proved": True}, None),
        ({"planned": True, "tasks": {"failed": 2}}, None),
        ({"stopped": ["planner"]}, None),
        ({"planned": True, "tasks": {"pending": 2}, "stopped": ["investigate"]}, None),
    ],
)
def test_the_rules_plan_then_investigate_then_prove(state: Any, chosen: str | None) -> None:
    assert next_agent(view(**state)) == chosen


def test_both_brains_get_one_system_message_that_ends_with_the_typed_view() -> None:
    rules = RulesSupervisor()
    tools = [{"type": "function", "function": {"name": f"to_{a}"}} for a in AGENTS]
    model = Scripted(policy=lambda messages, names: rules._generate(messages, tools=tools).generations[0].message)  # type: ignore[arg-type, return-value]
    result, by_rules = toy_graph(model=model).invoke({"question": TWO_ROUNDS}), toy_graph().invoke({"question": TWO_ROUNDS})
    for messages, names in model.calls:
        assert [type(m) for m in messages] == [SystemMessage, HumanMessage]
        assert seen(messages).question == messages[1].text == TWO_ROUNDS
        assert messages[0].text == load("supervisor").render(view=seen(messages).model_dump_json())
        assert names == [f"to_{agent}" for agent in AGENTS]
    assert {k: result[k] for k in ("answer", "evidence", "plan", "stop_reason")} == {
        k: by_rules[k] for k in ("answer", "evidence", "plan", "stop_reason")
    }
    assert turns(TWO_ROUNDS, toy_graph(model=model)) == turns(TWO_ROUNDS, toy_graph())
    assert (result["spent"]["model_calls"], by_rules["spent"]["model_calls"]) == (4, 0)


def test_the_view_tells_of_this_round_only_not_of_the_thread_or_the_round_before() -> None:
    rules = RulesSupervisor()
    model = Scripted(policy=lambda messages, names: rules._generate(messages).generations[0].message)  # type: ignore[arg-type, return-value]
    graph, config = toy_graph(model=model, checkpointer=InMemorySaver()), {"configurable": {"thread_id": "t"}}
    for _ in range(2):
        graph.invoke({"question": TWO_ROUNDS}, config)  # type: ignore[arg-type]
    views = [seen(messages) for messages, _ in model.calls]
    assert [(view.round, [report.split(":")[0] for report in view.reports]) for view in views[4:]] == [
        (1, []), (1, ["planner", "investigate"]), (2, []), (2, ["planner", "investigate"]),
    ]  # fmt: skip


def test_a_question_with_braces_does_not_hide_the_view() -> None:
    assert toy_graph().invoke({"question": f'{{"round": 9}} {TWO_ROUNDS} {{{{view}}}}'})["answer"] == "Ilmo"


def test_a_handoff_carries_its_task_and_the_agent_sees_only_its_view() -> None:
    steps = iter([to("navigator", task="look around"), to("reasoner", task="prove it")])
    seen_by: list[Any] = []
    graph = toy_graph(model=lambda m, n: next(steps))
    for _, chunk in graph.stream({"question": ONE_ROUND}, stream_mode="debug", subgraphs=True):
        if chunk["type"] == "task" and chunk["payload"]["name"] == "turn":
            seen_by.append(chunk["payload"]["input"])
    assert seen_by[0]["task"] == "look around" and set(seen_by[0]) == {"understanding", "round", "task", "plan"}
    assert set(seen_by[1]) == {"asked", "understanding", "plan", "evidence"}


def test_a_navigator_with_a_task_leaves_it_in_the_plan_as_done() -> None:
    steps = iter([to("navigator", task="look around")])
    result = toy_graph(model=lambda m, n: next(steps, None) or AIMessage("enough")).invoke({"question": "basis of Belo and basis of Belo"})
    (task,) = (t for t in result["plan"].values() if t["strategy"] == "explore")
    assert (task["goal"], task["status"], task["starts"]) == ("look around", "completed", ["id-Belo"])
    assert result["answer"] == "Gallo"


def test_several_handoffs_at_once_become_the_first() -> None:
    steps = iter([to("planner", "navigator")])
    graph = toy_graph(model=lambda m, n: next(steps, None) or AIMessage("done"))
    assert turns(ONE_ROUND, graph)[:4] == ["supervisor", "planner", "investigate", "supervisor"]


@pytest.mark.parametrize(
    ("kind", "why"), [("unknown", "to_oracle, which does not exist"), ("empty", "its reply was empty"), ("raises", "it failed: TimeoutError: provider is down")]
)  # fmt: skip
def test_where_the_model_fails_the_rules_decide_and_the_result_says_so(kind: str, why: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calls, "FIRST_WAIT", 0.01)
    assert turns(ONE_ROUND, toy_graph(model=misbehaving(kind, 1))) == RULES_FIRST
    result = toy_graph(model=misbehaving(kind, 1)).invoke({"question": ONE_ROUND})
    assert why in result["brains"]["supervisor"]


def test_a_repeated_handoff_is_answered_by_the_rules_and_then_stops_the_run() -> None:
    result = toy_graph(model=misbehaving("same", 1)).invoke({"question": TWO_ROUNDS}, context={"limits": {"repeats": 0}})
    assert result["stop_reason"] == "loop" and "repeated" in result["brains"]["supervisor"]


def test_an_agent_that_fails_is_not_handed_the_same_round_again() -> None:
    import dataclasses

    from evals.benchmarks.toy_brains import BRAINS

    def broken(view: Any, reader: Any) -> Any:
        raise ValueError("no plan")

    graph = toy_graph(brains=dataclasses.replace(BRAINS, planner=broken))
    assert turns(ONE_ROUND, graph) == ["supervisor", "planner", "investigate", "supervisor"] * 2


def test_a_model_that_can_be_told_is_told_to_hand_over_once() -> None:
    told: list[Any] = []

    class Told(Scripted):
        def bind_tools(self, tools: Any, *, parallel_tool_calls: bool | None = None, **kwargs: Any) -> Any:
            told.append(parallel_tool_calls)
            return super().bind_tools(tools)

    toy_graph(model=Told(policy=lambda m, n: AIMessage("done"))).invoke({"question": ONE_ROUND})
    assert set(told) == {False}


def test_only_one_module_knows_the_supervisor_library() -> None:
    from pathlib import Path

    import graphs.supervisor

    root = Path(graphs.supervisor.__file__).parents[1]
    users = [
        p.name
        for folder in ("agents", "graphs", "gavel", "evals", "tools")
        for p in (root / folder).rglob("*.py")
        if "from langgraph_supervisor" in p.read_text()
    ]
    assert users == ["supervisor.py"]


def test_talk_ends_a_round_only_once_it_has_a_plan() -> None:
    talker = toy_graph(model=lambda messages, names: AIMessage("All is done."))
    by_rules = toy_graph().invoke({"question": ONE_ROUND})
    result = talker.invoke({"question": ONE_ROUND})
    assert [a["id"] for a in result["answers"]] == [a["id"] for a in by_rules["answers"]] != []
    assert "it ended a round that had no plan" in result["brains"]["supervisor"]


def test_the_view_holds_gaps_of_any_length_in_a_line_each() -> None:
    long = "Mill\n" * 2000
    gap: Gap = {"kind": "missing_value", "about": long, "relation": long, "why": long, "priority": 1, "required": True, "closable": True}
    state = {
        "asked": "",
        "round": 1,
        "proof": nothing_proved(),
        "missing": {"gaps": [gap] * 9, "can_answer_now": False, "seen": ""},
        "messages": [],
    }
    text = view_of(state).model_dump_json()  # type: ignore[arg-type]
    assert len(text) < 5000
    assert "\\n" not in text
