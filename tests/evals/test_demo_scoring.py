"""The demo answer has two rounds, few queries, both sides, a path between rivals, and a gap."""

from evals.demo_scoring import demo_failures

GOLD = {
    "approaches": {"A": ["x"], "B": ["y"]},
    "investors": {"A": ["I"], "B": ["J"]},
    "rivals": [["I", "J"]],
    "relations": {"approach": "does", "invests": "backs", "competes": "rivals"},
}


def fact(subject, relation, object_):
    return {"id": f"{subject}{object_}", "subject": {"name": subject}, "relation": relation, "object": {"name": object_}}


def good():
    facts = [fact("A", "does", "x"), fact("B", "does", "y"), fact("I", "backs", "A"), fact("J", "backs", "B"), fact("I", "rivals", "J")]
    return {
        "answer": "I and J are rivals.",
        "evidence": {each["id"]: each for each in facts},
        "paths": [["IJ"]],
        "gaps": [{"about": "K"}],
        "stop_reason": "answered",
        "spent": {"rounds": 2, "queries": 12},
    }


def test_a_complete_answer_has_no_failure():
    assert demo_failures(GOLD, good()) == []


def test_each_thing_that_is_missing_is_named():
    cases = {
        "wanted a second one": {"spent": {"rounds": 1, "queries": 5}},
        "at most 12": {"spent": {"rounds": 2, "queries": 13}},
        "no gap": {"gaps": []},
        "no path": {"paths": []},
        "does not name": {"answer": "They differ."},
        "investors of B": {"evidence": {k: v for k, v in good()["evidence"].items() if k != "JB"}},
        "stop reason": {"stop_reason": "queries"},
    }
    for words, change in cases.items():
        assert any(words in failure for failure in demo_failures(GOLD, {**good(), **change})), words
