"""Brains that misbehave: they loop, ask for everything, raise, return nothing, return nonsense, or never have enough."""

import dataclasses
import itertools
import random
from collections.abc import Callable
from typing import Any

from agents.contract import Brains, GapReply, IntakeReply, PlannerReply, ReasonerReply, SynthesizerReply, TaskResult
from agents.exchange import new_task
from evals.benchmarks.toy import FACTS
from evals.benchmarks.toy_brains import BRAINS
from knowledge.errors import DatabaseError, OutOfBudget, StatementError

_ids = itertools.count()
Brain = Callable[[Any, Any], Any]


def raises(view: Any, reader: Any) -> Any:
    raise RuntimeError("a bug in a brain")


def loses_statement(view: Any, reader: Any) -> Any:
    raise StatementError("the statement failed")


def loses_database(view: Any, reader: Any) -> Any:
    raise DatabaseError("the database does not answer")


def returns_nothing(view: Any, reader: Any) -> Any:
    return None


def returns_nonsense(view: Any, reader: Any) -> Any:
    return {"plan": 7, "answer": None}


def loops(view: Any, reader: Any) -> Any:
    """Reads the same thing until it is stopped, by memory (which costs nothing) at most a thousand times."""
    for _ in range(1000):
        reader.expand(["id-Auro"])
    return None


def asks_for_everything(view: Any, reader: Any) -> Any:
    """Reads something new until it is stopped."""
    for _ in range(1000):
        reader.expand([f"id-{next(_ids)}"], limit=10**9)
    return None


def ignores_refusals(view: Any, reader: Any) -> Any:
    """Swallows what the budget says, for a while."""
    for _ in range(50):
        try:
            reader.search_facts(f"anything {next(_ids)}")
        except OutOfBudget:
            continue
    return None


BROKEN = [raises, loses_statement, loses_database, returns_nothing, returns_nonsense, loops, asks_for_everything, ignores_refusals]


def _malformed_understanding(view: Any, reader: Any) -> Any:
    return IntakeReply(understanding={"kind": "prophecy"})  # type: ignore[typeddict-item]


def _task_for_nobody(view: Any, reader: Any) -> Any:
    return dataclasses.replace(BRAINS.intake(view, reader), task=new_task("t", "walk", "", needs=["t", "u"]))


def _thousand_tasks(view: Any, reader: Any) -> Any:
    return PlannerReply(plan={f"t{next(_ids)}": new_task(f"t{next(_ids)}", "explore", "all", starts=["id-Auro"]) for _ in range(1000)})


def _circular(view: Any, reader: Any) -> Any:
    a, b = f"a{next(_ids)}", f"b{next(_ids)}"
    return PlannerReply(plan={a: new_task(a, "walk", "", needs=[b]), b: new_task(b, "walk", "", needs=[a])})


def _unknown_needs(view: Any, reader: Any) -> Any:
    return PlannerReply(plan={"x": new_task("x", "walk", "", needs=["nowhere"]), "y": new_task("y", "connect", "", ends_from=["x"])})


def _already_done(view: Any, reader: Any) -> Any:
    return PlannerReply(plan={"x": {**new_task("x", "explore", "", starts=["id-Auro"]), "status": "completed", "found": ["id-Nobody"]}})


def _half_a_task(view: Any, reader: Any) -> Any:
    return PlannerReply(plan={"x": {"id": "x"}})  # type: ignore[typeddict-item]


def _long_chain(view: Any, reader: Any) -> Any:
    first = next(_ids)
    names = [f"c{first}.{i}" for i in range(40)]
    return PlannerReply(
        plan={n: new_task(n, "explore", "", starts=["id-Auro"], needs=names[max(0, i - 1) : i]) for i, n in enumerate(names)}
    )


def _mountain(view: Any, reader: Any) -> Any:
    result = TaskResult(found=["id-Auro"] * 5000, paths=[["nowhere"]] * 1000)
    result.keep(dataclasses.replace(FACTS[0], id=f"made-up-{next(_ids)}") for _ in range(2000))
    return result


def _foreign_evidence(view: Any, reader: Any) -> Any:
    return TaskResult(evidence={"x": {"id": "y"}})  # type: ignore[typeddict-item]


def _never_confident(view: Any, reader: Any) -> Any:
    return ReasonerReply(confidence=float("nan"), paths=[["nowhere"]], weakest_link={"id": "nowhere", "why": "invented"})


def _too_confident(view: Any, reader: Any) -> Any:
    return ReasonerReply(answers=[{"id": "", "name": "x", "kind": "", "value": 42, "score": 9e9}], confidence=1e9)


def _always_a_gap(view: Any, reader: Any) -> Any:
    gap = {"kind": "missing_value", "about": "id-Auro", "relation": "made", "why": "", "priority": 1, "required": True, "closable": True}
    return GapReply(gaps=[gap] * 1000)  # type: ignore[list-item]


def _invented_citations(view: Any, reader: Any) -> Any:
    return SynthesizerReply(answer="trust me", citations=["nowhere", *view["evidence"]])


def _says_nothing(view: Any, reader: Any) -> Any:
    return SynthesizerReply(answer="  ")


SPECIAL: dict[str, list[Brain]] = {
    "intake": [_malformed_understanding, _task_for_nobody],
    "planner": [_thousand_tasks, _circular, _unknown_needs, _already_done, _half_a_task, _long_chain],
    "navigator": [_mountain, _foreign_evidence],
    "reasoner": [_never_confident, _too_confident],
    "gap_detector": [_always_a_gap],
    "synthesizer": [_invented_citations, _says_nothing],
}


def adversarial_brains(rng: random.Random) -> tuple[Brains, list[str]]:
    """Toy brains of which some, at random, are replaced by adversaries; and which."""
    chosen: dict[str, Brain] = {}
    for role, special in SPECIAL.items():
        if rng.random() < (0.1 if role == "intake" else 0.4):
            chosen[role] = rng.choice([*BROKEN, *special, *special])
    return dataclasses.replace(BRAINS, **chosen), [f"{role}: {brain.__name__}" for role, brain in chosen.items()]
