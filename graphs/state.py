"""What travels through the graphs and comes out of every door: channels and reducers over what the agents exchange."""

from typing import Annotated, Literal

from langchain_core.messages import AnyMessage
from langgraph.channels import EphemeralValue
from langgraph.graph.message import add_messages
from langgraph.managed import RemainingSteps
from typing_extensions import TypedDict

from agents.exchange import Answer, Conclusion, EntityRef, Evidence, Gap, RoundSummary, Status, Task, Understanding, WeakestLink

__all__ = [
    "Answer", "EntityRef", "Evidence", "Gap", "Level", "Missing", "Proof", "Question", "Result", "RoleCost", "Spent", "State", "StopReason", "Submitted", "TeamState",
    "ThreadCost", "WeakestLink", "merge_evidence", "merge_tasks", "nothing_missed", "nothing_proved", "with_thread",
]  # fmt: skip

StopReason = Literal[
    "answered", "not_found", "ambiguous", "out_of_scope", "rounds", "turns", "queries", "model_calls",
    "tokens", "wall_time", "no_news", "loop", "cancelled", "failed",
]  # fmt: skip
Level = Literal["high", "medium", "low", "none"]
_PROGRESS: dict[Status, int] = {"pending": 0, "running": 1, "failed": 2, "completed": 3}


def merge_evidence(old: dict[str, Evidence], new: dict[str, Evidence]) -> dict[str, Evidence]:
    """Idempotent and order-free: the same fact arriving twice is one entry."""
    return {**(old or {}), **(new or {})}


def merge_tasks(old: dict[str, Task], new: dict[str, Task]) -> dict[str, Task]:
    """A task only moves forward, so a late or repeated write cannot reopen it."""
    merged = dict(old or {})
    for key, task in (new or {}).items():
        if key not in merged or _PROGRESS[task["status"]] >= _PROGRESS[merged[key]["status"]]:
            merged[key] = task
    return merged


class Question(TypedDict, total=False):
    """The input. `question` lives for one step only, so a thread never re-asks an old one."""

    question: Annotated[str, EphemeralValue]
    messages: Annotated[list[AnyMessage], add_messages]


class RoleCost(TypedDict):
    """What a role's model cost."""

    model_calls: int
    tokens: int
    money: float


class Spent(TypedDict, total=False):
    """What a run cost, in the units of its limits; `roles`: by role, what its model cost (roles that thought by rules are not in it)."""

    rounds: int
    turns: int
    queries: int
    model_calls: int
    tokens: int
    money: float
    milliseconds: float
    roles: dict[str, RoleCost]
    thread: "ThreadCost"


class ThreadCost(TypedDict):
    """What the questions of a thread have cost so far, this one included; a question without a thread is one of its own."""

    questions: int
    queries: int
    model_calls: int
    tokens: int
    money: float


class Submitted(TypedDict, total=False):
    """A receipt as it holds now, and `said`, the same in words; `receipt` is empty where nothing was promised."""

    receipt: str
    status: str
    namespace: str
    verdict: dict[str, object]
    why: str
    repeated: bool
    said: str


class Result(TypedDict, total=False):
    """What every door returns, with the same keys (`gavel ask --format json` prints exactly these). `receipts`: of what was asked to be remembered."""

    answer: str
    answers: list[Answer]
    citations: list[str]
    evidence: dict[str, Evidence]
    paths: list[list[str]]
    confidence: float
    confidence_level: Level
    calibrated: bool
    weakest_link: WeakestLink
    gaps: list[Gap]
    can_answer_now: bool
    stop_reason: StopReason
    spent: Spent
    brains: dict[str, str]
    receipts: list[Submitted]
    trace_id: str


class Proof(TypedDict):
    """What the reasoner made of the evidence with the fingerprint `seen`; one channel, since each costs time in every superstep."""

    answers: list[Answer]
    conclusions: list[Conclusion]
    paths: list[list[str]]
    confidence: float
    weakest_link: WeakestLink
    seen: str


class Missing(TypedDict):
    """What the gap detector made of the evidence with the fingerprint `seen`."""

    gaps: list[Gap]
    can_answer_now: bool
    seen: str


class State(Question, Result, total=False):
    """The main graph. Its nodes never run side by side, so nothing but `messages` needs a reducer; intake resets the rest.

    The keys of the result are written by intake (empty) and at the end; `evidence` grows on the way. `thread` is all that is left of the
    cost of earlier questions.
    """

    asked: str
    before: str
    understanding: Understanding
    round: int
    rounds: list[RoundSummary]
    plan: dict[str, Task]
    proof: Proof
    missing: Missing
    thread: ThreadCost


class TeamState(TypedDict, total=False):
    """The team's private channels; `messages` holds one short report per agent turn. `planned`: the round that has a plan. `receipts` is there
    only for the team that may write."""

    messages: Annotated[list[AnyMessage], add_messages]
    remaining_steps: RemainingSteps
    asked: str
    before: str
    understanding: Understanding
    round: int
    rounds: list[RoundSummary]
    task: str
    plan: Annotated[dict[str, Task], merge_tasks]
    evidence: Annotated[dict[str, Evidence], merge_evidence]
    proof: Proof
    missing: Missing
    planned: int
    receipts: list[Submitted]


def with_thread(spent: Spent, before: ThreadCost | None) -> Spent:
    """The cost of a question with the sum of its thread."""
    earlier = before or {"questions": 0, "queries": 0, "model_calls": 0, "tokens": 0, "money": 0.0}
    thread: ThreadCost = {
        "questions": earlier["questions"] + 1, "queries": earlier["queries"] + spent["queries"],
        "model_calls": earlier["model_calls"] + spent["model_calls"], "tokens": earlier["tokens"] + spent["tokens"],
        "money": earlier["money"] + spent["money"],
    }  # fmt: skip
    return {**spent, "thread": thread}


def nothing_proved() -> Proof:
    """Before the reasoner's first word."""
    return {"answers": [], "conclusions": [], "paths": [], "confidence": 0.0, "weakest_link": {"id": "", "why": ""}, "seen": ""}


def nothing_missed() -> Missing:
    """Before the gap detector's first word."""
    return {"gaps": [], "can_answer_now": False, "seen": ""}
