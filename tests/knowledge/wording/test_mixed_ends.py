"""An end of a relation may hold things of several kinds: the noun that is asked for then says which of them are meant."""

from functools import cache

import pytest

from evals.wording.memory_graph import MemoryGraph
from knowledge.profile.profile import GraphProfile, RelationProfile
from knowledge.reading.induce import declared_kinds, induce
from knowledge.reading.schema import telling_labels
from knowledge.records import Step
from knowledge.wording.choice import wording_for
from knowledge.wording.frame_text import language_of
from knowledge.wording.reading import Reading

HARVEST = [
    *[(buyer, "buys", farm) for buyer, farm in [
        ("Norvik Mill", "Tall Barley"), ("Aster Trust", "Tall Barley"), ("Ida Brand", "Tall Barley"), ("Norvik Mill", "Low Meadow"),
        ("Tall Barley", "Low Meadow"), ("Aster Trust", "Low Meadow"),
    ]],
    ("Norvik Mill", "rivals", "Tall Barley"), ("Tall Barley", "rivals", "Norvik Mill"), ("Ida Brand", "runs", "Norvik Mill"), ("Jon Tarn", "runs", "Tall Barley"),
]  # fmt: skip
OWNER = GraphProfile(
    kinds={"firm": ("firm", "company", "公司"), "trust": ("trust", "基金会"), "person": ("person", "who", "谁", "人")},
    relations={
        "buys": RelationProfile(subject=("firm", "trust", "person"), object="firm", forward=("收购了",), backward=("买家", "谁收购了")),
        "rivals": RelationProfile(subject="firm", object="firm"),
        "runs": RelationProfile(subject="person", object="firm", backward=("经营者",)),
    },
)


@cache
def graph() -> MemoryGraph:
    return MemoryGraph(HARVEST)


def best(question: str) -> Reading:
    schema = induce(graph().census(), version="1", declared=declared_kinds(OWNER))
    engine = wording_for(language_of(question), schema, OWNER)
    links = graph().link(engine.spans(question))
    return engine.read(question, links, graph().relations([c.entity.id for found in links.values() for c in found]))[0]


@pytest.mark.parametrize(
    ("question", "without"),
    [
        ("Which companies have bought Low Meadow?", ("trust", "person")),
        ("How many firms bought Low Meadow?", ("trust", "person")),
        ("Which trusts bought Low Meadow?", ("firm", "person")),
        ("Who bought Low Meadow?", ()),
        ("Who are the buyers of Low Meadow?", ()),
        ("哪些公司收购了Low Meadow？", ("trust", "person")),
        ("哪些基金会收购了Low Meadow？", ("firm", "person")),
        ("谁收购了Low Meadow？", ()),
        ("Low Meadow的买家有哪些？", ()),
    ],
)
def test_a_noun_for_some_kinds_of_a_mixed_end_leaves_the_others_out(question, without):
    walk = best(question).walk
    assert (walk.steps, walk.without) == ((Step("buys", "in"),), without)


def test_what_a_verb_has_as_its_object_is_walked_back():
    assert best("Who put money into Low Meadow?").walk.steps != (Step("buys", "out"),)


def test_labels_that_share_a_slot_are_its_kinds_and_strays_are_not():
    rows = [
        {"slots": ["out buys"], "label": ["firm"], "entities": 12, "names": []},
        {"slots": ["out buys"], "label": ["trust"], "entities": 8, "names": []},
        {"slots": ["out buys"], "label": [], "entities": 1, "names": []},
        {"slots": ["in buys"], "label": ["farm"], "entities": 19, "names": []},
        {"slots": ["in buys"], "label": ["firm"], "entities": 1, "names": []},
        {"slots": ["out runs"], "label": ["person"], "entities": 5, "names": []},
    ]
    assert telling_labels(rows) == {
        Step("buys", "out"): ("firm", "trust"), Step("buys", "in"): ("farm",), Step("runs", "out"): ("person",),
    }  # fmt: skip


def test_a_mixed_end_is_found_too_where_the_name_does_not_tell_who_acts():
    trade = MemoryGraph([(subject, "funds" if relation == "buys" else relation, value) for subject, relation, value in HARVEST])
    owner = OWNER.model_copy(
        update={
            "relations": {**OWNER.relations, "funds": OWNER.relations["buys"].model_copy(update={"backward": ("investors of the firm",)})}
        }
    )
    engine = wording_for("en", induce(trade.census(), version="1", declared=declared_kinds(owner)), owner)
    links = trade.link(engine.spans("the investors of Low Meadow"))
    readings = engine.read("the investors of Low Meadow", links, trade.relations([c.entity.id for found in links.values() for c in found]))
    assert readings[0].walk.steps == (Step("funds", "in"),)
