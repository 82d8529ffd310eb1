"""The commands by name. Each lives in a file of its own and imports what is heavy when it runs."""

from typing import Annotated

import typer

from gavel.cli.adopt import adopt
from gavel.cli.ask import ask
from gavel.cli.audit import audit, provenance
from gavel.cli.cleaning import audit as audit_namespaces
from gavel.cli.cleaning import clean
from gavel.cli.config import config
from gavel.cli.db import db
from gavel.cli.demo import demo
from gavel.cli.doctor import doctor
from gavel.cli.health import health, stats, verify
from gavel.cli.inbox import inbox
from gavel.cli.index import index
from gavel.cli.journal import journal
from gavel.cli.load import load
from gavel.cli.namespace import namespace
from gavel.cli.principal import principal
from gavel.cli.remember import receipt, remember
from gavel.cli.schema import schema
from gavel.cli.take_back import redact, undo
from gavel.cli.trace import trace
from gavel.cli.worker import worker

app = typer.Typer(
    name="gavel",
    help="Ask a Neo4j knowledge graph and get an answer with its proof, its gaps and its cost.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command()(ask)
app.command()(load)
app.command()(adopt)
app.command()(schema)
app.command()(config)
app.command()(demo)
app.command()(doctor)
app.command()(trace)
app.command()(remember)
app.command()(receipt)
app.command()(worker)
app.command()(health)
app.command()(stats)
app.command()(verify)
app.command()(undo)
app.command()(provenance)
app.command()(audit)
app.command()(redact)
namespace.command("audit")(audit_namespaces)
namespace.command()(clean)
app.add_typer(db, name="db")
app.add_typer(index, name="index")
app.add_typer(inbox, name="inbox")
app.add_typer(journal, name="journal")
app.add_typer(namespace, name="namespace")
app.add_typer(principal, name="principal")


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"gavel {version('gavel')}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True, help="print the version")] = False,
) -> None:
    """Ask a Neo4j knowledge graph and get an answer with its proof, its gaps and its cost."""
