"""Brains for the toy kg: each question is a list of parts, each part a chain of relations from one named entity."""

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from agents.contract import (
    Brains,
    GapReply,
    GapView,
    IntakeReply,
    IntakeView,
    NavigatorView,
    PlannerReply,
    PlannerView,
    ReasonerReply,
    ReasonerView,
    SynthesizerReply,
    SynthesizerView,
    TaskResult,
    within_budget,
)
from agents.exchange import EntityRef, Evidence, Gap, Hop, Kind, Part, ReadingRef, Task, Understanding, entity_ref, new_part, new_task
from evals.benchmarks.toy import ENTITIES
from knowledge.identity import fold
from knowledge.reading.contract import KgReader

WORDS = {"creator": "made", "made": "made", "writer": "wrote", "hometown": "born", "country": "within", "basis": "basis"}
SYNONYMS = {"born": ["birthplace"]}
AMBIGUOUS = "someone"


class Chain(NamedTuple):
    """Relations followed as far as the evidence goes: `at` are the entities reached after `hops` of them."""

    relations: list[str]
    at: list[EntityRef]
    hops: int
    used: list[str]

    @property
    def complete(self) -> bool:
        return bool(self.relations) and self.hops == len(self.relations)


def intake(view: IntakeView, reader: KgReader) -> IntakeReply:
    """Link every known name in one statement. One part of one hop is a simple fact; `someone` is nobody in particular."""
    asked = view["asked"]
    spans = [_named(text) for text in asked.split(" and ")]
    linked = reader.link([fold(span) for span in spans if span])
    parts = [_part(text, span) for text, span in zip(asked.split(" and "), spans, strict=True) if fold(span) in linked]
    simple = len(parts) == 1 and len(parts[0]["readings"][0]["spec"]["steps"]) == 1
    kind: Kind = "write" if asked.lower().startswith("remember") else "out_of_scope" if not parts else "fact" if simple else "compound"
    ambiguous = AMBIGUOUS if AMBIGUOUS in asked else ""
    kind, parts = ("compound", []) if ambiguous else (kind, parts)
    understanding: Understanding = {
        "kind": kind, "language": "en", "standalone": asked, "parts": parts, "confidence": 1.0, "ambiguous": ambiguous,
    }  # fmt: skip
    return IntakeReply(understanding=understanding, task=_walks(1, 0, _chain(parts[0], {}))[0] if simple and kind == "fact" else None)


def plan(view: PlannerView, reader: KgReader) -> PlannerReply:
    """The first round walks every chain; a later one goes on where a gap says that a chain broke, over the relation that it names."""
    if not view["gaps"]:
        chains = [_chain(part, {}) for part in view["understanding"]["parts"]]
        tasks = [task for at, chain in enumerate(chains) for task in _walks(view["round"], at, chain)]
    else:
        starts = {id_: gap for gap in view["gaps"] if gap["closable"] for id_ in [gap["about"]]}
        tasks = [_walk(f"r{view['round']}.{at}", at, gap["relation"], [start]) for at, (start, gap) in enumerate(starts.items())]
    return PlannerReply(plan={task["id"]: task for task in tasks})


def navigate(view: NavigatorView, reader: KgReader) -> TaskResult:
    """One hop from every start; exploring follows all relations."""
    result = TaskResult()
    relations = [step["relation"] for step in view["task"]["spec"].get("steps", [])]
    with within_budget(result):
        facts = reader.expand(view["starts"], relations=relations)
        result.keep(facts)
        result.found = [fact.object.id for fact in facts]
        result.paths = [[fact.id] for fact in facts]
        result.error = "" if facts else f"no {', '.join(relations)} from {', '.join(view['starts'])}"
    return result


def prove(view: ReasonerView, reader: KgReader) -> ReasonerReply:
    """The ends of the complete chains; sure when all of them are."""
    chains = [_chain(part, view["evidence"]) for part in view["understanding"]["parts"]]
    done = [chain for chain in chains if chain.complete]
    answers = {ref["id"]: ref for chain in done for ref in chain.at}
    return ReasonerReply(
        answers=[{**ref, "value": None, "score": 1.0} for ref in answers.values()],
        paths=[chain.used for chain in done],
        confidence=0.9 if done and len(done) == len(chains) else 0.4 if done else 0.0,
        weakest_link={"id": done[0].used[0], "why": "the only one"} if done else {"id": "", "why": "nothing is proved"},
    )


def detect(view: GapView, reader: KgReader) -> GapReply:
    """One gap per broken chain, closable while another name of its next relation has not been tried from there."""
    gaps = [gap for part in view["understanding"]["parts"] for gap in _gaps(_chain(part, view["evidence"]), view["plan"])]
    return GapReply(gaps=gaps, can_answer_now=not gaps)


def synthesize(view: SynthesizerView, reader: KgReader) -> SynthesizerReply:
    """The names of the answers, or what is missing."""
    if not view["answers"]:
        why = [*(gap["why"] for gap in view["gaps"]), *view["failures"]] or [view["stop_reason"]]
        return SynthesizerReply(answer=f"Not found: {'; '.join(why)}")
    cited = sorted({fact for path in view["paths"] for fact in path})
    return SynthesizerReply(answer="; ".join(answer["name"] for answer in view["answers"]), citations=cited)


BRAINS = Brains(intake, plan, navigate, prove, detect, synthesize)


def _named(text: str) -> str:
    return next((name for name in ENTITIES if name.lower() in text.lower()), "")


def _part(text: str, span: str) -> Part:
    ref = entity_ref(ENTITIES[span])
    steps: list[Hop] = [{"relation": WORDS[word], "direction": "out"} for word in re.findall(r"\w+", text.lower())[::-1] if word in WORDS]
    reading: ReadingRef = {
        "strategy": "walk", "starts": [ref["id"]], "ends": [], "spec": {"steps": steps}, "expects": "", "score": 1.0, "confidence": 1.0,
    }  # fmt: skip
    return new_part(text, "list", mentions=[{"text": span, "chosen": [ref], "candidates": []}], readings=[reading])


def _chain(part: Part, evidence: Mapping[str, Evidence]) -> Chain:
    at, used = part["mentions"][0]["chosen"], list[str]()
    relations = [step["relation"] for step in part["readings"][0]["spec"]["steps"]]
    for hops, relation in enumerate(relations):
        names, here = {relation, *SYNONYMS.get(relation, [])}, {ref["id"] for ref in at}
        step = [fact for fact in evidence.values() if fact["subject"]["id"] in here and fact["relation"] in names]
        if not step:
            return Chain(relations, at, hops, used)
        at, used = [fact["object"] for fact in step], used + [fact["id"] for fact in step]
    return Chain(relations, at, len(relations), used)


def _walks(round_: int, part: int, chain: Chain) -> list[Task]:
    """A task per hop, each after the one before it."""
    tasks: list[Task] = []
    for hop, relation in enumerate(chain.relations):
        before = [tasks[-1]["id"]] if tasks else []
        tasks.append(_walk(f"r{round_}.{part}.{hop}", part, relation, [] if before else [chain.at[0]["id"]], before))
    return tasks


def _walk(key: str, part: int, relation: str, starts: list[str], needs: list[str] | None = None) -> Task:
    return new_task(
        key, "walk", relation, starts=starts, needs=needs or [], part=part, spec={"steps": [{"relation": relation, "direction": "out"}]}
    )


def _gaps(chain: Chain, plan: Mapping[str, Task]) -> Iterator[Gap]:
    if chain.complete:
        return
    here = chain.at[0]
    relation = chain.relations[chain.hops] if chain.relations else ""
    tried = {
        task["spec"]["steps"][0]["relation"] for task in plan.values() if _began_at(task, here["id"], plan) and task["spec"].get("steps")
    }
    untried = next((name for name in [relation, *SYNONYMS.get(relation, [])] if name and name not in tried), "")
    yield {
        "kind": "broken_chain" if chain.hops else "missing_relation", "about": here["id"], "relation": untried or relation,
        "why": f"no {relation} of {here['name']}", "priority": 1, "required": True, "closable": bool(untried),
    }  # fmt: skip


def _began_at(task: Task, entity: str, plan: Mapping[str, Task]) -> bool:
    return task["status"] in ("completed", "failed") and entity in (
        task["starts"] or [id_ for need in task["needs"] if need in plan for id_ in plan[need]["found"]]
    )
