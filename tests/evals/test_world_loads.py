"""The sample world goes through the real loader without a rejected row, and twice changes nothing."""

import json

from evals.sets.kinds.gold import SAMPLE
from knowledge.loading.loader import load

FILES = (SAMPLE / "entities.jsonl", SAMPLE / "facts.jsonl")


def rows(name):
    return [json.loads(line) for line in (SAMPLE / name).read_text(encoding="utf-8").splitlines()]


def test_the_sample_world_loads_whole_and_only_once(database):
    report = load(database, FILES, "sample")
    assert report.rejected == report.duplicates == 0
    assert (report.entities, report.facts) == (len(rows("entities.jsonl")), len(rows("facts.jsonl")))
    again = load(database, FILES, "sample")
    assert (again.created, again.entities, again.facts) == (0, 0, 0)
