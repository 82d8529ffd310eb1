"""Whatever a tool reads is told to the witness, in the name of whoever reads, with the ids that the tool cites."""

import re
from collections.abc import Callable

import pytest

from knowledge.access.access import Access
from knowledge.cypher.reader import GuardedReader
from knowledge.database.connection import Database
from knowledge.reading.kg import Kg
from knowledge.reading.meter import Unmetered
from knowledge.scope import Scope
from tests.knowledge.cypher.films import films
from tools.aggregate import aggregate
from tools.arguments import Hop
from tools.cited import Cited
from tools.find_paths import find_paths
from tools.get_schema import get_schema
from tools.registration import GUARDED_TOOLS
from tools.run_cypher import run_cypher
from tools.search_entities import search_entities
from tools.search_facts import search_facts
from tools.traverse import traverse

Call = Callable[[GuardedReader, str, str], Cited[object]]
CALLS: dict[str, Call] = {
    "search_entities": lambda reader, ann, rome: search_entities(reader, "Ann"),
    "search_facts": lambda reader, ann, rome: search_facts(reader, "Ann lives in Paris"),
    "traverse": lambda reader, ann, rome: traverse(reader, (ann,)),
    "find_paths": lambda reader, ann, rome: find_paths(reader, (ann,), (rome,)),
    "aggregate": lambda reader, ann, rome: aggregate(reader, "most", by=(Hop(relation="ACTED_IN"),)),
    "get_schema": lambda reader, ann, rome: get_schema(reader),
    "run_cypher": lambda reader, ann, rome: run_cypher(reader, "MATCH (p:Person)-[r:LIVES_IN]->(c) RETURN p, r LIMIT 5"),
}


class Listener(list[Access]):
    """Keeps what it is told."""

    def note(self, access: Access) -> None:
        self.append(access)


@pytest.fixture(scope="module")
def kg(shared_database: Database) -> Kg:
    return films(shared_database)


def test_every_read_tool_is_tried_here() -> None:
    assert set(CALLS) == {tool.__name__ for tool in GUARDED_TOOLS}


@pytest.mark.parametrize("tool", CALLS)
def test_what_a_tool_cites_was_told(kg: Kg, tool: str) -> None:
    told = Listener()
    kept = Kg(kg.database, kg.profile, now=kg.now, witness=told)
    reader = GuardedReader(kept, Scope(frozenset({"films"})), Unmetered("bot", "run-1"))
    found = reader.link(["ann", "rome"])
    ann, rome = (found[name][0].entity.id for name in ("ann", "rome"))
    told.clear()
    text = CALLS[tool](reader, ann, rome).text
    cited = set(re.findall(r"\b[0-9a-f]{24}\b", text))
    assert told and {(access.principal, access.run) for access in told} == {("bot", "run-1")}
    assert cited <= {id_ for access in told for id_ in access.ids} and (cited or tool == "get_schema"), text
