"""Model-written Cypher as a tool, over a real graph: cited rows, what was added, and refusals that say what to write instead."""

import pytest

from knowledge.cypher.reader import GuardedReader
from knowledge.database.connection import Database
from knowledge.reading.meter import Unmetered
from knowledge.scope import Scope
from tests.knowledge.cypher.films import films
from tools.errors import ToolError
from tools.registration import GUARDED_TOOLS, as_tool
from tools.run_cypher import run_cypher


@pytest.fixture(scope="module")
def reader(shared_database: Database) -> GuardedReader:
    return GuardedReader(films(shared_database), Scope(frozenset({"films"})), Unmetered())


def test_rows_are_listed_by_column(reader: GuardedReader) -> None:
    found = run_cypher(reader, "MATCH (p:Person)-[:LIVES_IN]->(c:City) RETURN c.name AS city, count(p) AS people ORDER BY city")
    assert found.text.splitlines()[:2] == ["city: Paris, people: 2", "city: Rome, people: 2"]
    assert [dict(row) for row in found.artifact.rows] == [{"city": "Paris", "people": 2}, {"city": "Rome", "people": 2}]


def test_nodes_facts_and_paths_can_be_cited(reader: GuardedReader) -> None:
    found = run_cypher(reader, "MATCH w = (p:Person {name: $who})-[r:LIVES_IN]->(c) RETURN p, r, w", {"who": "Ann"})
    [row] = found.artifact.rows
    person, fact = row["p"].record, row["r"].record  # type: ignore[attr-defined]
    assert f"p: Ann [{person.id}], r: -LIVES_IN-> [{fact.id}], w: Ann -LIVES_IN-> Paris [{fact.id}]" in found.text


def test_what_the_guard_added_is_said(reader: GuardedReader) -> None:
    assert "(" in run_cypher(reader, "MATCH (p:Person) RETURN p.name AS name").text
    assert run_cypher(reader, "MATCH (p:Person {name: 'Nobody'}) RETURN p.name AS name LIMIT 3").text.startswith("No rows.")


@pytest.mark.parametrize(
    ("statement", "advice"),
    [("MATCH (p:Persn) RETURN p", "Person"), ("MATCH (p:Person) DELETE p", "changes the graph"), ("CALL db.labels()", "procedure")],
)
def test_a_refusal_tells_the_model_what_to_write_instead(reader: GuardedReader, statement: str, advice: str) -> None:
    with pytest.raises(ToolError, match=advice):
        run_cypher(reader, statement)


def test_a_model_calls_it_like_the_other_tools(reader: GuardedReader) -> None:
    tool = {f.__name__: as_tool(f, reader) for f in GUARDED_TOOLS}["run_cypher"]  # type: ignore[arg-type]
    call = {"type": "tool_call", "id": "1", "name": "run_cypher", "args": {"statement": "MATCH (c:City) RETURN count(c) AS n"}}
    assert tool.invoke(call).content.startswith("n: 2")
    assert all("description" in field for field in tool.args.values())
    refused = tool.invoke({**call, "args": {"statement": "MATCH (n) DETACH DELETE n"}})
    assert refused.status == "error"
