"""The team's members: each a named compiled graph of one turn, with a narrow view in and its reply and one short report out."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from langchain_core.messages import AIMessage, AnyMessage
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import get_runtime
from typing_extensions import TypedDict

from agents.contract import (
    PURPOSE,
    Brains,
    GapReply,
    GapView,
    NavigatorView,
    PlannerReply,
    PlannerView,
    ReasonerReply,
    ReasonerView,
    Reply,
    Role,
    TaskResult,
)
from agents.exchange import Evidence, RoundSummary, Task, Understanding, new_task
from agents.schema_digest import schema_digest
from graphs.boundary import FAILED, only_proven, think
from graphs.budget import MAX_TASKS
from graphs.context import Run, RunContext
from graphs.evidence import fingerprint
from graphs.state import Missing, Proof
from graphs.waiting import Work, twin
from knowledge.errors import GavelError
from knowledge.identity import digest

MAX_ROUNDS_SHOWN = 5
MAX_STARTS = 10


class Told(TypedDict):
    """What every turn adds: exactly one short report."""

    messages: list[AnyMessage]


class PlannerChannels(TypedDict):
    """What of the team's state reaches the planner; the plan only to tell new tasks from old ones."""

    asked: str
    understanding: Understanding
    round: int
    rounds: list[RoundSummary]
    missing: Missing
    plan: dict[str, Task]


class Planned(Told, total=False):
    """What the planner adds."""

    plan: dict[str, Task]
    planned: int


class NavigatorChannels(TypedDict):
    """What of the team's state reaches the navigator: the text of its handoff and where to stand."""

    understanding: Understanding
    round: int
    task: str
    plan: dict[str, Task]


class Found(Told, total=False):
    """What the navigator adds."""

    plan: dict[str, Task]
    evidence: dict[str, Evidence]


class Proved(Told, total=False):
    """What the reasoner adds."""

    proof: Proof


class GapChannels(TypedDict):
    """What of the team's state reaches the gap detector."""

    asked: str
    understanding: Understanding
    plan: dict[str, Task]
    evidence: dict[str, Evidence]
    proof: Proof


class Missed(Told, total=False):
    """What the gap detector adds."""

    missing: Missing


@dataclass(frozen=True)
class Member:
    """What the supervisor is told (`name`, `purpose`) and what it hands over to (`graph`); `then`: who follows where there is no choice."""

    name: str
    purpose: str
    graph: CompiledStateGraph[Any, Any, Any, Any]
    then: str = ""


def report(name: str, text: str, stopped: str = "") -> Told:
    """The one message of a turn. `stopped`: what ended the turn before its work was done."""
    return {"messages": [AIMessage(text, name=name, response_metadata={"stopped": stopped} if stopped else {})]}


def open_turn(run: Run, agent: str, task: str = "") -> bool:
    """Charge a turn and tell the trace; False when the run has none left."""
    if not run.ledger.take("turns"):
        return False
    run.trace.turn = run.trace.emit("turn", parent=0, agent=agent, round=run.round, task=task)
    return True


def refused(run: Run, agent: str) -> Told:
    """The report of a turn that could not be paid for."""
    reason = run.ledger.stop_reason or "turns"
    return report(agent, f"refused: {reason}", reason)


def close_turn(run: Run, agent: str, reply: Reply, done: str) -> Told:
    """Tell trace and supervisor how the turn went; `done` where the brain does not say."""
    text = reply.report or done
    run.trace.emit("report", agent=agent, text=text)
    return report(agent, text, reply.stopped)


def members(brains: Brains) -> list[Member]:
    """The four agents that think for themselves; investigate is a graph of its own."""
    return [
        member("planner", PlannerChannels, Planned, partial(_plan, brains), then="investigate"),
        member("navigator", NavigatorChannels, Found, partial(_navigate, brains)),
        member("reasoner", ReasonerView, Proved, partial(_prove, brains), then=END),
        member("gap_detector", GapChannels, Missed, partial(_detect, brains), then=END),
    ]


def member(role: Role, channels: type, adds: type, turn: Callable[[Any, Run], Work[Any]], *, then: str = "") -> Member:
    """A graph of one turn, which sees `channels` and writes what `adds` names."""

    def act(state: Any) -> Work[Any]:
        run = get_runtime(RunContext).context.run
        return (yield from turn(state, run)) if open_turn(run, role, state.get("task", "")) else refused(run, role)

    builder: StateGraph[Any, RunContext, Any, Any] = StateGraph(adds, context_schema=RunContext, input_schema=channels, output_schema=adds)
    builder.add_node("turn", twin(role, act), input_schema=channels)
    builder.add_edge(START, "turn").add_edge("turn", END)
    return Member(role, PURPOSE[role], builder.compile(name=role), then)


def _plan(brains: Brains, state: PlannerChannels, run: Run) -> Work[Planned]:
    view: PlannerView = {
        "asked": state["asked"], "understanding": state["understanding"], "round": state["round"], "schema": _schema(run),
        "gaps": state["missing"]["gaps"], "rounds": state["rounds"][-MAX_ROUNDS_SHOWN:],
    }  # fmt: skip
    reply = yield from think(run, "planner", brains.planner, view, PlannerReply, mind=brains.minds.planner)
    waiting = sum(task["status"] == "pending" for task in state["plan"].values())
    new = [task for key, task in reply.plan.items() if key not in state["plan"]][: MAX_TASKS - waiting]
    planned = 0 if reply.stopped == FAILED else state["round"]
    told = close_turn(run, "planner", reply, f"{len(new)} tasks")
    return {"plan": {task["id"]: task for task in new}, "planned": planned, **told}


def _schema(run: Run) -> str:
    """The digest, or nothing where the kg cannot be asked any more."""
    try:
        return schema_digest(run.reader("planner").schema())
    except GavelError:
        return ""


def _navigate(brains: Brains, state: NavigatorChannels, run: Run) -> Work[Found]:
    text = state["task"]
    key = f"r{state['round']}.navigator.{digest(text)[:8]}"
    if key in state["plan"]:
        return {"messages": close_turn(run, "navigator", Reply(), f"done before: {state['plan'][key]['status']}")["messages"]}
    task = new_task(key, "explore", text, starts=_mentioned(state["understanding"]), spec={"text": text}, required=False)
    view: NavigatorView = {"task": task, "starts": task["starts"], "ends": []}
    result = yield from think(run, "navigator", brains.navigator, view, TaskResult, mind=brains.minds.navigator, task=key)
    told = close_turn(run, "navigator", result, f"{len(result.evidence)} facts")
    return {"plan": {key: finished(task, result)}, "evidence": result.evidence, **told}


def _mentioned(understanding: Understanding) -> list[str]:
    chosen = [ref["id"] for part in understanding["parts"] for mention in part["mentions"] for ref in mention["chosen"]]
    return list(dict.fromkeys(chosen))[:MAX_STARTS]


def finished(task: Task, result: TaskResult) -> Task:
    """The task with what became of it. One that was stopped half way, or answers less than it was asked, is completed when it found something."""
    error = result.error or result.loosened or (result.report if result.stopped else "")
    failed = bool(result.error) or (bool(result.stopped) and not (result.found or result.values))
    return {
        **task, "status": "failed" if failed else "completed", "found": result.found, "paths": result.paths,
        "values": result.values, "error": error, "reading": task["reading"] + result.alternative,
    }  # fmt: skip


def _prove(brains: Brains, state: ReasonerView, run: Run) -> Work[Proved]:
    reply, proof = yield from prove(brains, run, state)
    told = close_turn(run, "reasoner", reply, f"{len(reply.answers)} answers, confidence {reply.confidence:.2f}")
    update: Proved = {"messages": told["messages"]}
    if proof:
        update["proof"] = proof
    return update


def prove(brains: Brains, run: Run, view: ReasonerView) -> Work[tuple[ReasonerReply, Proof | None]]:
    """Ask the reasoner. Where it was stopped without an answer there is no new proof: what was proved before stands."""
    said = yield from think(run, "reasoner", brains.reasoner, view, ReasonerReply, mind=brains.minds.reasoner)
    reply = only_proven(said, view["evidence"])
    if reply.stopped and not reply.answers:
        return reply, None
    return reply, {
        "answers": reply.answers, "conclusions": reply.conclusions, "paths": reply.paths, "confidence": reply.confidence,
        "weakest_link": reply.weakest_link, "seen": fingerprint(view["plan"], view["evidence"]),
    }  # fmt: skip


def _detect(brains: Brains, state: GapChannels, run: Run) -> Work[Missed]:
    reply, missing = yield from detect(brains, run, state)
    told = close_turn(run, "gap_detector", reply, f"{len(reply.gaps)} gaps")
    update: Missed = {"messages": told["messages"]}
    if missing:
        update["missing"] = missing
    return update


def detect(brains: Brains, run: Run, state: GapChannels) -> Work[tuple[GapReply, Missing | None]]:
    """Ask the gap detector. Where it was stopped without a gap, what it said before stands."""
    view: GapView = {
        "asked": state["asked"], "understanding": state["understanding"], "plan": state["plan"], "evidence": state["evidence"],
        "answers": state["proof"]["answers"], "confidence": state["proof"]["confidence"],
    }  # fmt: skip
    reply = yield from think(run, "gap_detector", brains.gap_detector, view, GapReply, mind=brains.minds.gap_detector)
    if reply.stopped and not reply.gaps:
        return reply, None
    seen = fingerprint(view["plan"], view["evidence"])
    return reply, {"gaps": reply.gaps, "can_answer_now": reply.can_answer_now, "seen": seen}
