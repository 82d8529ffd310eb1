"""No combination of misbehaving supervisor and misbehaving agents outruns the ledger, and every run answers for exactly one reason."""

import asyncio
import itertools
import math
import random
from typing import Any

import pytest

from evals.benchmarks.toy import ToyKg
from graphs.budget import STOP_REASONS, Limits
from graphs.context import RunContext
from graphs.door import AskGraph
from graphs.models import calls
from tests.graphs.adversaries import adversarial_brains
from tests.graphs.scripted import FACT, ONE_ROUND, PARALLEL, SUPERVISORS, TWO_ROUNDS, Scripted, misbehaving, toy_graph

UNITS = ("turns", "rounds", "queries", "model_calls", "tokens")


def random_limits(rng: random.Random) -> Limits:
    """Mostly the defaults, with some of them tight."""
    tight: dict[str, list[Any]] = {
        "turns": [0, 3, 10], "rounds": [1, 2, 3], "queries": [0, 1, 4], "model_calls": [0, 1, 4], "tokens": [0, 1_500, 3_000],
        "repeats": [0, 1], "no_news": [1, 9], "wall_time": [0, 1.0],
    }  # fmt: skip
    return Limits.model_validate({unit: rng.choice(values) for unit, values in tight.items() if rng.random() < 0.15})


def outcome(graph: AskGraph, question: str, context: RunContext, way: int) -> tuple[list[str], dict[str, Any]]:
    """Agents that had a turn, and the final values, by one of the four ways in."""
    turns, result = [], {}
    kwargs: Any = {"config": {"recursion_limit": 3}, "context": context, "stream_mode": ["custom", "values"]}

    def take(mode: str, chunk: Any) -> None:
        if mode == "custom" and chunk["event"] == "turn":
            turns.append(chunk["agent"])
        if mode == "values":
            result.update(chunk)

    async def drain() -> None:
        async for mode, chunk in graph.astream({"question": question}, **kwargs):
            take(mode, chunk)

    if way:
        asyncio.run(drain())
    else:
        for mode, chunk in graph.stream({"question": question}, **kwargs):
            take(mode, chunk)
    return turns, result


def check_one_run(seed: int) -> None:
    rng = random.Random(seed)
    brains, who = adversarial_brains(rng)
    kind = rng.choice([*SUPERVISORS, "rules"])
    model = None if kind == "rules" else Scripted(policy=misbehaving(kind, seed))
    ticks, kg, limits = (
        itertools.count(),
        ToyKg(broken=frozenset(rng.sample(["Ekko", "Auro", "Dunka"], rng.randint(0, 1)))),
        random_limits(rng),
    )
    graph = toy_graph(kg, model=model, brains=brains, clock=lambda: next(ticks) * 0.01)
    context = RunContext(limits=limits)
    turns, result = outcome(graph, rng.choice([FACT, ONE_ROUND, TWO_ROUNDS, PARALLEL, "what is love"]), context, seed % 4 == 0)
    spent, said = result["spent"], f"seed {seed}, supervisor {kind}, {who}, {limits}"
    assert result["stop_reason"] in STOP_REASONS and result["answer"].strip(), said
    assert [m.type for m in result["messages"]] == ["human", "ai"], said
    assert (spent["queries"], spent["turns"], spent["model_calls"]) == (len(kg.log), len(turns), len(model.calls) if model else 0), said
    assert all(spent[unit] <= getattr(limits, unit) for unit in UNITS), said
    assert context.run.ledger.outstanding == 0, said
    cited = {*result["citations"], *itertools.chain(*result["paths"]), *filter(None, [result["weakest_link"]["id"]])}
    assert cited <= set(result["evidence"]), said
    assert math.isfinite(result["confidence"]) and 0 <= result["confidence"] <= 1, said
    assert all(task["status"] in ("completed", "failed", "pending") for task in result["plan"].values()), said


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Providers that fail are tried again at once."""
    monkeypatch.setattr(calls, "FIRST_WAIT", 0.0)


@pytest.mark.parametrize("batch", [pytest.param(n, marks=[] if n < 5 else [pytest.mark.full]) for n in range(10)])
def test_no_adversary_outruns_the_ledger(batch: int) -> None:
    for seed in range(batch * 20, batch * 20 + 20):
        check_one_run(seed)


@pytest.mark.full
@pytest.mark.parametrize("batch", range(30))
def test_no_adversary_outruns_the_ledger_in_thousands_of_runs(batch: int) -> None:
    for seed in range(1000 + batch * 100, 1000 + batch * 100 + 100):
        check_one_run(seed)
