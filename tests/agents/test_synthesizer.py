import pytest

from agents.synthesizer import UNDERSTOOD, synthesize
from tests.agents.cases import by_id, fact, mention, part, reading, ref, understood


def answer(name, value=None):
    return {"id": "" if value is not None else name.lower(), "name": name, "kind": "", "value": value, "score": 1.0}


def told(parts, conclusions=(), facts=(), sure=1.0, **given):
    view = {
        "asked": "", "understanding": understood(*parts, language=given.pop("language", "en"), ambiguous=given.pop("ambiguous", "")),
        "answers": [], "paths": [],
        "conclusions": [{"part": i, "answers": a, "paths": p, "confidence": sure} for i, a, p in conclusions],
        "evidence": by_id(*facts), "gaps": [], "tried": [], "confidence": 1.0, "weakest_link": {"id": "", "why": ""},
        "stop_reason": "answered", "failures": [],
    } | given  # fmt: skip
    return synthesize(view, None)


def test_a_single_answer_is_told_with_the_sentence_of_its_fact_and_cites_it():
    owned = fact("Ann", "owns", "Mill", text="Ann has owned the mill since 1950.")
    reply = told([part("what Ann owns", of="Ann", relations=("owns",))], [(0, [answer("Mill")], [[owned["id"]]])], [owned])
    assert reply.answer == "Mill — Ann has owned the mill since 1950." and reply.citations == [owned["id"]]


@pytest.mark.parametrize(("language", "text"), [("en", "Mill, Farm and Kiln."), ("zh", "Mill、Farm和Kiln。")])
def test_a_list_is_told_in_the_language_of_the_question(language, text):
    asked = part("what Ann owns", of="Ann", relations=("owns",))
    assert told([asked], [(0, [answer(n) for n in ("Mill", "Farm", "Kiln")], [])], language=language).answer == text


@pytest.mark.parametrize(
    ("sure", "language", "text"),
    [
        (UNDERSTOOD, "en", "Mill and Farm."),
        (0.03, "en", "Closest recorded: Mill and Farm."),
        (0.03, "zh", "最接近的记录：Mill和Farm。"),
    ],
)
def test_what_was_hardly_understood_is_told_as_the_closest_that_is_recorded(sure, language, text):
    asked = part("what Ann dreams of", of="Ann", relations=("owns",))
    assert told([asked], [(0, [answer("Mill"), answer("Farm")], [])], sure=sure, language=language).answer == text


def test_a_claim_that_was_hardly_understood_gets_neither_yes_nor_no():
    owned = fact("Ann", "owns", "Mill")
    asked = part("is Ann fond of the mill", "yes_no", of="Ann", relations=("owns",))
    concluded = [(0, [answer("no", value=False)], [[owned["id"]]])]
    assert told([asked], concluded, [owned], sure=0.03).answer == "Closest recorded: Ann -owns-> Mill."


def test_a_comparison_of_hardly_understood_sides_is_told_as_the_closest_that_is_recorded():
    sides = [part("Ann", of="Ann", relations=("owns",)), part("Bob", of="Bob", relations=("owns",))]
    compare = {**part("compare", "compare"), "operands": [0, 1]}
    concluded = [(0, [answer("Mill")], []), (1, [], []), (2, [answer("Mill")], [])]
    assert told([*sides, compare], concluded, sure=0.03).answer == "Closest recorded: Only Ann: Mill.\nNothing recorded for Bob."


def test_a_comparison_tells_what_each_side_has_alone_and_what_both_have():
    sides = [part("Ann", of="Ann", relations=("owns",)), part("Bob", of="Bob", relations=("owns",))]
    compare = {**part("compare", "compare"), "operands": [0, 1]}
    concluded = [(0, [answer("Mill"), answer("Farm")], []), (1, [answer("Farm")], []), (2, [answer("Mill")], [])]
    assert told([*sides, compare], concluded).answer == "Only Ann: Mill.\nBoth: Farm."


def test_a_side_without_anything_recorded_is_named():
    sides = [part("Ann", of="Ann", relations=("owns",)), part("Bob", of="Bob", relations=("owns",))]
    compare = {**part("compare", "compare"), "operands": [0, 1]}
    assert "Nothing recorded for Bob" in told([*sides, compare], [(0, [answer("Mill")], []), (1, [], []), (2, [answer("Mill")], [])]).answer


def test_a_chain_is_told_in_walking_order_whatever_way_its_facts_point():
    facts = [fact("Ann", "owns", "Mill"), fact("Bob", "rents", "Mill")]
    asked = {**part("Ann and Bob", "connect"), "readings": [reading("Ann", "owns")]}
    reply = told([asked], [(0, [answer("Mill")], [[f["id"] for f in facts]])], facts)
    assert reply.answer == "Ann -owns-> Mill <-rents- Bob."


def test_an_unknown_name_is_said_first_with_what_was_probably_meant():
    asked = {**part("x"), "mentions": [{"text": "Anne", "chosen": [], "candidates": [ref("Ann")]}]}
    assert told([asked], stop_reason="not_found").answer == "I know of no “Anne”. Did you mean Ann?"


def test_a_name_with_several_bearers_is_shown_with_all_of_them():
    asked = {**part("x", of="Ann", relations=("owns",)), "mentions": [mention("Ann", "Annabel")]}
    assert "“Ann” may mean Ann and Annabel" in told([asked], ambiguous="Ann", stop_reason="ambiguous").answer


def test_nothing_found_says_what_was_tried_and_an_early_stop_says_why():
    text = told([part("x", of="Ann", relations=("owns",))], tried=["ann -owns->: nothing found"], stop_reason="queries").answer
    assert "ann -owns->" in text and "queries" in text


def test_what_broke_is_not_told_as_nothing_recorded():
    asked = part("x", of="Ann", relations=("owns",))
    text = told([asked], tried=["ann -owns->: failed"], stop_reason="failed", failures=["navigator: the database does not answer"]).answer
    assert text == "Something went wrong on the way: navigator: the database does not answer."


@pytest.mark.parametrize("kind", ["write", "out_of_scope"])
def test_what_is_no_question_about_the_graph_says_what_can_be_done(kind):
    reply = synthesize({"asked": "", "understanding": {**understood(), "kind": kind}}, None)
    assert reply.answer and not reply.citations


@pytest.mark.parametrize(("language", "said"), [("en", "Only what is recorded can be listed"), ("zh", "只能列出有记录的内容")])
def test_what_is_not_so_is_not_listed_and_what_is_recorded_is_told_as_its_opposite(language, said):
    asked = {**part("what Ann does not own", of="Ann", relations=("owns",)), "negated": True}
    gap = {
        "kind": "missing_relation",
        "about": asked["text"],
        "relation": "",
        "why": "untold",
        "priority": 2,
        "required": True,
        "closable": False,
    }
    owned = fact("Ann", "owns", "Mill")
    reply = told([asked], [(0, [answer("Mill")], [[owned["id"]]])], [owned], language=language, gaps=[gap], stop_reason="not_found")
    assert reply.answer.startswith(said) and "Mill" in reply.answer and "untold" not in reply.answer
    assert reply.citations == [owned["id"]]


@pytest.mark.parametrize(
    ("asked", "language", "words"),
    [
        ("hello there", "en", "Hello"), ("thanks a lot", "en", "welcome"), ("what can you do?", "en", "I am Gavel"), ("help", "en", "I am Gavel"),
        ("will it rain?", "en", "not a question about the graph"), ("你好", "zh", "你好"), ("谢谢你", "zh", "不客气"), ("你能做什么？", "zh", "我是 Gavel"),
        ("你是谁", "zh", "我是 Gavel"), ("明天下雨吗", "zh", "不是关于图谱的问题"),
    ],
)  # fmt: skip
def test_small_talk_gets_a_fitting_reply_in_its_language(asked, language, words):
    understanding = {**understood(language=language), "kind": "out_of_scope"}
    assert words in told([], understanding=understanding, asked=asked).answer
