"""The asking graph. Plain edges own the rounds; the team decides only what happens inside one."""

import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Literal, cast

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage
from langchain_core.runnables import RunnableConfig, RunnableLambda
from langgraph.errors import NodeError
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime, get_runtime
from langgraph.types import Checkpointer, Command

from agents.contract import (
    ROLES,
    Brains,
    IntakeReply,
    IntakeView,
    NavigatorView,
    ReasonerView,
    Role,
    SynthesizerReply,
    SynthesizerView,
    TaskResult,
)
from agents.exchange import Gap, Task
from graphs.boundary import think
from graphs.budget import Clock
from graphs.context import Run, RunContext, Services
from graphs.desk import Desk
from graphs.door import AskGraph, opened_by
from graphs.ending import level, plain_answer, promised, proposed, reason, told, unread
from graphs.evidence import enough, fingerprint, shown, stale, summarise, wants_more
from graphs.gap_tasks import submit_gaps
from graphs.history import asked_in, earlier_turns, said_before
from graphs.investigate import investigate
from graphs.member import GapChannels, detect, finished, members, prove
from graphs.models.model import Model
from graphs.reading import Similarity
from graphs.state import Missing, Proof, Question, Result, State, nothing_missed, nothing_proved, with_thread
from graphs.supervisor import SUPERVISOR, build_team
from graphs.trace import NoRedaction, Redaction, RunRecorder
from graphs.waiting import Work, twin
from graphs.writer_member import writer_member
from knowledge.reading.contract import KgReader
from knowledge.reading.meter import Meter
from knowledge.scope import Principal, Scope
from prompts.prompt import load

Next = Literal["simple", "team", "writers", "synthesize"]
TEAM_RESULTS = ["plan", "evidence", "proof", "missing"]
WRITTEN = "receipts"
TEAM_KEYS = ("asked", "before", "understanding", "round", "rounds", *TEAM_RESULTS)
SHOWN_EVIDENCE = 100
MAX_EVIDENCE = 3000
# compile(checkpointer=False) is not inherited inside the team
UNSAVED: RunnableConfig = {"configurable": {"__pregel_checkpointer": None, "__pregel_durability": "exit"}}


def build(
    open_reader: Callable[[Scope, Meter], KgReader],
    brains: Brains,
    principal: Callable[[], Principal],
    *,
    checkpointer: Checkpointer = None,
    terminate: Callable[[str], object] | None = None,
    recorder: RunRecorder | None = None,
    similarity: Similarity | None = None,
    clock: Clock = time.monotonic,
    models: Mapping[Role, Model] | None = None,
    redaction: Redaction | None = None,
    served: Callable[[str], Principal] | None = None,
    desk: Desk | None = None,
) -> AskGraph:
    """Compile once per process. The LangGraph server brings its own checkpointer; Python may pass one.

    `open_reader` is called once per run, `principal` too (who asks is the door's to say). `terminate(tag)` ends the statements of a
    cancelled run, `similarity` compares two search texts (cosine of their vectors). `models`: what roles think with; the others by rules.
    `redaction` takes out of traces what must not be kept; `served` is asked instead of `principal` for what a server has proven. `desk`: where a
    writer writes what a human asks to remember, where `brains` has one.
    """
    writes = desk is not None and brains.writer is not None
    nodes, readers = _Nodes(brains, writes), [*members(brains), investigate(brains)]
    builder = StateGraph(State, context_schema=RunContext, input_schema=Question)
    handler: Any = failed
    builder.set_node_defaults(error_handler=handler)
    builder.add_node(
        "intake", twin("intake", nodes.intake), destinations=("simple", "team", *(["writers"] if writes else []), "synthesize")
    )
    builder.add_node("simple", twin("simple", nodes.simple))
    # a graph named like the node that calls it would leak its messages into stream_mode="messages"
    builder.add_node("team", team_node(build_team("readers", readers)))
    if writes:
        builder.add_node("writers", team_node(build_team("writing", [*readers, writer_member(brains)]), WRITTEN))
        builder.add_edge("writers", "synthesize")
    builder.add_node("check", twin("check", nodes.check), destinations=("team", "synthesize"))
    builder.add_node("synthesize", twin("synthesize", nodes.synthesize))
    builder.add_edge(START, "intake").add_edge("simple", "check").add_edge("team", "check").add_edge("synthesize", END)
    kept = redaction or NoRedaction()
    services = Services(open_reader, principal, terminate, recorder, similarity, clock, models or {}, kept, desk, served)
    return opened_by(builder.compile(name="ask", checkpointer=checkpointer), services)


class _Nodes:
    """The main graph's own nodes. They are bounded by rounds; none of them is a turn."""

    def __init__(self, brains: Brains, writes: bool) -> None:
        self._brains, self._writes = brains, writes

    def intake(self, state: State) -> Work[Command[Next]]:
        """Reset every working channel, understand the question, choose the way."""
        runtime = get_runtime(RunContext)
        run, asked = runtime.context.run, asked_in(state)
        run.trace.connect(runtime.stream_writer)
        run.trace.question = asked
        run.trace.prompts[SUPERVISOR] = load(SUPERVISOR).hash
        reply = IntakeReply()
        if asked:
            view: IntakeView = {"asked": asked, "history": earlier_turns(state)}
            reply = yield from think(run, "intake", self._brains.intake, view, IntakeReply, mind=self._brains.minds.intake)
        return Command(update=_fresh(state, run, reply), goto=_way(run, reply, self._writes))

    def simple(self, state: State) -> Work[State]:
        """One linked entity, one clear relation: one task."""
        run, task = get_runtime(RunContext).context.run, next(iter(state["plan"].values()))
        view: NavigatorView = {"task": task, "starts": task["starts"], "ends": task["ends"]}
        result = yield from think(
            run, "navigator", self._brains.navigator, view, TaskResult, mind=self._brains.minds.navigator, task=task["id"]
        )
        return {"plan": {task["id"]: finished(task, result)}, "evidence": result.evidence}

    def check(self, state: State) -> Work[Command[Next]]:
        """End the round: prove, name what is missing, and decide whether another round may look for it. Only a typed gap leads back."""
        run = get_runtime(RunContext).context.run
        proof = yield from self._proof(state, run)
        missing = yield from self._missing({**state, "proof": proof}, run)
        update: State = {"proof": proof, "missing": missing}
        rounds = [*state["rounds"], summarise(state["round"], state["rounds"], state["plan"], state["evidence"], proof["confidence"])]
        update |= {"rounds": rounds}
        if not wants_more(update["missing"]["gaps"]) or enough(rounds, state["plan"]):
            return Command(update=update, goto="synthesize")
        if stale(rounds) >= run.ledger.limits.no_news:
            run.ledger.stop("no_news")
        if not run.ledger.take("rounds"):
            return Command(update=update, goto="synthesize")
        run.round = state["round"] + 1
        return Command(update={**update, "round": run.round}, goto="team")

    def synthesize(self, state: State) -> Work[State]:
        """Always an answer, from evidence only, and exactly one reason why the run ended here."""
        run, evidence, missing = get_runtime(RunContext).context.run, state["evidence"], state["missing"]
        proof = yield from self._proof(state, run)
        ended = reason(state["understanding"], proof, run)
        view = _closing_view({**state, "proof": proof}, run, ended)
        if state["receipts"]:
            reply, ended = told(state["receipts"]), proposed(ended, state["receipts"])
        else:
            reply = yield from think(
                run, "synthesizer", self._brains.synthesizer, view, SynthesizerReply, mind=self._brains.minds.synthesizer
            )
        ended = "cancelled" if run.ledger.cancelled else ended
        answer = reply.answer or plain_answer(view)
        confidence = proof["confidence"] if proof["answers"] else 0.0
        spent = with_thread(run.ledger.spent(), state.get("thread"))
        closed: State = {
            "answer": answer, "answers": proof["answers"], "citations": [c for c in dict.fromkeys(reply.citations) if c in evidence],
            "paths": proof["paths"], "confidence": confidence, "confidence_level": level(confidence), "weakest_link": proof["weakest_link"],
            "gaps": missing["gaps"], "can_answer_now": missing["can_answer_now"] or promised(state["receipts"]), "stop_reason": ended, "spent": spent, "thread": spent["thread"],
            "brains": self._used(run), "proof": proof, "messages": [AIMessage(answer, name="synthesizer", id=run.streamed or None)],
        }  # fmt: skip
        run.finish(cast(Result, {**state, **closed}))
        self._hand_over(run, missing["gaps"])
        return closed

    def _hand_over(self, run: Run, gaps: Sequence[Gap]) -> None:
        """What is missing becomes tasks, in the background."""
        if self._writes and gaps and (namespace := run.desk.gap_namespace):
            run.desk.later(partial(submit_gaps, run, gaps, namespace))

    def _proof(self, state: State, run: Run) -> Work[Proof]:
        """The reasoner's word on this evidence, or its last one where it cannot speak."""
        proof = state["proof"]
        if proof["seen"] == fingerprint(state["plan"], state["evidence"]) or not (state["plan"] or state["evidence"]):
            return proof
        _, proved = yield from prove(self._brains, run, _only(state, ReasonerView))
        return proved or proof

    def _missing(self, state: State, run: Run) -> Work[Missing]:
        """The gap detector's word on this evidence. Where it cannot speak there is nothing to look for."""
        if state["missing"]["seen"] == fingerprint(state["plan"], state["evidence"]):
            return state["missing"]
        _, missed = yield from detect(self._brains, run, _only(state, GapChannels))
        return missed or nothing_missed()

    def _used(self, run: Run) -> dict[str, str]:
        """Which brain each role used; a fallback says why."""
        names: dict[str, str] = {role: self._thinks_with(role, run) for role in ROLES}
        return names | {role: f"{names[role]}, rules where {why}" for role, why in run.fallbacks.items()}

    def _thinks_with(self, role: Role, run: Run) -> str:
        has_mind = role == SUPERVISOR or getattr(self._brains.minds, role) is not None
        return run.models[role].id if has_mind and role in run.models else "rules"


def team_node(team: CompiledStateGraph[Any, Any, Any, Any], *also: str) -> Any:
    """Call the team with a private message channel: only named channels go in, only named results (and those in `also`) come back.

    Nothing inside is saved: a thread keeps questions and answers, and a question that a crash cut short is asked again.
    """

    results = [*TEAM_RESULTS, *also]

    def enter(state: State) -> dict[str, Any]:
        runtime = get_runtime(RunContext)
        runtime.context.run.trace.connect(runtime.stream_writer)
        return {**{key: state[key] for key in (*TEAM_KEYS, *also)}, "messages": []}  # type: ignore[literal-required]

    def leave(result: dict[str, Any]) -> dict[str, Any]:
        get_runtime(RunContext).context.run.trace.turn = 0
        if len(result["evidence"]) > MAX_EVIDENCE:
            paths = [path for task in result["plan"].values() for path in task["paths"]]
            result["evidence"] = shown(paths, result["evidence"], MAX_EVIDENCE)
        return {key: result[key] for key in results if key in result}

    def run(state: State) -> dict[str, Any]:
        return leave(team.invoke(enter(state), UNSAVED, output_keys=results))

    async def arun(state: State) -> dict[str, Any]:
        return leave(await team.ainvoke(enter(state), UNSAVED, output_keys=results))

    return RunnableLambda(run, arun, name=team.name)


def failed(state: State, error: NodeError, runtime: Runtime[RunContext]) -> Command[Literal["synthesize", "__end__"]]:
    """A surprise in any node still ends in an answer; one in synthesize leaves nobody else to give it."""
    run, surprise = runtime.context.run, error.error
    run.fail(error.node, surprise if isinstance(surprise, Exception) else RuntimeError(str(surprise)))
    run.ledger.stop("failed")
    if error.node != "synthesize":
        return Command(update=_fresh(state, run, IntakeReply()) if error.node == "intake" else {}, goto="synthesize")
    answer = f"This question could not be answered: {run.failures[-1] if run.failures else 'it was cancelled'}"
    spent = with_thread(run.ledger.spent(), state.get("thread"))
    closed: State = {
        **_unanswered(), "answer": answer, "stop_reason": run.ledger.stop_reason or "failed", "spent": spent, "thread": spent["thread"],
        "trace_id": run.id, "messages": [AIMessage(answer, name="synthesizer")],
    }  # fmt: skip
    run.finish(cast(Result, closed))
    return Command(update=closed, goto="__end__")


def _fresh(state: State, run: Run, reply: IntakeReply) -> State:
    """Every working channel as the question begins, so that nothing of another one is left."""
    asked = run.trace.question
    said: list[AnyMessage] = [HumanMessage(asked)] if state.get("question") else []
    return {
        **_unanswered(), "asked": asked, "before": said_before(state), "understanding": reply.understanding or unread(asked), "messages": said, "round": 1, "rounds": [],
        "proof": nothing_proved(), "missing": nothing_missed(), "plan": {reply.task["id"]: reply.task} if reply.task else {},
        "trace_id": run.id,
    }  # fmt: skip


def _unanswered() -> State:
    """The keys of a result that holds nothing."""
    return {
        "answer": "", "answers": [], "citations": [], "evidence": {}, "paths": [], "confidence": 0.0, "confidence_level": "none",
        "calibrated": False, "weakest_link": {"id": "", "why": ""}, "gaps": [], "can_answer_now": False, "stop_reason": "not_found",
        "spent": {}, "brains": {}, "receipts": [],
    }  # fmt: skip


def _way(run: Run, reply: IntakeReply, writes: bool) -> Next:
    understanding = reply.understanding
    if writes and understanding and understanding["kind"] == "write" and run.ledger.take("rounds"):
        return "writers"
    if not run.ledger.running or not understanding or understanding["kind"] in ("write", "out_of_scope"):
        return "synthesize"
    readable = any(part["readings"] for part in understanding["parts"])
    if (understanding["ambiguous"] and not readable) or not run.ledger.take("rounds"):
        return "synthesize"
    return "simple" if reply.task else "team"


def _closing_view(state: State, run: Run, ended: str) -> SynthesizerView:
    proof = state["proof"]
    return {
        "asked": state["asked"], "understanding": state["understanding"], "answers": proof["answers"],
        "conclusions": proof["conclusions"], "paths": proof["paths"], "evidence": shown(proof["paths"], state["evidence"], SHOWN_EVIDENCE),
        "gaps": state["missing"]["gaps"], "tried": [_tried(task) for task in state["plan"].values()], "confidence": proof["confidence"],
        "weakest_link": proof["weakest_link"], "stop_reason": ended, "failures": list(run.failures),
    }  # fmt: skip


def _only(state: State, channels: type) -> Any:
    return {key: state[key] for key in channels.__annotations__}  # type: ignore[literal-required]


def _tried(task: Task) -> str:
    return f"{task['goal']}: {task['error'] or task['status']}"
