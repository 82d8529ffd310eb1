"""Who works next within a round: langgraph_supervisor over the team, one typed view in, at most one handoff out.

The only module that imports langgraph_supervisor.
"""

import inspect
import itertools
import json
from collections.abc import Sequence
from functools import partial
from typing import Any, Final

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.runnables import Runnable, RunnableConfig
from langchain_core.tools import BaseTool, tool
from langchain_core.utils.function_calling import convert_to_openai_tool
from langgraph.graph.state import CompiledStateGraph
from langgraph.prebuilt import ToolNode
from langgraph.runtime import get_runtime
from langgraph.types import Command
from langgraph_supervisor import create_supervisor
from langgraph_supervisor.handoff import METADATA_KEY_HANDOFF_DESTINATION
from pydantic import BaseModel

from agents.exchange import Gap
from agents.llm.lines import flat
from graphs.context import Run, RunContext
from graphs.evidence import fingerprint
from graphs.member import Member, open_turn
from graphs.models.calls import Rejected, Request, call
from graphs.models.model import Model, ToolWay
from graphs.models.replies import written_calls
from graphs.state import TeamState
from graphs.waiting import Work, afinish, finish
from knowledge.errors import OutOfBudget
from prompts.prompt import load
from tools.cited import estimated_tokens

HANDOFF = "to_"
SUPERVISOR: Final = "supervisor"
MAX_OUTPUT_TOKENS = 200
TASK_CHARACTERS = 500
QUESTION_CHARACTERS = 2000
_ids = itertools.count()


class SupervisorView(BaseModel):
    """All that either brain sees: bounded sizes, no raw results. `stopped`: agents that could not finish in this round. `writing`: None for a
    question, else how much of what was to be remembered has been dealt with."""

    question: str
    round: int
    tasks: dict[str, int]
    planned: bool
    evidence: int
    proved: bool
    gaps: list[Gap]
    stopped: list[str]
    reports: list[str]
    writing: int | None = None


def view_of(state: TeamState) -> SupervisorView:
    """The state of the round in numbers, at most five gaps and five reports."""
    plan, evidence = state.get("plan") or {}, state.get("evidence") or {}
    statuses = [task["status"] for task in plan.values()]
    return SupervisorView(
        question=state["asked"][:QUESTION_CHARACTERS],
        round=state["round"],
        tasks={status: statuses.count(status) for status in sorted(set(statuses))},
        planned=state.get("planned") == state["round"],
        evidence=len(evidence),
        proved=state["proof"]["seen"] == fingerprint(plan, evidence),
        gaps=[_short(gap) for gap in state["missing"]["gaps"][:5]],
        stopped=sorted({str(m.name) for m in state["messages"] if m.response_metadata.get("stopped")}),
        reports=[f"{m.name}: {m.text}" for m in state["messages"][-5:]],
        writing=len(state["receipts"]) if "receipts" in state else None,
    )


def _short(gap: Gap) -> Gap:
    return {**gap, "about": flat(gap["about"]), "relation": flat(gap["relation"]), "why": flat(gap["why"])}


def render(state: TeamState) -> list[BaseMessage]:
    """One system message ends with the view. The human message repeats the question: some providers refuse to run without one."""
    view = view_of(state)
    return [SystemMessage(load(SUPERVISOR).render(view=view.model_dump_json())), HumanMessage(view.question)]


def seen(messages: Sequence[BaseMessage]) -> SupervisorView:
    """The view in a rendered prompt, so that the rules decide on exactly what a model is shown."""
    text = messages[0].text
    return SupervisorView.model_validate(json.JSONDecoder().raw_decode(text, text.index("{"))[0])


def next_agent(view: SupervisorView) -> str | None:
    """The rules: plan, investigate, prove, or write; None ends the round, also when the agent whose turn it is cannot go on."""
    if view.writing is not None:
        if view.writing:
            return None
        chosen = "writer"
    elif not view.planned:
        chosen = "planner"
    elif view.tasks.get("pending"):
        chosen = "investigate"
    elif view.tasks.get("completed") and not view.proved:
        chosen = "reasoner"
    else:
        return None
    return None if chosen in view.stopped else chosen


class RulesSupervisor(BaseChatModel):
    """The rules as a chat model, so that create_supervisor drives them like any other."""

    @property
    def _llm_type(self) -> str:
        return "rules-supervisor"

    def bind_tools(self, tools: Sequence[Any], *, parallel_tool_calls: bool | None = None, **kwargs: Any) -> Runnable[Any, AIMessage]:
        return self.bind(tools=[convert_to_openai_tool(t) for t in tools], **kwargs)

    def _generate(self, messages: list[BaseMessage], stop: Any = None, run_manager: Any = None, **kwargs: Any) -> ChatResult:
        view = seen(messages)
        chosen = next_agent(view)
        return _result(_handoff(chosen, f"round {view.round}: {view.question}") if chosen else AIMessage("round done"))


class Supervisor(BaseChatModel):
    """The run's own model for this role, made safe: charged to the ledger, one valid handoff or none, the rules where it fails or is not there."""

    @property
    def _llm_type(self) -> str:
        return SUPERVISOR

    def bind_tools(self, tools: Sequence[Any], *, parallel_tool_calls: bool | None = None, **kwargs: Any) -> Runnable[Any, AIMessage]:
        return self.bind(tools=[convert_to_openai_tool(t) for t in tools], **kwargs)

    def _generate(self, messages: list[BaseMessage], stop: Any = None, run_manager: Any = None, **kwargs: Any) -> ChatResult:
        return finish(_turn(messages, kwargs))

    async def _agenerate(self, messages: list[BaseMessage], stop: Any = None, run_manager: Any = None, **kwargs: Any) -> ChatResult:
        return await afinish(_turn(messages, kwargs))


def _turn(messages: list[BaseMessage], kwargs: dict[str, Any]) -> Work[ChatResult]:
    """Charge the turn, ask the model where there is one, and decide."""
    run = get_runtime(RunContext).context.run
    model = run.models.get("supervisor")
    if not open_turn(run, SUPERVISOR) or model is None:
        return _decide(messages, None, run, kwargs)
    try:
        answer = yield from _asked(run, model, messages, kwargs["tools"])
    except OutOfBudget:
        answer = None
    except Exception as error:
        answer = AIMessage("", response_metadata={"error": f"it failed: {error}"[:200]})
    return _decide(messages, answer, run, kwargs)


def _asked(run: Run, model: Model, messages: Sequence[BaseMessage], tools: list[Any]) -> Work[AIMessage]:
    """The reply in the best way of offering tools that the model takes."""
    told, prompt = json.dumps(tools, ensure_ascii=False), f"{SUPERVISOR} {load(SUPERVISOR).hash}"
    while True:
        way = model.tool_ways.way
        sent = _with_tools(messages, told) if way == "text" else messages
        bound, overhead = partial(_bound, model, tools, way), estimated_tokens("" if way == "text" else told)
        try:
            return (yield from call(run, SUPERVISOR, model, Request(sent, bound, MAX_OUTPUT_TOKENS, prompt, overhead, span=run.trace.turn)))
        except Rejected as refusal:
            if not refusal.trouble.form or not model.tool_ways.lower(way):
                raise


def build_team(name: str, members: Sequence[Member]) -> CompiledStateGraph[Any, Any, Any, Any]:
    """The compiled team: a supervisor and its members, with fixed edges where there is no choice."""
    builder = create_supervisor(
        [member.graph for member in members],
        model=Supervisor(),
        tools=HandoffNode([handoff(member) for member in members]),
        prompt=render,
        state_schema=TeamState,
        context_schema=RunContext,
        add_handoff_messages=False,
        supervisor_name=SUPERVISOR,
    )
    for member in members:
        if member.then:
            builder.edges.discard((member.name, SUPERVISOR))
            builder.add_edge(member.name, member.then)
    return builder.compile(name=name)


def handoff(member: Member) -> BaseTool:
    """Explicit, so that the tool order is fixed and the task text travels. The update is all that leaves the supervisor."""

    @tool(HANDOFF + member.name, description=member.purpose)
    def transfer(task: str) -> Command[Any]:
        return Command(graph=Command.PARENT, goto=member.name, update={"task": task})

    transfer.metadata = {METADATA_KEY_HANDOFF_DESTINATION: member.name}
    return transfer


class HandoffNode(ToolNode):
    """Calls the tool directly: `Supervisor` has already checked name and arguments, and ToolNode's thread pool costs 1 ms each."""

    def invoke(self, input: Any, config: RunnableConfig | None = None, **kwargs: Any) -> Any:
        call = input["tool_call"]
        return self.tools_by_name[call["name"]].func(call["args"]["task"])  # type: ignore[attr-defined]

    async def ainvoke(self, input: Any, config: RunnableConfig | None = None, **kwargs: Any) -> Any:
        return self.invoke(input)


def _bound(model: Model, tools: list[Any], way: ToolWay, tokens: int) -> Runnable[Sequence[BaseMessage], AIMessage]:
    """The model made ready; the wish for one call at a time reaches the provider only where bind_tools names that parameter."""
    brain = model.silent
    if way == "text":
        return brain.bind(max_tokens=tokens)
    one_call: dict[str, Any] = {"parallel_tool_calls": False}
    named = way == "one_call" and "parallel_tool_calls" in inspect.signature(brain.bind_tools).parameters
    return brain.bind_tools(tools, **(one_call if named else {})).bind(max_tokens=tokens)


def _with_tools(messages: Sequence[BaseMessage], told: str) -> list[BaseMessage]:
    first, *others = messages
    form = '{"name": "…", "arguments": {"task": "…"}}'
    return [SystemMessage(f"{first.text}\n\nA tool call is one JSON object {form} and nothing else. The tools:\n{told}"), *others]


def _decide(messages: list[BaseMessage], answer: AIMessage | None, run: Run, kwargs: dict[str, Any]) -> ChatResult:
    """The first valid handoff that is no repetition; else what the rules say; else the end of the round. Talk ends no round without a plan."""
    if not run.ledger.running:
        return _result(AIMessage(f"stopped: {run.ledger.stop_reason}"))
    if answer is not None:
        chosen = _chosen(answer, _names(kwargs))
        if chosen and not run.ledger.repeats(f"{chosen} {_progress(messages)}"):
            return _result(_handoff(*chosen))
        if not chosen and not answer.tool_calls and answer.text.strip() and seen(messages).planned:
            return _result(AIMessage(answer.text))
        run.fell_back(SUPERVISOR, _why(answer, chosen))
    return RulesSupervisor()._generate(messages, **kwargs) if run.ledger.running else _result(AIMessage("stopped: loop"))


def _chosen(answer: AIMessage, allowed: set[str]) -> tuple[str, str] | None:
    """Agent and task of the first handoff to someone who is there; small models write it as text."""
    for called, args in [(made["name"], made["args"]) for made in answer.tool_calls] or written_calls(answer):
        name = called.removeprefix(HANDOFF)
        if name in allowed:
            return name, str(args.get("task") or "")[:TASK_CHARACTERS]
    return None


def _why(answer: AIMessage, chosen: tuple[str, str] | None) -> str:
    if chosen:
        return f"it repeated the handoff to {chosen[0]}"
    if answer.tool_calls:
        return f"it handed over to {answer.tool_calls[0]['name'][:50]}, which does not exist"
    if answer.text.strip():
        return "it ended a round that had no plan"
    return str(answer.response_metadata.get("error", "its reply was empty"))


def _progress(messages: list[BaseMessage]) -> str:
    """The view without the reports: two handoffs with equal progress and task are the same step."""
    return seen(messages).model_dump_json(exclude={"reports"})


def _names(kwargs: dict[str, Any]) -> set[str]:
    return {t["function"]["name"].removeprefix(HANDOFF) for t in kwargs.get("tools") or []}


def _handoff(agent: str, task: str) -> AIMessage:
    call = {"name": HANDOFF + agent, "args": {"task": task}, "id": f"handoff_{next(_ids)}", "type": "tool_call"}
    return AIMessage("", tool_calls=[call])


def _result(message: AIMessage) -> ChatResult:
    return ChatResult(generations=[ChatGeneration(message=message)])
