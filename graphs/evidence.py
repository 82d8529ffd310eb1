"""What a question's evidence amounts to: equality, news, and summaries of rounds. Pure functions over state."""

from collections.abc import Mapping, Sequence
from hashlib import blake2s

from agents.exchange import Evidence, Gap, RoundSummary, Task, TaskSummary

SHOWN_FOUND = 10
CONFIDENT = 0.8
FRESH_SHARE = 0.3


def fingerprint(plan: Mapping[str, Task], evidence: Mapping[str, Evidence]) -> str:
    """Equal when nothing that reasoner and gap detector look at has changed: the facts, and what was tried to get them."""
    seen = (sorted(evidence), sorted((task["id"], task["status"]) for task in plan.values()))
    return blake2s(repr(seen).encode(), digest_size=8).hexdigest()


def entities_of(evidence: Mapping[str, Evidence]) -> set[str]:
    """The ids of all entities in the evidence."""
    return {side["id"] for fact in evidence.values() for side in (fact["subject"], fact["object"])}


def summarise(
    round_: int, earlier: Sequence[RoundSummary], plan: Mapping[str, Task], evidence: Mapping[str, Evidence], confidence: float
) -> RoundSummary:
    """What this round added to the earlier ones."""
    told = {task["id"] for summary in earlier for task in summary["tasks"]}
    return {
        "round": round_,
        "tasks": [_task_summary(task) for task in plan.values() if task["id"] not in told],
        "facts": len(evidence) - sum(summary["facts"] for summary in earlier),
        "entities": len(entities_of(evidence)) - sum(summary["entities"] for summary in earlier),
        "confidence": confidence,
    }


def _task_summary(task: Task) -> TaskSummary:
    return {
        "id": task["id"], "part": task["part"], "strategy": task["strategy"], "goal": task["goal"], "spec": task["spec"],
        "status": task["status"], "found": task["found"][:SHOWN_FOUND], "error": task["error"],
    }  # fmt: skip


def enough(rounds: Sequence[RoundSummary], plan: Mapping[str, Task]) -> bool:
    """The soft signals: a confident proof, or a round with far fewer new entities than the one before. A required task left outweighs them."""
    if any(task["required"] and task["status"] == "pending" for task in plan.values()):
        return False
    fading = len(rounds) > 1 and rounds[-1]["entities"] < FRESH_SHARE * rounds[-2]["entities"]
    return fading or rounds[-1]["confidence"] > CONFIDENT


def stale(rounds: Sequence[RoundSummary]) -> int:
    """How many of the last rounds in a row added no fact."""
    facts = [summary["facts"] for summary in rounds]
    return next((age for age, added in enumerate(reversed(facts)) if added), len(facts))


def wants_more(gaps: Sequence[Gap]) -> bool:
    """Whether something that the question needs is missing and may be found."""
    return any(gap["required"] and gap["closable"] for gap in gaps)


def shown(paths: Sequence[Sequence[str]], evidence: Mapping[str, Evidence], most: int) -> dict[str, Evidence]:
    """At most so many facts, those on the paths first."""
    first = dict.fromkeys([*(fact for path in paths for fact in path if fact in evidence), *evidence])
    return {fact: evidence[fact] for fact in list(first)[:most]}
