"""`gavel undo` and `gavel redact`: a memory is no longer believed, or its text is gone for good."""

from typing import TYPE_CHECKING, Annotated

import typer

from gavel.cli.output import Format, FormatOption, note, one_line, tell
from knowledge.errors import DatabaseError

if TYPE_CHECKING:
    from gavel.app import App
    from knowledge.remember.approvals import Decision

RECEIPT = typer.Argument(help="a receipt as `gavel remember` prints it")


def undo(receipt: Annotated[str, RECEIPT], output: FormatOption = Format.text) -> None:
    """Take an applied memory back: it stays in the history and is no longer believed. Undone twice, nothing changes."""
    with _app() as app:
        decision = app.memory.undo(app.principal()).undo(receipt)
        status = _applied(app, decision)
    _tell(decision, status, output)


def redact(receipt: Annotated[str, RECEIPT], output: FormatOption = Format.text) -> None:
    """Remove the text of a memory for good, from the journal, the kg and the traces of runs. The fact that it was there stays."""
    with _app() as app:
        redaction = app.memory.redaction(app.principal())
        traces = app.runs.forget(redaction.texts(receipt))
        decision = redaction.redact(receipt)
        status = _applied(app, decision)
    if traces:
        note(f"{traces} traces of runs that held it are removed")
    if decision.done:
        note(one_line(decision.message))
    _tell(decision, status, output)


def _applied(app: "App", decision: "Decision") -> str:
    """The status of the receipt, once the database was told, if it is there."""
    from knowledge.remember.proposal import Provenance

    inbox = app.memory.inbox(app.proposer(), Provenance())
    found = inbox.receipt(decision.receipt)
    if decision.done and found and found.status in ("undoing", "erasing"):
        try:
            app.memory.apply()
        except DatabaseError as error:
            note(f"the database is away, so it is told later ({error})")
        found = inbox.receipt(decision.receipt)
    if found and found.why:
        note(one_line(found.why))
    return found.status if found else ""


def _tell(decision: "Decision", status: str, output: Format) -> None:
    tell(
        output,
        {**decision.as_json(), "status": status},
        one_line(f"{decision.receipt}  {status if decision.done and status else decision.message}"),
    )
    if not decision.done:
        raise typer.Exit(1)


def _app() -> "App":
    from gavel import settings
    from gavel.app import App

    return App(settings.load())
