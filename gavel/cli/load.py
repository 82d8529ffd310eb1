"""`gavel load`: files into a namespace."""

from dataclasses import asdict
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gavel.cli.output import Format, FormatOption, echo, print_json, progress, table
from knowledge.errors import ScopeError

if TYPE_CHECKING:
    from gavel.app import App
    from knowledge.loading.report import LoadReport


class ShapeChoice(StrEnum):
    """How a database keeps its facts."""

    memory = "memory"
    native = "native"


class OnErrorChoice(StrEnum):
    """What a row does that cannot be loaded."""

    stop = "stop"
    skip = "skip"


FILES = typer.Argument(help="triples as .tsv or .csv, .jsonl rows, or LangChain GraphDocuments as .json", exists=True, dir_okay=False)
NAMESPACE = typer.Option("--namespace", "-n", help="where the facts belong: 1 to 64 letters, digits, _ or -")
SHAPE = typer.Option("--shape", help="memory for facts with dates and provenance, native for a plain typed graph; one per database")
ON_ERROR = typer.Option("--on-error", help="stop at a row that cannot be loaded, or skip it into the rejects file")
REJECTS = typer.Option("--rejects", help="where skipped rows go  [default: NAMESPACE.rejects.jsonl]", dir_okay=False)
_LINES = (
    ("rows read", "read"),
    ("new", "created"),
    ("already known", "known"),
    ("further evidence", "supported"),
    ("changed beliefs", "revised"),
    ("repeated in the files", "duplicates"),
    ("rejected", "rejected"),
    ("done before an interruption", "resumed"),
    ("new entities", "entities"),
    ("new facts", "facts"),
    ("dates before the year 1", "early_dates"),
    ("vectors written", "vectors"),
)


def may_govern(app: "App", why: str) -> None:
    """ScopeError, which says why, for whoever may not pass by the guard of proposals."""
    if not app.grants().governs:
        raise ScopeError(why)


def may_load(app: "App") -> None:
    """ScopeError for whoever may only propose."""
    may_govern(app, "files are loaded without approval, so a person does it who may write everywhere; propose with `gavel remember`")


def load(
    files: Annotated[list[Path], FILES],
    namespace: Annotated[str, NAMESPACE],
    shape: Annotated[ShapeChoice, SHAPE] = ShapeChoice.memory,
    on_error: Annotated[OnErrorChoice, ON_ERROR] = OnErrorChoice.stop,
    rejects: Annotated[Path | None, REJECTS] = None,
    output: FormatOption = Format.text,
) -> None:
    """Load facts from files. Loading twice changes nothing; an interrupted load goes on where it stopped."""
    from gavel import settings
    from gavel.app import App
    from knowledge.loading import loader

    with progress() as bar, App(settings.load(), bar) as app:
        may_load(app)
        report = loader.load(
            app.database,
            files,
            namespace,
            shape.value,
            embedder=app.embedder,
            profile=app.said,
            folder=app.settings.data_dir,
            on_error=on_error.value,
            rejects=rejects,
            progress=bar.step,
            log=app.memory.load_log(app.proposer()),
        )
    if output is Format.json:
        print_json(described(report))
    else:
        show(report)


def described(report: "LoadReport") -> dict[str, object]:
    """The numbers for programs."""
    return {**asdict(report), "rate": report.rate}


def show(report: "LoadReport") -> None:
    """The numbers that are not zero, then what to do next."""
    table(["", ""], [[label, f"{getattr(report, name):,}"] for label, name in _LINES if getattr(report, name)])
    typer.echo(f"{report.seconds:.1f} s, {report.rate:,.0f} rows/s; version {report.version} of {report.namespace}")
    if report.rejects:
        echo(f"rejected rows are in {report.rejects}")
    if report.facts_without_vectors:
        typer.echo(
            f"{report.facts_without_vectors:,} facts have no vector yet: `gavel index build` makes them; until then their search is by words"
        )
