"""The planner turns what the question asks, and what is still missing, into tasks that can run side by side."""

from agents.contract import PlannerReply, PlannerView
from agents.exchange import Part, RoundSummary, Task, TaskSummary
from agents.tasks import next_task, readings_tried
from knowledge.reading.contract import KgReader

Tried = dict[int, list[TaskSummary]]


def plan(view: PlannerView, reader: KgReader) -> PlannerReply:
    """One task per part that is still open: its best untried reading, or, once its operands are known, what holds between them."""
    tried = _tried(view["rounds"])
    tasks: dict[str, Task] = {}
    for index in range(len(view["understanding"]["parts"])):
        task = _next_task(index, view["understanding"]["parts"], view["round"], tried)
        if task:
            tasks[task["id"]] = task
    return PlannerReply(report=f"{len(tasks)} tasks: {'; '.join(t['goal'] for t in tasks.values())}"[:300], plan=tasks)


def _tried(rounds: list[RoundSummary]) -> Tried:
    tried: Tried = {}
    for summary in rounds:
        for task in summary["tasks"]:
            tried.setdefault(task["part"], []).append(task)
    return tried


def _next_task(index: int, parts: list[Part], round_: int, tried: Tried) -> Task | None:
    part, before = parts[index], tried.get(index, [])
    if any(task["status"] == "completed" for task in before):
        return None
    task = next_task(f"r{round_}.{index}", index, part, readings_tried(t["spec"] for t in before))
    if task is None or not part["operands"]:
        return task
    left, *right = [_side(parts[operand], tried.get(operand, [])) for operand in part["operands"]]
    if not any(left) or not all(any(side) for side in right):
        return None
    ends, ends_from = ([id_ for side in right for id_ in side[i]] for i in (0, 1))
    return {**task, "starts": left[0], "needs": left[1], "ends": ends, "ends_from": ends_from}


def _side(operand: Part, tasks: list[TaskSummary]) -> tuple[list[str], list[str]]:
    """Where an operand's entities come from: the ids of its mentions, or the tasks that found them."""
    if not operand["readings"]:
        return [e["id"] for m in operand["mentions"] for e in m["chosen"]], []
    return [], [task["id"] for task in tasks if task["status"] == "completed"]
