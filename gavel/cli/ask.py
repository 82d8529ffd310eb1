"""`gavel ask`: one question, answered with its proof, its gaps and its cost."""

import json
import os
import sys
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Annotated

import typer

from gavel.cli.output import Format, FormatOption, console, note, print_json, progress
from knowledge.errors import ConfigError

if TYPE_CHECKING:
    from gavel.app import App
    from gavel.estimate import Estimate, Range
    from gavel.runs import Run
    from graphs.state import Result

NAMESPACE = typer.Option("--namespace", "-n", help="read this namespace only; may be given several times")
AS_OF = typer.Option("--as-of", help="what was true then: 2019, 2019-05, 2019-05-07 or an ISO instant")
KNOWN_AT = typer.Option("--known-at", help="what the kg believed then, written in the same way")
ROUNDS = typer.Option("--max-rounds", min=1, help="plan and evidence cycles  [default: 5]")
TURNS = typer.Option("--max-turns", min=0, help="agent turns  [default: 40]")
QUERIES = typer.Option("--max-queries", min=0, help="statements sent to the database  [default: 20]")
WALL_TIME = typer.Option("--max-wall-time", min=0, help="seconds until the answer  [default: 120]")
STREAM = typer.Option("--stream", help="show who works on what, and the answer as it is written, on standard error")
ESTIMATE = typer.Option("--estimate", help="say before what it may cost, by past runs, and after how that compares")
TRACE = typer.Option("--trace", help="also print what happened, turn by turn and statement by statement")


def ask(
    question: Annotated[str, typer.Argument(help="the question, in quotes")],
    namespace: Annotated[list[str] | None, NAMESPACE] = None,
    as_of: Annotated[str, AS_OF] = "",
    known_at: Annotated[str, KNOWN_AT] = "",
    max_rounds: Annotated[int | None, ROUNDS] = None,
    max_turns: Annotated[int | None, TURNS] = None,
    max_queries: Annotated[int | None, QUERIES] = None,
    max_wall_time: Annotated[float | None, WALL_TIME] = None,
    stream: Annotated[bool, STREAM] = False,
    estimate: Annotated[bool, ESTIMATE] = False,
    trace: Annotated[bool, TRACE] = False,
    output: FormatOption = Format.text,
) -> None:
    """Answer a question over the kg, with proof."""
    from gavel import settings
    from gavel.app import App
    from gavel.asking import asked

    given = {"rounds": max_rounds, "turns": max_turns, "queries": max_queries, "wall_time": max_wall_time}
    limits = {name: float(value) if name == "wall_time" else int(value) for name, value in given.items() if value is not None}
    with progress() as bar, App(settings.load(), bar) as app:
        warn_where_empty(app)
        predicted = _predicted(app, _decoded(question)) if estimate else None
        graph, follow = app.graph(), _follow(output) if stream else None
        result = asked(graph, _decoded(question), namespaces=namespace, as_of=as_of, known_at=known_at, limits=limits, follow=follow)
        run = _kept(app, result) if trace else None
    show(result, output)
    if predicted:
        _compare(predicted, result, output)
    if trace:
        _show_trace(run, output)
    if result.get("stop_reason") == "failed":
        raise typer.Exit(1)


def _predicted(app: "App", question: str) -> "Estimate":
    from gavel.estimate import LOOKED_AT, estimate

    made = estimate(question, app.runs.recent(LOOKED_AT), by_model=bool(app.models))
    if not made.runs:
        note("no past run to estimate from; the limits bound what it may cost")
    else:
        alike = "of this kind of question" if made.alike else "of any kind"
        note(f"estimate from {made.runs} runs {alike}: {', '.join(_said(unit, one) for unit, one in made.units.items())}")
    return made


def _said(unit: str, one: "Range") -> str:
    return f"{one.median:g} {unit.replace('_', ' ')} ({one.low:g} to {one.high:g})"


def _compare(predicted: "Estimate", result: "Result", output: Format) -> None:
    """Predicted against spent, on standard error; one JSON object where the result is JSON."""
    spent = {unit: value for unit, value in result.get("spent", {}).items() if unit in predicted.units}
    if output is Format.json:
        units = {unit: {**vars(one), "spent": spent.get(unit, 0)} for unit, one in predicted.units.items()}
        note(json.dumps({"estimate": {"runs": predicted.runs, "alike": predicted.alike, "units": units}}))
    elif predicted.units:
        told = [(unit, one.median, spent.get(unit, 0)) for unit, one in predicted.units.items() if one.high or spent.get(unit)]
        note("predicted and spent: " + ", ".join(f"{unit.replace('_', ' ')} {median:g} / {cost:g}" for unit, median, cost in told))


def _follow(output: Format) -> "Callable[[Mapping[str, object]], None]":
    """What happens, on standard error: in words, or as one JSON object per line."""
    from gavel.progress_lines import Teller

    if output is Format.json:
        return lambda event: note(json.dumps(event, ensure_ascii=False, default=str))
    return Teller(sys.stderr).tell


def _decoded(argument: str) -> str:
    """A command-line argument as UTF-8, whatever the locale made of its bytes."""
    return os.fsencode(argument).decode("utf-8", "replace")


def show(result: "Result", output: Format) -> None:
    """The result on standard output."""
    if output is Format.json:
        print_json(result)
        return
    from gavel.render import render

    console().print(render(result))


def warn_where_empty(app: "App") -> None:
    """Say how to get data in where there is none."""
    if not app.principal().scope.namespaces:
        note("there is nothing in the kg yet; `gavel demo` loads the sample world, `gavel load FILE --namespace NAME` loads yours")


def _kept(app: "App", result: "Result") -> "Run | None":
    """The run with its trace; an answer is shown also where the trace was lost."""
    try:
        return app.runs.find(result["trace_id"])
    except ConfigError as error:
        note(str(error))
        return None


def _show_trace(run: "Run | None", output: Format) -> None:
    """After the result; on standard error where that is JSON, so that it stays one document."""
    if run is None:
        note("the trace of this run was not kept; see the log above")
        return
    from gavel.render_trace import render_trace

    console(errors=output is Format.json).print(render_trace(run))
