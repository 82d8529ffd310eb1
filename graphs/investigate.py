"""The plan's tasks, side by side: ready tasks go out in one wave of Sends, their results come back, the next are ready."""

from typing import Annotated, Any

from langchain_core.messages import AnyMessage
from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime, get_runtime
from langgraph.types import Command, Send
from typing_extensions import TypedDict

from agents.contract import Brains, NavigatorView, Reply, TaskResult
from agents.exchange import Evidence, Task
from graphs.boundary import MAX_FOUND, think
from graphs.context import RunContext
from graphs.member import Member, close_turn, finished, open_turn, refused
from graphs.state import merge_evidence, merge_tasks
from graphs.waiting import Work, twin

INVESTIGATE = "investigate"


class InvestigateView(TypedDict):
    """What of the team's state reaches the run of the plan."""

    plan: Annotated[dict[str, Task], merge_tasks]


class Investigation(InvestigateView, total=False):
    """The plan while it runs, and what its tasks find."""

    evidence: Annotated[dict[str, Evidence], merge_evidence]
    messages: list[AnyMessage]


class Findings(TypedDict, total=False):
    """What a wave or a branch adds."""

    plan: dict[str, Task]
    evidence: dict[str, Evidence]


def schedule(plan: dict[str, Task]) -> dict[str, Task]:
    """The tasks whose status changes now: ready ones run; those that wait for a failed, fruitless, unknown or circular one fail."""
    now = dict(plan)
    while True:
        pending = [task for task in now.values() if task["status"] == "pending"]
        hopeless = {task["id"]: _dead(task, why) for task in pending if (why := _hopeless(task, now))}
        now |= hopeless
        if not hopeless:
            break
    now |= {task["id"]: {**task, "status": "running"} for task in pending if _before(task) == _completed(task, now)}
    if not any(task["status"] == "running" for task in now.values()):
        now |= {task["id"]: _dead(task, "waits for itself") for task in pending}
    return {key: task for key, task in now.items() if task is not plan.get(key)}


def investigate(brains: Brains) -> Member:
    """The member that runs the plan: one turn, however many tasks."""

    def begin(state: Investigation, runtime: Runtime[RunContext]) -> Command[Any]:
        run = runtime.context.run
        if not open_turn(run, INVESTIGATE):
            return Command(goto=END, update=refused(run, INVESTIGATE))
        return wave(state, runtime)

    def wave(state: Investigation, runtime: Runtime[RunContext]) -> Command[Any]:
        """Send out what is ready; with nothing left to send, report."""
        plan = {**state["plan"], **schedule(state["plan"])}
        branches = [Send("work", _assignment(task, plan)) for task in plan.values() if task["status"] == "running"]
        if branches:
            return Command(goto=branches, update={"plan": plan})
        return Command(goto=END, update={"plan": plan, **close_turn(runtime.context.run, INVESTIGATE, Reply(), _summary(plan))})

    def work(state: NavigatorView) -> Work[Findings]:
        run, task = get_runtime(RunContext).context.run, state["task"]
        result = yield from think(run, "navigator", brains.navigator, state, TaskResult, mind=brains.minds.navigator, task=task["id"])
        done = finished(task, result)
        run.trace.emit("task", id=task["id"], goal=task["goal"], status=done["status"], error=done["error"])
        return {"plan": {task["id"]: done}, "evidence": result.evidence}

    builder = StateGraph(Investigation, context_schema=RunContext, input_schema=InvestigateView)
    builder.add_node("begin", begin, destinations=("work", END))
    builder.add_node("wave", wave, destinations=("work", END))
    builder.add_node("work", twin("work", work), input_schema=NavigatorView)
    builder.add_edge(START, "begin").add_edge("work", "wave")
    return Member(INVESTIGATE, "Runs the plan's pending tasks, in parallel where it can.", builder.compile(name=INVESTIGATE))


def _before(task: Task) -> list[str]:
    return [*task["needs"], *task["ends_from"]]


def _completed(task: Task, plan: dict[str, Task]) -> list[str]:
    return [need for need in _before(task) if plan[need]["status"] == "completed"]


def _hopeless(task: Task, plan: dict[str, Task]) -> str:
    """Why the task can never run, or nothing."""
    for need in _before(task):
        if need not in plan:
            return f"needs {need}, which is not in the plan"
        if plan[need]["status"] == "failed":
            return f"needs {need}, which failed"
    if _before(task) == _completed(task, plan):
        for side in (task["needs"], task["ends_from"]):
            if side and not _found(side, plan):
                return f"needs {', '.join(side)}, which found nothing"
    return ""


def _dead(task: Task, why: str) -> Task:
    return {**task, "status": "failed", "error": why}


def _assignment(task: Task, plan: dict[str, Task]) -> NavigatorView:
    starts = task["starts"] or _found(task["needs"], plan)
    return {"task": task, "starts": starts, "ends": task["ends"] or _found(task["ends_from"], plan)}


def _found(needs: list[str], plan: dict[str, Task]) -> list[str]:
    return list(dict.fromkeys(entity for need in needs for entity in plan[need]["found"]))[:MAX_FOUND]


def _summary(plan: dict[str, Task]) -> str:
    statuses = [task["status"] for task in plan.values()]
    return ", ".join(f"{statuses.count(status)} {status}" for status in ("completed", "failed"))
