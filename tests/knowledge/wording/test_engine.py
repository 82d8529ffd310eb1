from functools import cache

import pytest

from knowledge.profile.profile import GraphProfile, RelationProfile
from knowledge.records import GraphSchema, Step
from knowledge.wording.engine import Wording
from knowledge.wording.ranking import Executed, margin, rank
from tests.knowledge.wording.worlds import CLAN, CREW, HARBOUR, World


@cache
def harbour() -> World:
    return World(HARBOUR)


@cache
def clan() -> World:
    return World(CLAN)


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("who is the captain of Sea Otter?", {"Mara Lund"}),
        ("which ships did Pell Orr repair?", {"Sea Otter", "Grey Gull"}),
        ("when was red knot built", {"1952"}),
        ("in which country does Blue Heron anchor?", {"Westerland"}),
        ("who repaired the ships that Mara Lund is captain of?", {"Pell Orr"}),
        ("what is the country of the ships of Ada Voss", {"Norland"}),
    ],
)
def test_one_and_more_hops_are_read(question: str, answers: set[str]) -> None:
    assert harbour().answers(question) == answers


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("who are the parents of Bo", {"Ann", "Carl"}),
        ("who is the father of Finn?", {"Bo"}),
        ("who are the children of Ann?", {"Bo", "Dee"}),
        ("who is the daughter of Eve", {"Gia"}),
        ("who is the grandmother of Hal?", {"Ann"}),
        ("who are the siblings of Finn?", {"Gia"}),
        ("who is the uncle of Jo?", {"Bo"}),
        ("what is the occupation of Finn's mother?", {"judge"}),
    ],
)
def test_kinship_is_read_from_definitions(question: str, answers: set[str]) -> None:
    assert clan().answers(question) == answers


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("who leads hand7?", {"hand2"}),
        ("who is the leader of hand7", {"hand2"}),
        ("who is led by hand2", {"hand6", "hand7", "hand8"}),
        ("whom does hand2 lead?", {"hand6", "hand7", "hand8"}),
        ("who is hand7 led by?", {"hand2"}),
    ],
)
def test_voice_gives_the_direction_within_one_kind(question: str, answers: set[str]) -> None:
    assert World(CREW).answers(question) == answers


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("who was firm7 acquired by?", {"firm2"}),
        ("by whom was firm7 acquired?", {"firm2"}),
        ("who acquired firm7?", {"firm2"}),
        ("whom did firm2 acquire?", {"firm6", "firm7", "firm8"}),
        ("who was acquired by firm2?", {"firm6", "firm7", "firm8"}),
    ],
)
def test_a_passive_leads_back_wherever_its_by_stands(question: str, answers: set[str]) -> None:
    assert World([(f"firm{n // 3}", "acquired", f"firm{n}") for n in range(1, 30)]).answers(question) == answers


def test_a_reading_names_its_mention_and_asked_kind() -> None:
    first = harbour().readings("who is the captain of Sea Otter?")[0]
    assert (first.entity.name, first.mention) == ("Sea Otter", "sea otter")
    assert first.walk.steps == (Step("captain", "out"),)
    captain = next(r for r in harbour().wording.schema.relations if r.name == "captain")
    assert first.expected_kind == captain.object_kind
    assert 0.8 < first.confidence <= 1
    assert not first.unexplained
    assert not first.counts


def test_words_that_no_relation_explains_are_named() -> None:
    first = harbour().readings("what is the tonnage of Sea Otter?")[0]
    assert first.unexplained == ("tonnage",)
    assert first.confidence < 0.7


def test_how_many_asks_for_the_size() -> None:
    first = harbour().readings("how many ships does Mara Lund captain?")[0]
    assert first.counts
    assert harbour().graph.follow(first.walk) == {"Sea Otter", "Grey Gull"}


def test_a_second_entity_is_a_condition_on_the_answers() -> None:
    best = harbour().readings("which ships with captain Mara Lund anchor in Morrow Bay?")
    reached = harbour().graph.follow(best[0].walk)
    assert reached == {"Grey Gull"}
    assert best[0].walk.filters


def test_readings_are_sorted_and_distinct() -> None:
    readings = harbour().readings("who repaired Blue Heron")
    assert [r.score for r in readings] == sorted((r.score for r in readings), reverse=True)
    assert len({(r.entity.id, r.walk) for r in readings}) == len(readings)


def test_an_unknown_name_yields_no_reading() -> None:
    assert harbour().readings("who is the captain of Zephyr?") == []


@pytest.mark.parametrize("text", ["", "???", "who " * 2000, "💥 \u202e שלום", "MATCH (n) RETURN n; // '`\"", "sea otter " * 200])
def test_awkward_text_is_no_surprise(text: str) -> None:
    spans = harbour().wording.spans(text)
    assert len(spans) < 1100
    harbour().readings(text)


def test_an_empty_graph_yields_no_reading() -> None:
    empty = Wording(GraphSchema("0", 0, 0, (), ()))
    assert empty.read("who is it", {}, {}) == []
    assert not empty.steps("who") and not empty.kinds("who")


def test_words_alone_name_steps_and_kinds() -> None:
    wording = harbour().wording
    assert max(wording.steps("captains"), key=lambda step: wording.steps("captains")[step]).relation == "captain"
    captain = next(r for r in wording.schema.relations if r.name == "captain")
    assert wording.kinds("captains")[captain.object_kind] >= 0.9
    assert wording.kinds("who")[captain.object_kind] == 1


def test_the_owner_teaches_words_that_no_dictionary_ties_to_the_relation() -> None:
    question = "who is the skipper of Sea Otter's sister?"
    profile = GraphProfile(relations={"captain": RelationProfile(roles=("gaffer",), forward=("who bosses the ship",))})
    taught = World(HARBOUR, profile)
    assert taught.answers("who is the gaffer of Sea Otter?") == {"Mara Lund"}
    assert taught.readings(question)[0].unexplained == ("sister",)


def test_ranking_adds_up_what_readings_reach() -> None:
    world = harbour()
    readings = world.readings("who is the captain of Sea Otter?")[:3]
    executed = [
        Executed(r, [c.entity for name in world.graph.follow(r.walk) for c in world.graph.link([name.lower()])[name.lower()]])
        for r in readings
    ]
    ranked = rank([e for e in executed if e.reached])
    assert ranked[0][0].name == "Mara Lund"
    assert sum(score for _, score in ranked) >= 0.99
    assert 0 < margin(readings) <= 1
    assert margin(readings[:1]) == 1
    assert margin([]) == 0


def test_who_is_behind_a_thing_is_who_acts_on_it() -> None:
    assert World(CREW).answers("who is behind hand7?") == {"hand2"}


VENTURES = [
    (giver, "invests", taker) for giver, taker in [("Aster", "Norvik"), ("Brome", "Norvik"), ("Norvik", "Tarn"), ("Aster", "Quill")]
]
VENTURES += [("Norvik", "acquired", "Quill"), ("Tarn", "acquired", "Brome"), ("Norvik", "headquarters", "Stavik")]


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("Who has backed Norvik?", {"Aster", "Brome"}),
        ("Who put money into Norvik?", {"Aster", "Brome"}),
        ("Who are the backers of Norvik?", {"Aster", "Brome"}),
        ("Where is the head office of Norvik?", {"Stavik"}),
    ],
)
def test_a_verb_means_what_the_noun_for_its_doer_is_defined_by(question: str, answers: set[str]) -> None:
    assert World(VENTURES).answers(question) == answers


def test_a_condition_is_the_relation_that_the_words_before_its_value_name() -> None:
    fleet = [(owner, relation, ship) for owner, relation, ship in [
        ("Mara Lund", "owns", "Red Knot"), ("Jon Tarn", "repaired", "Red Knot"), ("Ada Voss", "painted", "Red Knot"), ("Ada Voss", "owns", "Grey Gull"), ("Pell Orr", "owns", "Red Knot"),
    ]]  # fmt: skip
    fleet += [(person, "lives_in", "Stavik") for person in ("Mara Lund", "Jon Tarn", "Ada Voss")]
    assert World(fleet).answers("Which person that repaired Red Knot lives in Stavik?") == {"Jon Tarn"}
