"""`gavel health`, `gavel stats` and `gavel verify`: how writing is, what namespaces hold, whether a memory is there and unchanged."""

from typing import Annotated

import typer

from gavel.cli.output import Format, FormatOption, one_line, print_json, table, tell

FAILED = 1
RECEIPT = typer.Argument(help="as `gavel remember` prints it")


def health(output: FormatOption = Format.text) -> None:
    """The database, the journal and its work. Exit code 1 where something is not well."""
    from gavel import settings
    from gavel.app import App

    with App(settings.load()) as app:
        found = app.memory.overview(app.proposer()).health()
    waits = [f"{status}: {count}" for status, count in sorted(found.work.items())]
    tell(output, found.as_json(), one_line(f"database {found.database}"), f"journal: {found.events} events in {found.journal}", *waits,
         f"workers: {found.workers}", f"the oldest accepted one waits for {found.oldest:.0f} s")  # fmt: skip
    if not found.well:
        raise typer.Exit(FAILED)


def stats(output: FormatOption = Format.text) -> None:
    """What each namespace holds, with what is promised, beside its limits."""
    from gavel import settings
    from gavel.app import App

    with App(settings.load()) as app:
        found = app.memory.overview(app.proposer()).stats()
    if output is Format.json:
        print_json(found)
        return
    rows = [[str(one[name]) for name in ("namespace", "episodes", "facts", "bytes", "limits")] for one in found]
    table(["namespace", "memories", "facts", "bytes", "at most"], rows)


def verify(receipt: Annotated[str, RECEIPT], output: FormatOption = Format.text) -> None:
    """Whether the memory of a receipt is in the database as it was sent. Exit code 1 where it is not."""
    from gavel import settings
    from gavel.app import App

    with App(settings.load()) as app:
        found = app.memory.overview(app.proposer()).verify(receipt)
    tell(output, {"receipt": receipt, "found": found}, f"{receipt}: {found}")
    if found != "unchanged":
        raise typer.Exit(FAILED)
