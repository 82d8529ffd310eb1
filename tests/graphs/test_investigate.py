"""Independent tasks run side by side, dependent ones after them, and a failing one takes only its dependents with it."""

import random
import time
from typing import Any

import pytest

from agents.exchange import Task, new_task
from evals.benchmarks.toy import FACTS, ToyKg, person
from evals.benchmarks.toy_brains import BRAINS
from graphs.context import RunContext, Services
from graphs.investigate import investigate, schedule
from graphs.state import merge_evidence, merge_tasks


def task(id_: str, start: str | None, relation: str, *needs: str, **more: Any) -> Task:
    steps: Any = {"steps": [{"relation": relation, "direction": "out"}]}
    return new_task(id_, "walk", relation, starts=[f"id-{start}"] if start else [], needs=needs, spec=steps, **more)


def run_plan(kg: ToyKg, *tasks: Task, **limits: Any) -> Any:
    context = RunContext.claim({"limits": limits}, Services(kg.open, person))
    plan = {t["id"]: t for t in tasks}
    return investigate(BRAINS).graph.invoke({"plan": plan}, {"recursion_limit": context.limits.recursion_limit}, context=context)


def statuses(result: Any) -> dict[str, str]:
    return {key: t["status"] for key, t in result["plan"].items()}


def test_independent_tasks_run_side_by_side_and_dependent_ones_after_them() -> None:
    kg, start = ToyKg(latency=0.3), time.monotonic()
    first = [task(f"a{i}", name, relation) for i, (name, relation) in enumerate([("Auro", "wrote"), ("Belo", "wrote"), ("Ciro", "made")])]
    result = run_plan(kg, *first, *[task(f"b{i}", None, "birthplace", f"a{i}") for i in range(2)])
    assert time.monotonic() - start < 1.2  # two waves of 0.3 s, not five statements
    assert set(statuses(result).values()) == {"completed"} and result["plan"]["b0"]["found"] == ["id-Ilmo"]
    assert ["birthplace" in text for text in kg.log] == [False] * 3 + [True] * 2
    assert len(result["evidence"]) == 5


def test_a_branch_that_raises_fails_alone_and_takes_only_its_dependents_with_it() -> None:
    result = run_plan(
        ToyKg(broken=frozenset({"Ciro"})),
        task("bad", "Ciro", "made"), task("after_bad", None, "born", "bad"), task("later", None, "within", "after_bad"),
        task("good", "Belo", "made"), task("after_good", None, "born", "good"),
    )  # fmt: skip
    assert statuses(result) == {"bad": "failed", "after_bad": "failed", "later": "failed", "good": "completed", "after_good": "completed"}
    assert "lost the database" in result["plan"]["bad"]["error"] and len(result["messages"]) == 1
    assert [result["plan"][key]["error"] for key in ("after_bad", "later")] == ["needs bad, which failed", "needs after_bad, which failed"]


@pytest.mark.parametrize(("needs", "why"), [("b", "waits for itself"), ("nowhere", "not in the plan")])
def test_a_circular_or_unknown_dependency_ends_as_failed(needs: str, why: str) -> None:
    result = run_plan(ToyKg(), task("a", None, "born", needs), task("b", None, "born", "a"))
    assert set(statuses(result).values()) == {"failed"} and why in result["plan"]["a"]["error"]


def test_the_other_side_of_a_connection_may_come_from_tasks_too() -> None:
    seen: list[Any] = []

    def look(view: Any, reader: Any) -> Any:
        seen.append((view["task"]["id"], view["starts"], view["ends"]))
        return BRAINS.navigator(view, reader)

    import dataclasses

    kg = ToyKg()
    context = RunContext.claim(None, Services(kg.open, person))
    tasks = [task("a", "Auro", "made"), task("b", "Belo", "wrote"), new_task("c", "connect", "connect", needs=["a"], ends_from=["b"])]
    graph = investigate(dataclasses.replace(BRAINS, navigator=look)).graph
    graph.invoke({"plan": {t["id"]: t for t in tasks}}, context=context)
    assert seen[-1] == ("c", ["id-Dunka"], ["id-Fynn"])


def test_a_task_whose_predecessors_found_nothing_is_not_run() -> None:
    kg = ToyKg()
    empty: Task = {**task("a", "Auro", "made"), "status": "completed"}
    assert schedule({"a": empty, "b": task("b", None, "born", "a")})["b"]["error"] == "needs a, which found nothing"
    assert kg.log == []


def test_statuses_pass_through_running() -> None:
    plan = {t["id"]: t for t in (task("a", "Auro", "wrote"), task("b", None, "born", "a"))}
    assert {key: t["status"] for key, t in {**plan, **schedule(plan)}.items()} == {"a": "running", "b": "pending"}


def test_a_chain_as_long_as_a_plan_may_be_fits_the_recursion_limit() -> None:
    tasks = [task(f"t{i}", "Auro", "made", *([f"t{i - 1}"] if i else [])) for i in range(24)]
    assert set(statuses(run_plan(ToyKg(), *tasks, turns=1, rounds=1)).values()) == {"completed"}


def test_identical_tasks_cost_one_statement() -> None:
    kg = ToyKg()
    run_plan(kg, task("a", "Auro", "made"), task("b", "Auro", "made", "a"))
    assert len(kg.log) == 1


def test_investigating_without_a_turn_left_says_so() -> None:
    result = run_plan(ToyKg(), task("a", "Auro", "made"), turns=0)
    assert result["messages"][0].text == "refused: turns" and statuses(result) == {"a": "pending"}


def test_merging_is_idempotent_and_free_of_order() -> None:
    rng = random.Random(1)
    facts: list[Any] = [{fact.id: {"id": fact.id}} for fact in FACTS[:6]]
    steps: list[Any] = [{"t": {**task("t", "x", "r"), "status": s}} for s in ("pending", "running", "failed", "completed")]
    for _ in range(50):
        evidence: Any = {}
        tasks: Any = {}
        for fact in rng.choices(facts, k=8) + rng.sample(facts, 6):
            evidence = merge_evidence(evidence, fact)
        for step in rng.sample(steps, 4) + rng.choices(steps, k=3):
            tasks = merge_tasks(tasks, step)
        assert set(evidence) == {fact.id for fact in FACTS[:6]} and tasks["t"]["status"] == "completed"
