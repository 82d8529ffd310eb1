"""A memory that Graphiti itself wrote is read with derived clocks; what Gavel loads can be read by Graphiti itself."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from knowledge.clocks import moment
from knowledge.database import ddl
from knowledge.database.connection import Database
from knowledge.database.embedded.server import Running
from knowledge.errors import StoreError
from knowledge.loading.loader import load
from knowledge.profile.profile import GraphProfile
from knowledge.reading.kg import Kg
from knowledge.reading.meter import Unmetered
from knowledge.reading.reader import Reader
from knowledge.records import Step, Walk
from knowledge.scope import Scope
from tests.conftest import wipe
from tests.knowledge.reading.world import LetterEmbedder

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")  # graphiti-core's own, when it is imported
NOW = datetime(2026, 11, 30, tzinfo=UTC)
HEARD, CORRECTED = datetime(2026, 2, 1, tzinfo=UTC), datetime(2026, 6, 1, tzinfo=UTC)
LEFT = datetime(2025, 1, 1, tzinfo=UTC)
Graphiti = Any
Step_ = Callable[[Graphiti], Awaitable[Any]]


def with_graphiti(server: Running, work: Step_) -> Any:
    """Run something with Graphiti's own driver."""
    from graphiti_core.driver.neo4j_driver import Neo4jDriver

    async def run() -> Any:
        driver = Neo4jDriver(server.uri, server.user, server.password)
        try:
            if driver._init_task:
                await driver._init_task
            return await work(driver)
        finally:
            await driver.close()

    return asyncio.run(run())


async def remember(driver: Graphiti) -> None:
    """Marie Curié worked at Boreal until 2025, which was learned in June; a namesake stands in another group."""
    from graphiti_core.edges import EntityEdge
    from graphiti_core.nodes import EntityNode, EpisodeType, EpisodicNode

    episode = EpisodicNode(
        uuid="ep1", name="chat of 1 February", group_id="team", source=EpisodeType.message, source_description="chat", content="…",
        created_at=HEARD, valid_at=HEARD,
    )  # fmt: skip
    await episode.save(driver)

    def node(uuid: str, name: str, group: str, *labels: str) -> EntityNode:
        vector = [0.1, 0.2, 0.3]
        said = {"summary": f"about {name}", "name_embedding": vector, "created_at": HEARD}
        return EntityNode(uuid=uuid, name=name, group_id=group, labels=list(labels), **said)

    for each in (
        node("m", "Marie Curié", "team", "Person"),
        node("b", "Boreal", "team", "Company"),
        node("c", "Cobalt", "team", "Company"),
        node("m2", "Marie Curie", "team2", "Person"),
    ):
        await each.save(driver)

    def edge(uuid: str, target: str, **dates: datetime) -> EntityEdge:
        said = {"name": "WORKS_AT", "fact": f"Marie works at {target}", "fact_embedding": [0.1, 0.2, 0.3], "episodes": ["ep1"]}
        return EntityEdge(uuid=uuid, source_node_uuid="m", target_node_uuid=target, group_id="team", **said, **dates)

    await edge("e1", "b", created_at=HEARD, invalid_at=LEFT, expired_at=CORRECTED).save(driver)
    await edge("e2", "c", created_at=CORRECTED, valid_at=LEFT).save(driver)


@pytest.fixture(scope="module")
def kg(server: Running, shared_database: Database, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kg]:
    wipe(shared_database)
    with_graphiti(server, remember)
    yield Kg(shared_database, GraphProfile(shape="graphiti"), LetterEmbedder(), tmp_path_factory.mktemp("data"), now=lambda: NOW)
    wipe(shared_database)


def reader(kg: Kg, *namespaces: str, **scope: Any) -> Reader:
    return kg.reader(Scope(frozenset(namespaces or ("team",)), **scope), Unmetered())


def where(kg: Kg, **scope: Any) -> list[str]:
    """Where Marie works."""
    reached = reader(kg, **scope).follow([Walk(("m",), (Step("WORKS_AT", "out"),))])[0]
    return sorted(each.entity.name for each in reached)


def test_names_are_found_without_their_accents_and_in_their_group_only(kg: Kg) -> None:
    found = reader(kg).link(["marie curie"])["marie curie"]
    assert [(c.entity.id, c.entity.kind, c.entity.namespace, c.degree) for c in found] == [("m", "Person", "team", 1)]
    assert [c.entity.id for c in reader(kg, "team2").link(["marie curie"])["marie curie"]] == ["m2"]
    assert not reader(kg, "nobody").link(["marie curie"]).get("marie curie")


def test_what_ended_is_known_only_since_it_was_corrected(kg: Kg) -> None:
    assert where(kg) == ["Cobalt"]
    assert where(kg, as_of=moment("2024")) == ["Boreal"]
    assert where(kg, known_at=datetime(2026, 3, 1, tzinfo=UTC)) == ["Boreal"]
    assert where(kg, known_at=datetime(2026, 1, 1, tzinfo=UTC)) == []


def test_a_fact_carries_its_dates_and_the_episode_it_came_from(kg: Kg) -> None:
    facts = reader(kg, as_of=moment("2024")).expand(["m"])
    assert [(f.id, f.text, f.valid_from, f.valid_to[:10], f.known_from[:10], f.source) for f in facts] == [
        ("e1", "Marie works at b", "", "2025-01-01", "2026-02-01", "chat of 1 February")
    ]


def test_only_public_readers_of_everyones_facts_see_it(kg: Kg) -> None:
    assert where(kg, access_levels=frozenset({"secret"})) == []
    assert where(kg, visibility_groups=frozenset({"board"})) == []


def test_words_and_vectors_find_entities_and_facts(kg: Kg) -> None:
    assert not kg.semantic
    assert kg.aside
    assert kg.aside.build(LetterEmbedder()).vectors == 4
    assert kg.semantic
    for mode in ("keyword", "semantic", "hybrid"):
        assert reader(kg).search_entities("Boreal", mode=mode, limit=1)[0].item.id == "b"  # type: ignore[arg-type]
    assert {hit.item.id for hit in reader(kg).search_facts("works at Cobalt")} == {"e2"}


def test_the_schema_counts_what_is_in_scope(kg: Kg) -> None:
    schema = reader(kg).schema()
    assert [(r.name, r.facts) for r in schema.relations] == [("WORKS_AT", 1)]
    assert reader(kg, "team2").schema().relations == ()


def test_nothing_is_added_to_it(kg: Kg, tmp_path: Path) -> None:
    before = kg.database.read("MATCH (n) RETURN count(n) AS nodes")
    where(kg)
    file = tmp_path / "more.tsv"
    file.write_text("a\tr\tb\n")
    with pytest.raises(StoreError, match="did not load"):
        load(kg.database, [file], "team")
    assert kg.database.read("MATCH (n) RETURN count(n) AS nodes") == before
    assert not [row for row in kg.database.read("SHOW INDEXES YIELD name") if row["name"].startswith("gavel")]
    assert ddl.stored(kg.database) is None


def test_graphiti_reads_what_gavel_loads(server: Running, database: Database, tmp_path: Path) -> None:
    from graphiti_core.edges import EntityEdge
    from graphiti_core.nodes import EntityNode

    file = tmp_path / "facts.csv"
    file.write_text("subject,relation,object,valid_from,valid_to\nAlder,made_by,Boreal,2019,2020\nDune,made_by,Cobalt,,\n")
    load(database, [file], "team")

    async def read(driver: Graphiti) -> tuple[list[EntityNode], list[EntityEdge]]:
        return await EntityNode.get_by_group_ids(driver, ["team"]), await EntityEdge.get_by_group_ids(driver, ["team"])

    nodes, edges = with_graphiti(server, read)
    assert sorted(node.name for node in nodes) == ["Alder", "Boreal", "Cobalt", "Dune"]
    dates = {edge.fact: (edge.valid_at and edge.valid_at.year, edge.invalid_at and edge.invalid_at.year) for edge in edges}
    assert dates == {"Alder made by Boreal": (2019, 2021), "Dune made by Cobalt": (None, None)}
