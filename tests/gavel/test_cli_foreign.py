"""The commands over a memory that Graphiti made and over a graph of any labels: read, never changed."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from knowledge.database.connection import Database
from tests.conftest import wipe
from tests.gavel.conftest import Gavel

GRAPHITI = """
CREATE (m:Entity:Person {uuid: 'm', group_id: 'team', name: 'Marie Curié', summary: '', created_at: datetime('2026-02-01T00:00:00Z')})
CREATE (b:Entity:Company {uuid: 'b', group_id: 'team', name: 'Boreal', summary: '', created_at: datetime('2026-02-01T00:00:00Z')})
CREATE (m)-[:RELATES_TO {uuid: 'e', group_id: 'team', name: 'WORKS_AT', fact: 'Marie works at Boreal', episodes: [],
  created_at: datetime('2026-02-01T00:00:00Z')}]->(b)
"""
MOVIES = """
CREATE (m:Person {name: 'Marie Curié', born: 1867}) CREATE (f:Film {title: 'Radium', released: 1921}) CREATE (m)-[:DIRECTED]->(f)
"""
PAIRS = "MATCH (n) OPTIONAL MATCH (n)-[r]->() RETURN properties(n) AS node, properties(r) AS fact, labels(n) AS labels ORDER BY labels"


@pytest.fixture(scope="module", params=["graphiti", "native"])
def foreign(request: pytest.FixtureRequest, empty_kg: Path, shared_database: Database) -> Iterator[str]:
    wipe(shared_database)
    shared_database.write(GRAPHITI if request.param == "graphiti" else MOVIES)
    before = shared_database.read(PAIRS)
    yield request.param
    assert shared_database.read(PAIRS) == before
    wipe(shared_database)


@pytest.fixture
def expected(foreign: str) -> tuple[str, str, str]:
    """A question, its answer, and the relation that leads there."""
    if foreign == "graphiti":
        return "Where does marie curie work?", "Boreal", "WORKS_AT"
    return "What did marie curie direct?", "Radium", "DIRECTED"


def test_questions_are_answered(gavel: Gavel, expected: tuple[str, str, str]) -> None:
    question, answer, relation = expected
    result = json.loads(gavel("ask", question, "--format", "json").out)
    assert [each["name"] for each in result["answers"]] == [answer]
    assert [fact["relation"] for fact in result["evidence"].values()] == [relation]


def test_the_schema_shows_its_shape_and_relations(gavel: Gavel, foreign: str, expected: tuple[str, str, str]) -> None:
    assert [each["name"] for each in json.loads(gavel("schema", "--format", "json").out)["relations"]] == [expected[2]]
    assert f"shape: {foreign}" in gavel("schema", "--profile").out


def test_vectors_are_built_beside_it(gavel: Gavel, foreign: str) -> None:
    assert foreign
    assert json.loads(gavel("index", "status", "--format", "json").out)["complete"] is False
    assert json.loads(gavel("index", "build", "--format", "json").out)["vectors"] == 2
    assert json.loads(gavel("index", "rebuild", "--format", "json").out)["vectors"] == 2
    status = gavel("index", "status")
    assert "2 of 2" in status.out
    assert "beside the graph" in status.out


def test_the_doctor_says_what_it_is(gavel: Gavel, foreign: str) -> None:
    found = {each["check"]: each for each in json.loads(gavel("doctor", "--format", "json").out)}
    assert found["schema"]["found"] == f"not loaded by Gavel, read only, {foreign} shape"
    assert found["vectors"]["state"] == "ok"


def test_a_load_into_it_is_refused(gavel: Gavel, foreign: str, tmp_path: Path) -> None:
    assert foreign
    (tmp_path / "more.tsv").write_text("a\tr\tb\n")
    told = gavel("load", "more.tsv", "--namespace", "team")
    assert told.code == 1
    assert "did not load" in told.err
