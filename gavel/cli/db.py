"""`gavel db …`: the embedded Neo4j of the data folder."""

import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gavel.cli.output import Format, FormatOption, echo, print_json, progress, tell
from knowledge.errors import ConfigError

if TYPE_CHECKING:
    from knowledge.database.embedded import EmbeddedServer
    from knowledge.database.embedded.backup import Dump

Yes = Annotated[bool, typer.Option("--yes", "-y", help="do not ask")]
db = typer.Typer(help="Start, stop and look after the embedded Neo4j.", no_args_is_help=True, rich_markup_mode=None)


@db.command()
def start(output: FormatOption = Format.text) -> None:
    """Start the server, or find it running."""
    with progress() as bar:
        running = _server().start(bar)
    tell(
        output,
        {
            "uri": running.uri, "user": running.user, "password_file": running.password_file,
            "pid": running.pid, "version": running.version, "home": running.home,
        },
        f"Neo4j {running.version} answers at {running.uri} (pid {running.pid})",
        f"user {running.user}, password in {running.password_file}",
    )  # fmt: skip


@db.command()
def stop(output: FormatOption = Format.text) -> None:
    """Stop the server; committed data stays."""
    with progress() as bar:
        stopped = _server().stop(bar)
    tell(output, {"stopped": stopped}, "stopped" if stopped else "it was not running")


@db.command()
def status(output: FormatOption = Format.text) -> None:
    """Say whether the server runs, and where."""
    found = _server().status()
    where = f" at {found.uri} (pid {found.pid})" if found.pid else ""
    tell(
        output,
        {"state": found.state, "version": found.version, "uri": found.uri, "pid": found.pid, "home": found.home},
        f"Neo4j {found.version} is {found.state}{where}; its folder is {found.home}",
    )


@db.command()
def path(output: FormatOption = Format.text) -> None:
    """Print the folder that holds the store, its password and its logs."""
    home = _server().path
    tell(output, {"home": home}, str(home))


@db.command()
def logs(lines: Annotated[int, typer.Option("--lines", "-l", min=1, help="how many")] = 50, output: FormatOption = Format.text) -> None:
    """Print the last lines that the server wrote; as JSON one list of {time, level, message}, a stack trace within its message."""
    server = _server()
    if output is Format.json:
        print_json([asdict(entry) for entry in server.log_entries(lines)])
    else:
        echo(server.logs(lines) or "nothing is logged yet")


@db.command()
def dump(
    file: Annotated[Path, typer.Argument(help="a file that does not exist yet", dir_okay=False)], output: FormatOption = Format.text
) -> None:
    """Write the whole database to a file; a running server is down meanwhile."""
    with progress() as bar:
        made = _server().dump(file, bar)
    tell(
        output,
        _described(file, made),
        f"{file} holds the store of Neo4j {made.version}, {made.size:,} bytes; it contains the server's password, so keep it private",
    )


@db.command()
def restore(
    file: Annotated[Path, typer.Argument(help="what `gavel db dump` wrote", exists=True, dir_okay=False)],
    yes: Yes = False,
    output: FormatOption = Format.text,
) -> None:
    """Put the database of a dump in the place of this one."""
    server = _server()
    _agreed(yes, f"this replaces the database in {server.path}")
    with progress() as bar:
        made = server.restore(file, bar)
    tell(output, _described(file, made), f"restored what was dumped at {made.created}")


@db.command()
def reset(yes: Yes = False, output: FormatOption = Format.text) -> None:
    """Remove the database for ever."""
    server = _server()
    _agreed(yes, f"this removes the database in {server.path} for ever")
    with progress() as bar:
        removed = server.reset(bar)
    tell(output, {"removed": removed}, "removed" if removed else "there was none")


def _described(file: Path, made: "Dump") -> dict[str, object]:
    return {"file": file, "version": made.version, "created": made.created, "size": made.size}


def _agreed(yes: bool, consequence: str) -> None:
    """Asks on standard error. ConfigError where nobody can be asked."""
    if yes:
        return
    if not sys.stdin.isatty():
        raise ConfigError(f"{consequence}; say --yes to do it without being asked")
    typer.confirm(f"{consequence}. Go on?", abort=True, err=True)


def _server() -> "EmbeddedServer":
    from gavel import settings
    from gavel.app import App

    current = settings.load()
    if not current.embedded:
        raise ConfigError(f"GAVEL_NEO4J_URI is set ({current.neo4j_uri}), and these commands look after the embedded server only; unset it")
    return App(current).server
