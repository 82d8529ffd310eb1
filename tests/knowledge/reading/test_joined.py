"""A graph that lies scattered over namespaces, joined by its keys, is read as if it lay in one."""

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

import pytest

from knowledge.access.access import Access
from knowledge.loading.same_key import join_namespace
from knowledge.profile.profile import GraphProfile
from knowledge.reading.contract import Aggregation
from knowledge.reading.kg import Joining, Kg
from knowledge.reading.meter import Unmetered
from knowledge.reading.reader import Reader
from knowledge.records import Entity, Fact, Path, Step, Walk
from knowledge.scope import Scope
from tests.knowledge.reading.test_follow import RELATIONS, random_walk, triples
from tests.knowledge.reading.world import NOW, Edge, LetterEmbedder, Node, Place, World

WHOLE = "whole"
PARTS = ("part_a", "part_b", "part_c")
DENSE = triples()
SPARSE = [("p" + s, r, "p" + o) for s, r, o in random.Random(5).sample(DENSE, 60)]
TRIPLES = [*DENSE, *SPARSE]
NAMES = sorted({name for s, _, o in TRIPLES for name in (s, o)})


def at(name: str, namespace: str, group: str = "") -> Node:
    return Node(name, "thing", (f"{name} of all",), place=Place(namespace, group=group), key=f"key-{name}")


def reader(world: World, *namespaces: str, joining: Joining = frozenset, **scope: object) -> Reader:
    kg = Kg(world.database, GraphProfile(), world.embedder, now=lambda: NOW, joining=joining)
    return kg.reader(replace(Scope(frozenset(namespaces)), **scope), Unmetered())


def write(world: World, edges: list[Edge]) -> None:
    world.write(dict.fromkeys(node for edge in edges for node in (edge.subject, edge.object)), edges)
    for namespace in sorted({edge.place.namespace for edge in edges}):
        join_namespace(world.database, namespace)


class Both(NamedTuple):
    """The same graph in one namespace, and scattered; ids of the one tell those of the other by name."""

    whole: Reader
    scattered: Reader

    def ids(self, *names: str) -> tuple[list[str], list[str]]:
        return [at(name, WHOLE).id for name in names], [self.scattered.link([name])[name][0].entity.id for name in names]


@pytest.fixture(scope="module")
def both(new_world: Callable[..., World]) -> Both:
    world, chosen = new_world(LetterEmbedder()), random.Random(11)
    whole = [Edge(at(s, WHOLE), r, at(o, WHOLE), Place(WHOLE)) for s, r, o in TRIPLES]
    parts = [Edge(at(s, part), r, at(o, part), Place(part)) for s, r, o in TRIPLES if (part := chosen.choice(PARTS))]
    write(world, whole + parts)
    return Both(reader(world, WHOLE), reader(world, *PARTS))


def said(facts: list[Fact]) -> Counter[tuple[str, str, str]]:
    return Counter((fact.subject.name, fact.relation, fact.object.name) for fact in facts)


def way(path: Path) -> tuple[tuple[str, str, str], ...]:
    return tuple((fact.subject.name, fact.relation, fact.object.name) for fact in path.facts)


def test_an_entity_of_several_namespaces_is_linked_once_with_all_its_facts(both: Both) -> None:
    for name in NAMES:
        [alone], [joined] = both.whole.link([name])[name], both.scattered.link([name])[name]
        assert (joined.entity.name, joined.degree) == (alone.entity.name, alone.degree)


def test_suggestions_and_searches_name_it_once(both: Both) -> None:
    for text in ("n0", "pn1 of all", "n12"):
        suggested = [candidate.entity.name for candidate in both.scattered.suggest(text, limit=80)]
        found = [hit.item.name for hit in both.scattered.search_entities(text, limit=80)]
        assert len(set(suggested)) == len(suggested) > 5
        assert len(set(found)) == len(found) > 5
    assert both.scattered.suggest("n12 of al")[0].entity.name == "n12" == both.whole.suggest("n12 of al")[0].entity.name


def test_what_it_takes_part_in_is_counted_over_all(both: Both) -> None:
    whole, scattered = both.ids(*NAMES)
    expected, found = both.whole.relations(whole), both.scattered.relations(scattered)
    assert [Counter(found[id_]) for id_ in scattered] == [Counter(expected[id_]) for id_ in whole]


def test_its_neighbourhood_is_whole(both: Both) -> None:
    for name in NAMES:
        whole, scattered = both.ids(name)
        assert said(both.scattered.expand(scattered, limit=1_000)) == said(both.whole.expand(whole, limit=1_000))
        assert said(both.scattered.expand(scattered, relations=["likes"], direction="in", limit=1_000)) == said(
            both.whole.expand(whole, relations=["likes"], direction="in", limit=1_000)
        )


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.full) for seed in range(1, 8))])
def test_walks_go_on_in_other_namespaces(both: Both, seed: int) -> None:
    walks = [random_walk(random.Random(50 * seed + i)) for i in range(3)]
    names = {at(name, "team").id: name for name in NAMES} | {Node(name).id: name for name in NAMES}
    given = [both.ids(*(names[start] for start in walk.starts)) for walk in walks]
    expected = both.whole.follow([replace(w, starts=tuple(ids)) for w, (ids, _) in zip(walks, given, strict=True)], limit=1_000)
    found = both.scattered.follow([replace(w, starts=tuple(ids)) for w, (_, ids) in zip(walks, given, strict=True)], limit=1_000)
    assert [{r.entity.name: r.ways for r in one} for one in found] == [{r.entity.name: r.ways for r in one} for one in expected]
    for walk, one in zip(walks, found, strict=True):
        for proof in (proof for reached in one for proof in reached.proofs):
            assert [fact.relation for fact in proof.facts] == [step.relation for step in walk.steps]
            assert_connected(proof)


def assert_connected(path: Path) -> None:
    here = path.start
    for fact in path.facts:
        assert here in (fact.subject, fact.object)
        here = fact.object if here == fact.subject else fact.subject
    assert here == path.end


def test_paths_lead_through_other_namespaces(both: Both) -> None:
    chosen = random.Random(3)
    names = sorted({name for s, _, o in SPARSE for name in (s, o)})
    pairs = [tuple(chosen.sample(names, 2)) for _ in range(40)]
    given = [both.ids(*pair) for pair in pairs]
    expected = both.whole.paths([(ids[0], ids[1]) for ids, _ in given], hops=3, most=40)
    found = both.scattered.paths([(ids[0], ids[1]) for _, ids in given], hops=3, most=40)
    assert [sorted(way(path) for path in one) for one in found] == [sorted(way(path) for path in one) for one in expected]
    assert [[len(path.facts) for path in one] for one in found] == [[len(path.facts) for path in one] for one in expected]
    assert sum(len(one) for one in found) > 40
    for path in (path for one in found for path in one):
        assert_connected(path)


@pytest.mark.parametrize("measure", ["count", "group", "most", "least"])
def test_members_and_values_are_counted_as_entities(both: Both, measure: str) -> None:
    for relation in RELATIONS:
        steps = (Step(relation, "out"), Step("knows", "in"))[: 1 if measure == "count" else 2]
        expected, found = (r.aggregate(Aggregation(measure, steps=steps, limit=100)) for r in both)
        assert [(row.entity.name if row.entity else "", row.value) for row in found] == [
            (row.entity.name if row.entity else "", row.value) for row in expected
        ]


def test_a_walk_may_be_measured(both: Both) -> None:
    whole, scattered = both.ids("n00")
    steps = (Step("likes", "in"), Step("knows", "out"))
    [expected] = both.whole.aggregate(Aggregation("count", Walk((whole[0],), steps)))
    [found] = both.scattered.aggregate(Aggregation("count", Walk((scattered[0],), steps)))
    assert found.value == expected.value > 0


ADA, ADA_THERE = at("Ada", "here"), Node("Ada Lovelace", "person", ("Countess",), "wrote notes", Place("there"), "key-Ada")
MILL, OXFORD = at("Mill", "here"), Node("Oxford", "city", place=Place("there"), key="ox")
PARIS, PARIS_THERE = Node("Paris", "city", place=Place("here")), Node("Paris", "person", place=Place("there"))


@pytest.fixture
def pair(new_world: Callable[..., World]) -> World:
    world = new_world()
    write(world, [Edge(ADA, "owns", MILL, Place("here")), Edge(PARIS, "near", MILL, Place("here")),
                  Edge(ADA_THERE, "lives_in", OXFORD, Place("there")), Edge(PARIS_THERE, "lives_in", OXFORD, Place("there"))])  # fmt: skip
    return world


def lives(found: Reader, id_: str) -> list[str]:
    return [fact.object.name for fact in found.expand([id_], relations=["lives_in"])]


def test_it_is_called_as_in_the_first_namespace_and_by_all_its_names(pair: World) -> None:
    found = reader(pair, "here", "there")
    [candidate] = found.link(["ada lovelace"])["ada lovelace"]
    assert candidate.entity == Entity(ADA.id, "Ada", "thing", "here", ("Ada of all", "Ada Lovelace", "Countess"), "wrote notes")
    assert lives(found, ADA.id) == lives(found, ADA_THERE.id) == ["Oxford"]
    assert found.context([ADA_THERE.id, ADA.id]) == [candidate.entity, candidate.entity]


def test_namesakes_without_a_key_are_never_joined(pair: World) -> None:
    found = reader(pair, "here", "there")
    assert len(found.link(["paris"])["paris"]) == 2
    assert lives(found, PARIS.id) == []


def test_a_namespace_that_is_not_read_adds_nothing(pair: World) -> None:
    [candidate] = reader(pair, "here").link(["ada"])["ada"]
    assert (candidate.entity.aliases, candidate.degree) == (("Ada of all",), 1)
    assert "ada lovelace" not in reader(pair, "here").link(["ada lovelace"])


def test_a_namespace_that_joins_nothing_stays_apart(pair: World) -> None:
    found = reader(pair, "here", "there", joining=lambda namespaces: namespaces - {"there"})
    assert lives(found, ADA.id) == []
    assert lives(found, ADA_THERE.id) == ["Oxford"]


def test_a_hidden_node_of_the_same_key_gives_nothing_away(pair: World) -> None:
    pair.database.write("MATCH (n {uuid: $id}) SET n.visibility_group = 'board'", {"id": ADA_THERE.id})
    assert lives(reader(pair, "here", "there"), ADA.id) == []
    assert reader(pair, "here", "there").link(["ada"])["ada"][0].entity.aliases == ("Ada of all",)
    board = reader(pair, "here", "there", visibility_groups=frozenset({"", "board"}))
    assert lives(board, ADA.id) == ["Oxford"]


def test_what_was_not_believed_yet_is_not_joined(pair: World) -> None:
    pair.database.write("MATCH (n {uuid: $id}) SET n.known_from = datetime('2026-06-01T00:00:00Z')", {"id": ADA_THERE.id})
    before = reader(pair, "here", "there", known_at=NOW.replace(month=3))
    assert lives(before, ADA.id) == []
    assert lives(reader(pair, "here", "there", known_at=NOW.replace(month=7)), ADA.id) == ["Oxford"]


def test_the_audit_names_every_node_that_was_read(pair: World) -> None:
    told: list[Access] = []

    class Listener:
        def note(self, access: Access) -> None:
            told.append(access)

    kg = Kg(pair.database, GraphProfile(), now=lambda: NOW, witness=Listener(), joining=frozenset)
    kg.reader(Scope(frozenset({"here", "there"})), Unmetered()).context([ADA.id])
    assert set(told[-1].ids) == {ADA.id, ADA_THERE.id}


def test_the_schema_counts_entities_so_that_steps_of_different_namespaces_follow_each_other(both: Both) -> None:
    whole, scattered = both.whole.schema(), both.scattered.schema()
    assert [(r.name, r.facts, r.subjects, r.objects, r.subject_kind, r.object_kind) for r in scattered.relations] == [
        (r.name, r.facts, r.subjects, r.objects, r.subject_kind, r.object_kind) for r in whole.relations
    ]
    assert (scattered.entities, scattered.follows) == (whole.entities, whole.follows)


def test_a_schema_that_was_counted_apart_is_not_told_for_what_is_joined(pair: World) -> None:
    pair.database.write("MATCH (n:Entity {uuid: $id}) SET n.kind = 'thing'", {"id": ADA_THERE.id})
    joining = iter([frozenset(), frozenset({"here", "there"})])
    kg = Kg(pair.database, GraphProfile(), now=lambda: NOW, joining=lambda _: next(joining))
    apart, joined = (kg.reader(Scope(frozenset({"here", "there"})), Unmetered()).schema() for _ in range(2))
    assert (apart.entities, joined.entities) == (6, 5)
