"""The sample world, and its disguise: nothing of the old names is left, the structure is the same."""

import json

import pytest

from evals.sets.kinds.gold import SAMPLE
from evals.worlds.demo import DEMO_PAIR, PAIRS, demo_gold
from evals.worlds.triples import Triples, json_lines
from evals.worlds.variant import SYNONYMS, write_variant
from knowledge.profile.profile import GraphProfile


@pytest.fixture(scope="module")
def sample():
    return Triples.of(*json_lines(SAMPLE))


@pytest.mark.parametrize("pair", PAIRS)
def test_each_pair_of_companies_can_carry_the_demo_questions(sample, pair):
    gold = demo_gold(sample, pair)
    assert all(len(each) >= 4 for each in gold.approaches)
    assert gold.approaches[0] & gold.approaches[1]
    assert all(len(each) >= 4 for each in gold.investors)
    assert gold.rivals
    assert gold.without, "an honest gap: investors without a recorded rival"


def test_the_world_is_small_and_every_fact_has_a_source_and_a_sentence():
    facts = [json.loads(line) for line in (SAMPLE / "facts.jsonl").read_text(encoding="utf-8").splitlines()]
    assert 150 <= len(facts) <= 400
    assert all(fact["source"] and fact["fact"].endswith(".") for fact in facts)
    assert {fact["relation"] for fact in facts} == SYNONYMS.keys()
    assert any(fact["valid_to"] for fact in facts)


def test_every_name_in_a_fact_is_a_declared_entity(sample):
    entities = [json.loads(line) for line in (SAMPLE / "entities.jsonl").read_text(encoding="utf-8").splitlines()]
    assert sample.names == {row["name"] for row in entities}
    assert all(row["kind"] for row in entities)


def test_the_profile_speaks_of_every_kind_and_relation():
    import yaml

    profile = GraphProfile(**yaml.safe_load((SAMPLE / "profile.yaml").read_text(encoding="utf-8")))
    assert profile.relations.keys() == SYNONYMS.keys()


@pytest.mark.parametrize("seed", [1, 2])
def test_the_disguise_keeps_the_structure_and_no_name(sample, tmp_path, seed):
    variant = write_variant(SAMPLE, tmp_path, seed)
    disguised = Triples.of(*json_lines(tmp_path))
    for (subject, relation), objects in sample.out.items():
        renamed = {variant.names.get(each, each) for each in objects}
        assert disguised.out[variant.names.get(subject, subject), SYNONYMS[relation]] == renamed
    written = "".join((tmp_path / name).read_text(encoding="utf-8") for name in ("entities.jsonl", "facts.jsonl"))
    assert not [old for old in variant.names if f'"{old}"' in written]
    assert not set(SYNONYMS) & set(SYNONYMS.values())


def test_the_questions_are_about_two_other_companies(sample, tmp_path):
    variant = write_variant(SAMPLE, tmp_path, 7)
    assert variant.pair != DEMO_PAIR
    chinese, *english = variant.questions
    disguised = Triples.of(*json_lines(tmp_path))
    pair = (variant.names[variant.pair[0]], variant.names[variant.pair[1]])
    assert len(demo_gold(disguised, pair, SYNONYMS).rivals) == len(demo_gold(sample, variant.pair).rivals)
    assert all(disguised.called(name) for name in pair)
    assert not [question for question in (chinese, *english) if "OpenAI" in question.text]


def test_the_same_seed_writes_the_same_bytes(tmp_path):
    write_variant(SAMPLE, tmp_path / "a", 3)
    write_variant(SAMPLE, tmp_path / "b", 3)
    for name in ("entities.jsonl", "facts.jsonl", "profile.yaml"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()


def test_what_was_ambiguous_stays_ambiguous(sample, tmp_path):
    variant = write_variant(SAMPLE, tmp_path, 5)
    disguised = Triples.of(*json_lines(tmp_path))
    assert {variant.names[name] for name in sample.called("Copilot")} == disguised.called(variant.names["Copilot"])
