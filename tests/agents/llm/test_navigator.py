"""The mind of the navigator chooses where to walk and mends Cypher; all else runs by the rules."""

from typing import Any

import pytest

from agents.contract import TaskResult
from agents.exchange import Strategy, Task, new_task
from agents.llm.ask import Unable
from agents.llm.navigator import MIND, MOST_REPAIRS
from agents.navigator import navigate
from knowledge.cypher.refusal import Refusal
from knowledge.cypher.rows import Seen
from knowledge.cypher.verdict import Result
from knowledge.errors import OutOfBudget
from knowledge.records import Entity, Fact, RelationUse
from tests.agents.llm.driving import Driven, FakeReader, asked, drive, navigator_view, refusal, section

MILL, ANN, TOWN = Entity("mill", "Harbor Mill", "mill"), Entity("ann", "Ann", "person"), Entity("town", "Bay\nTown", "town")
FACTS = [Fact("f1", ANN, "owns", MILL), Fact("f2", ANN, "dwells_in", TOWN), Fact("f3", MILL, "stands_in", TOWN)]
USES = {
    "mill": [RelationUse("owns", "in", 3), RelationUse("stands_in", "out", 9)],
    "ann": [RelationUse("owns", "out", 1), RelationUse("dwells_in", "out", 1)],
}
REFUSED = Refusal("unknown_relation", "there is no relationship type OWNER", 1, 2, "near: owns")


def walker() -> FakeReader:
    return FakeReader(uses=USES, facts=FACTS)


def explore(goal: str = "who is around\nthe mill", **spec: Any) -> Task:
    return new_task("r1.t1", "explore", goal, starts=["mill"], spec={"text": goal, **spec})  # type: ignore[typeddict-item]


def walked(*replies: Any, reader: FakeReader | None = None) -> Driven:
    return drive(MIND, navigator_view(explore(), "mill"), *replies, rules=navigate, reader=reader or walker())


def cypher(*replies: Any, given: list[Result | Refusal], statement: str = "MATCH (a) RETURN a") -> tuple[Driven, FakeReader]:
    task, reader = new_task("r1.t1", "cypher", "count them", spec={"cypher": statement}), FakeReader(statements=given)
    return drive(MIND, navigator_view(task), *replies, rules=navigate, reader=reader), reader


def rows(*values: Any) -> Result:
    return Result(tuple({"n": value} for value in values))


def test_the_prompt_of_a_walk_holds_task_place_relations_and_facts_on_lines_of_their_own() -> None:
    driven = walked({"relations": ["owns"]}, {"relations": [], "enough": True})
    first, second = driven.asks
    assert "Task: who is around the mill\nYou stand on: the entities of the question\n" in first.system
    assert section(first.system, "Relations from here:") == ["- stands_in: 9 facts", "- owns: 3 facts"]
    assert section(first.system, "Facts so far:") == ["(none)"]
    assert "You stand on: Ann\n" in second.system
    assert section(second.system, "Facts so far:") == ["- Ann -owns-> Harbor Mill"]


def test_two_hops_by_the_relations_that_were_chosen_bring_their_facts_together() -> None:
    reader = walker()
    result = walked({"relations": ["owns"]}, {"relations": ["dwells_in"]}, reader=reader).result
    assert sorted(result.evidence) == ["f1", "f2"]
    assert result.found == ["ann", "town"]
    assert reader.expanded == [("owns",), ("dwells_in",)]


@pytest.mark.parametrize("reply", [{"relations": []}, {"relations": ["owns"], "enough": True}])
def test_without_a_choice_it_explores_as_the_rules_do(reply: dict[str, Any]) -> None:
    assert sorted(walked(reply).result.evidence) == ["f1", "f3"]


def test_a_model_that_fails_on_the_way_does_not_lose_what_was_found() -> None:
    assert sorted(walked({"relations": ["owns"]}, Unable("gone")).result.evidence) == ["f1"]


def test_a_model_that_fails_at_once_leaves_the_task_to_the_rules() -> None:
    with pytest.raises(Unable):
        walked(Unable("gone"))


def test_a_relation_that_does_not_lead_from_here_is_refused_with_those_near() -> None:
    ask = asked(MIND, navigator_view(explore(), "mill"), rules=navigate, reader=walker())
    assert refusal(ask, {"relations": ["owned"]}) == "'owned' is not among the relations from here; near: owns, stands_in"
    assert "at most 5" in refusal(ask, {"relations": ["owns"] * 6})


def test_from_where_nothing_leads_on_the_rules_look() -> None:
    assert walked(reader=FakeReader(facts=FACTS)).result.found == ["ann", "town"]


@pytest.mark.parametrize("strategy", ["walk", "connect", "aggregate", "by_date", "search"])
def test_all_other_tasks_run_by_the_rules_and_ask_nothing(strategy: Strategy) -> None:
    kept = TaskResult(found=["x"])
    assert drive(MIND, navigator_view(new_task("t", strategy, ""), "mill"), rules=lambda view, reader: kept).result is kept


@pytest.mark.parametrize(("spec", "starts"), [({"relations": ["owns"]}, ("mill",)), ({}, ())])
def test_relations_that_the_plan_names_and_a_place_nowhere_leave_no_choice(spec: dict[str, Any], starts: tuple[str, ...]) -> None:
    kept = TaskResult()
    assert drive(MIND, navigator_view(explore(**spec), *starts), rules=lambda view, reader: kept).result is kept


def test_cypher_that_answers_is_not_touched() -> None:
    driven, _ = cypher(given=[rows(3)])
    assert [value["value"] for value in driven.result.values] == [3.0]


def test_cypher_that_was_refused_twice_and_then_right_is_run_thrice() -> None:
    driven, reader = cypher({"cypher": "B"}, {"cypher": "C"}, given=[REFUSED, REFUSED, rows(Seen(ANN, {}))])
    assert reader.seen == ["MATCH (a) RETURN a", "B", "C"]
    assert (driven.result.found, driven.result.error) == (["ann"], "")
    first, second = (ask.system for ask in driven.asks)
    assert section(first, "Statement:") == ["  MATCH (a) RETURN a"]
    assert section(second, "Statement:") == ["  B"]
    assert "near: owns" in section(first, "Problem:")[0]


def test_cypher_that_is_never_right_ends_as_its_last_refusal() -> None:
    driven, reader = cypher({"cypher": "B"}, {"cypher": "C"}, given=[REFUSED] * 3)
    assert len(reader.seen) == 1 + MOST_REPAIRS
    assert driven.result.error.startswith("refused: ")


def test_cypher_that_finds_nothing_is_told_as_such_and_may_be_loosened() -> None:
    driven, _ = cypher({"cypher": "B"}, given=[rows(), rows(Seen(ANN, {}))])
    assert section(driven.asks[0].system, "Problem:") == ["nothing found: count them"]
    assert driven.result.found == ["ann"]


@pytest.mark.parametrize("given", [REFUSED, rows()])
def test_a_model_that_cannot_mend_leaves_the_last_result(given: Any) -> None:
    driven, _ = cypher(Unable("gone"), given=[given])
    assert driven.result.error


def test_a_statement_that_did_not_work_is_not_taken_again() -> None:
    task = new_task("t", "cypher", "g", spec={"cypher": "MATCH (a) RETURN a"})
    ask = asked(MIND, navigator_view(task), rules=navigate, reader=FakeReader(statements=[REFUSED]))
    assert "change it" in refusal(ask, {"cypher": " MATCH (a) RETURN a\n"})
    assert refusal(ask, {"cypher": ""})
    assert "at most 2000" in refusal(ask, {"cypher": "x" * 2001})


def test_a_limit_that_is_reached_is_no_fault_to_mend() -> None:
    class Spent(FakeReader):
        def cypher(self, text: str, parameters: Any = None) -> Result | Refusal:
            raise OutOfBudget("queries")

    task = new_task("t", "cypher", "g", spec={"cypher": "x"})
    assert drive(MIND, navigator_view(task), rules=navigate, reader=Spent()).result.stopped == "queries"
