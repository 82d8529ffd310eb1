"""Intervals and summaries."""

import pytest

from evals.floors import FLOORS
from evals.intervals import bootstrap, wilson
from evals.journal import Row
from evals.suites import SUITES
from evals.summary import summaries


def row(case, verdict="right", suite="s", **more):
    hit = float(verdict == "right")
    base = {"shape": "memory", "profile": False, "asked": "q", "topic": case, "hit": hit, "f1": hit, "queries": 3, "milliseconds": 10.0}
    return Row(suite=suite, case=case, verdict=verdict, **{**base, "stop_reason": "", "confidence": 0.5, "answer": "", "why": "", **more})


def test_wilson_agrees_with_the_published_example():
    low, high = wilson(81, 263)
    assert (low, high) == (pytest.approx(0.2553, abs=1e-4), pytest.approx(0.3662, abs=1e-4))


def test_wilson_at_the_ends_stays_inside():
    assert wilson(0, 10)[0] == 0.0
    assert wilson(10, 10)[1] == pytest.approx(1.0)
    assert wilson(0, 0) == (0.0, 1.0)


def test_a_bootstrap_over_topics_is_wider_than_one_over_questions():
    values = [1.0] * 30 + [0.0] * 30
    alone = bootstrap(values, [str(i) for i in range(60)])
    grouped = bootstrap(values, [str(i // 10) for i in range(60)])
    assert grouped[1] - grouped[0] > alone[1] - alone[0]


def test_the_same_rows_give_the_same_interval():
    assert bootstrap([0.1, 0.9, 0.4], ["a", "b", "c"]) == bootstrap([0.1, 0.9, 0.4], ["a", "b", "c"])


def test_errors_are_counted_apart_and_lower_no_share():
    (line,) = summaries([row("a"), row("b", "error")])
    assert (line.cases, line.errors, line.exact.value) == (2, 1, 1.0)


def test_groups_of_a_dimension_are_summed_up_after_the_whole():
    lines = summaries([row("a", groups={"hops": "1"}), row("b", "wrong", groups={"hops": "2"})])
    assert [(line.dimension, line.group, line.exact.value) for line in lines] == [("", "", 0.5), ("hops", "1", 1.0), ("hops", "2", 0.0)]


def test_a_floor_is_met_only_without_errors():
    rows = [row(str(i), suite="metaqa_dev_report") for i in range(20)]
    assert summaries(rows)[0].met is True
    assert summaries([*rows, row("e", "error", suite="metaqa_dev_report")])[0].met is False


def test_every_floor_belongs_to_a_set():
    assert {floor.suite for floor in FLOORS} <= SUITES.keys()
