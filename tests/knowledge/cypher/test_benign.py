"""Statements that only read pass where the scope is the whole database, and give what they give without a guard."""

from collections import Counter

import pytest

from knowledge.cypher.guard import Guard
from knowledge.cypher.refusal import Refusal
from knowledge.cypher.verdict import Allowed, Result
from knowledge.database.connection import Database
from knowledge.errors import StatementError
from knowledge.reading.meter import Unmetered
from knowledge.scope import Scope
from tests.knowledge.cypher.films import films
from tests.knowledge.cypher.worlds import rows

BENIGN = rows("benign.jsonl")
LEAST, PASS, SCOPED, QUICK = 300, 0.99, 0.85, 3


@pytest.fixture(scope="module")
def guard(shared_database: Database) -> Guard:
    return Guard(films(shared_database), Scope(frozenset({"films"})), Unmetered())


def test_the_corpus_is_large_enough_and_holds_nothing_twice() -> None:
    assert len({case["text"] for case in BENIGN}) == len(BENIGN) >= LEAST


def test_the_quick_share_has_statements_of_every_kind() -> None:
    assert {case["kind"] for case in BENIGN[::QUICK]} == {case["kind"] for case in BENIGN}


@pytest.mark.parametrize("every", [QUICK, pytest.param(1, marks=pytest.mark.full)])
def test_nearly_all_pass_and_give_as_many_rows_as_without_a_guard(shared_database: Database, guard: Guard, every: int) -> None:
    corpus = BENIGN[::every]
    counts: Counter[str] = Counter()
    refused, differ = {}, {}
    for case in corpus:
        verdict = guard.check(case["text"], case.get("parameters", {}))
        if isinstance(verdict, Refusal):
            refused[case["text"]] = str(verdict)
            continue
        counts["scoped"] += verdict.scoped
        result = guard.run(verdict)
        if isinstance(result, Refusal) or not as_without_guard(shared_database, case, result):
            differ[case["text"]] = result
    assert not differ
    assert len(refused) <= len(corpus) * (1 - PASS), refused
    assert counts["scoped"] >= len(corpus) * SCOPED


def as_without_guard(database: Database, case: dict[str, str], result: Result) -> bool:
    """Same columns, and as many rows; paths without an upper bound are compared by their columns alone."""
    try:
        expected = database.read(f"CYPHER 5 {case['text'].strip().rstrip(';')}", case.get("parameters", {}))
    except StatementError:
        return False
    if not expected or "*]" in case["text"]:
        return True
    return len(expected) == len(result.rows) and list(expected[0]) == list(result.rows[0])


def test_a_limit_is_added_where_there_is_none_and_lowered_where_it_is_higher(guard: Guard) -> None:
    absent, higher, lower = (guard.check(f"UNWIND range(1, 500) AS x RETURN x {limit}") for limit in ("", "LIMIT 400", "LIMIT 7"))
    assert isinstance(absent, Allowed) and isinstance(higher, Allowed) and isinstance(lower, Allowed)
    assert absent.added == higher.added == ("LIMIT 100",)
    assert lower.added == ()
    results = [guard.run(verdict) for verdict in (absent, higher, lower)]
    assert [(len(result.rows), result.truncated) for result in results if isinstance(result, Result)] == [
        (100, True),
        (100, True),
        (7, False),
    ]


def test_the_limit_holds_for_all_branches_of_a_union_together(guard: Guard) -> None:
    verdict = guard.check("UNWIND range(1, 80) AS x RETURN x UNION ALL UNWIND range(1, 80) AS x RETURN x")
    assert isinstance(verdict, Allowed)
    result = guard.run(verdict)
    assert isinstance(result, Result) and len(result.rows) == 100 and result.truncated
