"""The trace of a run as a tree: who was at work, what each thought read and asked, how long it took and what came of it."""

from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from rich.console import RenderableType
from rich.text import Text
from rich.tree import Tree

from gavel.cli.output import one_line, plain
from gavel.runs import Run
from gavel.span_tree import Span, totals, tree
from graphs.trace import Event

ARGUMENTS_SHOWN = 160
TEXT_SHOWN = 400
NAMES_SHOWN = 8


def render_trace(run: Run, *, statements: bool = True) -> RenderableType:
    """The tree; with `statements`, the Cypher that each read sent."""
    spent = totals(run.events)
    cost = f"{spent.queries} queries, {spent.model_calls} model calls, {spent.tokens:,} tokens" + (
        f", ${spent.money:.4f}" if spent.money else ""
    )
    drawn = Tree(Text(f"Trace {run.trace_id}: {one_line(run.question)} ({run.stop_reason}; {cost})"))
    if run.limits:
        drawn.add(Text("limits: " + ", ".join(f"{name.replace('_', ' ')} {most:g}" for name, most in run.limits.items())))
    _grow(drawn, tree(run), statements)
    return drawn


def _grow(drawn: Tree, span: Span, statements: bool) -> None:
    parts: list[tuple[float, Span | Event]] = [(inner.began, inner) for inner in span.inside]
    parts += [(event.milliseconds, event) for event in span.told]
    for _, part in sorted(parts, key=lambda pair: pair[0]):
        if isinstance(part, Event):
            drawn.add(Text(f"{part.milliseconds:9.1f}      · {plain(_event(part))}"))
        else:
            lines = "\n".join(plain(line) for line in _lines(part, statements))
            _grow(drawn.add(Text(f"{part.began:9.1f} +{part.ended - part.began:<8.1f} {lines}")), part, statements)


def _event(event: Event) -> str:
    detail = event.detail
    who = next((str(detail[key]) for key in ("agent", "role", "where", "id") if detail.get(key)), "")
    return one_line(" ".join([event.kind, who, *(str(detail[key]) for key in ("status", "error", "text", "why") if detail.get(key))]))


def _lines(span: Span, statements: bool) -> Iterator[str]:
    detail = span.detail
    if span.kind == "turn":
        yield one_line(f"{span.name}, round {detail.get('round')} {detail.get('task', '')}")
    elif span.kind == "thought":
        yield one_line(f"{span.name} {detail.get('task', '')}: {detail.get('said', '')}")
    elif span.kind == "model":
        yield from _model(detail)
    else:
        yield from _statement(detail, statements)


def _model(detail: Mapping[str, object]) -> Iterator[str]:
    tokens = f"{detail.get('prompt_tokens', 0)} + {detail.get('completion_tokens', 0)} tokens"
    yield one_line(f"{detail.get('model', '')}, prompt {detail.get('prompt', '')}: {tokens}")
    if detail.get("why"):
        yield one_line(f"failed: {detail['why']}")
    elif detail.get("reply"):
        yield one_line(f"said: {str(detail['reply'])[:TEXT_SHOWN]}")


def _statement(detail: Mapping[str, object], statements: bool) -> Iterator[str]:
    arguments = str(detail.get("arguments", ""))
    shown = arguments if len(arguments) <= ARGUMENTS_SHOWN else arguments[:ARGUMENTS_SHOWN] + "…"
    seen = [f"{len(cast(Sequence[str], detail.get('entities', ())))} entities"] if detail.get("entities") else []
    seen += [", ".join(cast(Sequence[str], detail["relations"])[:NAMES_SHOWN])] if detail.get("relations") else []
    cached = ", cached" if detail.get("cached") else ""
    yield one_line(f"{detail.get('method', '')} {shown} → {detail.get('rows', 0)} rows{cached}{f' ({chr(59).join(seen)})' if seen else ''}")
    if statements:
        yield from (statement.strip() for statement in cast(Sequence[str], detail.get("cypher", ())))
