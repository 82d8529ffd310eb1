"""Question sets become cases; a data set that is not there is named with the way to it."""

import json

import pytest

from evals.suites import cases
from evals.worlds.catalogue import world
from knowledge.errors import ConfigError


@pytest.fixture
def datasets(tmp_path):
    folder = tmp_path / "yago_natural"
    folder.mkdir()
    (folder / "kb.tsv").write_text("Ada\tbuilt\tPier\n")
    rows = [
        {"question": "What did [Ada] build?", "topic": "Ada", "path": [["built", "out"]], "answers": ["Pier"]},
        {"question": "How many piers has [Ada]?", "topic": "Ada", "path": [["built", "out"]], "answers": [1]},
    ]
    (folder / "natural_dev.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return tmp_path


def test_brackets_and_capitals_are_taken_away(datasets, tmp_path):
    found = cases("yago_natural", datasets, tmp_path)
    assert [case.turns for case in found] == [("what did ada build?",), ("how many piers has ada?",)]
    assert cases("yago_natural", datasets, tmp_path, keep_case=True)[0].turns == ("What did Ada build?",)


def test_a_number_as_gold_is_a_count(datasets, tmp_path):
    assert [dict(case.gold) for case in cases("yago_natural", datasets, tmp_path)] == [{"names": ["Pier"]}, {"value": 1.0}]


def test_a_missing_data_set_is_named_with_the_setting(tmp_path):
    with pytest.raises(ConfigError, match="GAVEL_DATASETS"):
        cases("metaqa_dev_work", tmp_path, tmp_path)
    with pytest.raises(ConfigError, match="GAVEL_DATASETS"):
        world("metaqa", tmp_path, tmp_path)


@pytest.mark.parametrize("suite", ["kinds", "awkward", "everyday", "demo"])
def test_our_own_sets_need_no_data_set(tmp_path, suite):
    found = cases(suite, tmp_path / "nowhere", tmp_path)
    assert len({case.id for case in found}) == len(found) > 0


def test_thirty_awkward_questions_say_what_a_useful_answer_is(tmp_path):
    found = cases("awkward", tmp_path, tmp_path)
    assert len(found) == 30
    assert all(case.gold["stop_reasons"] for case in found)


def test_demo_questions_are_asked_over_the_world_and_its_disguises(tmp_path):
    found = cases("demo", tmp_path, tmp_path)
    assert {case.world for case in found} == {"sample", "variant-1", "variant-2"}
    assert all(case.gold["demo"]["rivals"] for case in found)
