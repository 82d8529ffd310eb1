"""LangSmith's client with what its traces may not keep taken out. Where and whether to trace is said by LangSmith's own variables."""

from collections.abc import Callable, Mapping

from gavel.redaction import Redaction


def redact_langsmith(redaction: Redaction) -> None:
    """Make the client that LangChain traces with. Where properties are to be hidden it is told no text at all, only names, times and tokens.

    A client that the process has already made is left as it is.
    """
    from langsmith.run_trees import get_cached_client
    from langsmith.utils import tracing_is_enabled

    if tracing_is_enabled():
        hidden = redaction.by_name
        get_cached_client(anonymizer=None if hidden else _without_secrets(redaction), hide_inputs=hidden, hide_outputs=hidden)


def _without_secrets(redaction: Redaction) -> Callable[[dict[str, object]], dict[str, object]]:
    def told(value: object) -> object:
        if isinstance(value, str):
            return redaction.hide(value)
        if isinstance(value, Mapping):
            return {key: told(inner) for key, inner in value.items()}
        return [told(inner) for inner in value] if isinstance(value, list | tuple) else value

    return lambda payload: {key: told(value) for key, value in payload.items()}
