from functools import cache

import numpy as np
import pytest

from knowledge.wording.definition import DefinitionReader
from knowledge.wording.lexicon import Lexicon, Phrases, standing_out
from knowledge.wording.values import name_values
from tests.knowledge.wording.worlds import CLAN, HARBOUR, World


@cache
def harbour() -> Lexicon:
    return World(HARBOUR).wording.lexicon


@cache
def clan() -> Lexicon:
    return World(CLAN).wording.lexicon


@pytest.mark.parametrize(
    ("word", "relation"),
    [("captain", "captain"), ("repairer", "repaired_by"), ("mend", "repaired_by"), ("nation", "country"), ("anchored", "anchors_in")],
)
def test_words_find_their_relation(word: str, relation: str) -> None:
    lexicon = harbour()
    scores = lexicon.relation(word)
    assert lexicon.meanings.relations[int(scores.argmax())] == relation
    assert scores.max() > 0.4


def test_function_words_say_nothing() -> None:
    evidence = harbour().evidence("which")
    assert not evidence.steps.any() and not evidence.kinds.any()


def test_roles_stand_for_the_kind_of_their_object() -> None:
    lexicon = harbour()
    evidence = lexicon.evidence("captain")
    assert evidence.roles.max() >= 0.9
    assert len(lexicon.meanings.question_kinds["who"]) >= 1


def test_a_converse_names_the_way_back() -> None:
    lexicon = clan()
    out, back = lexicon.evidence("child").steps.reshape(-1, 2)[lexicon.meanings.relations.index("parents")]
    assert back > 0.8 > out


@pytest.mark.parametrize(
    ("word", "steps"),
    [("grandmother", 2), ("brother", 2), ("cousin", 4), ("mother", 1), ("captain", 0)],
)
def test_definitions_become_steps(word: str, steps: int) -> None:
    assert len(DefinitionReader(clan()).read(word) or ()) == steps


def test_values_tell_what_they_are_called() -> None:
    assert name_values(["1931", "1948", "1950"]).nouns["year"] == 0.9
    assert "fruit" in name_values(["apple", "pear", "plum", "cherry"]).nouns
    assert name_values([f"University of {x}" for x in ("Ost", "West", "Nord", "Sud", "Mitte")]).nouns["university"] == 0.9
    assert name_values([]).nouns == {}


def test_a_group_without_phrases_is_like_nothing() -> None:
    assert Phrases([["ship"], []]).similarity(np.ones((1, 256)))[1] == -1
    assert Phrases([[]]).similarity(np.ones((1, 256))).tolist() == [-1]


def test_only_what_stands_out_from_its_rivals_counts() -> None:
    assert standing_out(np.array([0.9, 0.1, 0.1, 0.1]))[0] > 0.7
    assert standing_out(np.array([0.5, 0.5, 0.5, 0.5])).max() == 0
    assert standing_out(np.array([0.9, 0.1])).max() == 0
