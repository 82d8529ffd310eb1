"""Every statement of a reader is told to the witness before its rows are handed over: who, over what, and the ids of all that came back."""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, fields, is_dataclass

import pytest

from knowledge.access.access import Access
from knowledge.cypher.reader import GuardedReader
from knowledge.cypher.verdict import Result
from knowledge.errors import AuditError
from knowledge.reading.contract import Aggregation
from knowledge.reading.kg import Kg
from knowledge.reading.meter import Unmetered
from knowledge.records import Entity, Fact, Step, Walk
from knowledge.scope import Scope
from tests.knowledge.reading.world import Edge, LetterEmbedder, Node, Place, World

ADA, BEN, ACME, PARIS = Node("Ada", "person"), Node("Ben", "person"), Node("Acme", "company"), Node("Paris", "city")
SECRET = Node("Mole", "person", place=Place(access="top"))
EDGES = [Edge(ADA, "works_at", ACME), Edge(BEN, "works_at", ACME), Edge(ACME, "based_in", PARIS)]
WORKS = Step("works_at", "out")


@dataclass
class Listener:
    """Keeps what it is told; `refusing`: what it raises instead."""

    told: list[Access] = field(default_factory=list)
    refusing: Exception | None = None

    def note(self, access: Access) -> None:
        if self.refusing:
            raise self.refusing
        self.told.append(access)


@dataclass(frozen=True)
class Sent(Unmetered):
    """A meter that remembers what was sent."""

    statements: list[str] = field(default_factory=list, hash=False)

    def charge(self, statement: str) -> float:
        self.statements.append(statement)
        return 30.0


@dataclass
class Desk:
    """A guarded reader of bot's, its meter and its witness."""

    reader: GuardedReader
    meter: Sent
    listener: Listener


@pytest.fixture(scope="module", params=["memory", "native"])
def world(new_world: Callable[..., World], request: pytest.FixtureRequest) -> World:
    built = new_world(LetterEmbedder(), request.param)
    built.write([ADA, BEN, ACME, PARIS, *([SECRET] if request.param == "memory" else [])], EDGES)
    return built


@pytest.fixture
def desk(world: World) -> Desk:
    made = world.kg()
    listener, meter = Listener(), Sent("bot", "run-1")
    kg = Kg(made.database, made.profile, made.embedder, now=made.now, witness=listener)
    return Desk(GuardedReader(kg, Scope(frozenset({"team"})), meter), meter, listener)


def ids_of(value: object) -> Iterator[str]:
    """The ids of all records inside of a result."""
    if isinstance(value, Entity | Fact):
        yield value.id
    if is_dataclass(value) and not isinstance(value, type):
        value = [getattr(value, each.name) for each in fields(value)]
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, Sequence) and not isinstance(value, str):
        for inner in value:
            yield from ids_of(inner)


READS: dict[str, Callable[[GuardedReader], object]] = {
    "link": lambda r: r.link(["ada", "acme"]),
    "relations": lambda r: r.relations([ADA.id, ACME.id]),
    "context": lambda r: r.context([ADA.id, PARIS.id]),
    "expand": lambda r: r.expand([ACME.id]),
    "follow": lambda r: r.follow([Walk((ADA.id,), (WORKS,))]),
    "paths": lambda r: r.paths([(ADA.id, PARIS.id)]),
    "aggregate": lambda r: r.aggregate(Aggregation("group", steps=(WORKS,))),
    "suggest": lambda r: r.suggest("Acm"),
    "search_entities": lambda r: r.search_entities("Ada"),
    "search_facts": lambda r: r.search_facts("Ada works at Acme"),
    "schema": lambda r: r.schema(),
    "cypher": lambda r: r.cypher("MATCH w = (a:Person)-[:WORKS_AT]->(b) RETURN a, w LIMIT 5"),
}


def test_every_method_that_reads_is_tried_here() -> None:
    methods = {name for name in dir(GuardedReader) if not name.startswith("_")} - {"scope", "semantic"}
    assert set(READS) == methods


@pytest.mark.parametrize("tool", [name for name in READS if name != "cypher"])
def test_a_read_is_told_with_its_statement_and_the_ids_of_all_that_came_back(desk: Desk, tool: str) -> None:
    result = READS[tool](desk.reader)
    mine = [access for access in desk.listener.told if access.tool == tool]
    assert mine and {(access.principal, access.run, access.namespaces, access.restricted) for access in mine} == {
        ("bot", "run-1", ("team",), False)
    }
    sent = {hashlib.sha256(statement.encode()).hexdigest() for statement in desk.meter.statements}
    assert {access.statement for access in desk.listener.told} == sent
    shown, told = set(ids_of(result)), {id_ for access in mine for id_ in access.ids}
    assert shown <= told and (told or tool == "schema") and all(access.rows for access in mine)
    assert SECRET.id not in told


def test_what_a_model_wrote_is_told_too(desk: Desk, world: World) -> None:
    pattern = "(a:person)-[r:works_at]->(b)" if world.kg().profile.shape == "native" else "(a:Entity)-[r:RELATES_TO]->(b:Entity)"
    found = desk.reader.cypher(f"MATCH w = {pattern} RETURN a, r, w, [b] AS several LIMIT 5")
    assert isinstance(found, Result) and found.rows, found
    last = desk.listener.told[-1]
    assert (last.tool, last.rows) == ("cypher", len(found.rows))
    assert set(ids_of([dict(row) for row in found.rows])) <= set(last.ids)


def test_what_may_not_be_shown_is_not(desk: Desk) -> None:
    desk.listener.refusing = AuditError("the disk is full")
    for tool, read in READS.items():
        if tool == "schema":
            continue
        with pytest.raises(AuditError, match="the disk is full"):
            read(desk.reader)


def test_text_of_the_graph_stands_in_no_row(desk: Desk) -> None:
    for tool, read in READS.items():
        if tool != "cypher":
            read(desk.reader)
    told = repr(desk.listener.told)
    assert [word for word in ("Ada", "Acme", "Paris", "works_at", "works at") if word in told] == []
