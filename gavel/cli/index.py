"""`gavel index …`: the vectors of the kg and the indexes over them."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

import typer

from gavel.cli.output import Bar, Format, FormatOption, print_json, progress, table
from knowledge.errors import ConfigError

if TYPE_CHECKING:
    from gavel.app import App
    from knowledge.embedding.embedder import Embedder
    from knowledge.reading.recall import Recall
    from knowledge.search.index import Built, IndexStatus

index = typer.Typer(help="Build and inspect the vectors that search by meaning needs.", no_args_is_help=True, rich_markup_mode=None)


@index.command()
def build(output: FormatOption = Format.text) -> None:
    """Embed what has no vector yet; interrupted, it goes on where it stopped."""
    from knowledge.search import index as vectors

    with progress() as bar, _app(bar) as app:
        aside = app.kg.aside
        built = aside.build(_embedder(app), bar.step) if aside else vectors.build(app.database, _embedder(app), progress=bar.step)
    _report(built, output)


@index.command()
def rebuild(output: FormatOption = Format.text) -> None:
    """Forget every vector and make all of them anew; needed after a change of GAVEL_EMBEDDER."""
    from knowledge.search import index as vectors

    with progress() as bar, _app(bar) as app:
        aside = app.kg.aside
        built = aside.rebuild(_embedder(app), bar.step) if aside else vectors.rebuild(app.database, _embedder(app), bar.step)
    _report(built, output)


@index.command()
def status(output: FormatOption = Format.text) -> None:
    """Say what has vectors, in which state the indexes are, and what search by meaning finds of the true top 10 in each namespace."""
    from knowledge.reading.recall import recall
    from knowledge.search import index as vectors

    with progress() as bar, _app(bar) as app:
        aside, model = app.kg.aside, _embedder(app).model
        found = aside.status(model) if aside else vectors.status(app.database, model)
        principal = app.principal()
        reached = recall(app.kg, principal.scope, principal.id)
    if output is Format.json:
        print_json({**asdict(found), "complete": found.complete, "recall": [asdict(each) for each in reached]})
    else:
        _show(found, reached)


def _show(found: "IndexStatus", reached: Sequence["Recall"]) -> None:
    from knowledge.search.vectors import LABELS

    exactness = _exactness(found) if found.indexes else "vectors lie in the data folder, beside the graph, and are all scanned exactly"
    typer.echo(f"model {found.model}; {exactness}\n")
    rows = [[LABELS[each.element], f"{each.embedded:,} of {each.total:,}", f"{each.missing:,} missing"] for each in found.elements]
    rows += [[each.name, each.type.lower(), f"{each.state.lower()} {each.populated:.0f} %"] for each in found.indexes]
    rows += [[f"recall in {each.namespace}", f"{each.recall:.2f} of the true top 10", f"{each.entities:,} entities"] for each in reached]
    table(["", "", ""], rows)
    if any(each.missing for each in found.elements):
        typer.echo("\n`gavel index build` makes what is missing; until then those are found by words only")


def _exactness(found: "IndexStatus") -> str:
    """What a search by meaning finds of the true top 10 in a scope, on this server."""
    from knowledge.search import nearest

    if found.filters_inside:
        return f"scopes of up to {nearest.EXACT_MOST:,} vectors are scanned exactly, larger ones are filtered inside the index and scored again"
    return (
        f"scopes of up to {nearest.EXACT_MOST_WITHOUT_FILTERS:,} vectors are scanned exactly; in larger ones this server looks at the "
        f"{nearest.FETCHED_WITHOUT_FILTERS:,} nearest of the whole index, so a scope that holds little of it may miss some"
    )


def _report(built: "Built", output: Format) -> None:
    if output is Format.json:
        print_json(asdict(built))
    else:
        speed = f", {built.texts / built.embedding_seconds:,.0f} texts/s embedded" if built.embedding_seconds else ""
        typer.echo(f"{built.vectors:,} vectors of {built.model} written in {built.seconds:.1f} s{speed}")


def _app(bar: Bar) -> "App":
    from gavel import settings
    from gavel.app import App

    return App(settings.load(), bar)


def _embedder(app: "App") -> "Embedder":
    if app.embedder is None:
        raise ConfigError("GAVEL_EMBEDDER is none, so there are no vectors; unset it for the default embedder")
    return app.embedder
