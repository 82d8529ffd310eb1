"""A brain and its model in conversation: what the brain asks is put to the model in the way that it takes, and read; one repair turn, no more."""

import json
from collections.abc import Sequence

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage
from langchain_core.runnables import Runnable
from pydantic import BaseModel

from agents.contract import Role
from agents.llm.ask import Ask, R, Thought, Unable
from graphs.context import Run
from graphs.models.calls import Bound, Rejected, Request, call
from graphs.models.model import Model, Way
from graphs.models.replies import value_of
from graphs.waiting import Work
from knowledge.errors import OutOfBudget
from tools.cited import estimated_tokens

QUESTION_CHARACTERS = 2000
SAID_CHARACTERS = 2000
CLOSING: Role = "synthesizer"


def converse(run: Run, role: Role, model: Model, thought: Thought[R], span: int = 0) -> Work[R]:
    """Run the brain; it may catch what goes wrong (Unable, OutOfBudget), else that is raised here."""
    try:
        asked = next(thought)
        while True:
            try:
                reply = yield from _answered(run, role, model, asked, span)
            except (Unable, OutOfBudget) as error:
                asked = thought.throw(error)
            else:
                asked = thought.send(reply)
    except StopIteration as done:
        return done.value  # type: ignore[no-any-return]
    finally:
        thought.close()


def _answered(run: Run, role: Role, model: Model, ask: Ask, span: int) -> Work[BaseModel | str]:
    run.trace.prompts[ask.prompt.name] = ask.prompt.hash
    messages: list[BaseMessage] = [SystemMessage(ask.system), HumanMessage(ask.question[:QUESTION_CHARACTERS] or "(nothing)")]
    reply = yield from _said(run, role, model, ask, messages, span)
    try:
        return _read(reply, ask)
    except ValueError as fault:
        told = f"That reply cannot be used: {str(fault)[:SAID_CHARACTERS]}. Reply again, whole, and mend only that."
    messages += [AIMessage(_shown(reply)), HumanMessage(told)]
    reply = yield from _said(run, role, model, ask, messages, span)
    try:
        return _read(reply, ask)
    except ValueError as fault:
        raise Unable(f"its reply could not be used, also after one repair: {fault}"[:SAID_CHARACTERS]) from fault


def _said(run: Run, role: Role, model: Model, ask: Ask, messages: Sequence[BaseMessage], span: int) -> Work[AIMessage]:
    """The reply in the best way that the model takes."""
    while True:
        way: Way = model.ways.way if ask.schema else "text"
        form = _form(ask.schema) if ask.schema else ""
        sent = _with_form(messages, form) if way == "text" and form else messages
        request = Request(
            sent, _bound(model, way, ask.schema), ask.tokens, f"{ask.prompt.name} {ask.prompt.hash}", estimated_tokens(form),
            shown=ask.schema is None, closing=role == CLOSING, span=span,
        )  # fmt: skip
        try:
            reply = yield from call(run, role, model, request)
            run.streamed = str(reply.id or "") if request.shown else run.streamed
            return reply
        except Rejected as refusal:
            if way == "text" or not refusal.trouble.form or not model.ways.lower(way):
                raise


def _bound(model: Model, way: Way, schema: type[BaseModel] | None) -> Bound:
    def ready(tokens: int) -> Runnable[Sequence[BaseMessage], AIMessage]:
        if schema is None:
            return model.chat.bind(max_tokens=tokens)
        if way == "text":
            return model.silent.bind(max_tokens=tokens)
        form = {"name": schema.__name__, "description": "the reply", "parameters": schema.model_json_schema()}
        if way == "function_calling":
            return model.silent.bind_tools([{"type": "function", "function": form}], tool_choice=schema.__name__).bind(max_tokens=tokens)
        wanted = {"name": schema.__name__, "schema": schema.model_json_schema(), "strict": False}
        return model.silent.bind(response_format={"type": "json_schema", "json_schema": wanted}, max_tokens=tokens)

    return ready


def _with_form(messages: Sequence[BaseMessage], form: str) -> list[BaseMessage]:
    first, *others = messages
    return [SystemMessage(f"{first.text}\n\nReply with one JSON object of this schema and nothing else:\n{form}"), *others]


def _form(schema: type[BaseModel]) -> str:
    return json.dumps(schema.model_json_schema(), ensure_ascii=False)


def _read(reply: AIMessage, ask: Ask) -> BaseModel | str:
    """ValueError where the reply has not the form, or fails the brain's check."""
    if ask.schema is None:
        if not reply.text.strip():
            raise ValueError("the reply is empty")
        ask.check(reply.text.strip())
        return reply.text.strip()
    value = value_of(reply, ask.schema)
    ask.check(value)
    return value


def _shown(reply: AIMessage) -> str:
    calls = [json.dumps(made["args"], ensure_ascii=False) for made in reply.tool_calls]
    return (reply.text or "".join(calls) or "(nothing)")[:SAID_CHARACTERS]
