"""Runs as OpenTelemetry spans, sent over HTTP to a collector; names follow the conventions for generative AI and databases."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import cast

from gavel.runs import Run
from gavel.span_tree import Span, tree
from graphs.trace import RunRecord
from knowledge.errors import ConfigError

SERVICE = "gavel"
FLUSH_MILLISECONDS = 5000
SEND_SECONDS = 5
Attribute = str | bool | int | float | Sequence[str]
_NAMES = {
    "model": {
        "model": "gen_ai.request.model", "prompt_tokens": "gen_ai.usage.input_tokens", "completion_tokens": "gen_ai.usage.output_tokens",
        "why": "error.type", "prompt": "gavel.prompt", "money": "gavel.money",
    },
    "statement": {
        "cypher": "db.query.text", "rows": "db.response.returned_rows", "method": "db.operation.name", "entities": "gavel.entities",
        "relations": "gavel.relations", "cached": "gavel.cached",
    },
    "turn": {"agent": "gen_ai.agent.name", "round": "gavel.round", "task": "gavel.task"},
    "thought": {"role": "gen_ai.agent.name", "said": "gavel.said", "task": "gavel.task"},
    "run": {"question": "gavel.question", "stop_reason": "gavel.stop_reason", "queries": "gavel.queries", "tokens": "gavel.tokens", "money": "gavel.money"},
}  # fmt: skip


class Exporter:
    """A `RunRecorder`. Spans are sent in the background; a collector that is away costs nothing but the spans."""

    def __init__(self, endpoint: str) -> None:
        try:
            from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
            from opentelemetry.sdk.resources import Resource
            from opentelemetry.sdk.trace import TracerProvider
            from opentelemetry.sdk.trace.export import BatchSpanProcessor
        except ImportError as error:
            raise ConfigError(f"GAVEL_OTEL_ENDPOINT needs the extra: pip install 'gavel[otel]' ({error})") from error
        self._provider = TracerProvider(resource=Resource.create({"service.name": SERVICE}))
        self._provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter(endpoint=endpoint, timeout=SEND_SECONDS)))
        self._tracer = self._provider.get_tracer(SERVICE)

    def finished(self, record: RunRecord) -> None:
        """Hand the spans of a run to the sender."""
        self._send(tree(Run.of(record)), record.began, None)

    def close(self) -> None:
        """Send what is waiting, within five seconds."""
        self._provider.force_flush(FLUSH_MILLISECONDS)
        self._provider.shutdown()

    def _send(self, span: Span, began: datetime, parent: object) -> None:
        from opentelemetry.context import Context
        from opentelemetry.trace import set_span_in_context

        context = cast(Context | None, parent)
        sent = self._tracer.start_span(
            f"{span.kind} {span.name}" if span.kind != "run" else "gavel.ask",
            context,
            start_time=_nanoseconds(began, span.began),
            attributes=_attributes(span),
        )
        for event in span.told:
            told = {key: str(value) for key, value in event.detail.items()}
            sent.add_event(event.kind, told, _nanoseconds(began, event.milliseconds))
        inside = set_span_in_context(sent)
        for inner in span.inside:
            self._send(inner, began, inside)
        sent.end(_nanoseconds(began, span.ended))


def _attributes(span: Span) -> dict[str, Attribute]:
    detail: Mapping[str, object] = span.detail
    given = {name: detail[key] for key, name in _NAMES[span.kind].items() if detail.get(key) not in (None, "", ())}
    return {name: _value(value) for name, value in given.items()}


def _value(value: object) -> Attribute:
    if isinstance(value, str | bool | int | float):
        return value
    return [str(one) for one in value] if isinstance(value, list | tuple) else str(value)


def _nanoseconds(began: datetime, milliseconds: float) -> int:
    return int(began.timestamp() * 1e9 + milliseconds * 1e6)
