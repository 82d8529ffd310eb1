"""`gavel provenance` and `gavel audit`: who wrote what, who decided what, and who has read what."""

from dataclasses import asdict
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from gavel.cli.output import Format, FormatOption, one_line, print_json, table
from knowledge.errors import ConfigError

if TYPE_CHECKING:
    from gavel.app import App
    from knowledge.access.access import Access

ID = typer.Argument(help="a receipt, or the id of an entity, fact or episode as `gavel ask --trace` prints it")
NAMESPACE = typer.Option("--namespace", "-n", help="only of this namespace")
KIND = typer.Option("--kind", help="only of this kind")
ACCESS = typer.Option("--access", help="instead, what was read: the latest first, your own unless you may read everything")
PRINCIPAL = typer.Option("--principal", help="with --access: only what this principal has read")
RUN = typer.Option("--run", help="with --access: only in this run, by its trace id or the beginning of it")
READ_ID = typer.Option("--id", help="with --access: only where this entity or fact came back, by its id")
LIMIT = typer.Option("--limit", min=1, max=100_000, help="with --access: the most rows")
SHOWN_IDS = 3
MOST_LISTED = 100


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
    namespace: Annotated[str, NAMESPACE] = "",
    kind: Annotated[KindChoice | None, KIND] = None,
    access: Annotated[bool, ACCESS] = False,
    principal: Annotated[str, PRINCIPAL] = "",
    run: Annotated[str, RUN] = "",
    id_: Annotated[str, READ_ID] = "",
    limit: Annotated[int, LIMIT] = MOST_LISTED,
    output: FormatOption = Format.text,
) -> None:
    """Refusals, approvals, delegations, writes, loads and removals, in the order in which they came; or, with --access, what was read."""
    if access and kind:
        raise ConfigError("--kind is of what was decided; leave it out with --access")
    if access:
        with _app() as app:
            _show_access(app.access.seen(app.grants(), principal=principal, run=run, namespace=namespace, id_=id_, limit=limit), output)
        return
    if principal or run or id_:
        raise ConfigError("--principal, --run and --id are of what was read; add --access")
    with _app() as app:
        found = app.memory.audit(app.principal()).decisions(namespace, kind.value if kind else None)
    if output is Format.json:
        print_json([{name: value for name, value in asdict(one).items() if name not in ("previous", "payload")} for one in found])
        return
    rows = [[str(one.seq), one.at, one.kind, one.namespace, one.principal, one.receipt] for one in found]
    table(["event", "at", "what", "namespace", "by", "receipt"], rows)


def _show_access(found: "list[Access]", output: Format) -> None:
    if output is Format.json:
        print_json([one.as_json() for one in found])
        return
    rows = [
        [one.at, one.principal or "none", one.run[:12], one.tool, one_line(", ".join(one.namespaces)), str(one.rows), _ids(one)]
        for one in found
    ]
    table(["at", "by", "run", "with", "over", "rows", "ids"], rows)


def _ids(one: "Access") -> str:
    rest = len(one.ids) + one.more - SHOWN_IDS
    return one_line(", ".join(one.ids[:SHOWN_IDS]) + (f" and {rest} more" if rest > 0 else ""))


def _app() -> "App":
    from gavel import settings
    from gavel.app import App

    return App(settings.load())
