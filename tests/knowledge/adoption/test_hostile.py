"""Whatever stands in a memory of Graphiti: adopted it comes back to the letter, or it is refused by name and left alone."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest

from knowledge.adoption.adopt import Adoption
from knowledge.database import ddl
from knowledge.database.connection import Database
from knowledge.errors import StoreError
from tests.knowledge.adoption.graphiti_world import everything, put_back

NOW = datetime(2026, 11, 30, tzinfo=UTC)
_ENTITY = "MATCH (n:Entity) WITH n ORDER BY n.uuid SKIP {} LIMIT 1 "
_FACT = "MATCH (a)-[r:RELATES_TO]->(b) WITH a, r, b ORDER BY r.uuid SKIP {} LIMIT 1 "
_EPISODE = "MATCH (p:Episodic) WITH p ORDER BY p.uuid SKIP {} LIMIT 1 "
ODD = (
    _ENTITY.format(0) + "SET n.kind = point({x: 1, y: 2}), n.key = point({x: 1, y: 2, z: 3}), n.place = point({latitude: 1, longitude: 2})",
    _ENTITY.format(1) + "SET n.confidence = duration('P1DT3.000000001S'), n.aliases = [date('2024-01-01')], n.seen = [duration('P1D')]",
    _ENTITY.format(2) + "SET n.key = datetime('+12000-01-01T00:00:00Z'), n.kind = time('10:00+01:00'), n.weight = 0.0 / 0.0",
    _ENTITY.format(3) + "SET n.aliases = [], n.seen = [1.5], n.confidence = datetime('2024-01-01T00:00:00.123456789[Europe/Paris]')",
    _ENTITY.format(4) + "SET n:Person:`odd ``label` REMOVE n.name, n.created_at",
    _ENTITY.format(5) + "CREATE (n)-[:RELATES_TO {uuid: 'self', group_id: n.group_id, name: 'KNOWS', fact: 'itself'}]->(n)",
    _EPISODE.format(0) + "SET p.name = 5, p.content = ['a'], p.bytes = point({x: 1, y: 1}), p.known_to = 5, p.entity_edges = ['nowhere']",
    _EPISODE.format(1) + "REMOVE p.name, p.content, p.created_at, p.valid_at",
    _FACT.format(0)
    + "SET r.valid_at = datetime('2024-01-01T00:00[Europe/Paris]') CREATE (a)-[s:RELATES_TO]->(b) SET s = r, s.uuid = 'twin', "
    "s.valid_at = datetime('2023-12-31T23:00:00Z')",
    _FACT.format(1) + "SET r.valid_at = datetime('2024-05-01T00:00:00Z'), r.invalid_at = datetime('2023-01-01T00:00:00Z')",
    _FACT.format(2) + "SET r.group_id = 'elsewhere', r.episodes = [1, 2] REMOVE r.created_at, r.valid_at, r.fact",
    _FACT.format(3) + "SET r.expired_at = datetime('2000-01-01T00:00:00Z'), r.fact = reduce(s = 'x ', i IN range(1, 16) | s + s)",
    _FACT.format(4)
    + "SET r.source = point({x: 1, y: 2}), r.valid_from = '1999', r.created_at = datetime('2025-01-01T00:00:00.123456789Z')",
    _FACT.format(5) + "UNWIND range(1, 4) AS i CREATE (a)-[s:RELATES_TO]->(b) SET s = r, s.uuid = 'same' + i",
)


@pytest.fixture
def graphiti(database: Database) -> Database:
    put_back(database)
    return database


def adopt(database: Database, progress: Callable[[int, int, str], None] = lambda done, total, label: None, now: datetime = NOW) -> None:
    Adoption(database, lambda: now, progress).adopt("ann")


def release(database: Database) -> None:
    Adoption(database, lambda: NOW).release()


def fingerprint(database: Database) -> list[str]:
    """As `everything`, where a value is beyond what a client can hold."""
    database.write("MATCH (n:Entity) WHERE toStringOrNull(n.key) STARTS WITH '+12000' SET n.key = toString(n.key) + ' as a date'")
    return everything(database)


def test_odd_values_of_any_type_come_back_to_the_letter(graphiti: Database) -> None:
    for statement in ODD:
        graphiti.write(statement)
    adopt(graphiti)
    assert graphiti.read("MATCH ()-[r:RELATES_TO]->() WHERE r.fact_id IS NULL RETURN count(*) AS n") == [{"n": 0}]
    assert graphiti.read("MATCH ()-[r:RELATES_TO {uuid: 'twin'}]->() RETURN r.observation_count AS n") == [{"n": 1}], (
        "one fact of two zones"
    )
    release(graphiti)
    released = fingerprint(graphiti)
    for row in graphiti.read("SHOW INDEXES YIELD name, type WHERE type <> 'LOOKUP' RETURN name"):
        graphiti.schema(f"DROP INDEX `{row['name']}`")
    graphiti.write("MATCH (n) DETACH DELETE n")
    put_back(graphiti)
    for statement in ODD:
        graphiti.write(statement)
    assert fingerprint(graphiti) == released


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (_ENTITY.format(0) + "SET n.uuid = 7", "1 entities have no uuid"),
        (_FACT.format(0) + "SET r.uuid = ''", "1 facts have no uuid"),
        (_ENTITY.format(0) + "SET n.group_id = 7", "no group_id, each a text"),
        (_ENTITY.format(0) + "SET n.created_at = 'yesterday'", "1 entities have a date that is no date with time and zone"),
        (_FACT.format(0) + "SET r.valid_at = date('2024-01-01')", "1 facts have a date that is no date with time and zone"),
        (_FACT.format(0) + "SET r.invalid_at = datetime('-0050-01-01T00:00:00Z')", "of the years 1 to 9999"),
        (_EPISODE.format(0) + "SET p.valid_at = [datetime()]", "1 episodes have a date"),
        (_FACT.format(0) + "REMOVE r.name", "1 facts have no name of their relation"),
        (_ENTITY.format(0) + "SET n.name = reduce(s = 'x', i IN range(1, 11) | s + s)", "a name of more than 2,000 letters"),
        (_ENTITY.format(0) + "SET n:Episodic", "1 entities are episodes too"),
        (
            _ENTITY.format(0) + "CREATE (n)-[:RELATES_TO {uuid: 'o', group_id: 'team-aurora', name: 'X'}]->(:Thing)",
            "do not join two entities",
        ),
        (_FACT.format(0) + "SET r.adopted_belief = true", "1 facts have a property .* which are Gavel's"),
        (_ENTITY.format(0) + "SET n.gavel_before_key = 'x'", "1 entities have a property .* which are Gavel's"),
        ("CREATE (:GavelEvidence {id: 'x'})", "1 nodes have a label that is Gavel's"),
        ("CREATE INDEX gavel_mine FOR (n:Thing) ON (n.a)", "the schema has gavel_mine"),
    ],
)
def test_what_cannot_be_told_truly_is_refused_by_name_and_left_alone(graphiti: Database, spoil: str, message: str) -> None:
    graphiti.write(spoil)
    before = graphiti.read("MATCH (n) OPTIONAL MATCH (n)-[r]->() RETURN count(DISTINCT n) AS n, count(r) AS r, sum(size(keys(n))) AS keys")
    with pytest.raises(StoreError, match=message):
        adopt(graphiti)
    assert before == graphiti.read(
        "MATCH (n) OPTIONAL MATCH (n)-[r]->() RETURN count(DISTINCT n) AS n, count(r) AS r, sum(size(keys(n))) AS keys"
    )
    assert ddl.stored(graphiti) is None


def test_a_release_in_the_middle_of_an_adoption_ends_it_and_nothing_is_left_over(graphiti: Database) -> None:
    before = everything(graphiti)

    def meanwhile(done: int, total: int, label: str) -> None:
        if label == "adopting memories":
            release(graphiti)

    with pytest.raises(StoreError, match="another process"):
        adopt(graphiti, meanwhile)
    assert everything(graphiti) == before


def test_several_adopt_at_once_and_it_is_adopted_once(graphiti: Database) -> None:
    before = everything(graphiti)
    adopt(graphiti)
    whole = everything(graphiti)
    release(graphiti)
    with ThreadPoolExecutor(3) as pool:
        ended = [one.exception() for one in [pool.submit(adopt, graphiti) for _ in range(3)]]
    assert None in ended and all(isinstance(error, StoreError | None) for error in ended), ended
    assert everything(graphiti) == whole
    release(graphiti)
    assert everything(graphiti) == before


def test_what_graphiti_writes_meanwhile_is_governed_too(graphiti: Database) -> None:
    written: list[str] = []

    def meanwhile(done: int, total: int, label: str) -> None:
        if label == "adopting facts" and not written:
            written.append("once")
            graphiti.write(
                _FACT.format(0) + "CREATE (a)-[s:RELATES_TO {uuid: 'late'}]->(b) SET s += r {.name, .fact, .valid_at, .group_id}, "
                "s.created_at = r.created_at - duration('P1D') CREATE (:Entity {uuid: 'later', group_id: 'newcomers', name: 'Late'})"
            )

    adopt(graphiti, meanwhile)
    assert written
    assert graphiti.read("MATCH (n:Entity|Episodic) WHERE n.known_to IS NULL RETURN count(*) AS n") == [{"n": 0}]
    assert graphiti.read("MATCH ()-[r:RELATES_TO]->() WHERE r.known_to IS NULL RETURN count(*) AS n") == [{"n": 0}]
    assert graphiti.read("MATCH (n:GavelNamespace {group_id: 'newcomers'}) RETURN count(*) AS n") == [{"n": 1}]


def test_begun_again_on_another_day_it_is_as_if_it_had_never_been_interrupted(graphiti: Database) -> None:
    graphiti.write("MATCH (n:Entity) REMOVE n.created_at WITH count(*) AS n MATCH ()-[r:RELATES_TO]->() REMOVE r.created_at")
    adopt(graphiti)
    whole = everything(graphiti)
    release(graphiti)

    def stop(done: int, total: int, label: str) -> None:
        if label == "adopting memories":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        adopt(graphiti, stop)
    adopt(graphiti, now=NOW + timedelta(days=3))
    assert [row.replace("2026-12-03", "2026-11-30") if "last_commit" in row else row for row in everything(graphiti)] == whole
