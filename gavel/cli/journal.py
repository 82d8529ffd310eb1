"""`gavel journal`: whether the log of writes is as it was written."""

from typing import TYPE_CHECKING, Annotated

import typer

from gavel.cli.output import Format, FormatOption, one_line, tell

if TYPE_CHECKING:
    from gavel.app import App

journal = typer.Typer(no_args_is_help=True, help="The durable log of writes.")
DATABASE = typer.Option("--database", help="also whether every write that the database has audited is in the journal")


@journal.command()
def verify(database: Annotated[bool, DATABASE] = False, output: FormatOption = Format.text) -> None:
    """Check every event, their chain, its end and the texts. Exit code 1 where something was changed, removed or cut off."""
    from knowledge.journal.verify import verify as faults_of
    from knowledge.remember.commit_cypher import AUDITED

    with _app() as app:
        known = [str(row["event"]) for row in app.database.read(AUDITED)] if database else []
        faults = faults_of(app.memory.journal, known)
    said = [one_line(f"event {fault.seq}: {fault.what}" if fault.seq else fault.what) for fault in faults]
    found = [{"seq": fault.seq, "what": fault.what} for fault in faults]
    tell(output, {"whole": not faults, "faults": found}, *(said or ["the journal is as it was written"]))
    if faults:
        raise typer.Exit(1)


def _app() -> "App":
    from gavel import settings
    from gavel.app import App

    return App(settings.load())
