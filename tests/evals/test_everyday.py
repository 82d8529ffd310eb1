"""The everyday questions: their gold follows from the raw triples, in both languages."""

from collections import Counter

from evals.sets.kinds import gold
from evals.suites import EVERYDAY


def test_gold_is_what_the_triples_say():
    rows = [row for row in gold.rows(EVERYDAY) if "program" in row]
    assert gold.recomputed([{**row, "world": "sample"} for row in rows], {"sample": gold.world("sample")}) == [
        {**row, "world": "sample"} for row in rows
    ]


def test_questions_are_distinct_and_asked_in_both_languages():
    rows = gold.rows(EVERYDAY)
    assert len({row["id"] for row in rows}) == len({str(row["turns"]) for row in rows}) == len(rows)
    assert min(Counter(row["language"] for row in rows).values()) >= 20
