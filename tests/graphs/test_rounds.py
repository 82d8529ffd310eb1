"""Plain edges own the rounds; the supervisor decides only what happens inside one."""

import dataclasses
import itertools
from typing import Any

import pytest
from langchain_core.messages import AIMessage
from langgraph.checkpoint.memory import InMemorySaver

from agents.contract import (
    GapReply,
    GapView,
    IntakeReply,
    IntakeView,
    PlannerReply,
    ReasonerReply,
    ReasonerView,
    SynthesizerReply,
    TaskResult,
)
from agents.exchange import new_task
from evals.benchmarks.toy import FACTS, ToyKg
from evals.benchmarks.toy_brains import BRAINS
from graphs.evidence import enough, fingerprint, stale
from knowledge.errors import DatabaseError, OutOfBudget
from tests.graphs.scripted import FACT, ONE_ROUND, PARALLEL, TWO_ROUNDS, nodes, to, toy_graph, turns

GRAPH = toy_graph()


def test_a_simple_fact_takes_the_short_way_and_is_still_checked() -> None:
    assert nodes(FACT, GRAPH) == ["intake", "simple", "check", "synthesize"]
    result = GRAPH.invoke({"question": FACT})
    assert (result["answer"], result["stop_reason"], result["confidence_level"]) == ("Dunka", "answered", "high")
    assert (result["spent"]["queries"], result["spent"]["turns"], result["spent"]["rounds"]) == (2, 0, 1)


def test_a_compound_question_goes_through_the_team_once() -> None:
    assert nodes(ONE_ROUND, GRAPH) == ["intake", "team", "check", "synthesize"]
    assert turns(ONE_ROUND, GRAPH) == ["supervisor", "planner", "investigate", "supervisor", "reasoner"]


def test_the_second_round_comes_from_a_typed_gap_not_from_the_wording() -> None:
    updates = [next(iter(c.items())) for c in GRAPH.stream({"question": TWO_ROUNDS}, stream_mode="updates")]
    assert [name for name, _ in updates] == ["intake", "team", "check", "team", "check", "synthesize"]
    (gap,) = updates[2][1]["missing"]["gaps"]
    assert (gap["kind"], gap["about"], gap["relation"], gap["closable"]) == ("broken_chain", "id-Ekko", "birthplace", True)
    assert updates[-1][1]["answer"] == "Ilmo" and updates[-1][1]["stop_reason"] == "answered"


def test_the_limit_of_rounds_is_owned_by_the_edge() -> None:
    result = GRAPH.invoke({"question": TWO_ROUNDS}, context={"limits": {"rounds": 1}})
    assert (result["stop_reason"], result["spent"]["rounds"]) == ("rounds", 1)
    assert result["evidence"] and result["gaps"] and not result["can_answer_now"]


def test_rounds_without_news_end_the_run() -> None:
    idle = dataclasses.replace(BRAINS, planner=lambda view, reader: PlannerReply())
    result = toy_graph(brains=idle).invoke({"question": TWO_ROUNDS})
    assert (result["stop_reason"], result["spent"]["rounds"]) == ("no_news", 2)


def always_a_gap(view: GapView, reader: Any) -> GapReply:
    """Never satisfied."""
    reply = BRAINS.gap_detector(view, reader)
    gap: Any = {
        "kind": "missing_value",
        "about": "id-Auro",
        "relation": "",
        "why": "more",
        "priority": 1,
        "required": True,
        "closable": True,
    }
    return dataclasses.replace(reply, gaps=[gap])


def unsure(view: ReasonerView, reader: Any) -> ReasonerReply:
    """Proves, but says that it is not sure."""
    return dataclasses.replace(BRAINS.reasoner(view, reader), confidence=0.5)


def test_five_rounds_are_the_most() -> None:
    news = itertools.count()

    def trickle(messages: Any, names: Any) -> AIMessage:
        return to("navigator", task=f"t{next(news)}") if next(news) % 4 == 0 else AIMessage("enough for this round")

    graph = toy_graph(model=trickle, brains=dataclasses.replace(BRAINS, gap_detector=always_a_gap))
    result = graph.invoke({"question": "hometown of Jarva"}, context={"limits": {"no_news": 9}})
    assert (result["stop_reason"], result["spent"]["rounds"]) == ("rounds", 5)


def test_what_cannot_be_closed_is_not_searched_again() -> None:
    result = GRAPH.invoke({"question": "writer of Ciro"})
    assert (result["stop_reason"], result["spent"]["rounds"], result["gaps"][0]["closable"]) == ("not_found", 1, False)


def test_a_confident_proof_ends_the_rounds_although_something_could_still_be_found() -> None:
    graph = toy_graph(brains=dataclasses.replace(BRAINS, gap_detector=always_a_gap))
    result = graph.invoke({"question": ONE_ROUND})
    assert (result["confidence"], result["spent"]["rounds"], result["stop_reason"]) == (0.9, 1, "answered")


def test_a_round_with_far_fewer_new_entities_is_the_last() -> None:
    graph = toy_graph(brains=dataclasses.replace(BRAINS, gap_detector=always_a_gap, reasoner=unsure))
    result = graph.invoke({"question": ONE_ROUND})
    assert (result["rounds"][0]["facts"], result["rounds"][0]["entities"]) == (2, 3)
    assert result["spent"]["rounds"] == 2 and result["stop_reason"] == "answered"


def summary(facts: int, entities: int, confidence: float) -> Any:
    return {"round": 1, "tasks": [], "facts": facts, "entities": entities, "confidence": confidence}


def test_soft_signals_wait_for_a_required_task_and_for_their_thresholds() -> None:
    waiting: Any = {"t": {"required": True, "status": "pending"}}
    optional: Any = {"t": {"required": False, "status": "pending"}}
    assert enough([summary(1, 1, 0.9)], {}) and not enough([summary(1, 1, 0.9)], waiting) and enough([summary(1, 1, 0.9)], optional)
    assert not enough([summary(1, 1, 0.8)], {})
    assert enough([summary(1, 10, 0), summary(1, 2, 0)], {}) and not enough([summary(1, 10, 0), summary(1, 3, 0)], {})
    assert not enough([summary(0, 0, 0), summary(0, 0, 0)], {})


def test_staleness_counts_the_last_rounds_without_a_fact() -> None:
    assert [stale([summary(f, 0, 0) for f in facts]) for facts in ([1], [0], [1, 0], [0, 1], [1, 0, 0])] == [0, 1, 1, 0, 2]


def test_a_fingerprint_sees_new_facts_and_failed_tries() -> None:
    task: Any = {"id": "t", "status": "pending"}
    prints = {fingerprint({}, {}), fingerprint({"t": task}, {}), fingerprint({"t": {**task, "status": "failed"}}, {})}
    assert len(prints | {fingerprint({}, {"e": {}})}) == 4  # type: ignore[typeddict-item]
    assert fingerprint({}, {"a": {}, "b": {}}) == fingerprint({}, {"b": {}, "a": {}})  # type: ignore[typeddict-item]


@pytest.mark.parametrize(
    ("question", "reason"), [("what is love", "out_of_scope"), ("remember Auro", "out_of_scope"), ("someone made Auro", "ambiguous"), ("", "out_of_scope")]
)  # fmt: skip
def test_what_cannot_be_searched_goes_straight_to_the_answer(question: str, reason: str) -> None:
    result = GRAPH.invoke({"question": question})
    assert (result["stop_reason"], result["spent"]["rounds"]) == (reason, 0) and result["answer"]
    assert nodes(question, GRAPH) == ["intake", "synthesize"]


@pytest.mark.parametrize("role", ["intake", "planner", "navigator", "reasoner", "gap_detector", "synthesizer"])
def test_a_surprise_in_any_brain_still_answers_and_says_what_went_wrong(role: str) -> None:
    def broken(view: Any, reader: Any) -> Any:
        raise ZeroDivisionError("a bug")

    events: list[Any] = []
    graph = toy_graph(brains=dataclasses.replace(BRAINS, **{role: broken}))
    for mode, chunk in graph.stream({"question": ONE_ROUND}, stream_mode=["custom", "values"]):
        if mode == "custom":
            events.append(chunk)
        else:
            result = chunk
    assert any(e["event"] == "failure" and "a bug" in e["why"] for e in events)
    assert result["answer"] and result["stop_reason"] in ("answered", "failed", "not_found", "no_news")


@pytest.mark.parametrize("broken", ["asked_in", "reason"])
def test_a_bug_in_the_first_or_the_last_node_itself_still_ends_in_an_answer(broken: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def bug(*_: Any) -> Any:
        raise ZeroDivisionError("a bug")

    monkeypatch.setattr(f"graphs.ask.{broken}", bug)
    result = GRAPH.invoke({"question": FACT})
    assert result["stop_reason"] == "failed" and "a bug" in result["answer"]


@pytest.mark.parametrize("where", ["earlier_turns", "load", "summarise", "finished"])
def test_a_bug_of_our_own_still_ends_in_an_answer_about_this_question(where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def bug(*given: Any) -> Any:
        raise LookupError("our own bug")

    graph, config = toy_graph(checkpointer=InMemorySaver()), {"configurable": {"thread_id": "t"}}
    graph.invoke({"question": ONE_ROUND}, config)  # type: ignore[arg-type]
    monkeypatch.setattr(f"graphs.ask.{where}", bug)
    result = graph.invoke({"question": FACT}, config)  # type: ignore[arg-type]
    assert result["stop_reason"] == "failed" and result["answer"] and "Belo-made-Dunka" not in result["evidence"]
    assert [m.text for m in result["messages"]] == [ONE_ROUND, "Hessi", FACT, result["answer"]]


@pytest.mark.parametrize(("question", "hit"), [(FACT, "Auro"), (ONE_ROUND, "Dunka")])
def test_a_database_that_dies_in_the_middle_ends_the_run_with_its_message(question: str, hit: str) -> None:
    kg = ToyKg(broken=frozenset({hit}), breaks=DatabaseError)
    mute = dataclasses.replace(BRAINS, synthesizer=lambda view, reader: SynthesizerReply())
    result = toy_graph(kg, brains=mute).invoke({"question": question})
    assert result["stop_reason"] == "failed" and "lost the database" in result["answer"]
    assert result["spent"]["rounds"] == 1


def test_a_database_that_is_not_there_is_asked_once_and_named() -> None:
    tries = []

    def refuse(scope: Any, meter: Any) -> Any:
        tries.append(scope)
        raise DatabaseError("the database does not answer; see `gavel db status`")

    kg = ToyKg()
    kg.open = refuse  # type: ignore[method-assign]
    result = toy_graph(kg).invoke({"question": FACT})
    assert (result["stop_reason"], len(tries)) == ("failed", 1) and "gavel db status" in result["answer"]


def test_what_was_found_before_the_budget_refused_is_kept() -> None:
    result = GRAPH.invoke({"question": ONE_ROUND}, context={"limits": {"queries": 2}})
    assert (result["stop_reason"], result["spent"]["queries"]) == ("queries", 2)
    assert list(result["evidence"]) == ["Belo-made-Dunka"]
    assert result["plan"]["r1.0.1"]["error"].startswith("stopped: queries")


def test_what_was_proved_stands_when_the_reasoner_is_stopped_later() -> None:
    def tires(view: ReasonerView, reader: Any) -> ReasonerReply:
        if len(view["plan"]) > 4:
            raise OutOfBudget("queries")
        return BRAINS.reasoner(view, reader)

    result = toy_graph(brains=dataclasses.replace(BRAINS, reasoner=tires)).invoke({"question": PARALLEL})
    assert result["spent"]["rounds"] == 2 and [answer["name"] for answer in result["answers"]] == ["Hessi"] and result["paths"]


def test_evidence_survives_a_stop_before_the_reasoner_and_is_still_proved() -> None:
    result = GRAPH.invoke({"question": ONE_ROUND}, context={"limits": {"turns": 3}})
    assert (result["stop_reason"], result["answer"], result["spent"]["turns"]) == ("turns", "Hessi", 3)


def test_citations_that_are_not_in_evidence_are_dropped() -> None:
    invented = dataclasses.replace(
        BRAINS, synthesizer=lambda v, r: SynthesizerReply(answer="so", citations=["no", "Auro-made-Dunka", "no"])
    )
    assert toy_graph(brains=invented).invoke({"question": FACT})["citations"] == ["Auro-made-Dunka"]


def test_a_plan_is_cut_to_what_a_round_may_run_required_tasks_first() -> None:
    def many(view: Any, reader: Any) -> PlannerReply:
        names = [f"r{view['round']}.{n}" for n in range(100)]
        return PlannerReply(plan={n: new_task(n, "explore", n, starts=["id-Auro"], required=n.endswith("9")) for n in names})

    plan = toy_graph(brains=dataclasses.replace(BRAINS, planner=many)).invoke({"question": ONE_ROUND}, context={"limits": {"rounds": 1}})[
        "plan"
    ]
    assert len(plan) == 24 and sum(task["required"] for task in plan.values()) == 10
    assert {task["status"] for task in plan.values()} == {"completed"}


def test_evidence_is_cut_to_what_a_question_may_carry_proofs_first() -> None:
    def mountain(view: Any, reader: Any) -> TaskResult:
        result = TaskResult(found=["id-Dunka"], paths=[["proof-" + view["task"]["id"]]])
        result.keep(dataclasses.replace(FACTS[0], id=f"{view['task']['id']}-{n}") for n in range(700))
        result.keep([dataclasses.replace(FACTS[0], id="proof-" + view["task"]["id"])])
        return result

    def ten(view: Any, reader: Any) -> PlannerReply:
        return PlannerReply(plan={f"t{n}": new_task(f"t{n}", "explore", "", starts=["id-Auro"]) for n in range(10)})

    result = toy_graph(brains=dataclasses.replace(BRAINS, planner=ten, navigator=mountain)).invoke({"question": ONE_ROUND})
    assert len(result["evidence"]) == 3000 and {f"proof-t{n}" for n in range(10)} <= set(result["evidence"])


def test_intake_sees_the_question_only_up_to_its_bound() -> None:
    seen: list[IntakeView] = []

    def look(view: IntakeView, reader: Any) -> IntakeReply:
        seen.append(view)
        return BRAINS.intake(view, reader)

    toy_graph(brains=dataclasses.replace(BRAINS, intake=look)).invoke({"question": "Auro " * 3000})
    assert len(seen[0]["asked"]) <= 4000 and seen[0]["history"] == []
