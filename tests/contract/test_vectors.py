"""How vectors travel, are stored, compared and found."""

from typing import Any

import numpy as np
import pytest
from neo4j.vector import Vector
from numpy.typing import NDArray

from knowledge.database.connection import Database
from knowledge.errors import DatabaseError, StatementError

WIDE = 64
INDEX = "{language} CREATE VECTOR INDEX v FOR (n:E) ON n.vec {filters} OPTIONS {{indexConfig: {{`vector.dimensions`: 64, `vector.similarity_function`: 'cosine'}}}}"


def unit(count: int, seed: int = 1) -> NDArray[np.float32]:
    rows = np.random.default_rng(seed).normal(size=(count, WIDE)).astype(np.float32)
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), dtype=np.float32)


def sent(database: Database, rows: NDArray[np.float32]) -> list[Any]:
    return [Vector.from_numpy(row) for row in rows] if database.capability.vector_values else rows.tolist()


def store(database: Database, rows: NDArray[np.float32], groups: list[str] | None = None) -> None:
    groups = groups or ["g"] * len(rows)
    items = [{"id": i, "group": group, "vec": vec} for i, (group, vec) in enumerate(zip(groups, sent(database, rows), strict=True))]
    database.write(
        "UNWIND $items AS item CREATE (n:E {id: item.id, group: item.group, day: item.id % 10}) "
        "WITH n, item CALL db.create.setNodeVectorProperty(n, 'vec', item.vec)",
        {"items": items},
    )


def indexed(database: Database, filters: str = "") -> None:
    database.schema(INDEX.format(language="CYPHER 25" if filters else "", filters=filters))
    database.read("CALL db.awaitIndexes(60)")


def test_vectors_stored_by_procedure_come_back_as_lists_of_the_same_floats(database: Database) -> None:
    rows = unit(5)
    store(database, rows)
    found = database.read("MATCH (n:E) RETURN n.vec AS vec ORDER BY n.id")
    np.testing.assert_allclose([row["vec"] for row in found], rows, rtol=1e-6)


def test_vectors_are_stored_on_relationships_too(database: Database) -> None:
    vector = sent(database, unit(1))[0]
    database.write("CREATE (:E)-[r:R]->(:E) WITH r CALL db.create.setRelationshipVectorProperty(r, 'vec', $vec)", {"vec": vector})
    assert len(database.read("MATCH ()-[r:R]->() RETURN r.vec AS vec")[0]["vec"]) == WIDE


def test_the_type_of_vectors_is_taken_where_the_capability_says_so_and_refused_elsewhere(database: Database) -> None:
    vector = Vector.from_numpy(unit(1)[0])
    statement = "CREATE (n:E) WITH n CALL db.create.setNodeVectorProperty(n, 'vec', $vec) RETURN size(n.vec) AS size"
    if database.capability.vector_values:
        assert database.write(statement, {"vec": vector}) == [{"size": WIDE}]
    else:
        with pytest.raises(DatabaseError, match=r"(?i)vector"):
            database.write(statement, {"vec": vector})


def test_cosine_of_unit_vectors_is_half_of_one_plus_their_product(database: Database) -> None:
    rows = unit(20)
    store(database, rows)
    query = rows[0]
    found = database.read(
        "MATCH (n:E) RETURN n.id AS id, vector.similarity.cosine(n.vec, $vec) AS score ORDER BY n.id", {"vec": query.tolist()}
    )
    np.testing.assert_allclose([row["score"] for row in found], (1 + rows @ query) / 2, atol=1e-5)


def test_one_vector_of_another_length_breaks_a_scan_and_misses_the_index(database: Database) -> None:
    """Why every scan filters on the model and every model has its own index."""
    store(database, unit(3))
    database.write("CREATE (n:E {id: 99}) SET n.vec = [1.0, 2.0]")
    indexed(database)
    with pytest.raises(StatementError):
        database.read("MATCH (n:E) RETURN max(vector.similarity.cosine(n.vec, $vec)) AS best", {"vec": unit(1)[0].tolist()})
    found = database.read("CALL db.index.vector.queryNodes('v', 10, $vec) YIELD node RETURN node.id AS id", {"vec": unit(1)[0].tolist()})
    assert sorted(row["id"] for row in found) == [0, 1, 2]


def test_the_index_finds_nearest_neighbours(database: Database) -> None:
    rows = unit(500)
    store(database, rows)
    indexed(database)
    query = unit(1, seed=7)[0]
    found = database.read("CALL db.index.vector.queryNodes('v', 50, $vec) YIELD node, score RETURN node.id AS id", {"vec": query.tolist()})
    best = set(np.argsort(-(rows @ query))[:10].tolist())
    assert len(best & {row["id"] for row in found}) == 10


def test_the_index_filters_inside_where_the_capability_says_so(database: Database) -> None:
    rows = unit(1000)
    store(database, rows, ["small" if i % 50 == 0 else "large" for i in range(1000)])
    if not database.capability.vector_filters:
        with pytest.raises(StatementError):
            indexed(database, "WITH [n.group, n.day]")
        return
    indexed(database, "WITH [n.group, n.day]")
    query = unit(1, seed=7)[0]
    found = database.read(
        "CYPHER 25 MATCH (n) SEARCH n IN (VECTOR INDEX v FOR $vec WHERE n.group IN ['small'] AND n.day >= 0 AND n.day < 5 LIMIT 50) "
        "SCORE AS score RETURN n.id AS id",
        {"vec": sent(database, query[None])[0]},
    )
    assert {row["id"] for row in found} == set(range(0, 1000, 50))


@pytest.mark.parametrize(
    "condition", ["n.group = 'a' OR n.group = 'b'", "coalesce(n.group, 'a') = 'a'", "n.other = 'a'", "n.day IN [0] AND n.day < 5"]
)
def test_the_filter_inside_the_index_takes_one_simple_condition_per_property_joined_by_and(database: Database, condition: str) -> None:
    store(database, unit(3))
    indexed(database, "WITH [n.group, n.day]" if database.capability.vector_filters else "")
    with pytest.raises(StatementError):
        database.read(
            f"CYPHER 25 MATCH (n) SEARCH n IN (VECTOR INDEX v FOR $vec WHERE {condition} LIMIT 5) RETURN n.id AS id",
            {"vec": unit(1)[0].tolist()},
        )
