"""`gavel db …`: the embedded Neo4j of the data folder."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gavel.cli.output import Format, FormatOption, echo, print_json, progress
from knowledge.errors import ConfigError

if TYPE_CHECKING:
    from knowledge.database.embedded import EmbeddedServer

Yes = Annotated[bool, typer.Option("--yes", "-y", help="do not ask")]
db = typer.Typer(help="Start, stop and look after the embedded Neo4j.", no_args_is_help=True, rich_markup_mode=None)


@db.command()
def start(output: FormatOption = Format.text) -> None:
    """Start the server, or find it running."""
    with progress() as bar:
        running = _server().start(bar)
    if output is Format.json:
        print_json({"uri": running.uri, "user": running.user, "pid": running.pid, "version": running.version, "home": running.home})
    else:
        echo(f"Neo4j {running.version} answers at {running.uri} (pid {running.pid})")
        echo(f"user {running.user}, password in {running.password_file}")


@db.command()
def stop() -> None:
    """Stop the server; committed data stays."""
    with progress() as bar:
        stopped = _server().stop(bar)
    echo("stopped" if stopped else "it was not running")


@db.command()
def status(output: FormatOption = Format.text) -> None:
    """Say whether the server runs, and where."""
    found = _server().status()
    if output is Format.json:
        print_json({"state": found.state, "version": found.version, "uri": found.uri, "pid": found.pid, "home": found.home})
    else:
        where = f" at {found.uri} (pid {found.pid})" if found.pid else ""
        echo(f"Neo4j {found.version} is {found.state}{where}; its folder is {found.home}")


@db.command()
def path() -> None:
    """Print the folder that holds the store, its password and its logs."""
    echo(str(_server().path))


@db.command()
def logs(lines: Annotated[int, typer.Option("--lines", "-l", min=1, help="how many")] = 50) -> None:
    """Print the last lines that the server wrote."""
    echo(_server().logs(lines) or "nothing is logged yet")


@db.command()
def dump(file: Annotated[Path, typer.Argument(help="a file that does not exist yet", dir_okay=False)]) -> None:
    """Write the whole database to a file; a running server is down meanwhile."""
    with progress() as bar:
        made = _server().dump(file, bar)
    echo(f"{file} holds the store of Neo4j {made.version}, {made.size:,} bytes; it contains the server's password, so keep it private")


@db.command()
def restore(
    file: Annotated[Path, typer.Argument(help="what `gavel db dump` wrote", exists=True, dir_okay=False)], yes: Yes = False
) -> None:
    """Put the database of a dump in the place of this one."""
    server = _server()
    _agreed(yes, f"this replaces the database in {server.path}")
    with progress() as bar:
        made = server.restore(file, bar)
    echo(f"restored what was dumped at {made.created}")


@db.command()
def reset(yes: Yes = False) -> None:
    """Remove the database for ever."""
    server = _server()
    _agreed(yes, f"this removes the database in {server.path} for ever")
    with progress() as bar:
        removed = server.reset(bar)
    echo("removed" if removed else "there was none")


def _agreed(yes: bool, consequence: str) -> None:
    """ConfigError where nobody can be asked."""
    if yes:
        return
    if not sys.stdin.isatty():
        raise ConfigError(f"{consequence}; say --yes to do it without being asked")
    typer.confirm(f"{consequence}. Go on?", abort=True)


def _server() -> "EmbeddedServer":
    from gavel import settings
    from gavel.app import App

    current = settings.load()
    if not current.embedded:
        raise ConfigError(f"GAVEL_NEO4J_URI is set ({current.neo4j_uri}), and these commands look after the embedded server only; unset it")
    return App(current).server
