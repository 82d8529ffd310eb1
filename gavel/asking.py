"""One question through the graph: from plain arguments to the run's context, and from its final state to the result every door returns."""

from collections.abc import Mapping, Sequence
from typing import cast, get_type_hints

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
) -> Result:
    """Run the graph once. The result has the keys of `graphs.state.Result` and no others."""
    several = list(namespaces) if isinstance(namespaces, Sequence) and not isinstance(namespaces, str) else namespaces
    scope = {"namespaces": several, "as_of": as_of, "known_at": known_at}
    context = cast(RunContext, {"scope": scope, "limits": dict(limits) if isinstance(limits, Mapping) else limits or {}})
    state = graph.invoke({"question": question}, context=context)
    return cast(Result, {key: state[key] for key in RESULT_KEYS if key in state})
