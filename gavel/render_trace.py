"""The trace of a run as a table: when, what, who, and what came of it."""

from collections.abc import Mapping, Sequence
from typing import cast

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from gavel.cli.output import plain
from gavel.runs import Run

ARGUMENTS_SHOWN = 160


def render_trace(run: Run) -> RenderableType:
    """One line per event, reads with their rows, their cost and the Cypher that they sent."""
    table = Table(title=f"Trace {run.trace_id}", title_justify="left", box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("ms", justify="right", no_wrap=True)
    table.add_column("what", no_wrap=True)
    table.add_column("who", no_wrap=True)
    table.add_column("detail", overflow="fold")
    for event in run.events:
        who, detail = _told(event.kind, event.detail)
        table.add_row(f"{event.milliseconds:.1f}", event.kind, Text(plain(who)), Text(plain(detail)))
    return table


def _told(kind: str, detail: Mapping[str, object]) -> tuple[str, str]:
    if kind == "statement":
        return _place(detail), _statement(detail)
    if kind == "model":
        return str(detail.get("role", "")), _model(detail)
    if kind == "task":
        return str(detail.get("id", "")), " ".join(str(detail[key]) for key in ("status", "error") if detail.get(key))
    who = next((str(detail[key]) for key in ("agent", "role", "where") if detail.get(key)), "")
    return who, " ".join(str(detail[key]) for key in ("task", "text", "why") if detail.get(key))


def _model(detail: Mapping[str, object]) -> str:
    tokens = f"{detail.get('prompt_tokens', 0)} + {detail.get('completion_tokens', 0)} tokens"
    told = f"{detail.get('model', '')}, prompt {detail.get('prompt', '')}: {tokens}, {detail.get('took', 0)} ms"
    return f"{told}, failed: {detail['why']}" if detail.get("why") else told


def _place(detail: Mapping[str, object]) -> str:
    return " ".join(str(detail[key]) for key in ("agent", "task") if detail.get(key))


def _statement(detail: Mapping[str, object]) -> str:
    arguments = str(detail.get("arguments", ""))
    shown = arguments if len(arguments) <= ARGUMENTS_SHOWN else arguments[:ARGUMENTS_SHOWN] + "…"
    cost = "cached" if detail.get("cached") else f"{detail.get('milliseconds', 0)} ms"
    cypher = "".join(f"\n{statement.strip()}" for statement in cast(Sequence[str], detail.get("cypher", ())))
    return f"{detail.get('method', '')} {shown} → {detail.get('rows', 0)} rows, {cost}{cypher}"
