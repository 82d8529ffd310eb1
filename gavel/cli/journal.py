"""`gavel journal`: whether the log of writes is as it was written."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gavel.cli.output import Format, FormatOption, one_line, tell
from knowledge.errors import ConfigError

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


@journal.command()
def replay(output: FormatOption = Format.text) -> None:
    """Write all that was ever applied into an empty database, without what was redacted."""
    from knowledge.remember.replay import replay as replayed

    with _app() as app:
        commits = dict(replayed(app.memory.journal, app.database))
    lines = [f"{namespace}: {number} commits" for namespace, number in sorted(commits.items())]
    tell(output, {"commits": commits}, *(lines or ["nothing was ever applied"]))


@journal.command()
def export(file: Annotated[Path, typer.Argument(help="where to write it; it must not exist")], output: FormatOption = Format.text) -> None:
    """Write every event as a line of JSON, with the texts that were not redacted. The file is for its owner alone."""
    from knowledge.remember.history import exported

    with _app() as app, app.memory.journal.reading() as connection:
        try:
            descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError as error:
            raise ConfigError(f"{file} is there already; name another file") from error
        with os.fdopen(descriptor, "w", encoding="utf-8") as lines:
            number = sum(bool(lines.write(line + "\n")) for line in exported(connection))
    tell(output, {"file": str(file), "events": number}, f"{number} events written to {file}")


def _app() -> "App":
    from gavel import settings
    from gavel.app import App

    return App(settings.load())
