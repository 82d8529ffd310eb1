"""The ledger is exact, whoever asks it and from however many threads."""

import threading
from typing import Any

import pytest
from pydantic import ValidationError

from graphs.budget import Ledger, Limits, RunMeter
from knowledge.errors import OutOfBudget
from tests.graphs.scripted import ONE_ROUND, PARALLEL, SUPERVISORS, TWO_ROUNDS, misbehaving, toy_graph


def test_the_defaults_are_those_of_the_design() -> None:
    limits = Limits()
    assert (limits.rounds, limits.queries, limits.model_calls, limits.turns, limits.tokens) == (5, 20, 30, 40, 50_000)
    assert (limits.wall_time, limits.no_news) == (120, 2)


def test_parallel_takers_never_exceed_a_limit() -> None:
    ledger = Ledger(Limits(queries=500))
    threads = [threading.Thread(target=lambda: [ledger.take("queries") for _ in range(200)]) for _ in range(8)]
    [t.start() for t in threads], [t.join() for t in threads]
    assert (ledger.spent()["queries"], ledger.stop_reason) == (500, "queries")


def test_parallel_model_calls_never_exceed_calls_or_tokens() -> None:
    ledger = Ledger(Limits(model_calls=50, tokens=4_000))

    def call() -> None:
        for _ in range(20):
            if ledger.reserve(100) is not None:
                ledger.settle(100, 90)

    threads = [threading.Thread(target=call) for _ in range(8)]
    [t.start() for t in threads], [t.join() for t in threads]
    spent = ledger.spent()
    assert spent["model_calls"] < 50 and spent["tokens"] == 90 * spent["model_calls"] <= 3_500 and ledger.outstanding == 0


def test_time_is_the_injected_clock_and_the_closing_call_keeps_its_share() -> None:
    now = [0.0]
    ledger = Ledger(Limits(wall_time=100, model_calls=2), clock=lambda: now[0])
    assert ledger.take("turns") and ledger.reserve(10) == 10 and ledger.reserve(10) is None
    ledger.settle(10, 7)
    assert ledger.reserve(10, closing=True) == 10 and ledger.stop_reason == "model_calls"
    late = Ledger(Limits(wall_time=100), clock=lambda: now[0])
    now[0] = 95.1
    assert not late.take("turns") and late.stop_reason == "wall_time" and late.reserve(5, closing=True) == 5


def test_an_unknown_usage_costs_what_was_reserved() -> None:
    ledger = Ledger(Limits())
    ledger.settle(ledger.reserve(70) or 0, None)
    assert ledger.spent()["tokens"] == 70


def test_the_first_reason_stands_except_that_being_cancelled_wins() -> None:
    ledger = Ledger(Limits())
    ledger.stop("no_news")
    ledger.stop("rounds")
    assert ledger.stop_reason == "no_news"
    ledger.stop("cancelled")
    assert ledger.stop_reason == "cancelled" and ledger.reserve(1, closing=True) is None


def test_more_repeats_than_allowed_are_a_loop() -> None:
    ledger = Ledger(Limits(repeats=1))
    assert [ledger.repeats(k) for k in ("a", "b", "a")] == [False, False, True] and ledger.running
    assert ledger.repeats("b") and ledger.stop_reason == "loop"


def test_the_meter_charges_statements_and_cuts_their_time_to_what_remains() -> None:
    now = [0.0]
    meter = RunMeter(Ledger(Limits(queries=2, wall_time=50), clock=lambda: now[0]), "run-1")
    assert (meter.charge("RETURN 1"), meter.tag, meter.sent) == (30.0, "run-1", ("RETURN 1",))
    now[0] = 40.0
    assert meter.charge("RETURN 1") == 5.0
    with pytest.raises(OutOfBudget, match="queries"):
        meter.charge("RETURN 1")


@pytest.mark.parametrize(
    "wrong", [{"rounds": 0}, {"turns": -1}, {"wall_time": float("inf")}, {"wall_time": float("nan")}, {"querys": 3}, {"tokens": "many"}]
)
def test_a_limit_that_means_nothing_is_refused(wrong: Any) -> None:
    with pytest.raises(ValidationError):
        Limits.model_validate(wrong)


@pytest.mark.parametrize(
    ("limits", "reason"),
    [
        ({"turns": 7}, "turns"), ({"queries": 3}, "queries"), ({"rounds": 1}, "rounds"), ({"wall_time": 0}, "wall_time"),
    ],
)  # fmt: skip
def test_each_limit_is_met_exactly_and_named(limits: Any, reason: str) -> None:
    result = toy_graph().invoke({"question": TWO_ROUNDS}, context={"limits": limits})
    assert result["stop_reason"] == reason and result["answer"]
    if reason != "wall_time":
        assert result["spent"][reason] == limits[reason]


@pytest.mark.parametrize(("limits", "reason"), [({"model_calls": 3}, "model_calls"), ({"tokens": 2_500}, "tokens")])
def test_calls_and_tokens_of_a_model_are_met_and_named(limits: Any, reason: str) -> None:
    graph = toy_graph(model=misbehaving("for_ever", 1))
    result = graph.invoke({"question": TWO_ROUNDS}, context={"limits": limits})
    assert result["stop_reason"] == reason and result["spent"][reason] <= limits[reason]
    assert result["spent"]["model_calls"] >= 1


def test_a_supervisor_that_hands_over_for_ever_meets_the_default_limits() -> None:
    reasons = {k: toy_graph(model=misbehaving(k, 1)).invoke({"question": TWO_ROUNDS})["stop_reason"] for k in SUPERVISORS}
    assert (
        reasons["for_ever"] in ("model_calls", "queries", "turns")
        and reasons["raises"] == reasons["empty"] == reasons["unknown"] == reasons["lazy"] == "answered"
    )
    assert reasons["same"] in ("loop", "not_found", "answered")


def test_the_two_round_question_stays_within_twelve_queries() -> None:
    assert toy_graph().invoke({"question": PARALLEL})["spent"]["queries"] <= 12


def test_the_recursion_limit_never_fires_first() -> None:
    result = toy_graph(model=misbehaving("for_ever", 3)).invoke(
        {"question": ONE_ROUND}, {"recursion_limit": 2}, context={"limits": {"queries": 1000, "model_calls": 1000, "tokens": 10**6}}
    )
    assert (result["stop_reason"], result["spent"]["turns"]) == ("turns", 40)
