"""`gavel db …`: the embedded Neo4j of the data folder."""

from typing import TYPE_CHECKING

import typer

from gavel.cli.output import Format, FormatOption, note, print_json, progress

if TYPE_CHECKING:
    from knowledge.database.embedded import EmbeddedServer

db = typer.Typer(help="Start, stop and look after the embedded Neo4j.", no_args_is_help=True, rich_markup_mode=None)


@db.command()
def start(output: FormatOption = Format.text) -> None:
    """Start the server, or find it running."""
    with progress() as bar:
        running = _server().start(bar)
    if output is Format.json:
        print_json({"uri": running.uri, "user": running.user, "pid": running.pid, "version": running.version, "home": running.home})
    else:
        typer.echo(f"Neo4j {running.version} answers at {running.uri} (pid {running.pid})")
        typer.echo(f"user {running.user}, password in {running.home / 'password'}")


@db.command()
def stop() -> None:
    """Stop the server; committed data stays."""
    with progress() as bar:
        stopped = _server().stop(bar)
    typer.echo("stopped" if stopped else "it was not running")


@db.command()
def status(output: FormatOption = Format.text) -> None:
    """Say whether the server runs, and where."""
    found = _server().status()
    if output is Format.json:
        print_json({"state": found.state, "version": found.version, "uri": found.uri, "pid": found.pid, "home": found.home})
    else:
        where = f" at {found.uri} (pid {found.pid})" if found.pid else ""
        typer.echo(f"Neo4j {found.version} is {found.state}{where}; its folder is {found.home}")


@db.command()
def path() -> None:
    """Print the folder that holds the store, its password and its logs."""
    typer.echo(_server().path)


def _server() -> "EmbeddedServer":
    from gavel import settings
    from gavel.app import App

    current = settings.load()
    if not current.embedded:
        note(f"GAVEL_NEO4J_URI is set to {current.neo4j_uri}: these commands are about the embedded server, which is not in use")
    return App(current).server
