"""A memory that Graphiti made is governed from an explicit step on, reads as before, stays readable for Graphiti, and can be let go."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from knowledge.adoption.adopt import Adoption, survey
from knowledge.clocks import moment
from knowledge.database import ddl
from knowledge.database.connection import Database
from knowledge.database.embedded.server import Running
from knowledge.errors import DataError, StoreError
from knowledge.loading.loader import load
from knowledge.profile.profile import GraphProfile
from knowledge.reading.kg import Kg
from knowledge.reading.meter import Unmetered
from knowledge.registry.contract import Contract, SizeLimit
from knowledge.remember.verdict import Receipt
from knowledge.remember.worker import Worker
from knowledge.scope import Scope
from tests.conftest import wipe
from tests.knowledge.adoption.graphiti_world import FILE, everything, put_back
from tests.knowledge.reading.test_graphiti import with_graphiti
from tests.knowledge.reading.world import LetterEmbedder
from tests.knowledge.remember.world import Office, lesson, principal

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")  # graphiti-core's own, when it is imported
NOW = datetime(2026, 11, 30, tzinfo=UTC)
SPACES = frozenset({"team-aurora", "proj-harbor"})
CONTRACTS = {space: Contract(space, "", "any_agent", ("Lesson",), SizeLimit(), "self_service") for space in SPACES}
BOT = principal("bot", reads=SPACES, writes=SPACES)


@pytest.fixture
def graphiti(database: Database) -> Database:
    put_back(database)
    return database


def adoption(database: Database) -> Adoption:
    return Adoption(database, lambda: NOW)


def told(database: Database, shape: Any, folder: Path) -> list[object]:
    """All that a reader is told of every entity: now, earlier, later, and as it was believed earlier."""
    kg = Kg(database, GraphProfile(shape=shape), LetterEmbedder(), folder, now=lambda: NOW)
    entities = [row["uuid"] for row in database.read("MATCH (n:Entity) RETURN n.uuid AS uuid ORDER BY uuid")]
    dates = [row["at"] for row in database.read("MATCH ()-[r:RELATES_TO]->() RETURN DISTINCT toString(r.created_at) AS at ORDER BY at")]
    believed = [None, *(datetime.fromisoformat(dates[at]) for at in (0, len(dates) // 2, len(dates) - 1))]
    answers: list[object] = []
    for as_of in (None, "2020", "2024-06", "2025-01-15", "2030"):
        for known_at in believed:
            scope = Scope(SPACES, as_of=moment(as_of) if as_of else None, known_at=known_at)
            facts = kg.reader(scope, Unmetered()).expand(entities, limit=1000)
            answers.append(sorted((f.id, f.text, f.relation, f.valid_from, f.valid_to, f.source, f.subject.kind) for f in facts))
    return answers


def test_it_reads_the_same_before_and_after(graphiti: Database, tmp_path: Path) -> None:
    before = told(graphiti, "graphiti", tmp_path / "before")
    found = adoption(graphiti).adopt("ann")
    assert {one.namespace: (one.entities, one.episodes, one.facts) for one in found} == counted()
    after = told(graphiti, "memory", tmp_path / "after")
    assert len({json.dumps(answer) for answer in before}) > 5, "the dates make a difference"
    assert [_without_beliefs(answer) for answer in after] == [_without_beliefs(answer) for answer in before]


def counted() -> dict[str, tuple[int, ...]]:
    graph = json.loads(FILE.read_text())
    things = [(node["properties"]["group_id"], label) for node in graph["nodes"] for label in node["labels"]]
    things += [(edge["properties"]["group_id"], edge["type"]) for edge in graph["relationships"]]
    return {space: tuple(things.count((space, what)) for what in ("Entity", "Episodic", "RELATES_TO")) for space in SPACES}


def _without_beliefs(answer: Any) -> list[object]:
    """An earlier belief has an id of its own after adoption."""
    return sorted(fact[1:] for fact in answer)


def test_released_it_is_as_it_was_to_the_letter(graphiti: Database) -> None:
    before = everything(graphiti)
    adoption(graphiti).adopt("ann")
    assert everything(graphiti) != before and ddl.stored(graphiti)
    adoption(graphiti).release()
    assert everything(graphiti) == before and ddl.stored(graphiti) is None


def test_what_had_the_name_of_one_of_our_properties_is_given_back(graphiti: Database, tmp_path: Path) -> None:
    graphiti.write(
        "MATCH (n:Entity {name: 'Project Harbor'}) SET n.kind = 'pier', n.confidence = 3, n.key = datetime('2020-01-01T00:00:00Z')"
    )
    graphiti.write("MATCH (e:Episodic) SET e.type = 'chat', e.bytes = 'many'")
    graphiti.write("MATCH ()-[r:RELATES_TO]->() SET r.source = 'someone', r.valid_from = '1999'")
    before = everything(graphiti)
    adoption(graphiti).adopt("ann")
    [row] = graphiti.read("MATCH (n:Entity {name: 'Project Harbor'}) RETURN n.kind AS kind, n.properties AS has")
    assert row["kind"] == "Project" and json.loads(row["has"])["kind"] == "pier"
    adoption(graphiti).release()
    assert everything(graphiti) == before


class Interrupted(Exception):
    pass


class Failing:
    """A database whose n-th write is not made."""

    def __init__(self, database: Database, left: int) -> None:
        self._database, self.left = database, left

    def __getattr__(self, name: str) -> Any:
        return getattr(self._database, name)

    def write(self, *given: Any, **more: Any) -> Any:
        self._count()
        return self._database.write(*given, **more)

    def transact(self, *given: Any, **more: Any) -> Any:
        self._count()
        return self._database.transact(*given, **more)

    def _count(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise Interrupted


@pytest.mark.parametrize("writes", [1, 3, 5, 8, pytest.param(2, marks=pytest.mark.full), pytest.param(4, marks=pytest.mark.full)])
def test_interrupted_anywhere_it_can_be_finished_or_let_go(graphiti: Database, writes: int) -> None:
    before = everything(graphiti)
    adopt(graphiti)
    whole = everything(graphiti)
    adoption(graphiti).release()
    with pytest.raises(Interrupted):
        Adoption(Failing(graphiti, writes), lambda: NOW).adopt("ann")  # type: ignore[arg-type]
    adopt(graphiti)
    assert everything(graphiti) == whole
    with pytest.raises(Interrupted):
        Adoption(Failing(graphiti, writes), lambda: NOW).release()  # type: ignore[arg-type]
    adoption(graphiti).release()
    assert everything(graphiti) == before
    with pytest.raises(Interrupted):
        Adoption(Failing(graphiti, writes), lambda: NOW).adopt("ann")  # type: ignore[arg-type]
    adoption(graphiti).release()
    assert everything(graphiti) == before


def adopt(database: Database) -> None:
    adoption(database).adopt("ann")


def remember(office: Office, database: Database, body: str, *operations: dict[str, object]) -> Receipt:
    made = office.inbox(BOT).submit(lesson(body, namespace="proj-harbor", operations=list(operations)))
    Worker(office.journal, office.registry, lambda: database).drain()
    found = office.inbox(BOT).receipt(made.id)
    assert found
    return found


@pytest.fixture
def office(tmp_path: Path) -> Iterator[Office]:
    made = Office(tmp_path, contracts=CONTRACTS)
    made.clock.pass_(days=365)  # type: ignore[attr-defined]
    yield made
    made.journal.close()


def test_what_is_remembered_of_an_adopted_entity_is_of_that_entity(graphiti: Database, office: Office) -> None:
    adopt(graphiti)
    [before] = graphiti.read("MATCH (n:Entity {name: 'Luca Ferri'}) RETURN n.uuid AS uuid, n.summary AS summary")
    told = {"op": "add_relation", "subject": "Luca Ferri", "relation": "REPAIRED", "object": "Tide Gauge"}
    update = {"op": "update_property", "entity": "Luca Ferri", "property": "role", "value": "engineer"}
    assert remember(office, graphiti, "Luca Ferri repaired the Tide Gauge.", told, update).status == "applied"
    rows = graphiti.read(
        "MATCH (n:Entity {name: 'Luca Ferri'})-[r:RELATES_TO {name: 'REPAIRED'}]->(m) RETURN n.uuid AS uuid, n.summary AS summary, m.name AS m"
    )
    assert rows == [{**before, "m": "Tide Gauge"}]


def test_nobody_makes_up_the_key_of_an_adopted_entity_of_another_namespace(graphiti: Database, office: Office, tmp_path: Path) -> None:
    adopt(graphiti)
    before = canonical(graphiti, "team-aurora")
    [other] = graphiti.read("MATCH (n:Entity {group_id: 'team-aurora'}) RETURN n.uuid AS uuid ORDER BY uuid LIMIT 1")
    for key in (f"uuid:{other['uuid']}", "uuid:nothing"):
        for operation in (
            {"op": "add_entity", "name": "Mine", "key": key, "summary": "taken over"},
            {"op": "add_entity", "name": key, "summary": "taken over"},
            {"op": "add_relation", "subject": key, "relation": "R", "object": "Tide Gauge"},
            {"op": "update_property", "entity": key, "property": "p", "value": 1},
        ):
            made = remember(office, graphiti, f"{key} {operation['op']} {operation.get('key')}", operation)
            assert made.status == "rejected" and ("has the key" in made.why or "not recorded" in made.why), (operation, made)
        file = tmp_path / "rows.tsv"
        file.write_text(f"{key}\tR\tb\n")
        with pytest.raises(DataError, match="names adopted entities alone"):
            load(graphiti, [file], "proj-harbor")
    assert canonical(graphiti, "team-aurora") == before


def canonical(database: Database, namespace: str) -> list[Any]:
    return database.read("MATCH (n:Entity {group_id: $n}) RETURN properties(n) AS has ORDER BY n.uuid", {"n": namespace})


def test_it_is_not_released_over_what_was_written_since(graphiti: Database, office: Office) -> None:
    adopt(graphiti)
    assert remember(office, graphiti, "Luca Ferri repaired the Tide Gauge.").status == "applied"
    before = everything(graphiti)
    with pytest.raises(StoreError, match="written into proj-harbor since"):
        adoption(graphiti).release()
    assert everything(graphiti) == before


def test_graphiti_still_reads_what_was_adopted_and_makes_its_indexes_again(graphiti: Database, server: Running, office: Office) -> None:
    adopt(graphiti)
    assert remember(
        office, graphiti, "Luca Ferri repaired the Tide Gauge.", {"op": "add_entity", "name": "Luca Ferri", "summary": "An engineer"}
    )

    async def read(driver: Any) -> Any:
        from graphiti_core.edges import EntityEdge
        from graphiti_core.nodes import EntityNode, EpisodicNode

        await driver.build_indices_and_constraints()
        spaces = sorted(SPACES)
        return [
            sorted(one.name for one in await EpisodicNode.get_by_group_ids(driver, spaces)),
            sorted(one.name for one in await EntityNode.get_by_group_ids(driver, spaces)),
            sorted(one.fact for one in await EntityEdge.get_by_group_ids(driver, spaces)),
        ]

    episodes, entities, facts = with_graphiti(server, read)
    given = json.loads(FILE.read_text())
    named = [node["properties"]["name"] for node in given["nodes"] if "Entity" in node["labels"]]
    assert entities == sorted(named) and len(episodes) == 31
    assert set(facts) == {edge["properties"]["fact"] for edge in given["relationships"] if edge["type"] == "RELATES_TO"}


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        ("CREATE (:Entity {group_id: 'team-aurora', name: 'nobody'})", "1 entities have no uuid or no group_id"),
        ("MATCH (n:Episodic) WITH n LIMIT 1 CREATE (m:Episodic) SET m = n", "1 episodes share a uuid"),
        ("MATCH (n:Episodic) WITH n LIMIT 1 SET n.group_id = ''", "the group_id '' is no namespace id"),
        ("CREATE (:GavelSchema {id: 'gavel', shape: 'memory', version: 1})", "Gavel's already"),
        ("MATCH (n) DETACH DELETE n", "holds no memory of Graphiti"),
    ],
)
def test_what_cannot_be_adopted_is_left_alone_and_told(graphiti: Database, spoil: str, message: str) -> None:
    graphiti.write(spoil)
    before = everything(graphiti)
    for refused in (lambda: survey(graphiti), lambda: adoption(graphiti).adopt("ann")):
        with pytest.raises(StoreError, match=message):
            refused()
    assert everything(graphiti) == before


def test_only_what_was_adopted_is_released(database: Database) -> None:
    ddl.ensure(database, "memory")
    with pytest.raises(StoreError, match="was not adopted"):
        adoption(database).release()
    wipe(database)


def test_edges_that_say_the_same_are_one_fact_with_two_sources(graphiti: Database) -> None:
    graphiti.write(
        "MATCH (a)-[r:RELATES_TO]->(b) WHERE r.valid_at IS NOT NULL AND r.invalid_at IS NULL WITH a, r, b ORDER BY r.uuid LIMIT 1 "
        "MATCH (e:Episodic {group_id: r.group_id}) WHERE NOT e.uuid IN r.episodes WITH a, r, b, e LIMIT 1 "
        "CREATE (a)-[s:RELATES_TO]->(b) SET s = r, s.uuid = 'again', s.fact = 'the same in other words', s.episodes = [e.uuid], "
        "s.created_at = r.created_at + duration('P1D')"
    )
    before = everything(graphiti)
    adopt(graphiti)
    rows = graphiti.read(
        "MATCH ()-[r:RELATES_TO {uuid: 'again'}]->() MATCH ()-[o:RELATES_TO {fact_id: r.fact_id}]->() RETURN o.known_to.year AS until, o.observation_count AS n ORDER BY o.known_from"
    )
    assert rows == [{"until": 2026, "n": 2}, {"until": 9999, "n": 2}]
    assert graphiti.read(
        "MATCH ()-[r:RELATES_TO {uuid: 'again'}]->() MATCH (v:GavelEvidence {fact_id: r.fact_id}) RETURN count(v) AS n"
    ) == [{"n": 2}]
    adoption(graphiti).release()
    assert everything(graphiti) == before
