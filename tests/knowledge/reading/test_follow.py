"""Walks against a brute-force walker over the same random triples."""

import random
from collections import Counter
from collections.abc import Callable, Iterator

import pytest

from knowledge.errors import ConfigError
from knowledge.reading.contract import Aggregation
from knowledge.reading.reader import Reader
from knowledge.records import Filter, Path, Step, Walk
from tests.knowledge.reading.world import Edge, Node, World

NODES = [Node(f"n{i:02}") for i in range(40)]
BY_NAME = {n.name: n for n in NODES}
RELATIONS = ("likes", "knows", "owns")
Triple = tuple[str, str, str]


def triples() -> list[Triple]:
    chosen = random.Random(7)
    found = {(chosen.choice(NODES).name, chosen.choice(RELATIONS), chosen.choice(NODES[:15]).name) for _ in range(220)}
    return sorted(found)


TRIPLES = triples()


def neighbours(node: str, step: Step) -> Iterator[str]:
    for subject, relation, object_ in TRIPLES:
        if relation == step.relation and step.direction == "out" and subject == node:
            yield object_
        if relation == step.relation and step.direction == "in" and object_ == node:
            yield subject


def held(node: str, i: int, walk: Walk) -> bool:
    return all(any(n in f.values for n in neighbours(node, Step(f.relation, f.direction))) for f in walk.filters if f.step == i)


def expected(walk: Walk) -> Counter[str]:
    """Every way, one by one."""
    ways: Counter[str] = Counter()
    names = [n.name for n in NODES if n.id in walk.starts]

    def go(trail: list[str]) -> None:
        i = len(trail)
        if i > len(walk.steps):
            ways[trail[-1]] += 1
            return
        for following in neighbours(trail[-1], walk.steps[i - 1]):
            returns = i - 1 in walk.back and i > 1 and following == trail[-2]
            if not returns and (walk.keep_start or following != trail[0]) and held(following, i, walk):
                go([*trail, following])

    for name in names:
        go([name])
    return ways


def random_walk(chosen: random.Random) -> Walk:
    steps = tuple(Step(chosen.choice(RELATIONS), chosen.choice(("out", "in"))) for _ in range(chosen.randint(1, 4)))
    back = [i for i in range(1, len(steps)) if chosen.random() < 0.3]
    steps = tuple(
        Step(steps[i - 1].relation, "in" if steps[i - 1].direction == "out" else "out") if i in back and i - 1 not in back else step
        for i, step in enumerate(steps)
    )
    filters = tuple(
        Filter(
            chosen.randint(1, len(steps)), chosen.choice(RELATIONS), chosen.choice(("out", "in")), tuple(chosen.sample(sorted(BY_NAME), 6))
        )
        for _ in range(chosen.choice((0, 0, 1, 2)))
    )
    starts = tuple(n.id for n in chosen.sample(NODES, chosen.choice((1, 1, 3))))
    return Walk(starts, steps, filters, tuple(back), chosen.random() < 0.4)


@pytest.fixture(scope="module", params=["memory", "native"])
def reader(new_world: Callable[..., World], request: pytest.FixtureRequest) -> Reader:
    world = new_world(shape=request.param)
    world.write(NODES, [Edge(BY_NAME[s], r, BY_NAME[o]) for s, r, o in TRIPLES])
    return world.reader()


def check_proof(walk: Walk, proof: Path) -> None:
    here = proof.start
    assert here.id in walk.starts
    for step, fact in zip(walk.steps, proof.facts, strict=True):
        assert fact.relation == step.relation
        leaves, enters = (fact.subject, fact.object) if step.direction == "out" else (fact.object, fact.subject)
        assert leaves == here
        here = enters
    assert here == proof.end
    assert sorted(f.relation for f in proof.conditions) == sorted(f.relation for f in walk.filters)


@pytest.mark.parametrize("seed", [0, 1, 2, *(pytest.param(seed, marks=pytest.mark.full) for seed in range(3, 8))])
def test_walks_find_what_brute_force_finds(reader: Reader, seed: int) -> None:
    walks = [random_walk(random.Random(100 * seed + i)) for i in range(6)]
    for walk, found in zip(walks, reader.follow(walks, limit=1_000), strict=True):
        assert Counter({r.entity.name: r.ways for r in found}) == expected(walk), walk
        assert found == sorted(found, key=lambda r: (-r.ways, r.entity.name))
        for reached in found:
            assert 1 <= len(reached.proofs) <= 3
            assert len(reached.proofs) == min(3, reached.ways)
            assert len({tuple(f.id for f in p.facts) for p in reached.proofs}) == len(reached.proofs)
            for proof in reached.proofs:
                assert proof.end == reached.entity
                check_proof(walk, proof)


def test_a_limit_keeps_the_best(reader: Reader) -> None:
    walk = Walk((BY_NAME["n00"].id,), (Step("likes", "in"), Step("knows", "out"), Step("owns", "in")))
    everything = reader.follow([walk], limit=1_000)[0]
    assert reader.follow([walk], limit=2)[0] == everything[:2]


def test_a_walk_without_steps_stays_where_it_is(reader: Reader) -> None:
    found = reader.follow([Walk((BY_NAME["n00"].id,), ())])[0]
    assert [(r.entity.name, r.ways, r.proofs[0].facts) for r in found] == [("n00", 1, ())]


def test_no_walk_sends_nothing(reader: Reader) -> None:
    assert reader.follow([]) == []


def test_a_walk_of_six_steps_is_refused(reader: Reader) -> None:
    with pytest.raises(ConfigError, match="at most 5"):
        reader.follow([Walk(("x",), (Step("likes", "out"),) * 6)])


@pytest.mark.parametrize("shape", ["memory", "native"])
def test_kinds_that_are_left_out_are_neither_found_nor_counted(new_world: Callable[..., World], shape: str) -> None:
    world = new_world(shape=shape)
    land, *buyers = Node("Low Meadow", "farm"), Node("Ada", "person"), Node("Norvik Mill", "firm"), Node("Aster Trust", "trust")
    world.write([land, *buyers], [Edge(buyer, "buys", land) for buyer in buyers])
    walk = Walk((land.id,), (Step("buys", "in"),), without=("trust", "firm"))
    everyone = Walk((land.id,), (Step("buys", "in"),))
    found = world.reader().follow([walk, everyone])
    assert [[r.entity.name for r in one] for one in found] == [["Ada"], ["Ada", "Aster Trust", "Norvik Mill"]]
    assert world.reader().aggregate(Aggregation("count", walk))[0].value == 1
