"""Inside a scope the top 10 is the true top 10, at a small size; the full size is `python -m evals.benchmarks.recall`."""

from collections.abc import Callable

import pytest

from evals.benchmarks.recall import GOAL, correct, measure, names, population, write
from knowledge.database.connection import Database
from knowledge.profile.profile import GraphProfile
from knowledge.reading.kg import Kg
from knowledge.reading.reader import Reader
from knowledge.reading.recall import recall
from knowledge.scope import Scope
from knowledge.search import nearest
from tests.knowledge.reading.world import LetterEmbedder

HOLDING_LITTLE = ("2 %", "0.1 %", "2 %, public", "2 %, as of 2020", "2 %, public, as of 2020")


@pytest.fixture(scope="module")
def measured(shared_database: Database) -> Callable[[], dict[tuple[str, str], float]]:
    while shared_database.write("MATCH (n) WITH n LIMIT 5000 DETACH DELETE n RETURN count(*) AS gone")[0]["gone"]:
        pass
    model, texts = LetterEmbedder(), names(2_020)
    people = population(texts[:2_000], model)
    write(shared_database, people, model)
    return lambda: {(row.search, row.scope): row.recall for row in measure(shared_database, people, model, texts[2_000:])}


def test_every_scope_finds_its_true_top_ten(measured: Callable[[], dict[tuple[str, str], float]]) -> None:
    assert {line: recall for line, recall in measured().items() if recall < GOAL} == {}


def test_beyond_the_exact_scan_the_index_finds_it_in_every_scope_and_without_filters_in_those_that_hold_enough(
    measured: Callable[[], dict[tuple[str, str], float]], shared_database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(nearest, "EXACT_MOST", 0)
    monkeypatch.setattr(nearest, "EXACT_MOST_WITHOUT_FILTERS", 0)
    monkeypatch.setattr(nearest, "FETCHED_WITHOUT_FILTERS", 400)
    missed = {line for line, recall in measured().items() if recall < GOAL}
    assert missed == (set() if shared_database.capability.vector_filters else {("vector", scope) for scope in HOLDING_LITTLE})


def test_the_recall_of_a_kg_is_measured_on_what_it_holds(
    measured: Callable[[], dict[tuple[str, str], float]], shared_database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert measured
    kg, scope = Kg(shared_database, GraphProfile(), LetterEmbedder()), Scope(frozenset({"rest", "ten", "two"}))
    assert [(each.namespace, each.recall) for each in recall(kg, scope)] == [("rest", 1.0), ("ten", 1.0), ("two", 1.0)]
    monkeypatch.setattr(Reader, "search_entities", lambda *_, **__: [])
    assert {each.recall for each in recall(kg, scope)} == {0.0}


def test_of_equal_scores_any_counts() -> None:
    truth = {f"n{i}": 1.0 for i in range(20)}
    assert correct([f"n{i}" for i in range(10, 20)], truth) == 10
    assert correct(["n1", "n1", "other"], truth) == 1
    assert correct(["a"], {}) == 0
