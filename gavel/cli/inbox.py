"""`gavel inbox`: what waits for a decision, and the decisions."""

import json
import time
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gavel.cli.output import Format, FormatOption, note, one_line, print_json, table, tell, tell_waiting
from knowledge.errors import ConfigError

if TYPE_CHECKING:
    from gavel.app import App
    from knowledge.remember.approvals import Approvals, Decision

inbox = typer.Typer(no_args_is_help=True, help="Decide about what was proposed.")
RECEIPTS = typer.Argument(help="receipts as `gavel inbox list` prints them")
RECEIPT = typer.Argument(help="a receipt as `gavel inbox list` prints it")
NAMESPACE = typer.Option("--namespace", "-n", help="only of this namespace")
SHOWN = 60
DAY = 86_400


@inbox.command("list")
def list_(namespace: Annotated[str, NAMESPACE] = "", output: FormatOption = Format.text) -> None:
    """What you may decide, oldest first."""
    with _app() as app:
        approvals = _approvals(app)
        waiting, own = approvals.waiting(namespace), approvals.own()
    if own:
        note(f"{own} of your own wait for another principal: nobody decides about their own proposals")
    if output is Format.json:
        print_json([one.as_json() for one in waiting])
        return
    rows = [
        [one.receipt, one.namespace, one.principal, one_line(one.proposal.name)[:SHOWN], _left(one.expires), one.why or one.verdict.code]
        for one in waiting
    ]
    table(["receipt", "namespace", "from", "name", "expires in", "because"], rows)


@inbox.command()
def show(receipt: Annotated[str, RECEIPT], output: FormatOption = Format.text) -> None:
    """All of one proposal, as it would be written."""
    with _app() as app:
        found = next((one for one in _approvals(app).waiting() if one.receipt == receipt), None)
    if found is None:
        raise ConfigError(f"nothing with the receipt {receipt} waits for you; `gavel inbox list` shows what does")
    operations = [json.dumps(operation.model_dump(), ensure_ascii=False) for operation in found.proposal.operations]
    tell(output, found.as_json(), one_line(f"{found.proposal.name}  ({found.namespace}, from {found.principal})"), found.proposal.episode_body,
         *operations, found.why or found.verdict.message)  # fmt: skip


@inbox.command()
def approve(receipts: Annotated[list[str], RECEIPTS], output: FormatOption = Format.text) -> None:
    """Accept proposals of others; they are applied at once."""
    with _app() as app:
        decisions = _approvals(app).approve(receipts)
        tell_waiting(app.memory.apply())
    _tell(decisions, output)


@inbox.command()
def reject(
    receipts: Annotated[list[str], RECEIPTS],
    why: Annotated[str, typer.Option("--why", help="the proposer reads this")],
    output: FormatOption = Format.text,
) -> None:
    """Refuse proposals for good."""
    with _app() as app:
        decisions = _approvals(app).reject(receipts, why)
    _tell(decisions, output)


@inbox.command()
def amend(
    receipt: Annotated[str, RECEIPT],
    changes: Annotated[Path, typer.Argument(help="a JSON file with the fields of the proposal that change")],
    output: FormatOption = Format.text,
) -> None:
    """Change a proposal; it then needs the approval of another."""
    try:
        given = json.loads(changes.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ConfigError(f"{changes} holds no JSON object with changes ({error})") from error
    if not isinstance(given, dict):
        raise ConfigError(f'{changes} holds no JSON object; write {{"episode_body": "…"}}')
    with _app() as app:
        decisions = [_approvals(app).amend(receipt, given)]
    _tell(decisions, output)


@inbox.command()
def reroute(
    receipt: Annotated[str, RECEIPT], namespace: Annotated[str, typer.Argument(help="where it belongs")], output: FormatOption = Format.text
) -> None:
    """Send a proposal to another namespace, whose owner decides."""
    with _app() as app:
        decisions = [_approvals(app).reroute(receipt, namespace)]
    _tell(decisions, output)


@inbox.command()
def delegate(
    actor: Annotated[str, typer.Argument(help="the principal that may act")],
    namespace: Annotated[str, typer.Argument(help="where")],
    uses: Annotated[int, typer.Option("--uses", min=1, help="for so many writes")] = 10,
    hours: Annotated[float, typer.Option("--hours", min=0.01, help="for so long")] = 24.0,
    output: FormatOption = Format.text,
) -> None:
    """Let another write into a namespace that you decide about."""
    with _app() as app:
        made = app.memory.delegations(app.principal()).grant(actor, namespace, uses=uses, duration=timedelta(hours=hours))
    tell(output, {"delegation": made}, f"delegation {made}: {actor} may write to {namespace} {uses} times within {hours:g} hours")


@inbox.command()
def revoke(delegation: Annotated[str, typer.Argument(help="as `delegate` printed it")], output: FormatOption = Format.text) -> None:
    """End a delegation at once, also for what was accepted on it and is not applied yet."""
    with _app() as app:
        app.memory.delegations(app.principal()).revoke(delegation)
    tell(output, {"revoked": delegation}, f"{delegation} is revoked")


def _app() -> "App":
    from gavel import settings
    from gavel.app import App

    return App(settings.load())


def _approvals(app: "App") -> "Approvals":
    return app.memory.approvals(app.principal())


def _tell(decisions: "Sequence[Decision]", output: Format) -> None:
    tell(output, [one.as_json() for one in decisions], *(one_line(f"{one.receipt}  {one.message}") for one in decisions))
    if not all(one.done for one in decisions):
        raise typer.Exit(1)


def _left(expires: float) -> str:
    left = max(0.0, expires - time.time())
    return f"{left / DAY:.0f} days" if left > DAY else f"{left / 3600:.0f} hours"
