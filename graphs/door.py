"""What every door calls: a compiled graph that opens one run per call, bounds it, and cancels it when the caller leaves."""

import asyncio
from collections.abc import AsyncIterator, Iterator, Mapping
from typing import Any, ClassVar, cast

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Command

from graphs.context import Run, RunContext, Services, interruptible
from graphs.state import Question, State
from graphs.user import server_user
from knowledge.errors import ConfigError

_END = object()


class AskGraph(CompiledStateGraph[State, RunContext, Question, State]):
    """Invoke it with `{"question": …}` or `{"messages": […]}` and, if wanted, `context={"scope": …, "limits": …}`.

    Raises ConfigError for a wrong context or question and ScopeError for what may not be seen; all else that happens is in the result.
    """

    services: ClassVar[Services]

    def stream(self, input: Any, config: Any = None, *, context: Any = None, **kwargs: Any) -> Iterator[Any]:
        _check(input)
        bound = RunContext.claim(context, self.services, server_user(self.config, config))
        run, chunks = bound.run, iter(super().stream(input, _bounded(config, bound), context=bound, **self._durable(kwargs)))
        try:
            while (chunk := _next(run, chunks)) is not _END:
                yield chunk
        except (GeneratorExit, KeyboardInterrupt):
            run.cancel(abandoned=True)
            chunks.close()  # type: ignore[attr-defined]
            raise

    async def astream(self, input: Any, config: Any = None, *, context: Any = None, **kwargs: Any) -> AsyncIterator[Any]:
        _check(input)
        bound = await asyncio.to_thread(RunContext.claim, context, self.services, server_user(self.config, config))
        run, chunks = bound.run, super().astream(input, _bounded(config, bound), context=bound, **self._durable(kwargs))
        try:
            async for chunk in chunks:
                yield chunk
        except (GeneratorExit, asyncio.CancelledError):
            run.cancel(abandoned=True)
            await chunks.aclose()  # type: ignore[attr-defined]
            raise

    def _durable(self, kwargs: dict[str, Any]) -> Any:
        """One checkpoint per graph instead of one per superstep: a crash loses a question, never a thread."""
        chosen = kwargs.get("durability") or ("exit" if isinstance(self.checkpointer, BaseCheckpointSaver) else None)
        return {**kwargs, "durability": chosen}


class RememberGraph(AskGraph):
    """Invoke it with `{"question": …}` or `{"messages": […]}`, the text being what is to be remembered, and `namespace`, `source_description`
    or `valid_at` where they are known.

    Raises what an AskGraph raises. A run that stops at a proposal for which someone must decide is resumed with
    `Command(resume={"decision": "approve"})`, or reject, amend, reroute, leave.
    """


def opened_by(compiled: CompiledStateGraph[Any, Any, Any, Any], services: Services, kind: type[AskGraph] = AskGraph) -> AskGraph:
    """The compiled graph as an AskGraph. The services belong to its class, since copies of a graph keep the class and lose other attributes."""
    compiled.__class__ = type(kind.__name__, (kind,), {"services": services, "__doc__": kind.__doc__, "__module__": kind.__module__})
    return cast(AskGraph, compiled)


def _check(given: Any) -> None:
    """ConfigError for what is no question; None and commands are LangGraph's own."""
    if given is None or isinstance(given, Command):
        return
    asked = given.get("question") if isinstance(given, Mapping) else given
    if not isinstance(given, Mapping) or not isinstance(asked, str | None):
        raise ConfigError(f'the question must be text, not {type(asked).__name__}; pass {{"question": "…"}} or {{"messages": […]}}')


def _next(run: Run, chunks: Iterator[Any]) -> Any:
    with interruptible(run):
        return next(chunks, _END)


def _bounded(config: Any, bound: RunContext) -> Any:
    given = config or {}
    return {**given, "recursion_limit": max(given.get("recursion_limit") or 0, bound.limits.recursion_limit)}
