"""`gavel journal`: whether the log of writes is as it was written, and the same kg from it once more."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gavel.cli.output import Format, FormatOption, one_line, tell
from knowledge.errors import ConfigError

if TYPE_CHECKING:
    from gavel.app import App

journal = typer.Typer(no_args_is_help=True, help="The durable log of writes.")
DATABASE = typer.Option("--database", help="also whether the database holds what the journal knows of it, and nothing audited is missing")
SNAPSHOT = typer.Option(
    "--snapshot", help="a snapshot that stands elsewhere than where it was taken; may be given several times", exists=True
)
PARTIAL = typer.Option("--partial", help="go on without what was loaded from files and is in no snapshot")
FILE = typer.Argument(help="where to write it; it must not exist")


@journal.command()
def verify(database: Annotated[bool, DATABASE] = False, output: FormatOption = Format.text) -> None:
    """Check every event, their chain, its end, the texts and the snapshots. Exit code 1 where something was changed, removed or cut off."""
    from knowledge.journal.verify import verify as faults_of
    from knowledge.remember.baseline import drifted
    from knowledge.remember.commit_cypher import AUDITED
    from knowledge.remember.snapshot import changed

    with _app() as app:
        known = [str(row["event"]) for row in app.database.read(AUDITED)] if database else []
        faults = [*faults_of(app.memory.journal, known), *changed(app.memory.journal)]
        faults += drifted(app.memory.journal, app.database) if database else []
    said = [one_line(f"event {fault.seq}: {fault.what}" if fault.seq else fault.what) for fault in faults]
    found = [{"seq": fault.seq, "what": fault.what} for fault in faults]
    tell(output, {"whole": not faults, "faults": found}, *(said or ["the journal is as it was written"]))
    if faults:
        raise typer.Exit(1)


@journal.command()
def replay(
    snapshot: Annotated[list[Path], SNAPSHOT] = [],  # noqa: B006
    partial: Annotated[bool, PARTIAL] = False,
    output: FormatOption = Format.text,
) -> None:
    """Write all that was ever applied into an empty database, without what was redacted. It begins at the last snapshot of each namespace."""
    from knowledge.remember.replay import replay as replayed

    with _app() as app:
        commits = dict(replayed(app.memory.journal, app.database, snapshot, partial=partial))
    lines = [f"{namespace}: {number} commits" for namespace, number in sorted(commits.items())]
    tell(output, {"commits": commits}, *(lines or ["nothing was ever applied"]))


@journal.command()
def baseline(output: FormatOption = Format.text) -> None:
    """Record what the database holds of each namespace, so that what was there before the journal is known to it."""
    from knowledge.remember.baseline import record

    with _governed() as app:
        found = record(app.memory.journal, app.database, app.proposer().id)
    lines = [
        f"{one.namespace}, version {one.version}: {one.content[:12]} {'' if one.fresh else '(as recorded before)'}".strip() for one in found
    ]
    tell(output, {"namespaces": [one.__dict__ for one in found]}, *(map(one_line, lines)))


@journal.command()
def snapshot(
    namespace: Annotated[str, typer.Argument(help="one in the memory shape")],
    file: Annotated[Path, FILE],
    output: FormatOption = Format.text,
) -> None:
    """Write all that a namespace holds into a file that the journal vouches for. A replay begins at it; `gavel redact` removes it."""
    from knowledge.remember.snapshot import take

    with _governed() as app:
        event = take(app.memory.journal, app.database, namespace, file, app.proposer().id)
    told = {name: event.about[name] for name in ("file", "version", "sha256", "content", "counts")}
    tell(output, {"namespace": namespace, **told}, one_line(f"{namespace}, version {told['version']}, is in {told['file']}"))


@journal.command()
def forget(file: Annotated[Path, typer.Argument(help="a snapshot")], output: FormatOption = Format.text) -> None:
    """Remove a snapshot. Of one that was taken on another host you vouch that it is gone."""
    from knowledge.remember.snapshot import forget as forgotten

    with _governed() as app:
        found = forgotten(app.memory.journal, file, app.proposer().id)
    gone = [{"namespace": one.namespace, "host": one.host, "version": one.version} for one in found]
    tell(output, {"file": str(file.absolute()), "gone": gone}, f"{file.absolute()} is gone")


@journal.command()
def export(file: Annotated[Path, FILE], output: FormatOption = Format.text) -> None:
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


@contextmanager
def _governed() -> "Iterator[App]":
    """For whoever may load files: what is read and recorded here passes by every scope."""
    from gavel.cli.load import may_govern

    with _app() as app:
        may_govern(app, "a whole namespace is read past every scope, so a person does it who may write everywhere")
        yield app


def _app() -> "App":
    from gavel import settings
    from gavel.app import App

    return App(settings.load())
