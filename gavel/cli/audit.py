"""`gavel provenance` and `gavel audit`: who wrote what, and who decided what."""

from dataclasses import asdict
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from gavel.cli.output import Format, FormatOption, one_line, print_json, table
from knowledge.errors import ConfigError

if TYPE_CHECKING:
    from gavel.app import App

ID = typer.Argument(help="a receipt, or the id of an entity, fact or episode as `gavel ask --trace` prints it")
NAMESPACE = typer.Option("--namespace", "-n", help="only of this namespace")
KIND = typer.Option("--kind", help="only of this kind")


class KindChoice(StrEnum):
    """What the journal keeps of decisions."""

    refusal = "refusal"
    approval = "approval"
    delegation = "delegation"
    write = "write"
    load = "load"
    removal = "removal"


def provenance(id_: Annotated[str, ID], output: FormatOption = Format.text) -> None:
    """Who wrote it, when, on whose behalf, with which tool, in which run, from which source."""
    with _app() as app:
        found = app.memory.audit(app.principal()).provenance(id_, lambda: app.database)
    if not found:
        raise ConfigError(f"nothing that you may see was written as {id_}; what came from loaded files has its source in the file")
    if output is Format.json:
        print_json([asdict(one) for one in found])
        return
    rows = [
        [one.applied or "not applied", one.principal, one.on_behalf_of, one.tool, one.run_id, one_line(one.source), one.receipt]
        for one in found
    ]
    table(["applied", "by", "for", "tool", "run", "source", "receipt"], rows)


def audit(
    namespace: Annotated[str, NAMESPACE] = "", kind: Annotated[KindChoice | None, KIND] = None, output: FormatOption = Format.text
) -> None:
    """Refusals, approvals, delegations, writes, loads and removals, in the order in which they came."""
    with _app() as app:
        found = app.memory.audit(app.principal()).decisions(namespace, kind.value if kind else None)
    if output is Format.json:
        print_json([{name: value for name, value in asdict(one).items() if name not in ("previous", "payload")} for one in found])
        return
    rows = [[str(one.seq), one.at, one.kind, one.namespace, one.principal, one.receipt] for one in found]
    table(["event", "at", "what", "namespace", "by", "receipt"], rows)


def _app() -> "App":
    from gavel import settings
    from gavel.app import App

    return App(settings.load())
