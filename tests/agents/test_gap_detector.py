from agents.gap_detector import detect
from tests.agents.cases import by_id, done, fact, failed, part, reading, understood


def gaps(parts, tasks=(), facts=(), *, ambiguous=""):
    understanding = understood(*parts, ambiguous=ambiguous)
    view = {
        "asked": "", "understanding": understanding, "plan": {t["id"]: t for t in tasks}, "evidence": by_id(*facts), "answers": [],
        "confidence": 0.0,
    }  # fmt: skip
    return detect(view, None)


def rivals():
    sides = [part("mills", of="Ann", relations=("owns",)), part("farms", of="Bob", relations=("owns",))]
    between = {**part("rivals", "connect"), "operands": [0, 1], "relation": "rivalry"}
    between["readings"] = [{**reading("", "vies"), "strategy": "connect", "starts": []}]
    facts = [fact("Ann", "owns", "Mill"), fact("Ann", "owns", "Kiln"), fact("Bob", "owns", "Farm")]
    return [*sides, between], [done(sides[0], 0, facts[:2]), done(sides[1], 1, facts[2:])], facts


def test_an_answered_question_has_no_gap():
    asked, owned = part("what Ann owns", of="Ann", relations=("owns",)), fact("Ann", "owns", "Mill")
    reply = gaps([asked], [done(asked, 0, [owned])], [owned])
    assert reply.gaps == [] and reply.can_answer_now


def test_an_empty_result_can_be_closed_only_while_another_reading_is_untried():
    for relations, closable in ((("owns", "rents"), True), (("owns",), False)):
        asked = part("what Ann owns", of="Ann", relations=relations)
        (gap,) = gaps([asked], [failed(done(asked, 0, []))]).gaps
        assert (gap["kind"], gap["required"], gap["closable"]) == ("missing_relation", True, closable)


def test_what_holds_between_two_known_sets_is_a_gap_that_another_round_can_close():
    parts, tasks, facts = rivals()
    (gap,) = gaps(parts, tasks, facts).gaps
    assert (gap["relation"], gap["required"], gap["closable"]) == ("rivalry", True, True)


def test_members_that_nothing_connects_are_named_once_it_was_looked_at():
    parts, tasks, facts = rivals()
    link = fact("Mill", "vies", "Farm")
    task = {**done(parts[2], 2, [link]), "found": ["mill", "farm"]}
    (gap,) = gaps(parts, [*tasks, task], [*facts, link]).gaps
    assert "Kiln" in gap["about"] and "Mill" not in gap["about"] and not gap["required"]


def test_an_unknown_name_is_named_with_what_is_near():
    asked = {
        **part("what Anne owns"),
        "mentions": [{"text": "Anne", "chosen": [], "candidates": [{"id": "ann", "name": "Ann", "kind": ""}]}],
    }
    (gap,) = gaps([asked]).gaps
    assert gap["kind"] == "missing_entity" and gap["about"] == "Anne" and "Ann?" in gap["why"]


def test_words_that_no_relation_accounts_for_are_named_but_do_not_ask_for_a_round():
    asked, owned = {**part("what Ann owns cheaply", of="Ann", relations=("owns",)), "unexplained": ["cheaply"]}, fact("Ann", "owns", "Mill")
    (gap,) = gaps([asked], [done(asked, 0, [owned])], [owned]).gaps
    assert "cheaply" in gap["why"] and not gap["required"]


def test_a_question_for_what_is_not_so_stays_open_and_nothing_can_close_it():
    asked, owned = {**part("what Ann does not own", of="Ann", relations=("owns",)), "negated": True}, fact("Ann", "owns", "Mill")
    reply = gaps([asked], [done(asked, 0, [owned])], [owned])
    assert [(g["required"], g["closable"]) for g in reply.gaps] == [(True, False)] and not reply.can_answer_now
