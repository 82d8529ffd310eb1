"""The mind of the gap detector names what is missing, about things that somebody has named."""

from typing import Any

import pytest

from agents.contract import GapReply, GapView
from agents.exchange import Answer, Evidence
from agents.gap_detector import detect
from agents.llm.gap_detector import MIND
from tests.agents.cases import by_id, done, fact, failed, part, understood
from tests.agents.llm.driving import answer, asked, drive, gap_view, refusal, section

ASKS = part("Who owns the Harbor Mill?", of="Harbor Mill", relations=("owns", "rents"))
OWNS = fact("Ann", "owns", "Harbor Mill")


def view(*facts: Evidence, answers: tuple[Answer, ...] = ()) -> GapView:
    tried = failed(done(ASKS, 0, []))
    return gap_view(understood(ASKS), by_id(*facts), answers=answers, plan={tried["id"]: tried})


def gap(about: str = "Ann", **more: Any) -> dict[str, Any]:
    return {"kind": "missing_relation", "about": about, "why": "not recorded", **more}


def missed(*gaps: dict[str, Any], given: GapView, can: bool = False) -> GapReply:
    reply: GapReply = drive(MIND, given, {"gaps": list(gaps), "can_answer_now": can}, rules=detect).result
    return reply


def test_the_prompt_holds_what_was_asked_found_and_tried() -> None:
    prompt = asked(MIND, view(OWNS, answers=(answer("Ann"),)), rules=detect).system
    assert section(prompt, "Parts of the question:") == ["0: list: Who owns the Harbor Mill?"]
    assert section(prompt, "Answers:") == ["- Ann"]
    assert section(prompt, "Facts:") == ["- Ann -owns-> Harbor Mill"]
    assert section(prompt, "Tried:") == ["- failed: Who owns the Harbor Mill? nothing found"]
    assert len(section(prompt, "Gaps found by rules:")) == 1


def test_what_was_tried_last_is_told() -> None:
    tried = [{**failed(done(ASKS, 0, [], id_=f"r1.{n}")), "goal": f"goal {n}"} for n in range(20)]
    given = gap_view(understood(ASKS), {}, plan={t["id"]: t for t in tried})  # type: ignore[misc]
    lines = section(asked(MIND, given, rules=detect).system, "Tried:")
    assert lines[-1] == "- failed: goal 19 nothing found"
    assert len(lines) == 8


def test_where_the_rules_are_sure_and_miss_nothing_the_model_is_not_asked() -> None:
    sure = GapReply(can_answer_now=True)
    given: GapView = {**view(OWNS, answers=(answer("Ann"),)), "confidence": 0.9}
    assert drive(MIND, given, rules=lambda view, reader: sure).result is sure


def test_gaps_become_gaps_of_state() -> None:
    reply = missed(gap(relation="rents", priority=1, required=True, closable=True), given=view(OWNS, answers=(answer("Ann"),)))
    assert reply.gaps == [
        {
            "kind": "missing_relation", "about": "Ann", "relation": "rents", "why": "not recorded", "priority": 1, "required": True,
            "closable": True,
        }
    ]  # fmt: skip


def test_a_way_that_the_rules_know_to_be_untried_stays_open_until_there_is_an_answer() -> None:
    assert [g["closable"] for g in missed(given=view(), can=True).gaps] == [True]
    assert missed(given=view(OWNS, answers=(answer("Ann"),)), can=True).gaps == []


def test_nothing_can_be_answered_from_nothing() -> None:
    assert not missed(given=view(), can=True).can_answer_now
    assert missed(given=view(OWNS), can=True).can_answer_now


@pytest.mark.parametrize("about", ["Ann", "ann", "harbor mill", "Who owns"])
def test_a_gap_about_what_question_or_facts_name_is_taken(about: str) -> None:
    assert missed(gap(about), given=view(OWNS, answers=(answer("Ann"),))).gaps[0]["about"] == about


@pytest.mark.parametrize("about", ["Eve", "f1", " ", "{{facts}}", "Ann\nand Eve"])
def test_a_gap_about_something_that_nobody_named_is_refused(about: str) -> None:
    assert "named neither in the question nor in the facts" in refusal(
        asked(MIND, view(OWNS), rules=detect), {"gaps": [gap(about)], "can_answer_now": False}
    )


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        ({"gaps": [gap(relation="eats")], "can_answer_now": True}, "there is no relation 'eats'; leave it empty"),
        ({"gaps": [gap(kind="boredom")], "can_answer_now": True}, "Input should be"),
        ({"gaps": [gap()] * 6, "can_answer_now": True}, "at most 5"),
        ({"gaps": [gap(priority=9)], "can_answer_now": True}, "less than or equal to 3"),
        ({"gaps": []}, "can_answer_now"),
    ],
)
def test_unknown_relations_and_other_forms_are_refused(reply: dict[str, Any], words: str) -> None:
    assert words in refusal(asked(MIND, view(OWNS), rules=detect), reply)


def test_a_question_without_parts_evidence_or_plan_is_asked_all_the_same() -> None:
    prompt = asked(MIND, gap_view(understood(), {}), rules=detect).system
    assert [section(prompt, title) for title in ("Parts of the question:", "Answers:", "Facts:", "Tried:")] == [["(none)"]] * 4
