from collections import Counter, defaultdict

from knowledge.profile.profile import GraphProfile, RelationProfile
from knowledge.reading.induce import Census, declared_kinds, induce, opposite
from knowledge.records import Step

Triple = tuple[str, str, str]


def census(triples: list[Triple]) -> Census:
    slots: dict[str, set[Step]] = defaultdict(set)
    for subject, relation, value in triples:
        slots[subject].add(Step(relation, "out"))
        slots[value].add(Step(relation, "in"))
    facts = set(triples)
    inverse = Counter((r, q) for a, r, b in facts for c, q, d in facts if (a, b) == (d, c))
    return Census(
        signatures=Counter(frozenset(s) for s in slots.values()),
        facts=Counter(r for _, r, _ in triples),
        inverse_pairs=inverse,
    )


FARM = [
    *[(f"cow{n}", "grazes", f"field{n % 4}") for n in range(20)],
    *[(f"cow{n}", "drinks", f"pond{n % 3}") for n in range(20)],
    *[(f"cow{n}", "mother", f"cow{n + 1}") for n in range(19)],
    *[(f"cow{n + 1}", "calf", f"cow{n}") for n in range(19)],
]


def test_slots_that_share_nodes_become_one_kind() -> None:
    schema = induce(census(FARM), version="1")
    by_name = {r.name: r for r in schema.relations}
    assert by_name["grazes"].subject_kind == by_name["drinks"].subject_kind == by_name["mother"].object_kind
    assert len({by_name["grazes"].subject_kind, by_name["grazes"].object_kind, by_name["drinks"].object_kind}) == 3
    assert schema.entities == 27
    assert schema.facts == 78


def test_a_relation_that_is_stored_both_ways_is_one_step() -> None:
    schema = induce(census(FARM), version="1")
    assert schema.copies[Step("mother", "in")] == Step("calf", "out")
    assert Step("mother", "in") not in {second for _, second in schema.follows}


def test_a_symmetric_relation_copies_itself() -> None:
    pairs = [(f"n{i}", "touches", f"n{i ^ 1}") for i in range(10)]
    assert induce(census(pairs), version="1").copies == {Step("touches", "in"): Step("touches", "out")}


def test_steps_follow_only_where_a_node_joins_them() -> None:
    schema = induce(census(FARM), version="1")
    assert (Step("mother", "out"), Step("grazes", "out")) in schema.follows
    assert (Step("grazes", "out"), opposite(Step("grazes", "out"))) in schema.follows
    assert (Step("grazes", "out"), Step("drinks", "out")) not in schema.follows


def test_declared_kinds_win_and_spread_to_undeclared_slots_only() -> None:
    profile = GraphProfile(
        relations={"grazes": RelationProfile(subject="animal", object="land"), "drinks": RelationProfile(subject="beast")}
    )
    schema = induce(census(FARM), version="1", declared=declared_kinds(profile))
    kinds = {r.name: (r.subject_kind, r.object_kind) for r in schema.relations}
    assert kinds["grazes"] == ("animal", "land")
    assert kinds["drinks"] == ("beast", "kind0")
    assert kinds["mother"][0] in {"animal", "beast"}


def test_kinds_that_an_owner_keeps_apart_still_lead_on_where_they_share_enough_things() -> None:
    trade = [*[(f"firm{n}", "lends", f"shop{n}") for n in range(10)], *[(f"firm{n}", "rivals", f"firm{n + 1}") for n in range(9)]]
    slots = {Step("lends", "out"): "bank", Step("rivals", "out"): "firm", Step("rivals", "in"): "firm", Step("lends", "in"): "shop"}
    stated = {slot: (kind,) for slot, kind in slots.items()}
    schema = induce(census(trade), version="1", declared=stated)
    assert (Step("lends", "in"), Step("rivals", "out")) in schema.follows
    assert (Step("lends", "out"), Step("rivals", "out")) not in schema.follows
