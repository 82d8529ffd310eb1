"""`gavel demo`: the sample world, loaded and asked."""

import shutil
from importlib.resources import as_file, files
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from gavel.cli.ask import show
from gavel.cli.load import described, may_load
from gavel.cli.output import Bar, Format, FormatOption, note, print_json, progress

if TYPE_CHECKING:
    from gavel.app import App
    from gavel.settings import Settings
    from graphs.door import AskGraph
    from graphs.state import Result
    from knowledge.loading.report import LoadReport

NAMESPACE = "demo"
QUESTIONS = (
    "Who founded Anthropic?",
    "Compare the technical approaches of OpenAI and Anthropic. Do their investors compete with each other?",
    "分析 OpenAI 和 Anthropic 在技术路线上的差异，以及它们各自的投资方之间是否存在竞争关系",
)


def demo(output: FormatOption = Format.text) -> None:
    """Load the bundled sample world into the namespace `demo` and ask it three questions."""
    from gavel import settings
    from gavel.app import App

    current = settings.load()
    with as_file(files("gavel") / "world") as world, progress() as bar, App(current, bar) as app:
        may_load(app)
        report = _load(app, world, bar)
        _keep_profile(world / "profile.yaml", current)
    note(f"the sample world is in the namespace `{NAMESPACE}`: {report.read} rows, {report.created} of them new")
    with App(current) as app:
        graph = app.graph()
        results = [_asked(graph, question, output) for question in QUESTIONS]
    if output is Format.json:
        asked = [{"question": question, "result": result} for question, result in zip(QUESTIONS, results, strict=True)]
        print_json({"namespace": NAMESPACE, "loaded": described(report), "asked": asked})
    if any(result.get("stop_reason") == "failed" for result in results):
        raise typer.Exit(1)
    if output is Format.text:
        typer.echo('\nAsk your own: gavel ask "…"    Look around: gavel schema    The database keeps running: gavel db stop')


def _asked(graph: "AskGraph", question: str, output: Format) -> "Result":
    """People see each answer as it comes, programs get all of them together."""
    from gavel.asking import asked

    if output is Format.json:
        note(f"? {question}")
        return asked(graph, question, namespaces=[NAMESPACE])
    typer.secho(f"\n? {question}\n", bold=True)
    result = asked(graph, question, namespaces=[NAMESPACE])
    show(result, output)
    return result


def _load(app: "App", world: Path, bar: Bar) -> "LoadReport":
    from knowledge.loading import loader

    files = [world / "entities.jsonl", world / "facts.jsonl"]
    log = app.memory.load_log(app.proposer())
    return loader.load(app.database, files, NAMESPACE, embedder=app.embedder, progress=bar.step, log=log)


def _keep_profile(profile: Path, current: "Settings") -> None:
    """The world's own words become the owner's profile where there is none yet."""
    if not current.profile and not current.profile_file.exists():
        shutil.copyfile(profile, current.profile_file)
