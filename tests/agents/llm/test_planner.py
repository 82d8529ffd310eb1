"""The mind of the planner takes readings or writes tasks of its own, over names that are there."""

from typing import Any

import pytest

from agents.exchange import Part, RoundSummary, Task
from agents.llm import planner
from agents.llm.planner import MIND
from agents.planner import plan
from graphs.investigate import schedule
from knowledge.records import RelationUse
from tests.agents.cases import done, fact, failed, part, reading, ref
from tests.agents.llm.driving import FakeReader, asked, drive, planner_view, refusal, section
from tests.agents.test_planner import summary

ONE = part("Who owns the mill?", of="Mill", relations=("owns", "rents"))
BARE = part("Where do they dwell?", of="Mill")


def task(id_: str = "t1", how: str = "walk", **more: Any) -> dict[str, Any]:
    step = {"relation": "owns", "direction": "in"}
    given = {"walk": {"start": ["e1"], "steps": [step]}, "explore": {"start": ["e1"]}, "connect": {"start": ["e1"], "end": ["e1"]}}
    return {"id": id_, "how": how, **given.get(how, {}), **more}


def plan_of(*tasks: dict[str, Any], parts: tuple[Part, ...] = (ONE,), rounds: tuple[RoundSummary, ...] = ()) -> dict[str, Task]:
    plan: dict[str, Task] = drive(MIND, planner_view(*parts, rounds=rounds), {"tasks": list(tasks)}).result.plan
    return plan


def told(*tasks: dict[str, Any], parts: tuple[Part, ...] = (ONE,), rounds: tuple[RoundSummary, ...] = ()) -> str:
    return refusal(asked(MIND, planner_view(*parts, rounds=rounds)), {"tasks": list(tasks)})


def test_the_prompt_holds_all_that_a_plan_may_name() -> None:
    reader = FakeReader(uses={"mill": [RelationUse("owns", "in", 3), RelationUse("stands_in", "out", 9)]})
    before = summary(failed(done(ONE, 0, [], id_="r1.0")))
    gap = {"kind": "missing_relation", "about": "Mill", "relation": "owns", "why": "no", "priority": 1, "required": True, "closable": True}
    prompt = asked(MIND, planner_view(ONE, rounds=[before], gaps=[gap]), reader=reader).system
    assert section(prompt, "Entities of the question:") == ["e1 Mill (person)"]
    assert section(prompt, "Relations around them:") == ["e1 stands_in out: 9", "e1 owns in: 3"]
    assert section(prompt, "Parts of the question:") == ["0: list: Who owns the mill?"]
    assert section(prompt, "Readings by grammar:")[1] == "1: part 0, walk Mill -rents->, confidence 1.00"
    assert section(prompt, "Earlier rounds:") == ["round 1, r1.0: failed, 0 found: Who owns the mill? -owns->"]
    assert section(prompt, "Still missing:") == ["missing_relation: Mill owns: no"]


def test_with_nothing_known_every_section_says_so() -> None:
    prompt = asked(MIND, planner_view(schema_text="", asked="")).system
    titles = ("Schema:", "Entities of the question:", "Relations around them:", "Readings by grammar:", "Earlier rounds:")
    assert [section(prompt, title) for title in titles] == [["(none)"]] * 5


def test_what_is_only_near_a_name_is_told_as_such_and_may_be_left_alone() -> None:
    near: Part = {**part("Who owns Mil?"), "mentions": [{"text": "Mil", "chosen": [], "candidates": [ref("Mill")]}]}
    ask = asked(MIND, planner_view(near))
    assert section(ask.system, "Entities of the question:") == ["e1 Mill (person), perhaps meant by 'Mil'"]
    assert drive(MIND, planner_view(near), {"tasks": []}).result.plan == {}
    assert drive(MIND, planner_view(near), {"tasks": [task()]}).result.plan["r1.t1"]["starts"] == ["mill"]


def test_a_reading_is_taken_with_those_after_it() -> None:
    (made,) = plan_of(task(how="reading", reading=0)).values()
    assert (made["id"], made["reading"], made["starts"]) == ("r1.t1", 0, ["mill"])
    assert [a["spec"]["steps"][0]["relation"] for a in made["spec"]["alternatives"]] == ["rents"]


def test_tasks_of_the_models_own_are_measured_by_no_reading() -> None:
    parts = (ONE, BARE)
    plan = plan_of(task(), task("t2", "walk", start=["t1"], steps=[{"relation": "dwells_in"}], part=1), parts=parts)
    first, second = plan["r1.t1"], plan["r1.t2"]
    assert (first["reading"], first["starts"], first["needs"]) == (2, ["mill"], [])
    assert (second["reading"], second["starts"], second["needs"], second["part"]) == (0, [], ["r1.t1"], 1)
    assert second["spec"] == {"steps": [{"relation": "dwells_in", "direction": "out"}]}


@pytest.mark.parametrize(
    ("how", "more", "spec"),
    [
        ("explore", {"steps": [{"relation": "owns"}, {"relation": "owns", "direction": "in"}]}, {"relations": ["owns"]}),
        ("connect", {}, {"relations": []}),
        ("search", {"text": "who owns {{schema}}"}, {"text": "who owns {{schema}}"}),
        ("cypher", {"text": "MATCH (n)\nRETURN n"}, {"cypher": "MATCH (n)\nRETURN n"}),
    ],
)
def test_every_kind_of_task_carries_its_own_request(how: str, more: dict[str, Any], spec: dict[str, Any]) -> None:
    (made,) = plan_of(task(how=how, **more)).values()
    assert (made["strategy"], made["spec"]) == (how, spec)


def test_a_task_may_build_on_one_of_an_earlier_round() -> None:
    before = summary(done(ONE, 0, [fact("Mill", "owns", "Ann")], id_="r1.0"))
    plan = plan_of(task("t1", "walk", start=["r1.0"], steps=[{"relation": "rents"}]), rounds=(before,))
    assert (plan["r2.t1"]["needs"], plan["r2.t1"]["starts"]) == (["r1.0"], [])


def test_a_task_that_failed_is_nothing_to_build_on() -> None:
    before = summary(failed(done(ONE, 0, [], id_="r1.0")))
    assert "'r1.0' is neither" in told(task(start=["r1.0"]), rounds=(before,))


@pytest.mark.parametrize(
    "tasks",
    [
        (task("t1", start=["t1"]),),
        (task("t1", start=["t2"]), task("t2", start=["t1"])),
        (task("t1", start=["t2"]), task("t2")),
        (task("t1", "connect", end=["t1"]),),
        (task(start=["e99"]),),
        (task(start=["Mill"]),),
        (task(start=["{{entities}}"]),),
        (task(start=["e1\n"]),),
    ],
)
def test_starts_that_are_circular_later_or_invented_are_refused_with_what_is_known(tasks: tuple[dict[str, Any], ...]) -> None:
    said = told(*tasks)
    assert "is neither an entity nor an earlier task; known: e1" in said
    assert "\n" not in said


@pytest.mark.parametrize(
    ("tasks", "words"),
    [
        ((), "no task"),
        ((task(), task()), "t1 is the name of something else already"),
        ((task("e1"),), "e1 is the name of something else already"),
        ((task(part=1),), "there is no part 1"),
        ((task(part=-1),), "there is no part -1"),
        ((task(how="reading", reading=2),), "there is no reading 2"),
        ((task(how="reading"),), "there is no reading -1"),
        ((task(steps=[{"relation": "owned"}]),), "no relation 'owned'; near: owns"),
        ((task(steps=[]),), "walk needs steps"),
        ((task(start=[]),), "walk needs start"),
        ((task(how="explore", start=[]),), "explore needs start"),
        ((task(how="connect", end=[]),), "connect needs end"),
        ((task(how="search", text=" "),), "search needs text"),
        ((task(how="cypher"),), "cypher needs text"),
        ((task(), task("t2", start=["e1", "t1"])), "are entities and tasks"),
    ],
)
def test_what_cannot_be_run_is_refused_in_words_that_say_what_can(tasks: tuple[dict[str, Any], ...], words: str) -> None:
    assert words in told(*tasks)


def test_a_task_id_of_an_earlier_round_is_taken() -> None:
    before = summary(done(ONE, 0, [fact("Mill", "owns", "Ann")], id_="r1.0"))
    assert "r1.0 is the name of something else" in told(task("r1.0"), rounds=(before,))


@pytest.mark.parametrize(
    "reply", [task(id_=""), task(id_="a" * 11), task(how="guess"), task(steps=[{"relation": "owns", "direction": "up"}])]
)
def test_a_task_of_another_form_is_refused(reply: dict[str, Any]) -> None:
    assert told(reply)


def test_more_tasks_than_four_are_refused() -> None:
    assert "at most 4" in told(*(task(f"t{n}") for n in range(5)))


def rivals() -> tuple[Part, Part, Part]:
    left, right = part("mills", of="Ann", relations=("owns",)), part("farms", of="Bob", relations=("owns",))
    read = {**reading("", "vies"), "strategy": "connect", "starts": []}
    return left, right, {**part("rivals", "connect"), "operands": [0, 1], "readings": [read]}  # type: ignore[list-item]


def test_a_reading_between_parts_takes_its_sides_from_the_tasks_of_these_parts_in_the_same_plan() -> None:
    plan = plan_of(*(task(f"t{n}", "reading", reading=n - 1) for n in (1, 2, 3)), parts=rivals())
    assert (plan["r1.t3"]["needs"], plan["r1.t3"]["ends_from"]) == (["r1.t1"], ["r1.t2"])
    assert {one["id"] for one in schedule(plan).values()} == {"r1.t1", "r1.t2"}


def test_a_reading_between_parts_takes_its_sides_from_earlier_rounds_and_from_plain_names() -> None:
    left, _, between = rivals()
    before = summary(done(left, 0, [fact("Ann", "owns", "Mill")], id_="r1.0"))
    plan = plan_of(task(how="reading", reading=1), parts=(left, part("Bob", of="Bob"), between), rounds=(before,))
    assert [plan["r2.t1"][key] for key in ("needs", "starts", "ends")] == [["r1.0"], [], ["bob"]]  # type: ignore[literal-required]


def test_a_reading_between_parts_that_nobody_looks_for_is_refused() -> None:
    assert "reading 2 builds on part 0, which has no task" in told(task(how="reading", reading=2), parts=rivals())


def test_a_goal_of_the_models_own_and_an_empty_question_are_no_trouble() -> None:
    plan = drive(MIND, planner_view(asked=""), {"tasks": [task(how="search", text="x", goal="look {{x}}")]}).result.plan
    assert plan["r1.t1"]["goal"] == "look {{x}} [x]"


def test_a_plan_of_which_the_rules_are_sure_costs_no_call(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(planner, "SURE", 0.5)
    thought = MIND.think(planner_view(ONE), FakeReader(), plan)
    with pytest.raises(StopIteration) as ended:
        next(thought)
    assert [task["strategy"] for task in ended.value.value.plan.values()] == ["walk"]
