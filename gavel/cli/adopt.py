"""`gavel adopt`: a memory that Graphiti made, governed from now on; and let go again."""

from typing import Annotated

import typer

from gavel.cli.output import Format, FormatOption, print_json, progress, table, tell
from knowledge.errors import ConfigError

DRY = typer.Option("--dry-run", help="say what would be governed, and change nothing")
UNDO = typer.Option("--undo", help="let it go again: exactly what adopting added is taken away")


def adopt(dry_run: Annotated[bool, DRY] = False, undo: Annotated[bool, UNDO] = False, output: FormatOption = Format.text) -> None:
    """Govern a memory that Graphiti made: contracts, receipts and history from now on. It only adds, and Graphiti still reads it."""
    from gavel import settings
    from gavel.app import App

    if dry_run and undo:
        raise ConfigError("--dry-run and --undo do not go together; leave one out")
    with progress() as bar, App(settings.load(), bar) as app:
        governing = app.memory.governing(app.actor())
        if undo:
            governing.release(bar)
            found = []
        else:
            found = governing.survey() if dry_run else governing.adopt(bar)
    if undo:
        tell(output, {"released": True}, "it is as it was before it was adopted")
        return
    if output is Format.json:
        print_json({"adopted": not dry_run, "namespaces": [one.__dict__ for one in found]})
        return
    table(
        ["namespace", "entities", "memories", "facts"],
        [[one.namespace, *(f"{n:,}" for n in (one.entities, one.episodes, one.facts))] for one in found],
    )
    tell(
        output,
        None,
        "nothing was changed" if dry_run else "adopted; `gavel namespace audit` shows what is wrong in it, `gavel adopt --undo` lets it go",
    )
