"""Minds driven by hand: replies go in, prompts and a result come out, without a model, a run or a database."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from agents.contract import GapView, IntakeView, NavigatorView, PlannerView, ReasonerView, SynthesizerView
from agents.exchange import Answer, EntityRef, Evidence, Part, RoundSummary, Task, Turn, Understanding
from agents.llm.ask import Ask, Mind
from knowledge.cypher.refusal import Refusal
from knowledge.cypher.verdict import Result
from knowledge.records import Candidate, Entity, Fact, GraphSchema, RelationSchema, RelationUse
from tests.agents.cases import understood


def schema(*relations: str) -> GraphSchema:
    told = tuple(RelationSchema(name, 10, 5, 5, "person", "mill") for name in relations)
    return GraphSchema("1", 10, 10, told, ("person", "mill"))


@dataclass
class FakeReader:
    """Knows what it is told. `statements`: what each statement in turn gives; `seen` are the statements that came."""

    relations_known: Sequence[str] = ("owns", "rents", "dwells_in")
    uses: Mapping[str, Sequence[RelationUse]] = field(default_factory=dict)
    names: Mapping[str, Entity] = field(default_factory=dict)
    facts: Sequence[Fact] = ()
    statements: list[Result | Refusal] = field(default_factory=list)
    seen: list[str] = field(default_factory=list)
    expanded: list[tuple[str, ...]] = field(default_factory=list)

    def schema(self) -> GraphSchema:
        return schema(*self.relations_known)

    def relations(self, ids: Sequence[str]) -> Mapping[str, list[RelationUse]]:
        return {id_: list(self.uses[id_]) for id_ in ids if id_ in self.uses}

    def link(self, mentions: Sequence[str], *, limit: int = 5) -> Mapping[str, list[Candidate]]:
        return {m: [Candidate(m, self.names[m], "exact", 1.0)] for m in mentions if m in self.names}

    def expand(self, ids: Sequence[str], *, relations: Sequence[str] = (), limit: int = 100, **_: Any) -> list[Fact]:
        self.expanded.append(tuple(relations))
        return [f for f in self.facts if {f.subject.id, f.object.id} & set(ids) and (not relations or f.relation in relations)][:limit]

    def cypher(self, text: str, parameters: Any = None) -> Result | Refusal:
        self.seen.append(text)
        return self.statements.pop(0)


@dataclass
class Driven:
    """What was asked, and what became of the replies."""

    asks: list[Ask]
    result: Any

    @property
    def prompt(self) -> str:
        return self.asks[-1].system


def drive(mind: Mind[Any, Any], view: Any, *replies: Any, rules: Callable[..., Any] | None = None, reader: Any = None) -> Driven:
    """Every reply passes form and check as in a run; an exception is thrown in. ValueError where a reply is refused."""
    thought, asks = mind.think(view, reader or FakeReader(), rules or no_rules), list[Ask]()
    try:
        ask = next(thought)
        for reply in replies:
            asks.append(ask)
            ask = thought.throw(reply) if isinstance(reply, Exception) else thought.send(_accepted(ask, reply))
    except StopIteration as done:
        assert len(asks) == len(replies), "fewer questions than replies"
        return Driven(asks, done.value)
    raise AssertionError(f"another question: {ask.system}")


def asked(mind: Mind[Any, Any], view: Any, *, rules: Callable[..., Any] | None = None, reader: Any = None) -> Ask:
    """The first question."""
    return next(mind.think(view, reader or FakeReader(), rules or no_rules))


def refusal(ask: Ask, reply: Any) -> str:
    """What the model is told of a reply that cannot be used."""
    with pytest.raises(ValueError) as told:
        _accepted(ask, reply)
    return str(told.value)


def _accepted(ask: Ask, reply: Any) -> Any:
    value = ask.schema.model_validate(reply) if ask.schema else reply
    ask.check(value)
    return value


def no_rules(view: Any, reader: Any) -> Any:
    raise AssertionError("the rules were asked")


def section(prompt: str, title: str) -> list[str]:
    """The lines after a title up to the next one of the prompt's own."""
    lines = prompt.splitlines()
    start = len(lines) - 1 - lines[::-1].index(title)
    found: list[str] = []
    for line in lines[start + 1 :]:
        if line.endswith(":") and not line.startswith(("-", "(")) and line[:1].isupper():
            break
        found.append(line)
    return found


def intake_view(question: str, *history: Turn) -> IntakeView:
    return {"asked": question, "history": list(history)}


def turn(question: str, answer: str, *names: str) -> Turn:
    return {"asked": question, "answer": answer, "mentioned": [], "answered": [ref_of(name) for name in names]}


def planner_view(
    *parts: Part, rounds: Sequence[RoundSummary] = (), schema_text: str = "(person)-[owns]->(mill)", **more: Any
) -> PlannerView:
    return {
        "asked": more.get("asked", "Who owns the mill?"), "understanding": understood(*parts), "round": len(rounds) + 1,
        "schema": schema_text, "gaps": more.get("gaps", []), "rounds": list(rounds),
    }  # fmt: skip


def navigator_view(task: Task, *starts: str) -> NavigatorView:
    return {"task": task, "starts": list(starts), "ends": []}


def reasoner_view(understanding: Understanding, plan: Mapping[str, Task], evidence: Mapping[str, Evidence]) -> ReasonerView:
    return {"asked": "Who owns the mill?", "understanding": understanding, "plan": dict(plan), "evidence": dict(evidence)}


def gap_view(
    understanding: Understanding,
    evidence: Mapping[str, Evidence],
    *,
    answers: Sequence[Answer] = (),
    plan: Mapping[str, Task] | None = None,
) -> GapView:
    return {
        "asked": "Who owns the mill?", "understanding": understanding, "plan": dict(plan or {}), "evidence": dict(evidence),
        "answers": list(answers), "confidence": 0.5,
    }  # fmt: skip


def closing_view(answers: Sequence[Answer], evidence: Mapping[str, Evidence], *, language: str = "en", **more: Any) -> SynthesizerView:
    view: SynthesizerView = {
        "asked": "Who owns the mill?", "understanding": understood(language=language), "answers": list(answers), "conclusions": [],
        "paths": [[id_] for id_ in evidence], "evidence": dict(evidence), "gaps": [], "tried": [], "confidence": 1.0,
        "weakest_link": {"id": "", "why": ""}, "stop_reason": "answered", "failures": [],
    }  # fmt: skip
    return {**view, **more}  # type: ignore[typeddict-item]


def ref_of(name: str) -> EntityRef:
    return {"id": name.lower(), "name": name, "kind": "person"}


def answer(name: str, *, value: str | float | bool | None = None) -> Answer:
    """An entity, or a value where there is one."""
    return {"id": "" if value is not None else name.lower(), "name": name, "kind": "person", "value": value, "score": 1.0}
