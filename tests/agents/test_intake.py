"""What intake makes of questions over a small graph in memory: parts, operands, claims, and names that nothing is known of."""

from dataclasses import replace
from functools import cache

import pytest

from agents.exchange import Part, Understanding
from agents.intake import RulesIntake
from evals.wording.memory_graph import MemoryGraph
from knowledge.profile.profile import GraphProfile, RelationProfile
from knowledge.reading.induce import declared_kinds, induce
from knowledge.wording.choice import wording_for

FLEET = [
    *[(owner, "owns", ship) for owner, ship in [("Mara Lund", "Sea Otter"), ("Jon Tarn", "Sea Otter"), ("Mara Lund", "Red Knot"), ("陆青河", "北溟号"), ("陆青河", "Red Knot")]],
    *[(ship, "anchors_in", port) for ship, port in [("Sea Otter", "Stavik"), ("Red Knot", "Morrow Bay"), ("北溟号", "临海港")]],
    ("Mara Lund", "rivals", "Jon Tarn"), ("Jon Tarn", "rivals", "Mara Lund"), ("陆青河", "rivals", "Jon Tarn"),
]  # fmt: skip
OWNER = GraphProfile(
    kinds={"person": ("person", "who", "人", "谁"), "ship": ("ship", "船"), "port": ("port", "港口")},
    relations={
        "owns": RelationProfile(subject="person", object="ship", forward=("拥有的船",), backward=("船主", "谁拥有")),
        "rivals": RelationProfile(subject="person", object="person", roles=("rival", "对手")),
        "anchors_in": RelationProfile(subject="ship", object="port", roles=("anchorage", "停泊")),
    },
)


class FleetReader:
    """The four look-ups that intake makes; nothing is near a name that is not known."""

    def __init__(self) -> None:
        self._graph = MemoryGraph(FLEET)
        self._schema = induce(self._graph.census(), version="1", declared=declared_kinds(OWNER))

    def schema(self):
        return self._schema

    def link(self, mentions, *, limit=5):
        ships = {ship for _, relation, ship in FLEET if relation == "owns"}
        found = self._graph.link(mentions)
        return {
            span: [replace(c, entity=replace(c.entity, kind="ship")) if c.entity.name in ships else c for c in candidates]
            for span, candidates in found.items()
        }

    def relations(self, ids):
        return self._graph.relations(ids)

    def suggest(self, text, *, limit=5):
        return []


@cache
def intake() -> RulesIntake:
    engine = cache(lambda language: wording_for(language, FleetReader().schema(), OWNER))
    return RulesIntake(lambda language, _: engine(language))


def understood(question: str) -> Understanding:
    reply = intake()({"asked": question, "history": []}, FleetReader())
    assert reply.understanding
    return reply.understanding


def walked(part: Part) -> tuple[list[str], list[str]]:
    best = part["readings"][0]
    return best["starts"], [f"{hop['relation']} {hop['direction']}" for hop in best["spec"]["steps"]]


@pytest.mark.parametrize(
    ("question", "starts", "step"),
    [
        ("Who owns both Sea Otter and Red Knot?", ["Sea Otter", "Red Knot"], "owns in"),
        ("Which ships do Mara Lund and Jon Tarn both own?", ["Mara Lund", "Jon Tarn"], "owns out"),
        ("谁同时拥有北溟号和Red Knot？", ["北溟号", "Red Knot"], "owns in"),
    ],
)
def test_what_several_names_share_is_read_once_for_each(question, starts, step):
    *sides, compare = understood(question)["parts"]
    assert [walked(side) for side in sides] == [([start], [step]) for start in starts]
    assert (compare["intent"], compare["shared"], compare["operands"]) == ("compare", True, [0, 1])


def test_a_choice_between_names_counts_the_same_step_for_each():
    *sides, compare = understood("Did Mara Lund or Jon Tarn own more ships?")["parts"]
    assert [walked(side) for side in sides] == [(["Mara Lund"], ["owns out"]), (["Jon Tarn"], ["owns out"])]
    assert {side["intent"] for side in sides} == {"count"} and compare["measure"] == "most"


@pytest.mark.parametrize(
    ("question", "start", "claim"),
    [("Are Mara Lund and Jon Tarn rivals?", "Mara Lund", "Jon Tarn"), ("陆青河和Jon Tarn是对手吗？", "陆青河", "Jon Tarn")],
)
def test_a_mutual_claim_is_read_from_one_name_to_the_other(question, start, claim):
    (part,) = understood(question)["parts"]
    assert part["intent"] == "yes_no" and {walked(part)[0][0], *part["claim"]} == {start, claim}
    assert walked(part)[1] == ["rivals out"]


@pytest.mark.parametrize(
    "question", ["Which ships does Mara Lund not own?", "陆青河没有哪些船？", "How many ships does Mara Lund not own?"]
)
def test_a_question_for_what_is_not_so_is_marked(question):
    assert [part["negated"] for part in understood(question)["parts"]] == [True]


@pytest.mark.parametrize(
    ("question", "name"),
    [("谁拥有霜河巨鲸号？", "霜河巨鲸号"), ("霜河巨鲸号停泊在哪个港口？", "霜河巨鲸号"), ("Who owns Zorvex Star?", "Zorvex Star")],
)
def test_a_name_that_nothing_is_known_of_is_said(question, name):
    part = understood(question)["parts"][0]
    assert [(m["text"], m["chosen"]) for m in part["mentions"]] == [(name, [])] and part["readings"] == []


@pytest.mark.parametrize("question", ["Who is the OWNER of Sea Otter?", "Who is the CEO of Sea Otter?", "Sea Otter的CEO是谁？"])
def test_a_term_in_capitals_is_no_unknown_name(question):
    (part,) = understood(question)["parts"]
    assert [m["chosen"][0]["name"] for m in part["mentions"]] == ["Sea Otter"]


def test_any_other_word_in_capitals_may_be_a_name_that_is_missing():
    parts = understood("Who owns Sea Otter and ZORBLATT and MARCH?")["parts"]
    assert not any(part["readings"] for part in parts[:1])


def test_who_is_behind_a_thing_is_asked_of_it_and_does_not_describe_it():
    assert [part["intent"] for part in understood("Who is behind Sea Otter?")["parts"]] == ["list"]


def test_an_empty_pair_of_quotes_names_nothing():
    parts = understood('Tell me of DETACH DELETE and " " and "" and Zorblax')["parts"]
    assert all(mention["text"] for part in parts for mention in part["mentions"])


@pytest.mark.parametrize(
    ("question", "starts", "asked"),
    [
        ("How many ships do both Mara Lund and Jon Tarn own?", ["Mara Lund", "Jon Tarn"], (True, False, True)),
        ("How many ships do Mara Lund and Jon Tarn have in common?", ["Mara Lund", "Jon Tarn"], (True, False, True)),
        ("How many ships did either Mara Lund or Jon Tarn own?", ["Mara Lund", "Jon Tarn"], (False, True, True)),
        ("Which ships does Mara Lund or Jon Tarn own?", ["Mara Lund", "Jon Tarn"], (False, True, False)),
        ("陆青河和Jon Tarn共同拥有几艘船？", ["陆青河", "Jon Tarn"], (True, False, True)),
        ("陆青河或Jon Tarn拥有多少船？", ["陆青河", "Jon Tarn"], (False, True, True)),
        ("拥有Sea Otter或者Red Knot的人有哪些？", ["Sea Otter", "Red Knot"], (False, True, False)),
    ],
)
def test_what_names_have_together_or_any_of_them_has_can_be_counted(question, starts, asked):
    *sides, compare = understood(question)["parts"]
    assert [side["readings"][0]["starts"] for side in sides] == [[start] for start in starts]
    assert (compare["shared"], compare["either"], compare["counts"]) == asked


@pytest.mark.parametrize("question", ["Who owns Sea Otter, Mara Lund or Jon Tarn?", "Is Sea Otter or Red Knot in Stavik?"])
def test_a_choice_between_answers_is_no_union(question):
    assert not any(part["either"] for part in understood(question)["parts"])


@pytest.mark.parametrize("question", ["When did 陆青河 own the 北溟号?", "陆青河什么时候拥有北溟号？", "陆青河是哪一年拥有北溟号的？"])
def test_a_date_is_asked_of_the_fact_between_two_names(question: str) -> None:
    part = understood(question)["parts"][0]
    assert part["intent"] == "began"
    assert {mention["text"] for mention in part["mentions"]} == {"陆青河", "北溟号"}
    assert [step["relation"] for step in part["readings"][0]["spec"]["steps"]] == ["owns"]
    assert part["claim"]


@pytest.mark.parametrize(
    ("question", "by"),
    [
        ("Which port hosts the most ships?", "anchors_in in"),
        ("Who keeps the most ships?", "owns out"),
        ("哪个港口的船最多？", "anchors_in in"),
    ],
)
def test_what_is_ranked_is_of_the_kind_that_is_asked_for(question, by):
    best = understood(question)["parts"][0]["readings"][0]
    assert [f"{hop['relation']} {hop['direction']}" for hop in best["spec"]["by"]] == [by]


@pytest.mark.parametrize(
    ("question", "start", "step"),
    [
        ("Red Knot owner", "Red Knot", "owns in"),
        ("Tell me about the rivals of Jon Tarn", "Jon Tarn", "rivals in"),
        ("介绍一下北溟号的船主", "北溟号", "owns in"),
        ("Does Jon Tarn have a rival, and who is it?", "Jon Tarn", "rivals in"),
    ],
)
def test_words_beside_a_name_ask_for_what_they_lead_to(question: str, start: str, step: str) -> None:
    found = understood(question)
    [part] = found["parts"]
    assert (found["kind"], part["intent"]) == ("fact", "list")
    assert walked(part)[0] == [start]
    assert walked(part)[1] in ([step], [step.replace(" in", " out")])


def test_the_kind_of_a_name_asks_for_nothing_more() -> None:
    [part] = understood("Red Knot ship")["parts"]
    assert part["intent"] == "describe"
