"""Minimum viable context: what a role's model is shown has a bound that nothing makes it grow beyond, however large the kg or long the run.

Characters of the whole prompt, the question beside it excluded, which is cut at 2,000:
intake 3,000; planner 22,000; navigator 16,000; cypher_repair 7,000; reasoner 20,000; gap_detector 14,000; synthesizer 13,000; supervisor 9,000.
"""

from collections.abc import Mapping
from functools import cache
from typing import Any, cast

import pytest
from langchain_core.messages import AIMessage

from agents.contract import GapReply, ReasonerReply, TaskResult
from agents.exchange import Evidence, Gap, Part, RoundSummary, Task, Turn, new_task
from agents.findings import as_answers
from agents.llm import gap_detector, intake, navigator, planner, reasoner, synthesizer
from agents.llm.ask import Ask
from agents.schema_digest import schema_digest
from graphs.state import TeamState, nothing_proved
from graphs.supervisor import render
from knowledge.records import RelationUse
from tests.agents.cases import fact, mention, part, reading, understood
from tests.agents.llm.driving import (
    FakeReader,
    asked,
    closing_view,
    gap_view,
    intake_view,
    navigator_view,
    planner_view,
    reasoner_view,
    schema,
)

BOUNDS = {
    "intake": 3000, "planner": 22_000, "navigator": 16_000, "cypher_repair": 7000, "reasoner": 20_000, "gap_detector": 14_000,
    "synthesizer": 13_000,
}  # fmt: skip
SUPERVISOR_BOUND = 9000
LONG = "n" * 5000


class Size:
    """How much of everything there is: a few small things, or far more than anybody loads."""

    def __init__(self, many: int, long: str) -> None:
        self.many, self.long = many, long
        self.relations = [f"{n}{long[:300]}" for n in range(min(many, 2000))]
        self.facts: Mapping[str, Evidence] = {
            one["id"]: one for one in (fact(f"{n} {long}", self.relations[n % len(self.relations)], f"{n} of {long}") for n in range(many))
        }
        self.parts = [self._part(n) for n in range(min(many, 20))]
        self.plan = {f"r{n}": self._task(f"r{n}") for n in range(min(many, 500))}
        self.gaps: list[Gap] = [self._gap() for _ in range(min(many, 10))]
        self.rounds = [self._round(n) for n in range(min(many, 50))]
        self.names = [end for one in self.facts.values() for end in (one["subject"], one["object"])]

    def _part(self, n: int) -> Part:
        return {
            **part(f"{n} {self.long}"), "readings": [reading(self.long, self.relations[0])] * 5,
            "mentions": [mention(f"{n} {k} {self.long}") for k in range(min(self.many, 30))],
        }  # fmt: skip

    def _task(self, id_: str) -> Task:
        task = new_task(
            id_, "search", self.long, spec={"text": self.long, "cypher": self.long, "steps": reading("", self.long)["spec"]["steps"]}
        )
        return {**task, "status": "completed", "error": self.long, "found": ["x"] * min(self.many, 200)}

    def _gap(self) -> Gap:
        return {
            "kind": "missing_value", "about": self.long, "relation": self.long, "why": self.long, "priority": 1, "required": True, "closable": True,
        }  # fmt: skip

    def _round(self, n: int) -> RoundSummary:
        tasks = [self._task(f"r{n}.{k}") for k in range(min(self.many, 12))]
        return {"round": n, "tasks": cast(Any, tasks), "facts": 9, "entities": 9, "confidence": 0.5}

    @property
    def turns(self) -> list[Turn]:
        refs = self.names[: min(self.many, 50)]
        return [{"asked": self.long, "answer": self.long, "mentioned": refs, "answered": refs} for _ in range(min(self.many, 50))]

    def reader(self) -> FakeReader:
        uses = [RelationUse(name, "out", 1) for name in self.relations]
        ids = {self.names[0]["id"], *(e["id"] for p in self.parts for m in p["mentions"] for e in m["chosen"])}
        return FakeReader(relations_known=self.relations, uses=dict.fromkeys(ids, uses))


SMALL, HUGE = Size(1, "name"), Size(5000, LONG)


def _intake(size: Size) -> Ask:
    return asked(intake.MIND, intake_view(size.long * 20, *size.turns))


def _planner(size: Size) -> Ask:
    text = schema_digest(schema(*size.relations))
    view = planner_view(*size.parts, rounds=size.rounds, schema_text=text, gaps=size.gaps, asked=size.long)
    return asked(planner.MIND, view, reader=size.reader())


def _navigator(size: Size) -> Ask:
    """The second hop, from many places with many facts."""
    start = size.names[0]["id"]
    reader = size.reader()
    reader.uses = {**reader.uses, **{end["id"]: reader.uses[start] for end in size.names}}

    def rules(view: Any, reader: Any) -> TaskResult:
        return TaskResult(found=[end["id"] for end in size.names], evidence=dict(size.facts))

    view = navigator_view(new_task("t", "explore", size.long, starts=[start]), start)
    thought = navigator.MIND.think(view, cast(Any, reader), rules)
    first = next(thought)
    assert first.schema
    return thought.send(first.schema.model_validate({"relations": [size.relations[0]]}))


def _cypher_repair(size: Size) -> Ask:
    task = new_task("t", "cypher", size.long, spec={"cypher": size.long})
    return asked(navigator.MIND, navigator_view(task), rules=lambda v, r: TaskResult(error=size.long), reader=size.reader())


def _reasoner(size: Size) -> Ask:
    proof = ReasonerReply(answers=as_answers(size.names[::2]), paths=[[id_] for id_ in size.facts])
    return asked(reasoner.MIND, reasoner_view(understood(*size.parts), size.plan, size.facts), rules=lambda v, r: proof)


def _gap_detector(size: Size) -> Ask:
    view = gap_view(understood(*size.parts), size.facts, answers=as_answers(size.names), plan=size.plan)
    return asked(gap_detector.MIND, view, rules=lambda v, r: GapReply(gaps=size.gaps))


def _synthesizer(size: Size) -> Ask:
    return asked(synthesizer.MIND, closing_view(as_answers(size.names), size.facts, gaps=size.gaps))


ASKS = {
    "intake": _intake, "planner": _planner, "navigator": _navigator, "cypher_repair": _cypher_repair, "reasoner": _reasoner,
    "gap_detector": _gap_detector, "synthesizer": _synthesizer,
}  # fmt: skip


@cache
def ask_of(name: str, size: Size) -> Ask:
    return ASKS[name](size)


@pytest.mark.parametrize("size", [SMALL, HUGE], ids=["small", "huge"])
@pytest.mark.parametrize("name", ASKS)
def test_a_prompt_stays_within_its_bound(name: str, size: Size) -> None:
    ask = ask_of(name, size)
    assert ask.prompt.name == name
    assert len(ask.system) <= BOUNDS[name]


@pytest.mark.parametrize("name", ASKS)
def test_bounds_are_reached_by_what_is_huge_and_not_made_up(name: str) -> None:
    assert len(ask_of(name, HUGE).system) >= 0.7 * BOUNDS[name]


@pytest.mark.parametrize(
    ("name", "reply"),
    [
        ("intake", {"standalone": "x", "names": ["m" * 5000]}),
        ("planner", {"tasks": [{"id": "t", "how": "walk", "start": [LONG]}]}),
        ("planner", {"tasks": [{"id": "t", "how": "walk", "start": ["e1"], "steps": [{"relation": "m" * 200}]}]}),
        ("navigator", {"relations": [LONG]}),
        ("reasoner", {"answers": [LONG] * 40}),
        ("reasoner", {"answers": [], "facts": [LONG] * 40}),
        ("gap_detector", {"gaps": [{"kind": "stale_value", "about": "x" * 200, "why": ""}], "can_answer_now": True}),
        ("synthesizer", f"[f{'9' * 5000}]"),
        ("synthesizer", "[f1]"),
    ],
)
def test_what_a_model_is_told_of_a_reply_is_bounded_too(name: str, reply: Any) -> None:
    ask = ask_of(name, HUGE)
    with pytest.raises(ValueError, match=r".") as told:
        ask.check(ask.schema.model_validate(reply) if ask.schema else reply)
    assert len(str(told.value)) <= 1200


@pytest.mark.parametrize("size", [SMALL, HUGE], ids=["small", "huge"])
def test_the_supervisor_is_shown_numbers_and_a_few_lines(size: Size) -> None:
    state: TeamState = {
        "asked": size.long * 20, "round": 50, "plan": size.plan, "evidence": dict(size.facts), "proof": nothing_proved(), "planned": 1,
        "missing": {"gaps": size.gaps, "can_answer_now": False, "seen": ""},
        "messages": [AIMessage(size.long[:200], name="planner")] * min(size.many, 200),
    }  # fmt: skip
    assert len(render(state)[0].text) <= SUPERVISOR_BOUND
