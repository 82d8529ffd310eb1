"""`gavel trace`: what happened in a run that was kept, as a tree of spans."""

from typing import TYPE_CHECKING, Annotated

import typer

from gavel.cli.output import Format, FormatOption, console, print_json, table
from knowledge.errors import ConfigError, ScopeError

if TYPE_CHECKING:
    from gavel.runs import Run, Runs

RUN = typer.Argument(help="a trace id or its beginning, as `gavel ask` prints it  [default: the last run]", show_default=False)
RECENT = typer.Option("--list", min=1, max=1000, help="list so many of the latest runs instead")
CYPHER = typer.Option("--cypher/--no-cypher", help="also the Cypher of each read")
QUESTION_SHOWN = 60


def trace(
    run: Annotated[str, RUN] = "",
    recent: Annotated[int | None, RECENT] = None,
    cypher: Annotated[bool, CYPHER] = False,
    output: FormatOption = Format.text,
) -> None:
    """Show what happened in a run: turns, thoughts, reads, model calls."""
    from gavel import settings
    from gavel.app import App

    with App(settings.load()) as app:
        if not app.grants().unbounded:
            raise ScopeError("runs hold what their askers could read, so they are shown to persons to whom everything was given")
        if recent:
            _list(app.runs.recent(recent), output)
        else:
            _show(_found(app.runs, run), output, cypher)


def _found(runs: "Runs", beginning: str) -> "Run":
    """ConfigError where there is no such run, or more than one."""
    ids = runs.named(beginning) if beginning else [run.trace_id for run in runs.recent(1)]
    if not ids:
        known = f"no run is kept that begins with {beginning!r}" if beginning else "no run is kept yet"
        raise ConfigError(f"{known}; `gavel trace --list 20` lists the latest, `gavel ask` makes one")
    if len(ids) > 1:
        raise ConfigError(f"{len(ids)} runs begin with {beginning!r}; write more of one, such as {ids[0]}")
    found = runs.find(ids[0])
    if found is None:
        raise ConfigError(f"run {ids[0]} has just been removed")
    return found


def _show(run: "Run", output: Format, cypher: bool) -> None:
    if output is Format.json:
        from gavel.span_tree import tree

        print_json({"trace_id": run.trace_id, "date": run.began, "prompts": run.prompts, "limits": run.limits, **tree(run).as_json()})
        return
    from gavel.render_trace import render_trace

    console().print(render_trace(run, statements=cypher))


def _list(runs: "list[Run]", output: Format) -> None:
    if output is Format.json:
        print_json(
            [
                {"trace_id": run.trace_id, "date": run.began, "question": run.question, "stop_reason": run.stop_reason, "spent": run.spent}
                for run in runs
            ]
        )
        return
    rows = [
        [
            run.trace_id[:12],
            f"{run.began:%Y-%m-%d %H:%M:%S}",
            run.question[:QUESTION_SHOWN],
            run.stop_reason,
            str(run.spent.get("queries", "")),
        ]
        for run in runs
    ]
    table(["run", "began (UTC)", "question", "ended", "queries"], rows)
