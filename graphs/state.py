"""What travels through the graphs and comes out of every door. Plain dicts only: they survive any checkpointer and read well in Studio."""

from typing import Annotated, Any, Literal

from langchain_core.messages import AnyMessage
from langgraph.channels import EphemeralValue
from langgraph.graph.message import add_messages
from typing_extensions import TypedDict

Status = Literal["pending", "running", "completed", "failed"]
Strategy = Literal["walk", "explore", "connect", "aggregate", "search"]
GapKind = Literal["missing_entity", "ambiguous_entity", "missing_relation", "missing_value", "stale_value", "broken_chain"]
StopReason = Literal[
    "answered", "not_found", "ambiguous", "out_of_scope", "rounds", "turns", "queries", "model_calls",
    "tokens", "wall_time", "no_news", "loop", "cancelled", "failed",
]  # fmt: skip
_PROGRESS: dict[Status, int] = {"pending": 0, "running": 1, "failed": 2, "completed": 3}


class EntityRef(TypedDict):
    """An entity as state carries it."""

    id: str
    name: str
    kind: str


class Evidence(TypedDict):
    """One fact that was seen, keyed by its evidence id. Dates are empty where open."""

    id: str
    subject: EntityRef
    relation: str
    object: EntityRef
    text: str
    valid_from: str
    valid_to: str
    known_from: str
    source: str
    confidence: float


class Hop(TypedDict):
    """One step of a relation path."""

    relation: str
    direction: Literal["out", "in"]


class Task(TypedDict):
    """One unit of a plan. `starts` are entity ids, or what the tasks in `needs` found; `ends` are the other side of a connection.

    `spec` is the strategy's own request (walk, aggregation, search text) as plain data; `found` are entity ids, `paths` chains of evidence ids.
    """

    id: str
    part: int
    strategy: Strategy
    goal: str
    starts: list[str]
    ends: list[str]
    spec: dict[str, Any]
    needs: list[str]
    required: bool
    status: Status
    found: list[str]
    paths: list[list[str]]
    error: str


class Gap(TypedDict):
    """What the question needs and the evidence lacks. Closable: another task may find it. `priority` 1 is the most urgent."""

    kind: GapKind
    about: str
    relation: str
    why: str
    priority: int
    required: bool
    closable: bool


class Answer(TypedDict):
    """One ranked answer: an entity, or a value (`id` empty) such as a count, a date or yes/no."""

    id: str
    name: str
    kind: str
    value: Any
    score: float


class WeakestLink(TypedDict):
    """The evidence that the answer leans on most precariously, and why. Empty id where there is no evidence."""

    id: str
    why: str


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


class Result(TypedDict, total=False):
    """What every door returns, with the same keys (`gavel ask --format json` prints exactly these)."""

    answer: str
    answers: list[Answer]
    citations: list[str]
    evidence: dict[str, Evidence]
    paths: list[list[str]]
    confidence: float
    confidence_level: Literal["high", "medium", "low", "none"]
    calibrated: bool
    weakest_link: WeakestLink
    gaps: list[Gap]
    can_answer_now: bool
    stop_reason: StopReason
    spent: dict[str, float]
    brains: dict[str, str]
    trace_id: str
