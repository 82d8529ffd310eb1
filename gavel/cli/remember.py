"""`gavel remember` and `gavel receipt`: propose a memory, and what became of it."""

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gavel.cli.output import Format, FormatOption, one_line, tell, tell_waiting
from knowledge.errors import ConfigError

if TYPE_CHECKING:
    from knowledge.remember.verdict import Receipt

TEXT = typer.Argument(help="what is to be remembered; - reads it from standard input")
NAME = typer.Option("--name", help='`Type: Topic - Aspect`, such as "Lesson: Neo4j - deadlocks are tried again"')
NAMESPACE = typer.Option("--namespace", "-n", help="where it belongs; `gavel namespace suggest` helps")
VALID_AT = typer.Option("--valid-at", help="when it was true: 2019, 2019-05, 2019-05-07 or an ISO instant  [default: now]")
SOURCE = typer.Option("--source-description", help="where it comes from")
OPERATIONS = typer.Option("--operations", help="a JSON file with a list of add_entity, add_relation, update_property, invalidate_relation")
KEY = typer.Option("--key", help="an idempotency key of your own: sending it again changes nothing")
WAIT = typer.Option("--wait/--no-wait", help="apply it before the command ends")
REFUSED = 1


def remember(
    text: Annotated[str, TEXT],
    name: Annotated[str, NAME],
    namespace: Annotated[str, NAMESPACE],
    valid_at: Annotated[str, VALID_AT] = "",
    source_description: Annotated[str, SOURCE] = "",
    operations: Annotated[Path | None, OPERATIONS] = None,
    key: Annotated[str, KEY] = "",
    wait: Annotated[bool, WAIT] = True,
    output: FormatOption = Format.text,
) -> None:
    """Propose a memory through the guarded write path. Exit code 1 where it is refused."""
    from gavel import settings
    from gavel.app import App
    from knowledge.remember.proposal import Proposal, Provenance

    proposal = Proposal.read(
        {
            "name": name, "episode_body": sys.stdin.read() if text == "-" else text, "group_id": namespace, "valid_at": valid_at,
            "source_description": source_description, "operations": _operations(operations), "idempotency_key": key,
        }
    )  # fmt: skip
    with App(settings.load()) as app:
        inbox = app.memory.inbox(app.proposer(), Provenance(tool="cli"))
        receipt = inbox.submit(proposal)
        if wait and receipt.status == "accepted":
            tell_waiting(app.memory.apply())
            receipt = replace(inbox.receipt(receipt.id) or receipt, repeated=receipt.repeated)
    _tell(receipt, output)
    if not receipt.verdict.stands or receipt.status in ("rejected", "dead"):
        raise typer.Exit(REFUSED)


def receipt(receipt: Annotated[str, typer.Argument(help="as `gavel remember` prints it")], output: FormatOption = Format.text) -> None:
    """What holds now of a receipt: accepted is not yet applied."""
    from gavel import settings
    from gavel.app import App
    from knowledge.remember.proposal import Provenance

    with App(settings.load()) as app:
        found = app.memory.inbox(app.proposer(), Provenance()).receipt(receipt)
    if found is None:
        raise ConfigError(f"there is no receipt {receipt} that you may see; `gavel remember` prints them whole")
    _tell(found, output)


def _operations(file: Path | None) -> object:
    import json

    if file is None:
        return []
    try:
        return json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ConfigError(f"{file} holds no JSON list of operations ({error})") from error


def _tell(receipt: "Receipt", output: Format) -> None:
    said = [receipt.verdict.message, *(f"advice: {advice}" for advice in receipt.verdict.advice), receipt.why]
    head = f"{receipt.status}  {receipt.namespace}  receipt {receipt.id}" + ("  (as before)" if receipt.repeated else "")
    tell(output, receipt.as_json(), one_line(head), *(f"  {one_line(line)}" for line in said if line))
