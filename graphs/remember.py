"""The remembering graph: look first, draft, submit through the guarded tool, ask who may decide, and see that it is there."""

import sys
from collections.abc import Callable, Mapping
from typing import Any, Literal, cast

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage
from langgraph.config import get_config
from langgraph.graph import END, START, StateGraph
from langgraph.runtime import get_runtime
from langgraph.types import Checkpointer, Command, interrupt
from typing_extensions import TypedDict

from agents.contract import Draft, WriterReply, WriterView
from agents.llm.ask import Mind
from graphs.boundary import think
from graphs.context import Run, RunContext, Services
from graphs.door import RememberGraph, opened_by
from graphs.history import asked_in, said_before
from graphs.state import Question, Spent, State, Submitted
from graphs.waiting import Work, twin
from graphs.writing import CONVERSATION, key, now, observed, submitted
from knowledge.cypher.reader import CypherReader
from knowledge.errors import DataError, GavelError
from knowledge.remember.inbox import WRITER
from knowledge.remember.proposal import Proposal

Writer = Callable[[WriterView, CypherReader], WriterReply]
Next = Literal["decide", "verify"]
DECISIONS = ("approve", "reject", "amend", "reroute", "leave")


class RememberState(Question, total=False):
    """`namespace`, `source_description` and `valid_at` may be given with the text. `receipts` and `answer` come out."""

    namespace: str
    source_description: str
    valid_at: str
    view: WriterView
    health: str
    drafts: list[Draft]
    receipts: list[Submitted]
    answer: str
    spent: Spent
    brains: dict[str, str]
    trace_id: str


class Given(Question, total=False):
    """The input: a text as `question` or as the last human message, and what is known of it."""

    namespace: str
    source_description: str
    valid_at: str


class Decided(TypedDict, total=False):
    """What resumes an interrupt: `decision` for the proposals that wait, and what it needs."""

    decision: str
    why: str
    changes: dict[str, object]
    namespace: str


def build_remember(
    services: Services, writer: Writer, mind: Mind[WriterView, WriterReply] | None = None, *, checkpointer: Checkpointer = None
) -> RememberGraph:
    """Compile once per process. `services.desk` is where it writes. With a checkpointer a proposal that waits is put to whoever runs it."""
    nodes = _Nodes(writer, mind)
    builder = StateGraph(RememberState, context_schema=RunContext, input_schema=Given)
    builder.add_node("observe", twin("observe", nodes.observe))
    builder.add_node("draft", twin("draft", nodes.draft))
    builder.add_node("submit", twin("submit", nodes.submit), destinations=("decide", "verify"))
    builder.add_node("decide", nodes.decide, destinations=("decide", "verify"))
    builder.add_node("verify", twin("verify", nodes.verify))
    builder.add_edge(START, "observe").add_edge("observe", "draft").add_edge("draft", "submit")
    builder.add_edge("verify", END)
    return cast(RememberGraph, opened_by(builder.compile(name="remember", checkpointer=checkpointer), services, RememberGraph))


class _Nodes:
    def __init__(self, writer: Writer, mind: Mind[WriterView, WriterReply] | None) -> None:
        self._writer, self._mind = writer, mind

    def observe(self, state: RememberState) -> Work[RememberState]:
        """Is the database well, what do the namespaces hold, what is known of the topic. A database that is away stops nothing."""
        runtime = get_runtime(RunContext)
        run = runtime.context.run
        run.trace.connect(runtime.stream_writer)
        run.trace.question = said = asked_in(cast(State, state))
        view, health = observed(run, said, said_before(cast(State, state)), state.get("namespace", ""))
        messages: list[AnyMessage] = [HumanMessage(said)] if state.get("question") else []
        return {"view": view, "health": health, "receipts": [], "drafts": [], "answer": "", "trace_id": run.id, "messages": messages}
        yield  # a node is a generator, also where it waits for nothing

    def draft(self, state: RememberState) -> Work[RememberState]:
        """A proposal that the contracts would take."""
        run = get_runtime(RunContext).context.run
        reply = yield from think(run, "writer", self._writer, state["view"], WriterReply, mind=self._mind, blind=True)
        return {"drafts": reply.drafts, "answer": "" if reply.drafts else f"Nothing was proposed: {reply.report}."}

    def submit(self, state: RememberState) -> Work[Command[Next]]:
        """Through the guarded tool, in the writer's hands. The same draft of the same thread is the same submission."""
        run = get_runtime(RunContext).context.run
        source, valid_at = state.get("source_description", "") or CONVERSATION, state.get("valid_at", "")
        drafts = enumerate(state["drafts"])
        receipts = [submitted(run, draft, key(state["view"], draft, place), source, valid_at) for place, draft in drafts]
        waiting = any(receipt["status"] == "review" for receipt in receipts)
        return Command(update={"receipts": receipts}, goto="decide" if waiting and _can_ask() else "verify")
        yield

    def decide(self, state: RememberState) -> Command[Next]:
        """Put what waits to whoever runs the graph. Whoever may not decide leaves it to the next who comes: a node of its own each time, since
        what an earlier one said would otherwise be said again in the name of the later one."""
        run = get_runtime(RunContext).context.run
        ids = [str(receipt["receipt"]) for receipt in state["receipts"] if receipt["status"] == "review"]
        waiting = [receipt for receipt in state["receipts"] if receipt["status"] == "review"]
        given = interrupt({"waiting": waiting, "drafts": state["drafts"], "decisions": list(DECISIONS), "refused": state["answer"]})
        decided = cast(Decided, given if isinstance(given, Mapping) else {"decision": str(given)})
        made = _altered(run, state) or _decided(run, ids, decided)
        again = not any(done for done, _ in made) and any(now(run, one)["status"] == "review" for one in waiting)
        return Command(update={"answer": "; ".join(said for _, said in made)}, goto="decide" if again else "verify")

    def verify(self, state: RememberState) -> Work[RememberState]:
        """Apply what is due, and read the receipts again: what is told is what holds."""
        run = get_runtime(RunContext).context.run
        away = run.desk.apply()
        receipts = [now(run, receipt) for receipt in state["receipts"]]
        lines = [state["answer"], *(str(receipt["said"]) for receipt in receipts), away]
        answer = "\n".join(line for line in lines if line) or "Nothing was proposed."
        closed: RememberState = {
            "receipts": receipts, "answer": answer, "spent": run.ledger.spent(), "brains": self._used(run), "messages": [AIMessage(answer, name=WRITER)],
        }  # fmt: skip
        run.finish(
            cast(
                Any,
                {"answer": answer, "stop_reason": run.ledger.stop_reason or "answered", "spent": run.ledger.spent(), "trace_id": run.id},
            )
        )
        return closed
        yield

    def _used(self, run: Run) -> dict[str, str]:
        """Which brain drafted; a fallback says why."""
        model = run.models.get(WRITER) if self._mind else None
        name = model.id if model else "rules"
        return {WRITER: f"{name}, rules where {run.fallbacks[WRITER]}" if WRITER in run.fallbacks else name}


def _altered(run: Run, state: RememberState) -> list[tuple[bool, str]]:
    """A refusal where a thread shows something else than what waits: its state is open to whoever owns the thread, the journal is not."""
    shown = {str(receipt["receipt"]): draft for receipt, draft in zip(state["receipts"], state["drafts"], strict=False)}
    found = {one.receipt: one.proposal for one in run.desk.approvals(run.principal).waiting(limit=sys.maxsize)}
    waiting = [str(receipt["receipt"]) for receipt in state["receipts"] if receipt["status"] == "review"]
    altered = [each for each in waiting if each in found and not _says(found[each], shown.get(each), state.get("valid_at", ""))]
    return [(False, f"{each} is not what is shown here; look at it with `gavel inbox show {each}`") for each in altered]


def _says(kept: Proposal, draft: Draft | None, valid_at: str) -> bool:
    if draft is None:
        return False
    try:
        shown = Proposal.read({**draft, "valid_at": valid_at})
    except DataError:
        return False
    return (kept.name, kept.content) == (shown.name, shown.content)


def _decided(run: Run, receipts: list[str], given: Decided) -> list[tuple[bool, str]]:
    """What came of it, each with whether the question is answered."""
    approvals, decision = run.desk.approvals(run.principal), given.get("decision", "")
    try:
        if decision == "approve":
            made = approvals.approve(receipts)
        elif decision == "reject":
            made = approvals.reject(receipts, given.get("why", ""))
        elif decision == "amend":
            made = [approvals.amend(receipt, given.get("changes", {})) for receipt in receipts]
        elif decision == "reroute":
            made = [approvals.reroute(receipt, given.get("namespace", "")) for receipt in receipts]
        else:
            known = decision == "leave"
            return [(known, "left in the queue" if known else f"{decision!r} is no decision; it waits: {', '.join(DECISIONS)}")]
    except GavelError as error:
        return [(False, str(error))]
    return [(one.done, one.message) for one in made]


def _can_ask() -> bool:
    """Whether someone can come back to this run: a thread is kept."""
    return bool(get_config().get("configurable", {}).get("__pregel_checkpointer"))
