"""One question through the graph: from plain arguments to the run's context, and from its final state to the result every door returns."""

from collections.abc import Callable, Mapping, Sequence
from typing import cast, get_type_hints

from langchain_core.messages import AIMessageChunk

from graphs.context import RunContext
from graphs.door import AskGraph
from graphs.state import Result

RESULT_KEYS = tuple(get_type_hints(Result))


def asked(
    graph: AskGraph,
    question: str,
    *,
    namespaces: Sequence[str] | None = None,
    as_of: str = "",
    known_at: str = "",
    limits: Mapping[str, float] | None = None,
    follow: Callable[[Mapping[str, object]], None] | None = None,
) -> Result:
    """Run the graph once. The result has the keys of `graphs.state.Result` and no others.

    `follow` is told of everything that happens on the way: the events of the trace (see `graphs.trace.Event`), and the answer's own text as
    it comes, as {"event": "token", "text": …}, where a model writes it.
    """
    several = list(namespaces) if isinstance(namespaces, Sequence) and not isinstance(namespaces, str) else namespaces
    scope = {"namespaces": several, "as_of": as_of, "known_at": known_at}
    context = cast(RunContext, {"scope": scope, "limits": dict(limits) if isinstance(limits, Mapping) else limits or {}})
    state = _followed(graph, question, context, follow) if follow else graph.invoke({"question": question}, context=context)
    return cast(Result, {key: state[key] for key in RESULT_KEYS if key in state})


def _followed(graph: AskGraph, question: str, context: RunContext, follow: Callable[[Mapping[str, object]], None]) -> Mapping[str, object]:
    state: Mapping[str, object] = {}
    for mode, chunk in graph.stream({"question": question}, context=context, stream_mode=["custom", "messages", "values"]):
        if mode == "values":
            state = chunk
        elif mode == "custom":
            follow(chunk)
        elif isinstance(chunk[0], AIMessageChunk) and chunk[0].text:
            follow({"event": "token", "text": chunk[0].text})
    return state
