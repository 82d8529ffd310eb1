"""One request to a model, paid for: reserved in the ledger, cut to what remains, tried again where that may help."""

import asyncio
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import cast

from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.runnables import Runnable

from agents.contract import Role
from agents.llm.ask import Unable
from graphs.context import Run
from graphs.models.model import Model
from graphs.models.trouble import Trouble, trouble
from graphs.waiting import Wait, Work
from knowledge.errors import OutOfBudget
from tools.cited import estimated_tokens

ATTEMPTS = 3
FIRST_WAIT = 0.5
LONGEST_WAIT = 20.0
TOKENS_PER_MESSAGE = 4
LEAST_REPLY = 64
KEPT_CHARACTERS = 4000
SILENT = "nostream"

Bound = Callable[[int], Runnable[Sequence[BaseMessage], AIMessage]]


@dataclass(frozen=True)
class Request:
    """What is sent. `bound` makes the model ready for a reply of so many tokens. `shown`: its tokens may be streamed to whoever watches.

    `closing`: the call that gives the answer, for which something is kept back. `prompt`, `overhead` and `span` are for estimate and trace.
    """

    messages: Sequence[BaseMessage]
    bound: Bound
    tokens: int
    prompt: str = ""
    overhead: int = 0
    shown: bool = False
    closing: bool = False
    span: int = 0


class Rejected(Unable):
    """The provider will not have this request; `trouble` says why."""

    def __init__(self, found: Trouble) -> None:
        super().__init__(found.why)
        self.trouble = found


def call(run: Run, role: Role, model: Model, request: Request) -> Work[AIMessage]:
    """The reply. Raises OutOfBudget where the ledger refuses, Rejected or Unable where the provider fails for good."""
    for attempt in range(1, ATTEMPTS + 1):
        if not model.breaker.admits():
            raise Unable(f"{model.id} keeps failing and is left alone for a while")
        outcome = yield from _once(run, role, model, request)
        _judge(model, outcome, over=_given_up(run, request) or _seconds(run, request) <= 0)
        if isinstance(outcome, AIMessage):
            return outcome
        if not outcome.passing:
            raise Rejected(outcome)
        pause = max(outcome.wait, FIRST_WAIT * 2 ** (attempt - 1) * random.uniform(1.0, 1.5))
        if attempt == ATTEMPTS or pause > min(LONGEST_WAIT, _seconds(run, request)):
            raise Unable(outcome.why)
        yield Wait(partial(asyncio.sleep, pause), pause + 1, lambda: not run.ledger.running)
    raise AssertionError("unreachable")


def _judge(model: Model, outcome: AIMessage | Trouble, *, over: bool) -> None:
    """A provider that answers is well, also where it refuses; a run that is over tells nothing of it."""
    if isinstance(outcome, AIMessage) or (outcome.status and not outcome.passing):
        model.breaker.succeeded()
    elif outcome.passing and not over:
        model.breaker.failed(outcome.wait)


def _once(run: Run, role: Role, model: Model, request: Request) -> Work[AIMessage | Trouble]:
    asked = sum(estimated_tokens(m.text) + TOKENS_PER_MESSAGE for m in request.messages) + request.overhead
    granted = run.ledger.reserve(asked + request.tokens, least=asked + LEAST_REPLY, role=role, closing=request.closing)
    if granted is None:
        raise OutOfBudget(run.ledger.stop_reason or "model_calls")
    began, outcome = time.perf_counter(), cast(AIMessage | Trouble, Trouble("it was cut short", passing=False))
    try:
        ready = _ready(request, granted - asked)
        if isinstance(ready, Trouble):
            outcome = ready
        else:
            given = yield Wait(partial(_sent, ready, request, role), _seconds(run, request, model), lambda: _given_up(run, request))
            outcome = given if isinstance(given, AIMessage) else trouble(_as_error(given))
    finally:
        _settle(run, role, model, request, outcome, granted, asked, time.perf_counter() - began)
    return outcome


def _ready(request: Request, tokens: int) -> Runnable[Sequence[BaseMessage], AIMessage] | Trouble:
    """The model made ready. LangChain's clients say by these two errors that they have no tools, or none that can be chosen: a refusal of the form."""
    try:
        return request.bound(tokens)
    except (TypeError, NotImplementedError) as error:
        return Trouble(f"{type(error).__name__}: {error}", passing=False, status=400, form=True)


async def _sent(ready: Runnable[Sequence[BaseMessage], AIMessage], request: Request, role: Role) -> AIMessage:
    tags = [f"gavel:{role}"] if request.shown else [f"gavel:{role}", SILENT]
    return await ready.ainvoke(request.messages, {"tags": tags, "run_name": role})


def _seconds(run: Run, request: Request, model: Model | None = None) -> float:
    """What is left of the run, at most what one call may take."""
    left = run.ledger.limits.wall_time - run.ledger.elapsed if request.closing else run.ledger.remaining
    return max(0.0, min(left, model.seconds) if model else left)


def _given_up(run: Run, request: Request) -> bool:
    return run.ledger.cancelled or not (request.closing or run.ledger.running)


def _as_error(given: object) -> Exception:
    return given if isinstance(given, Exception) else RuntimeError(f"no message but {type(given).__name__}")


def _settle(
    run: Run, role: Role, model: Model, request: Request, outcome: AIMessage | Trouble, granted: int, asked: int, seconds: float
) -> None:
    """Charge what the provider reported; else nothing where it refused, the estimate where it answered, all that was reserved where it broke off."""
    prompt, completion = _used(outcome, asked, granted)
    money = model.price.of(prompt, completion) if model.price else 0.0
    run.ledger.settle(granted, prompt + completion, role=role, money=money)
    failed = outcome.why if isinstance(outcome, Trouble) else ""
    run.trace.emit(
        "model", parent=request.span, role=role, model=model.id, prompt=request.prompt, prompt_tokens=prompt, completion_tokens=completion, money=money,
        took=round(seconds * 1000, 2), why=failed, kept={"sent": _texts(request.messages), "reply": _reply(outcome)},
    )  # fmt: skip


def _texts(messages: Sequence[BaseMessage]) -> tuple[str, ...]:
    return tuple(f"{message.type}: {message.text}"[:KEPT_CHARACTERS] for message in messages)


def _reply(outcome: AIMessage | Trouble) -> str:
    if isinstance(outcome, Trouble):
        return ""
    return (outcome.text or str([(made["name"], made["args"]) for made in outcome.tool_calls]))[:KEPT_CHARACTERS]


def _used(outcome: AIMessage | Trouble, asked: int, granted: int) -> tuple[int, int]:
    """Tokens of the prompt and of the completion."""
    if isinstance(outcome, Trouble):
        return (0, 0) if outcome.unpaid else (asked, granted - asked)
    usage = outcome.usage_metadata
    if usage and usage["total_tokens"]:
        return usage["input_tokens"], max(usage["output_tokens"], usage["total_tokens"] - usage["input_tokens"])
    return asked, estimated_tokens(outcome.text + "".join(str(made["args"]) for made in outcome.tool_calls))
