"""The seam between the graphs and what agents think with: a narrow typed view in, a typed reply out.

A brain is a function `(view, reader) -> reply`. It is handed no state, no ledger and no messages. What raises in it fails its own turn.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal, get_args

from typing_extensions import TypedDict

from agents.exchange import Answer, Conclusion, Evidence, Gap, RoundSummary, Task, Turn, Understanding, WeakestLink, evidence
from agents.llm.ask import Mind
from knowledge.cypher.reader import CypherReader
from knowledge.errors import OutOfBudget
from knowledge.records import Fact, Path

AskingRole = Literal["intake", "supervisor", "planner", "navigator", "reasoner", "gap_detector", "synthesizer"]
Role = Literal[AskingRole, "writer"]
ROLES: tuple[AskingRole, ...] = get_args(AskingRole)
"""Those that answer questions."""


class IntakeView(TypedDict):
    """`history`: at most three earlier turns, oldest first."""

    asked: str
    history: list[Turn]


class PlannerView(TypedDict):
    """`schema`: the schema digest, at most 4,000 characters. `gaps`: at most ten. `rounds`: the earlier rounds, oldest first."""

    asked: str
    understanding: Understanding
    round: int
    schema: str
    gaps: list[Gap]
    rounds: list[RoundSummary]


class NavigatorView(TypedDict):
    """One task. `starts` and `ends` are resolved: the task's own, or what the tasks before it found."""

    task: Task
    starts: list[str]
    ends: list[str]


class ReasonerView(TypedDict):
    """All evidence of the question, since a chain may begin in an earlier round."""

    asked: str
    understanding: Understanding
    plan: dict[str, Task]
    evidence: dict[str, Evidence]


class GapView(TypedDict):
    """What came back, beside what was asked."""

    asked: str
    understanding: Understanding
    plan: dict[str, Task]
    evidence: dict[str, Evidence]
    answers: list[Answer]
    confidence: float


class SynthesizerView(TypedDict):
    """`evidence`: what the paths use, then other facts, at most 100. `failures`: what went wrong on the way, as sentences."""

    asked: str
    understanding: Understanding
    answers: list[Answer]
    conclusions: list[Conclusion]
    paths: list[list[str]]
    evidence: dict[str, Evidence]
    gaps: list[Gap]
    tried: list[str]
    confidence: float
    weakest_link: WeakestLink
    stop_reason: str
    failures: list[str]


@dataclass
class Reply:
    """What every brain hands back. `report`: one line for the supervisor. `stopped`: what ended it early (a limit, `failed`), empty else."""

    report: str = ""
    stopped: str = ""


@dataclass
class IntakeReply(Reply):
    """`task`: the one task that answers a simple fact; None sends the question to the team."""

    understanding: Understanding | None = None
    task: Task | None = None


@dataclass
class PlannerReply(Reply):
    """New tasks only, all pending, keyed by their id; an id that the plan has already is ignored."""

    plan: dict[str, Task] = field(default_factory=dict)


@dataclass
class TaskResult(Reply):
    """What a task found: entity ids, the facts that show it, chains of evidence ids, measured values. Completed unless it has an `error`.

    `alternative`: which walk found it, 0 for the task's own. `loosened`: which condition was left out, so that this is no answer to all of it.
    """

    found: list[str] = field(default_factory=list)
    evidence: dict[str, Evidence] = field(default_factory=dict)
    paths: list[list[str]] = field(default_factory=list)
    values: list[Answer] = field(default_factory=list)
    alternative: int = 0
    loosened: str = ""
    error: str = ""

    def keep(self, facts: Iterable[Fact]) -> None:
        """Add facts to the evidence."""
        self.evidence.update((fact.id, evidence(fact)) for fact in facts)

    def keep_paths(self, paths: Iterable[Path]) -> None:
        """Add paths, and their facts to the evidence."""
        for path in paths:
            self.keep(path.facts)
            self.paths.append([fact.id for fact in path.facts])


@dataclass
class ReasonerReply(Reply):
    """`paths` are proofs: chains of evidence ids. `confidence` 0 to 1. `conclusions`: the same, part by part."""

    answers: list[Answer] = field(default_factory=list)
    conclusions: list[Conclusion] = field(default_factory=list)
    paths: list[list[str]] = field(default_factory=list)
    confidence: float = 0.0
    weakest_link: WeakestLink = field(default_factory=lambda: WeakestLink(id="", why=""))


@dataclass
class GapReply(Reply):
    """A gap that is required and closable asks for another round."""

    gaps: list[Gap] = field(default_factory=list)
    can_answer_now: bool = False


@dataclass
class SynthesizerReply(Reply):
    """`citations`: the evidence ids that the text relies on; ids that are not in evidence are dropped by the graph."""

    answer: str = ""
    citations: list[str] = field(default_factory=list)


class NamespaceCard(TypedDict):
    """A namespace that the principal may know of. `room`: how many more memories it takes; -1 is as many as come. `direct`: without approval."""

    id: str
    purpose: str
    types: list[str]
    room: int
    direct: bool


class WriterView(TypedDict):
    """What a person said that is to be remembered, and in their message `before`. `namespace`: where they want it, or empty. `known`: facts on
    the topic, as sentences."""

    said: str
    before: str
    namespace: str
    namespaces: list[NamespaceCard]
    known: list[str]


class Draft(TypedDict):
    """A proposal as the writer makes it; `operations` as the guarded tool takes them."""

    name: str
    episode_body: str
    group_id: str
    operations: list[dict[str, object]]


@dataclass
class WriterReply(Reply):
    """No draft where there is nothing to remember, or nowhere to put it; `report` says which."""

    drafts: list[Draft] = field(default_factory=list)


@contextmanager
def within_budget(reply: Reply) -> Iterator[None]:
    """Run statements until the budget refuses one. What the reply holds by then is kept, and `stopped` names the limit.

    with within_budget(result):
        result.keep(reader.expand(starts))
        result.keep_paths(reader.paths(pairs)[0])
    return result
    """
    try:
        yield
    except OutOfBudget as refusal:
        reply.stopped = refusal.unit


PURPOSE: Mapping[Role, str] = MappingProxyType(
    {
        "planner": "Turns the question and its gaps into tasks, which are then run.",
        "navigator": "Collects the facts around the linked entities, guided by the task text.",
        "reasoner": "Proves answers hop by hop from the evidence and ends the round.",
        "gap_detector": "Names what is still missing and ends the round.",
        "writer": "Writes down what the human asked to remember, through the guarded tool, and ends the round.",
    }
)


@dataclass(frozen=True)
class Minds:
    """The brain of each role behind a model; None: that role thinks by its rules also where it has a model."""

    intake: Mind[IntakeView, IntakeReply] | None = None
    planner: Mind[PlannerView, PlannerReply] | None = None
    navigator: Mind[NavigatorView, TaskResult] | None = None
    reasoner: Mind[ReasonerView, ReasonerReply] | None = None
    gap_detector: Mind[GapView, GapReply] | None = None
    synthesizer: Mind[SynthesizerView, SynthesizerReply] | None = None
    writer: Mind[WriterView, WriterReply] | None = None


@dataclass(frozen=True)
class Brains:
    """The rules of each role, and the minds that take their place for roles with a model. Without a `writer` nothing is ever written."""

    intake: Callable[[IntakeView, CypherReader], IntakeReply]
    planner: Callable[[PlannerView, CypherReader], PlannerReply]
    navigator: Callable[[NavigatorView, CypherReader], TaskResult]
    reasoner: Callable[[ReasonerView, CypherReader], ReasonerReply]
    gap_detector: Callable[[GapView, CypherReader], GapReply]
    synthesizer: Callable[[SynthesizerView, CypherReader], SynthesizerReply]
    minds: Minds = Minds()
    writer: Callable[[WriterView, CypherReader], WriterReply] | None = None
