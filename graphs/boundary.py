"""Where graphs call brains: whatever goes wrong in one, or comes out of one, becomes a well-formed reply with a report."""

import math
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import TypeVar, cast

from langgraph.errors import GraphBubbleUp
from pydantic import TypeAdapter, ValidationError

from agents.contract import (
    Draft,
    GapReply,
    IntakeReply,
    PlannerReply,
    ReasonerReply,
    Reply,
    Role,
    SynthesizerReply,
    TaskResult,
    WriterReply,
)
from agents.exchange import Answer, Conclusion, Evidence, Gap, Task, Understanding, WeakestLink
from agents.llm.ask import Mind
from graphs.context import Run
from graphs.models.converse import converse
from graphs.waiting import Work
from knowledge.cypher.reader import CypherReader
from knowledge.errors import OutOfBudget, StatementError

V = TypeVar("V")
R = TypeVar("R", bound=Reply)
MAX_EVIDENCE_PER_TASK = 600
MAX_FOUND = 200
MAX_PATHS = 100
MAX_ANSWERS = 500
MAX_GAPS = 10
MAX_DRAFTS = 10
REPORT_CHARACTERS = 200
ASKED_CHARACTERS = 500
_UNDERSTANDING = TypeAdapter(Understanding)
_TASK = TypeAdapter(Task)
_PLAN = TypeAdapter(dict[str, Task])
_EVIDENCE = TypeAdapter(dict[str, Evidence])
_ANSWERS = TypeAdapter(list[Answer])
_CONCLUSIONS = TypeAdapter(list[Conclusion])
_GAPS = TypeAdapter(list[Gap])
_PATHS = TypeAdapter(list[list[str]])
_IDS = TypeAdapter(list[str])
_LINK = TypeAdapter(WeakestLink)
_DRAFTS = TypeAdapter(list[Draft])
FAILED = "failed"


def think(
    run: Run,
    role: Role,
    brain: Callable[[V, CypherReader], R],
    view: V,
    kind: type[R],
    *,
    mind: Mind[V, R] | None = None,
    task: str = "",
    blind: bool = False,
) -> Work[R]:
    """One call of a role's brain: the one behind its model where there is both, else the rules, which also take over where the model fails.

    The reply is checked and cut to size; a refusal of the budget or a surprise gives an empty one with a report. A `blind` brain is handed no
    reader, so that it can think while the database is away.
    """
    span, began = run.trace.open(), run.ledger.elapsed
    reader, model = _Reader(run, role, task, span, blind), run.models.get(role)
    with run.working():
        reply: R | None = None
        if mind and model:
            try:
                reply = _checked((yield from converse(run, role, model, mind.think(view, reader.opened(), brain), span)), kind)
            except GraphBubbleUp:
                raise
            except OutOfBudget as refusal:
                run.fell_back(role, f"the limit on {refusal.unit} was reached")
            except Exception as error:
                run.fell_back(role, str(error)[:REPORT_CHARACTERS])
        reply = reply or _by_rules(run, role, brain, view, kind, reader)
    took = round((run.ledger.elapsed - began) * 1000, 2)
    run.trace.emit("thought", span=span, role=role, task=task, took=took, said=reply.report, kept={"asked": _asked(view)})
    return reply


@dataclass(frozen=True)
class _Reader:
    """A reader of the run for one thought; opening it may fail, since the database may be gone."""

    run: Run
    role: Role
    task: str
    span: int
    blind: bool

    def opened(self) -> CypherReader:
        return cast(CypherReader, None) if self.blind else self.run.reader(self.role, self.task, self.span)


def _asked(view: object) -> str:
    """What a thought was about: the goal of its task, else the question."""
    given = view if isinstance(view, Mapping) else {}
    task = given.get("task")
    return str(task["goal"] if isinstance(task, Mapping) else given.get("asked", ""))[:ASKED_CHARACTERS]


def _by_rules(run: Run, role: Role, brain: Callable[[V, CypherReader], R], view: V, kind: type[R], reader: _Reader) -> R:
    try:
        return _checked(brain(view, reader.opened()), kind)
    except GraphBubbleUp:
        raise
    except OutOfBudget as refusal:
        return kind(report=f"stopped: {refusal.unit}", stopped=refusal.unit)
    except Exception as error:
        if isinstance(error, StatementError) and not run.ledger.running:
            reason = str(run.ledger.stop_reason)
            return kind(report=f"stopped: {reason}", stopped=reason)
        run.fail(role, error)
        return kind(report=f"failed: {error}"[:REPORT_CHARACTERS], stopped=FAILED)


def _checked(reply: R, kind: type[R]) -> R:
    if not isinstance(reply, kind):
        raise TypeError(f"a {kind.__name__} was expected, not {type(reply).__name__}")
    try:
        _CHECKS[kind](reply)
    except ValidationError as error:
        first = error.errors()[0]
        raise TypeError(f"{kind.__name__} is malformed: {'.'.join(map(str, first['loc']))} {first['msg']}") from error
    said = [f"stopped: {reply.stopped}"] if reply.stopped else []
    reply.report = "; ".join([*said, *filter(None, [str(reply.report)])])[:REPORT_CHARACTERS]
    return reply


def _intake(reply: IntakeReply) -> None:
    if reply.understanding is not None:
        reply.understanding = _UNDERSTANDING.validate_python(reply.understanding)
    if reply.task is not None:
        reply.task = _pending(_TASK.validate_python(reply.task))


def _planner(reply: PlannerReply) -> None:
    tasks = sorted(_PLAN.validate_python(reply.plan).values(), key=lambda task: not task["required"])
    reply.plan = {task["id"]: _pending(task) for task in tasks}


def _pending(task: Task) -> Task:
    return {**task, "status": "pending", "found": [], "paths": [], "values": [], "error": ""}


def _task(reply: TaskResult) -> None:
    evidence = {fact["id"]: fact for fact in _EVIDENCE.validate_python(reply.evidence).values()}
    paths = _PATHS.validate_python(reply.paths)
    first = dict.fromkeys([*(fact for path in paths for fact in path if fact in evidence), *evidence])
    reply.evidence = {fact: evidence[fact] for fact in list(first)[:MAX_EVIDENCE_PER_TASK]}
    reply.paths = _proven(paths, reply.evidence)
    reply.found = list(dict.fromkeys(_IDS.validate_python(reply.found)))[:MAX_FOUND]
    reply.values = _ANSWERS.validate_python(reply.values)[:MAX_ANSWERS]
    reply.error = str(reply.error)[:REPORT_CHARACTERS]


def _reasoner(reply: ReasonerReply) -> None:
    reply.answers = _ANSWERS.validate_python(reply.answers)[:MAX_ANSWERS]
    reply.conclusions = _CONCLUSIONS.validate_python(reply.conclusions)
    reply.paths = _PATHS.validate_python(reply.paths)
    reply.weakest_link = _LINK.validate_python(reply.weakest_link)
    reply.confidence = min(1.0, max(0.0, reply.confidence)) if math.isfinite(reply.confidence) else 0.0


def _gaps(reply: GapReply) -> None:
    reply.gaps = sorted(_GAPS.validate_python(reply.gaps), key=lambda gap: gap["priority"])[:MAX_GAPS]
    reply.can_answer_now = bool(reply.can_answer_now)


def _synthesizer(reply: SynthesizerReply) -> None:
    reply.answer = str(reply.answer).strip()
    reply.citations = _IDS.validate_python(reply.citations)


def _writer(reply: WriterReply) -> None:
    reply.drafts = _DRAFTS.validate_python(reply.drafts)[:MAX_DRAFTS]


def only_proven(reply: ReasonerReply, evidence: Mapping[str, Evidence]) -> ReasonerReply:
    """The reply without chains and links that are not in evidence."""
    reply.paths = _proven(reply.paths, evidence)
    if reply.weakest_link["id"] not in evidence:
        reply.weakest_link = {"id": "", "why": reply.weakest_link["why"]}
    return reply


def _proven(paths: list[list[str]], evidence: Collection[str]) -> list[list[str]]:
    return [path for path in paths if all(fact in evidence for fact in path)][:MAX_PATHS]


_CHECKS: Mapping[type[Reply], Callable[..., None]] = {
    IntakeReply: _intake,
    PlannerReply: _planner,
    TaskResult: _task,
    ReasonerReply: _reasoner,
    GapReply: _gaps,
    SynthesizerReply: _synthesizer,
    WriterReply: _writer,
}
