"""What a scope hides changes nothing that a reader returns: every method answers as if the hidden things did not exist."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from knowledge.clocks import moment
from knowledge.reading.contract import Aggregation
from knowledge.reading.reader import Reader
from knowledge.records import Filter, Step, Walk
from knowledge.search import nearest
from tests.knowledge.reading.world import Edge, LetterEmbedder, Node, Place, World

ALICE, BOB, CAROL = Node("Alice", "person", ("Al",)), Node("Bob", "person"), Node("Carol", "person")
ACME, YEAR = Node("Acme Tools", "company", summary="makes hammers"), Node("2009")
SEEN = [ALICE, BOB, CAROL, ACME, YEAR]
FACTS = [
    Edge(ALICE, "works_at", ACME),
    Edge(BOB, "works_at", ACME),
    Edge(ALICE, "knows", BOB),
    Edge(BOB, "knows", CAROL),
    Edge(ACME, "founded_in", YEAR),
]
HIDDEN_PLACES = {
    "a longer namespace": Place("team2"),
    "a namespace with a wildcard": Place("te%"),
    "a namespace with a one-letter wildcard": Place("t_am"),
    "a namespace in other case": Place("TEAM"),
    "a higher access level": Place(access="secret"),
    "another visibility group": Place(group="hr"),
    "a past validity": Place(valid=("2001-01-01T00:00:00Z", "2026-11-29T00:00:00Z")),
    "a future validity": Place(valid=("2026-12-01T00:00:00Z", "9999-12-31T00:00:00Z")),
    "a belief given up": Place(known=("2025-01-01T00:00:00Z", "2026-11-29T00:00:00Z")),
    "a belief to come": Place(known=("2026-11-30T00:00:00Z", "9999-12-31T00:00:00Z")),
}
OUT, BACK = Step("works_at", "out"), Step("works_at", "in")


NATIVE_PLACES = ("a higher access level", "a past validity", "a future validity")


def hidden_things(place: Place) -> tuple[list[Node], list[Edge]]:
    """Namesakes, twins, hubs and values that would change every answer if they were seen. In a native graph facts have no access."""
    mark = str(place)
    nodes = [replace(n, place=place, key=f"{n.name} {mark}") for n in SEEN]
    extra = [Node(f"Hidden {i}", "person", ("Alice", "Al"), "makes hammers", place, f"hidden {i} {mark}") for i in range(3)]
    extra.append(Node("1900", "", (), "", place, f"1900 {mark}"))
    twins = dict(zip(SEEN, nodes, strict=True))
    inside = [replace(e, subject=twins[e.subject], object=twins[e.object], place=place) for e in FACTS]
    across = [Edge(e.subject, e.relation, e.object, place, text=f"hidden {e.sentence} {mark}") for e in FACTS]
    bridges = [
        Edge(ALICE, "knows", extra[0]),
        Edge(extra[0], "knows", CAROL),
        Edge(extra[1], "works_at", ACME),
        Edge(ACME, "founded_in", extra[3]),
    ]
    secret = [
        Edge(CAROL, "works_at", ACME, place, text=f"hidden {mark}"),
        Edge(CAROL, "hidden_relation", ALICE, place, text=f"hidden {mark}"),
    ]
    facts_alone = [] if Node.shape == "native" and place.access != "public" else [*across, *secret]
    return nodes + extra, [*inside, *bridges, *facts_alone]


def everything(reader: Reader) -> dict[str, Any]:
    """One call of each method, and more where a method has several forms."""
    ids = [n.id for n in SEEN]
    staff = Walk((ACME.id,), (BACK,))
    walks = [
        staff,
        Walk((ALICE.id,), (OUT, BACK)),
        Walk((ALICE.id,), (OUT, BACK), keep_start=True),
        Walk((ALICE.id,), (OUT, BACK), back=(1,)),
        Walk((ALICE.id, BOB.id), (Step("knows", "out"), Step("knows", "out"))),
        Walk((ACME.id,), (BACK,), (Filter(1, "knows", "out", ("Bob", "Hidden 0")),)),
    ]
    measures = [
        Aggregation("count", staff),
        Aggregation("count", None, (OUT,)),
        Aggregation("group", staff, (Step("knows", "out"),)),
        Aggregation("most", None, (BACK,)),
        Aggregation("least", None, (Step("knows", "out"),)),
        Aggregation("highest", None, (Step("founded_in", "out"),)),
        Aggregation("lowest", None, (Step("founded_in", "out"),)),
    ]
    return {
        "schema": replace(reader.schema(), version=""),
        "link": reader.link(["alice", "al", "bob", "acme tools", "hidden 0"]),
        "suggest": [reader.suggest(text) for text in ("Acme", "Alise", "hammers", "Hidden")],
        "relations": reader.relations(ids),
        "context": reader.context(ids),
        "expand": sorted(reader.expand(ids), key=lambda f: f.id),
        "follow": reader.follow(walks),
        "paths": reader.paths([(ALICE.id, CAROL.id), (CAROL.id, YEAR.id)], hops=5, most=5, relations=("knows",)),
        "aggregate": [reader.aggregate(m) for m in measures],
        "entities": [[h.item for h in reader.search_entities(q, mode=m)] for m in ("keyword", "semantic") for q in ("alice", "hammers")],
        "facts": [[h.item for h in reader.search_facts(q, mode=m)] for m in ("keyword", "semantic") for q in ("alice works", "bob")],
    }


@pytest.fixture(scope="module", params=["memory", "native"])
def world(new_world: Callable[..., World], request: pytest.FixtureRequest) -> tuple[World, dict[str, Any]]:
    built = new_world(LetterEmbedder(), request.param)
    built.write(SEEN, FACTS)
    alone = everything(built.reader())
    for name, place in HIDDEN_PLACES.items():
        if request.param == "memory" or name in NATIVE_PLACES:
            built.write(*hidden_things(place))
    return built, alone


@pytest.fixture(scope="module")
def beside(world: tuple[World, dict[str, Any]]) -> dict[str, Any]:
    """What a reader answers once the hidden things are there."""
    return everything(world[0].reader())


@pytest.mark.parametrize(
    "method", ["schema", "link", "suggest", "relations", "context", "expand", "follow", "paths", "aggregate", "entities", "facts"]
)
def test_hidden_things_change_nothing(world: tuple[World, dict[str, Any]], beside: dict[str, Any], method: str) -> None:
    alone = world[1]
    assert alone[method]
    assert beside[method] == alone[method]


def test_hidden_things_change_nothing_where_the_vector_index_filters(
    world: tuple[World, dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    built, alone = world
    monkeypatch.setattr(nearest, "EXACT_MOST", 0)
    monkeypatch.setattr(nearest, "EXACT_MOST_WITHOUT_FILTERS", 0)
    seen = everything(built.reader())
    assert (seen["entities"], seen["facts"], seen["suggest"]) == (alone["entities"], alone["facts"], alone["suggest"])


@pytest.mark.parametrize("name", HIDDEN_PLACES)
def test_ids_of_hidden_things_are_useless(world: tuple[World, dict[str, Any]], name: str) -> None:
    reader = world[0].reader()
    nodes, _ = hidden_things(HIDDEN_PLACES[name])
    ids = [n.id for n in nodes] if Node.shape == "memory" else [n.id for n in nodes if n.name not in {seen.name for seen in SEEN}]
    walk = Walk(tuple(ids), (OUT,))
    assert not reader.context(ids)
    assert not reader.relations(ids)
    assert not reader.expand(ids)
    assert reader.follow([walk]) == [[]]
    assert reader.paths([(ids[0], ids[-1]), (ALICE.id, ids[1])]) == [[], []]
    assert reader.aggregate(Aggregation("count", walk))[0].value == 0


@pytest.mark.parametrize(
    ("name", "scope"),
    [
        ("a longer namespace", {"namespaces": frozenset({"team2"})}),
        ("a namespace with a wildcard", {"namespaces": frozenset({"te%"})}),
        ("a namespace with a one-letter wildcard", {"namespaces": frozenset({"t_am"})}),
        ("a higher access level", {"access_levels": frozenset({"public", "secret"})}),
        ("another visibility group", {"visibility_groups": frozenset({"", "hr"})}),
        ("a past validity", {"as_of": moment("2005")}),
        ("a future validity", {"as_of": moment("2027-01-01")}),
        ("a belief given up", {"known_at": datetime(2026, 1, 2, tzinfo=UTC)}),
        ("a belief to come", {"known_at": datetime(2026, 12, 24, tzinfo=UTC)}),
    ],
)
def test_the_scope_that_includes_a_thing_shows_it(world: tuple[World, dict[str, Any]], name: str, scope: dict[str, Any]) -> None:
    """A native graph keeps neither namespaces nor groups nor beliefs: there a wider scope shows nothing more."""
    reader = world[0].reader(**scope) if "namespaces" not in scope else world[0].reader(*scope["namespaces"])
    nodes, _ = hidden_things(HIDDEN_PLACES[name])
    if Node.shape == "native" and name not in NATIVE_PLACES:
        own = {n.id for n in nodes} - {n.id for n in SEEN}
        assert own
        assert not reader.context(sorted(own))
        assert not reader.search_entities("hidden", mode="keyword")
        return
    assert {e.name for e in reader.context([n.id for n in nodes])} == {n.name for n in nodes}
    assert any(c.entity.id == nodes[0].id for c in reader.link(["alice"])["alice"])


@pytest.mark.parametrize("empty", ["access_levels", "visibility_groups"])
def test_an_empty_grant_means_nothing(world: tuple[World, dict[str, Any]], empty: str) -> None:
    reader = world[0].reader(**{empty: frozenset()})
    assert not reader.link(["alice"])
    assert not reader.search_entities("alice")
    assert reader.schema().entities == 0


def test_a_scope_without_namespaces_sees_nothing(world: tuple[World, dict[str, Any]]) -> None:
    reader = world[0].reader("elsewhere")
    assert not reader.context([n.id for n in SEEN])
    assert not reader.search_facts("alice")
    assert reader.schema().facts == 0
