"""The reader over one small world: links, neighbourhoods, paths, aggregates, schema, dates, and one statement per call."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import pytest

from knowledge.clocks import moment
from knowledge.errors import ConfigError, OutOfBudget
from knowledge.reading.contract import Aggregation
from knowledge.reading.reader import Reader
from knowledge.records import RelationUse, Step, Walk
from knowledge.scope import Scope
from tests.knowledge.reading.world import Edge, Node, Place, World

ADA = Node("Ada Müller", "person", ("Countess", "艾达"))
ADA_TOO = Node("ada muller", "person")
BEN, CLO, DAN = Node("Ben", "person"), Node("Cloé", "person"), Node("Dan", "person")
ACME, BOLT, CORE = Node("Acme", "company"), Node("Bolt", "company", ("Ada Muller",)), Node("Core", "company")
HUGE, PARIS = Node("Everything", "tag"), Node("Paris", "city", summary="capital of France")
AMOUNTS = [Node(n) for n in ("$2.5 billion", "900 million", "2009", "2009-05-07", "unknown")]
SPAN = Place(valid=("2019-01-01T00:00:00Z", "2021-01-01T00:00:00Z"))
CREW = [Node(f"Crew {i}", "person") for i in range(12)]
NODES = [ADA, ADA_TOO, BEN, CLO, DAN, ACME, BOLT, CORE, HUGE, PARIS, *AMOUNTS, *CREW]
EDGES = [
    Edge(ADA, "works_at", ACME, SPAN, precision="year"),
    Edge(BEN, "works_at", ACME),
    Edge(CLO, "works_at", BOLT),
    Edge(DAN, "works_at", BOLT, confidence=0.5),
    Edge(BEN, "advises", BOLT),
    Edge(ACME, "tagged", HUGE),
    Edge(BOLT, "tagged", HUGE),
    Edge(ACME, "based_in", PARIS),
    Edge(BOLT, "based_in", PARIS),
    *(Edge(c, "tagged", HUGE) for c in CREW),
    *(Edge(company, "raised", amount) for company, amount in zip((ACME, BOLT, CORE), AMOUNTS[:2] + AMOUNTS[4:], strict=True)),
    Edge(ACME, "founded", AMOUNTS[2]),
    Edge(BOLT, "founded", AMOUNTS[3]),
]
OUT, IN = Step("works_at", "out"), Step("works_at", "in")


@dataclass
class Counting:
    """A meter that counts and refuses past its limit."""

    limit: int = 1_000
    sent: int = 0
    tag = "run"
    principal = ""

    def charge(self, statement: str) -> float:
        if self.sent >= self.limit:
            raise OutOfBudget("queries")
        self.sent += 1
        return 30.0


@pytest.fixture(scope="module", params=["memory", "native"])
def world(new_world: Callable[..., World], request: pytest.FixtureRequest) -> World:
    built = new_world(shape=request.param)
    built.write(NODES, EDGES)
    return built


@pytest.fixture
def reader(world: World) -> Reader:
    return world.reader(as_of=moment("2020"))


def test_link_ranks_exact_over_alias_over_folded_and_leaves_out_the_unknown(reader: Reader) -> None:
    found = reader.link(["ada muller", "艾达", "nobody", "cloe"])
    assert [(c.entity.name, c.match) for c in found["ada muller"]] == [("ada muller", "exact"), ("Bolt", "alias"), ("Ada Müller", "folded")]
    assert [(c.entity.name, c.match, c.similarity) for c in found["艾达"]] == [("Ada Müller", "alias", 1.0)]
    assert found["cloe"][0].match == "folded"
    assert "nobody" not in found


def test_link_counts_degrees_in_scope_and_keeps_its_limit(reader: Reader) -> None:
    assert reader.link(["acme"])["acme"][0].degree == 6
    assert len(reader.link(["ada muller"], limit=2)["ada muller"]) == 2


@pytest.mark.parametrize("mention", ['"', "a OR b", "\\", "*", "{}[]()^~?:/!+-&&||", "'; MATCH (n) DETACH DELETE n //", "!!!", "", "🙂"])
def test_no_character_of_a_mention_is_read_as_a_query(reader: Reader, mention: str) -> None:
    assert reader.link([mention]) == {}
    assert isinstance(reader.suggest(mention), list)
    assert isinstance(reader.search_entities(mention), list)
    assert isinstance(reader.search_facts(mention), list)


def test_suggest_finds_misspelt_and_partial_names(reader: Reader) -> None:
    assert reader.suggest("Pariss")[0].entity.name == "Paris"
    assert [c.match for c in reader.suggest("Müller")[:2]] == ["partial", "partial"]
    assert reader.suggest("Evrything")[0].match == "fuzzy"
    assert reader.suggest("Zanzibar") == []


def test_relations_count_both_directions(reader: Reader) -> None:
    assert reader.relations([BEN.id, HUGE.id]) == {
        BEN.id: [RelationUse("advises", "out", 1), RelationUse("works_at", "out", 1)],
        HUGE.id: [RelationUse("tagged", "in", 14)],
    }


def test_context_keeps_the_order_of_the_ids(reader: Reader) -> None:
    assert [e.name for e in reader.context([PARIS.id, "nothing", ADA.id, PARIS.id])] == ["Paris", "Ada Müller"]


def test_expand_gives_every_relation_its_share(reader: Reader) -> None:
    facts = reader.expand([HUGE.id, ACME.id], limit=6)
    assert len(facts) == 6
    assert {f.relation for f in facts} == {"tagged", "works_at", "based_in", "raised", "founded"}


def test_expand_keeps_to_relations_and_direction(reader: Reader) -> None:
    assert {f.subject.name for f in reader.expand([ACME.id], relations=["works_at"])} == {"Ada Müller", "Ben"}
    assert {f.relation for f in reader.expand([ACME.id], direction="in")} == {"works_at"}


def test_facts_carry_dates_at_their_precision(reader: Reader) -> None:
    fact = reader.expand([ADA.id])[0]
    assert (fact.valid_from, fact.valid_to, fact.source, fact.confidence) == ("2019", "2021", "test", 1.0)
    assert reader.expand([CLO.id])[0].valid_from == ""


def test_a_past_fact_is_seen_only_as_of_then(world: World) -> None:
    assert world.reader().expand([ADA.id]) == []
    assert len(world.reader(as_of=moment("2020-07")).expand([ADA.id])) == 1
    assert world.reader(as_of=moment("2021")).expand([ADA.id]) == []
    assert len(world.reader(as_of=moment("2018-12-31")).expand([ADA.id])) == 0


def test_paths_prefer_short_then_telling_ones(reader: Reader) -> None:
    first, second, third = reader.paths([(ACME.id, BOLT.id)], most=3)[0]
    assert [f.object.name for f in first.facts] == ["Paris", "Paris"] or first.facts[0].subject == first.facts[1].subject
    assert [len(p.facts) for p in (first, second, third)] == [2, 2, 2]
    assert third.facts[0].object.name == "Everything"


def test_paths_over_wanted_relations_come_first(reader: Reader) -> None:
    path = reader.paths([(ACME.id, BOLT.id)], relations=["tagged"])[0][0]
    assert [f.relation for f in path.facts] == ["tagged", "tagged"]


def test_paths_have_no_node_twice_and_answer_each_pair(reader: Reader) -> None:
    pairs = [(ADA.id, DAN.id), (ADA.id, ADA.id), (ADA.id, "nothing"), (CORE.id, ADA.id)]
    connected, *others = reader.paths(pairs, hops=5, most=10)
    assert others == [[], [], []]
    for path in connected:
        names = [path.start.name] + [n for f in path.facts for n in (f.subject.name, f.object.name)]
        assert len(set(names)) == len(path.facts) + 1
        assert (path.start.name, path.end.name) == ("Ada Müller", "Dan")
    assert [len(p.facts) for p in connected] == sorted(len(p.facts) for p in connected)


@pytest.mark.parametrize("hops", [0, 6])
def test_paths_of_impossible_length_are_refused(reader: Reader, hops: int) -> None:
    with pytest.raises(ConfigError, match="1 to 5"):
        reader.paths([(ADA.id, BEN.id)], hops=hops)


def test_count_counts_the_set(reader: Reader) -> None:
    counted = reader.aggregate(Aggregation("count", Walk((ACME.id,), (IN,))))[0]
    assert (counted.entity, counted.value, len(counted.facts)) == (None, 2.0, 2)
    assert reader.aggregate(Aggregation("count", None, (OUT,)))[0].value == 4.0
    assert reader.aggregate(Aggregation("count", Walk(("nothing",), (IN,))))[0].value == 0.0


def test_group_counts_members_per_value(reader: Reader) -> None:
    rows = reader.aggregate(Aggregation("group", Walk((PARIS.id,), (Step("based_in", "in"), IN)), (OUT,)))
    assert [(r.entity.name if r.entity else "", r.value) for r in rows] == [("Acme", 2.0), ("Bolt", 2.0)]


def test_most_and_least_rank_by_number(reader: Reader) -> None:
    most = reader.aggregate(Aggregation("most", None, (Step("tagged", "in"),)))[0]
    assert (most.entity and most.entity.name, most.value, len(most.facts)) == ("Everything", 14.0, 3)
    least = reader.aggregate(Aggregation("least", Walk((PARIS.id,), (Step("based_in", "in"),)), (Step("raised", "out"),)))
    assert [r.value for r in least] == [1.0, 1.0]


def test_highest_and_lowest_compare_amounts_and_dates(reader: Reader) -> None:
    def ranked(measure: str, relation: str) -> list[tuple[str, float | str]]:
        return [(r.entity.name, r.value) for r in reader.aggregate(Aggregation(measure, None, (Step(relation, "out"),))) if r.entity]

    assert ranked("highest", "raised") == [("Acme", "$2.5 billion"), ("Bolt", "900 million")]
    assert ranked("lowest", "founded") == [("Acme", "2009"), ("Bolt", "2009-05-07")]


@pytest.mark.parametrize("request_", [Aggregation("most"), Aggregation("count"), Aggregation("highest", Walk((ACME.id,), (IN,)))])
def test_a_measure_without_a_step_is_refused(reader: Reader, request_: Aggregation) -> None:
    with pytest.raises(ConfigError, match="step"):
        reader.aggregate(request_)


def test_the_schema_names_relations_with_counts_and_samples(reader: Reader) -> None:
    schema = reader.schema()
    works = next(r for r in schema.relations if r.name == "works_at")
    assert (works.facts, works.subjects, works.objects) == (4, 4, 2)
    assert works.object_samples == ("Acme", "Bolt")
    assert (schema.entities, schema.facts) == (len(NODES), len(EDGES))
    assert (Step("works_at", "out"), Step("based_in", "out")) in schema.follows


def test_a_cached_schema_sends_nothing_and_a_commit_is_seen_after_ten_seconds(world: World) -> None:
    kg, meter, time = world.kg(), Counting(), [0.0]
    kg.schemas.clock = lambda: time[0]
    reader = kg.reader(Scope(frozenset({"team"})), meter)
    first = reader.schema()
    assert meter.sent <= 4
    sent = meter.sent
    assert reader.schema() is first
    assert meter.sent == sent
    time[0] = 10.0
    assert reader.schema() is first
    assert meter.sent == sent + 1
    world.write([Node("Late")], [])
    assert reader.schema() is first
    time[0] = 20.0
    assert reader.schema().entities == first.entities + 1


def test_every_method_is_one_statement(world: World) -> None:
    meter = Counting()
    reader = world.kg().reader(Scope(frozenset({"team"})), meter)
    ids, walk = [ADA.id, BEN.id, ACME.id], Walk((ACME.id,), (IN,))
    calls = [
        lambda: reader.link(["acme", "bolt", "core"]),
        lambda: reader.suggest("acne"),
        lambda: reader.relations(ids),
        lambda: reader.context(ids),
        lambda: reader.expand(ids),
        lambda: reader.follow([walk, replace(walk, steps=(IN, OUT)), replace(walk, steps=(IN, OUT, IN))]),
        lambda: reader.paths([(ADA.id, BEN.id), (BEN.id, DAN.id)], relations=["works_at"]),
        lambda: reader.aggregate(Aggregation("most", walk, (OUT,))),
        lambda: reader.search_entities("acme"),
        lambda: reader.search_facts("acme"),
    ]
    for number, call in enumerate(calls, 1):
        call()
        assert meter.sent == number


def test_a_spent_meter_stops_every_method_before_it_sends(world: World) -> None:
    reader = world.kg().reader(Scope(frozenset({"team"})), Counting(limit=0))
    for call in (lambda: reader.link(["acme"]), reader.schema, lambda: reader.search_facts("acme"), lambda: reader.expand([ADA.id])):
        with pytest.raises(OutOfBudget):
            call()
