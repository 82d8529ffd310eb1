"""The question set of kinds: complete, split without overlap, and its gold follows from the raw triples."""

from collections import Counter

from evals.sets.kinds import gold

KINDS = {
    "one_hop", "two_hops", "three_hops", "connection", "listing", "counting", "extremes", "yes_no", "comparison", "unknown_entity",
    "ambiguous_name", "empty_result", "chinese", "follow_up",
}  # fmt: skip
TOPICS = ("start", "end", "mention", "names")


def topics(program):
    found = set()
    for key, value in program.items():
        if key in TOPICS:
            found |= set(value) if isinstance(value, list) else {value}
        elif isinstance(value, dict):
            found |= topics(value)
        elif key == "of":
            found |= set().union(*map(topics, value))
    return found


def test_gold_over_the_sample_world_is_what_the_triples_say():
    rows = [row for row in gold.rows() if row["world"] == "sample"]
    assert gold.recomputed(rows, {"sample": gold.world("sample")}) == rows


def test_each_kind_has_twelve_questions_half_of_them_for_reports():
    rows = gold.rows()
    assert Counter((row["kind"], row["split"]) for row in rows) == {(kind, split): 6 for kind in KINDS for split in ("work", "report")}
    assert len({row["id"] for row in rows}) == len(rows)


def test_at_least_forty_questions_are_chinese_and_every_world_is_asked():
    rows = gold.rows()
    assert sum(row["language"] == "zh" for row in rows) >= 40
    assert {row["world"] for row in rows} == {"sample", "metaqa", "yago_natural"}


def test_no_topic_is_asked_about_in_both_halves():
    seen = {"work": set(), "report": set()}
    for row in gold.rows():
        seen[row["split"]] |= {(row["world"], topic) for topic in topics(row["program"])}
    assert not seen["work"] & seen["report"]


def test_no_wording_occurs_twice():
    asked = Counter(str(row.get("question") or row["turns"]) for row in gold.rows())
    assert set(asked.values()) == {1}
