"""What is right, what is wrong, and what is an error."""

import pytest

from evals.case import Asked, Case
from evals.scoring import score
from tests.evals.results import linked, result, valued

CONNECTED = {"connection": {"hops": 2, "between": ["B"]}, "ends": ["A", "C"]}


def judged(gold, answer, error=""):
    return score(Case("c", "s", "w", ("q",), gold, "t"), Asked(answer, 0.1, error))


def test_an_exact_set_is_right_in_any_order():
    found = judged({"names": ["a", "b"]}, result("b", "a"))
    assert (found.verdict, found.hit, found.f1) == ("right", 1.0, 1.0)


def test_a_set_with_one_name_too_many_is_wrong_but_earns_part_of_f1():
    found = judged({"names": ["a"]}, result("a", "b"))
    assert (found.verdict, found.hit) == ("wrong", 1.0)
    assert found.f1 == pytest.approx(2 / 3)


def test_a_right_set_that_begins_with_a_wrong_name_is_no_hit():
    assert judged({"names": ["a"]}, result("b", "a")).hit == 0.0


@pytest.mark.parametrize("answer", [{}, result(stop_reason="failed")])
def test_what_failed_is_an_error_and_no_wrong_answer(answer):
    assert judged({"names": ["a"]}, answer, "" if answer else "ValueError: no").verdict == "error"


@pytest.mark.parametrize(
    ("value", "verdict"), [(3, "right"), (3.0, "right"), ("3", "right"), (4, "wrong"), (True, "wrong"), ("x", "wrong")]
)
def test_a_count_is_compared_as_a_number(value, verdict):
    assert judged({"value": 3}, valued(value)).verdict == verdict


@pytest.mark.parametrize(
    ("value", "verdict"), [(True, "right"), ("yes", "right"), ("是", "right"), (False, "wrong"), ("否", "wrong"), (1, "wrong")]
)
def test_yes_may_be_said_in_several_ways(value, verdict):
    assert judged({"truth": True}, valued(value)).verdict == verdict


def test_a_yes_or_no_that_was_not_given_is_wrong():
    assert judged({"truth": False}, result()).verdict == "wrong"


def test_a_connection_needs_the_shortest_paths_through_everyone_between():
    assert judged(CONNECTED, linked(("A", "B", "C"))).verdict == "right"
    assert judged(CONNECTED, linked(("A", "B", "C"), ("A", "D", "E", "C"))).verdict == "right"
    assert judged(CONNECTED, linked(("A", "D", "E", "C"))).verdict == "wrong"
    assert judged(CONNECTED, linked(("A", "D", "C"))).verdict == "wrong"


def test_a_difference_may_be_told_with_or_without_what_both_have():
    sides = {"sides": [["a", "b"], ["b", "c"]]}
    assert judged(sides, result("a", "c")).verdict == "right"
    assert judged(sides, result("a", "b", "c")).verdict == "right"
    assert judged(sides, result("a", "b")).verdict == "wrong"


def test_ambiguity_is_right_only_when_every_candidate_is_named():
    gold = {"candidates": ["Ann Lee", "Ben Lee"]}
    assert judged(gold, result(answer="Ann Lee or Ben Lee?", stop_reason="ambiguous")).verdict == "right"
    assert judged(gold, result("Ann Lee")).verdict == "wrong"


def test_an_unknown_name_is_repeated_and_nothing_is_answered():
    gold = {"unknown": "Zorvexa"}
    assert judged(gold, result(answer="There is no Zorvexa here.", stop_reason="not_found")).verdict == "right"
    assert judged(gold, result("Ann", answer="Zorvexa is Ann.")).verdict == "wrong"
    assert judged(gold, result(answer="Nothing.", stop_reason="not_found")).verdict == "wrong"


def test_an_empty_result_is_said_and_not_filled_with_something_else():
    assert judged({"empty": True}, result(stop_reason="not_found")).verdict == "right"
    assert judged({"empty": True}, result(stop_reason="no_news")).verdict == "right"
    assert judged({"empty": True}, result(stop_reason="queries")).verdict == "wrong"
    assert judged({"empty": True}, result("Ann")).verdict == "wrong"


def test_an_awkward_question_needs_a_fitting_reason_and_words():
    gold = {"stop_reasons": ["not_found"], "mentions": [["zoom", "slack"]], "forbids": ["password"]}
    assert judged(gold, result(answer="Nothing about Zoom.", stop_reason="not_found")).verdict == "right"
    assert judged(gold, result(answer="Nothing.", stop_reason="not_found")).verdict == "wrong"
    assert judged(gold, result(answer="Zoom: password", stop_reason="not_found")).verdict == "wrong"
    assert judged(gold, result(answer="Zoom.\nTraceback (most recent call last)", stop_reason="not_found")).verdict == "wrong"
    assert judged(gold, result(answer="Zoom.")).verdict == "wrong"
