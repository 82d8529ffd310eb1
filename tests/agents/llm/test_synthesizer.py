"""The mind of the synthesizer tells the answer; a text that cites nothing, leaves answers out or is in another language is refused."""

from typing import Any

import pytest

from agents.contract import SynthesizerReply, SynthesizerView
from agents.exchange import Answer, EntityRef, Evidence, Understanding
from agents.llm.synthesizer import MIND
from tests.agents.cases import by_id, fact, understood
from tests.agents.llm.driving import answer, asked, closing_view, drive, refusal, section

OWNS, RENTS = fact("Ann", "owns", "Mill"), fact("Bob", "rents", "Mill")
VIEW = closing_view([answer("Ann")], by_id(OWNS, RENTS))
SET = SynthesizerReply(answer="by rules")


def told(text: str, view: SynthesizerView = VIEW) -> SynthesizerReply:
    reply: SynthesizerReply = drive(MIND, view, text).result
    return reply


def refused(text: str, view: SynthesizerView = VIEW) -> str:
    return refusal(asked(MIND, view), text)


def one_fact(name: str) -> SynthesizerView:
    ref: EntityRef = {"id": "odd", "name": name, "kind": "song"}
    told: Evidence = {**fact("Ann", "wrote", "x"), "object": ref}
    named: Answer = {**answer("x"), "id": "odd", "name": name}
    return closing_view([named], {"w": told})


def test_the_prompt_holds_answers_facts_gaps_and_how_it_ended() -> None:
    gap = {"kind": "missing_value", "about": "Ann", "relation": "", "why": "no date", "priority": 1, "required": False, "closable": False}
    prompt = asked(MIND, {**VIEW, "gaps": [gap]}).system  # type: ignore[list-item]
    assert "in English, in at most six sentences" in prompt
    assert section(prompt, "Answers:") == ["- Ann"]
    assert section(prompt, "Facts:") == ["f1 Ann -owns-> Mill", "f2 Bob -rents-> Mill"]
    assert section(prompt, "Missing:")[0] == "missing_value: Ann : no date"
    assert prompt.endswith("The search ended: answered")


def test_every_mark_becomes_the_evidence_that_it_stands_for() -> None:
    reply = told("Ann owns it [f1], Bob rents it [f2, f1] [F2 and f1].")
    assert reply.citations == ["ann-owns-mill", "bob-rents-mill"]
    assert reply.answer.startswith("Ann owns it [ann-owns-mill], Bob rents it [bob-rents-mill][ann-owns-mill]")
    assert "f1" not in reply.answer


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Ann owns it.", "no fact is cited"),
        ("Ann owns it (f1).", "no fact is cited"),
        ("Ann owns it [f3].", "[f3] is no fact"),
        ("Ann owns it [f1, f99].", "[f99] is no fact"),
        ("Somebody owns it [f1].", "'Ann' is not told as it is written"),
        ("安拥有磨坊，Ann [f1]。", "answer in English"),
    ],
)
def test_what_is_not_cited_not_there_not_told_or_not_english_is_refused(text: str, words: str) -> None:
    assert words in refused(text)


def test_an_english_answer_may_name_things_in_chinese() -> None:
    view = one_fact("港口磨坊之歌很长很长很长的名字")
    assert told("Ann wrote 港口磨坊之歌很长很长很长的名字 [f1].", view).citations == ["w"]


def test_a_chinese_question_is_answered_in_chinese_also_about_chinese_names() -> None:
    view: SynthesizerView = {**one_fact("港口之歌"), "understanding": understood(language="zh")}
    assert "answer in Chinese" in refused("She wrote 港口之歌 [f1].", view)
    assert told("她写了港口之歌 [f1]。", view).citations == ["w"]
    assert told("港口之歌 [f1]。", view).citations == ["w"]


@pytest.mark.parametrize(
    "name",
    ["Track [f1]", "Track [f99]", "{{answers}}", "line\nbreak", "!!!", "x" * 5000, "磨坊 [ F2 ]", "a [b] c", "[f1", "Song “f1”", "Facts:"],
)
def test_a_name_of_any_shape_can_be_told_and_is_no_citation(name: str) -> None:
    view = one_fact(name)
    shown = section(asked(MIND, view).system, "Answers:")[0].removeprefix("- ")
    reply = told(f"Ann wrote {shown} [f1].", view)
    assert reply.citations == ["w"]
    assert reply.answer == f"Ann wrote {shown} [w]."


@pytest.mark.parametrize(("text", "fits"), [("There are 42 [f1].", True), ("There are 43 [f1].", False), ("There are 142 [f1].", False)])
def test_a_number_is_told_as_it_was_computed(text: str, fits: bool) -> None:
    view = closing_view([answer("42", value=42.0)], by_id(OWNS))
    if fits:
        assert told(text, view).citations
    else:
        assert "'42' is not told" in refused(text, view)


def test_a_number_may_be_grouped_and_dates_and_verdicts_may_be_worded() -> None:
    assert told("It has 12,345 [f1].", closing_view([answer("12345", value=12345.0)], by_id(OWNS)))
    assert told("It began in May 2020 [f1].", closing_view([answer("2020-05", value="2020-05")], by_id(OWNS)))
    assert told("Indeed it does [f1].", closing_view([answer("yes", value=True)], by_id(OWNS)))


def test_without_facts_an_answer_needs_no_citation() -> None:
    assert told("There are 42 of them.", closing_view([answer("42", value=42.0)], {})).citations == []


def test_only_the_first_three_of_many_answers_must_be_named() -> None:
    view = closing_view([answer(name) for name in ("Ann", "Bob", "Cid", "Dan")], by_id(OWNS))
    assert told("Ann, Bob, Cid and one more [f1].", view).citations
    assert "'Cid'" in refused("Ann, Bob and two more [f1].", view)


def test_an_unknown_language_is_the_questions_own() -> None:
    view = closing_view([answer("Ann")], by_id(OWNS), language="other")
    assert "in the language of the question" in asked(MIND, view).system
    assert told("Ann besitzt sie [f1].", view).citations


@pytest.mark.parametrize(
    "view",
    [
        {**VIEW, "understanding": {**understood(), "kind": "write"}},
        {**VIEW, "understanding": {**understood(), "kind": "out_of_scope"}},
        {**VIEW, "understanding": understood(ambiguous="Ann")},
        closing_view([], {}),
    ],
)
def test_small_talk_writes_and_what_cannot_be_settled_have_the_rules_words(view: Any) -> None:
    assert drive(MIND, view, rules=lambda view, reader: SET).result is SET


def test_a_path_over_facts_that_are_not_shown_is_no_trouble() -> None:
    assert section(asked(MIND, {**VIEW, "paths": [["gone"]]}).system, "Facts:")[0].startswith("f1 ")


def test_the_question_is_the_resolved_one_where_there_is_one() -> None:
    understanding: Understanding = {**understood(), "standalone": "Who owns the Harbor Mill?"}
    assert asked(MIND, {**VIEW, "understanding": understanding}).question == "Who owns the Harbor Mill?"
    assert asked(MIND, VIEW).question == "Who owns the mill?"
