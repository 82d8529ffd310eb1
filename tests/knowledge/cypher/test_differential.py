"""A statement within a scope gives exactly what it gives, without a guard, on a graph that holds nothing but the scope."""

from random import Random

import pytest

from knowledge.cypher.refusal import Refusal
from knowledge.cypher.verdict import Allowed, Result
from knowledge.database import ddl
from knowledge.database.connection import Database
from tests.conftest import wipe
from tests.knowledge.cypher.statements import Graph, Statements
from tests.knowledge.cypher.worlds import guard_of
from tests.knowledge.reading.world import NativeWorld, Node, World

MANY = 100_000
WIDE = {"rows": MANY, "size": 50_000_000, "estimated": 1e12, "product": 1e12, "seconds": 30.0, "depth": 3}


def plain_rows(database: Database, graph: Graph, texts: list[str]) -> dict[str, list[str]]:
    """What the statements themselves give on the scope alone, as a native graph."""
    wipe(database)
    Node.shape = "native"
    NativeWorld(database).write(graph.nodes, graph.edges)
    return {text: written(database.read(f"CYPHER 5 {text}")) for text in texts}


def guarded_rows(database: Database, graph: Graph, texts: list[str]) -> dict[str, list[str] | Refusal]:
    """What the guard gives beside all that is hidden."""
    wipe(database)
    Node.shape = "native" if graph.native else "memory"
    if not graph.native:
        ddl.ensure(database, "memory")
    world = NativeWorld(database) if graph.native else World(database)
    world.write(graph.nodes + graph.hidden_nodes, graph.edges + graph.hidden_edges)
    guard = guard_of(world, Node.shape, **WIDE)
    return {text: answer(guard, text) for text in texts}


def answer(guard, text):
    verdict = guard.check(text)
    if not isinstance(verdict, Allowed):
        return verdict
    assert verdict.scoped
    result = guard.run(verdict)
    return written(result.rows) if isinstance(result, Result) else result


def written(rows) -> list[str]:
    return sorted(str(dict(row)) for row in rows)


def compare(database: Database, seed: int, native: bool, statements: int) -> dict[str, tuple[object, object]]:
    """Statements that differ. Refused by right, and left out, are scans of all nodes of a native graph and arrows that no relation has."""
    random = Random(seed)
    graph, writer = Graph(random, native), Statements(random, native)
    texts = [writer.next() for _ in range(statements)]
    expected, found = plain_rows(database, graph, texts), guarded_rows(database, graph, texts)
    apart = {text: refusal.code for text in texts if isinstance(refusal := found[text], Refusal) and refusal.code in ("scan", "direction")}
    assert len(apart) <= statements * 0.25, apart
    return {text: (expected[text], found[text]) for text in texts if text not in apart and expected[text] != found[text]}


@pytest.mark.parametrize("native", [False, True], ids=["memory", "native"])
def test_some_statements_give_what_they_give_on_the_scope_alone(shared_database: Database, native: bool) -> None:
    assert compare(shared_database, 1, native, 8) == {}


@pytest.mark.full
@pytest.mark.parametrize("seed", (1, 2, 3))
@pytest.mark.parametrize("native", [False, True], ids=["memory", "native"])
def test_many_statements_give_what_they_give_on_the_scope_alone(shared_database: Database, native: bool, seed: int) -> None:
    assert compare(shared_database, seed, native, 150) == {}
