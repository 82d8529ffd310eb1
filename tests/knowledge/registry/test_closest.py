"""A refusal names where a memory may go, and never a namespace that the asker may not see."""

import re
import zlib
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from knowledge.embedding.choice import embedder
from knowledge.embedding.embedder import Vectors
from knowledge.registry.background import EVERYDAY, least_related
from knowledge.registry.closest import find_closest_namespace, find_namespace_for_type
from knowledge.registry.contract import Contract
from tests.knowledge.registry.texts import sound

ALL = ("team", "harbour_notes", "apollo_decisions")


class WordCounts:
    """An embedder that knows nothing but equal words."""

    model = "word-counts"
    dimensions = 4096

    def __init__(self) -> None:
        self.read: list[str] = []

    def embed(self, texts: Sequence[str]) -> Vectors:
        self.read.extend(texts)
        rows = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in re.findall(r"\w+", text.casefold()):
                row[zlib.crc32(word.encode()) % self.dimensions] += 1
        return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), dtype=np.float32)


def id_of(contract: Contract | None) -> str | None:
    return contract.id if contract else None


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("team", "team"),
        ("TEAM", "team"),
        ("tеаm", "team"),
        ("ｔｅａｍ", "team"),
        ("harbour-notes", "harbour_notes"),
        ("Harbour Notes", "harbour_notes"),
        ("harbor_notes", "harbour_notes"),
        ("harbour_note", "harbour_notes"),
        ("Harbour", "harbour_notes"),
        ("apollo_decision", "apollo_decisions"),
        ("teams", "team"),
    ],
)
def test_a_near_name_is_found(name: str, expected: str) -> None:
    assert id_of(find_closest_namespace(sound(), name, ALL)) == expected


@pytest.mark.parametrize("name", ["", "\x00", "%", "xyz", "quarterly_revenue", "x" * 100_000, "\ud800"])
def test_nothing_near_is_nothing(name: str) -> None:
    assert find_closest_namespace(sound(), name, ALL) is None


@pytest.mark.parametrize("name", ["team", "Team", "teams", "what the team agreed on"])
def test_a_hidden_namespace_is_never_named(name: str) -> None:
    assert id_of(find_closest_namespace(sound(), name, {"harbour_notes"}, WordCounts())) != "team"
    assert find_closest_namespace(sound(), name, (), WordCounts()) is None


def test_the_purpose_of_a_hidden_namespace_is_not_even_embedded() -> None:
    counts = WordCounts()
    find_closest_namespace(sound(), "sailing ships", {"harbour_notes"}, counts)
    assert any("berths" in text for text in counts.read)
    assert not any("agreed on" in text for text in counts.read)


def test_an_exact_id_wins_over_a_look_alike_and_a_look_alike_over_an_edit() -> None:
    team = sound().contracts["team"]
    registry = replace(sound(), contracts={each: replace(team, id=each) for each in ("teamx", "Team", "team")})
    assert id_of(find_closest_namespace(registry, "team", registry.contracts)) == "team"
    assert id_of(find_closest_namespace(registry, "te\u200bam", {"teamx", "team"})) == "team"


def test_a_description_is_matched_with_purposes_where_no_name_is_near() -> None:
    assert id_of(find_closest_namespace(sound(), "old ships", ALL, WordCounts())) == "harbour_notes"
    assert find_closest_namespace(sound(), "old ships", ALL) is None
    assert find_closest_namespace(sound(), "volcanoes", ALL, WordCounts()) is None


def test_a_purpose_must_stand_out_from_everyday_sentences() -> None:
    counts = WordCounts()
    (bridge,) = counts.embed(["the old bridge"])
    cosines = counts.embed(EVERYDAY) @ bridge
    assert 0.5 < least_related(bridge, counts) < 1
    assert counts.read.count(EVERYDAY[0]) <= 2, "everyday sentences are embedded once for all look-ups, besides by this test"
    assert least_related(bridge, counts) == pytest.approx(float(cosines.mean() + 3 * cosines.std()))


def test_the_default_embedder_finds_a_namespace_by_its_purpose_in_another_language_too() -> None:
    real = embedder()
    assert id_of(find_closest_namespace(sound(), "when is high water, and where can the boat dock?", ALL, real)) == "harbour_notes"
    assert id_of(find_closest_namespace(sound(), "船舶停泊和潮汐", ALL, real)) == "harbour_notes"
    assert find_closest_namespace(sound(), "a recipe for lentil soup", ALL, real) is None


def test_namespaces_for_a_type_are_those_of_the_exact_type_first() -> None:
    team = sound().contracts["team"]
    contracts = {"a": replace(team, id="a", allowed_types=("LESSON",)), "b": replace(team, id="b", allowed_types=("Lesson",))}
    registry = replace(sound(), contracts=contracts)
    assert [contract.id for contract in find_namespace_for_type(registry, "Lesson", ("a", "b"))] == ["b", "a"]
    assert [contract.id for contract in find_namespace_for_type(registry, "lesson", ("a", "b"))] == ["a", "b"]
    assert [contract.id for contract in find_namespace_for_type(registry, "Lesson", ("a",))] == ["a"]


@pytest.mark.parametrize("type", ["", "Recipe", "Less", "Lesson\x00x"])
def test_a_type_that_nothing_accepts_has_no_namespace(type: str) -> None:
    assert find_namespace_for_type(sound(), type, ALL) == []


def test_a_namespace_made_of_project_and_domain_accepts_types_too() -> None:
    assert [contract.id for contract in find_namespace_for_type(sound(), "Decision", ALL)] == ["apollo_decisions"]
    assert find_namespace_for_type(sound(), "Decision", ("team",)) == []
