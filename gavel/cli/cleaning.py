"""`gavel namespace audit|clean`: what is wrong in a shared memory, a plan that mends it, and the plan carried out."""

import json
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gavel.cli.output import Format, FormatOption, echo, note, one_line, print_json, table
from knowledge.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gavel.app import App
    from knowledge.cleaning.audit import Audit
    from knowledge.cleaning.cleaner import Outcome
    from knowledge.cleaning.plan import Plan

SHOWN = 50
WIDTH = 60


class KindChoice(StrEnum):
    """What can be wrong."""

    misplaced = "misplaced"
    duplicated = "duplicated"
    unnamed = "unnamed"
    unowned = "unowned"
    over_limit = "over_limit"
    orphaned = "orphaned"
    stale = "stale"


IDS = typer.Argument(metavar="[ID]…", help="ids of namespaces  [default: all that you may read]", show_default=False)
KIND = typer.Option("--kind", "-k", help="only this kind of fault")
PLAN_OUT = typer.Option("--plan", help="write a plan that mends it into this new file", dir_okay=False)
PLAN_IN = typer.Argument(metavar="PLAN", help="a plan as `gavel namespace audit --plan` writes it", exists=True, dir_okay=False)
DRY = typer.Option("--dry-run", help="list exactly what would change, and change nothing")
UNDO = typer.Option("--undo", help="take back what the plan has done, the last first")


def audit(
    ids: Annotated[list[str] | None, IDS] = None,
    kind: Annotated[KindChoice | None, KIND] = None,
    plan: Annotated[Path | None, PLAN_OUT] = None,
    output: FormatOption = Format.text,
) -> None:
    """Find memories that are misplaced, duplicated, unnamed, unowned, over the limit, orphaned or stale. Reads only."""
    from knowledge.cleaning import audit as audits
    from knowledge.cleaning.plan import new, write

    with _app() as app:
        found = audits.audit(app.memories(), app.memory.inspector(app.principal(), datetime.now(UTC)), ids or ())
    if plan:
        write(made := new(audits.planned(found)), plan)
        note(f"{len(made.actions)} actions are in {plan}; change it, then `gavel namespace clean {plan} --dry-run`")
    faults = [fault for fault in found.faults if kind is None or fault.kind == kind.value]
    if output is Format.json:
        print_json({**found.as_json(), "faults": [fault.as_json() for fault in faults]})
        return
    _summed(found)
    rows = [[fault.kind, fault.namespace, one_line(fault.name)[:WIDTH], one_line(fault.why), fault.of] for fault in faults[:SHOWN]]
    if rows:
        table(["fault", "namespace", "of", "because", "uuid"], rows)
    if len(faults) > SHOWN:
        note(f"{len(faults) - SHOWN} more: `--kind` narrows them, `--format json` lists all")


def clean(
    file: Annotated[Path, PLAN_IN],
    dry_run: Annotated[bool, DRY] = False,
    undo: Annotated[bool, UNDO] = False,
    output: FormatOption = Format.text,
) -> None:
    """Carry out a plan through the guarded path. Run it again after approvals; it goes on where it stood. Exit code 1 where an action is refused."""
    from knowledge.cleaning.plan import read

    if dry_run and undo:
        raise ConfigError("--dry-run and --undo do not go together; leave one out")
    plan, kept = read(file), _Kept(file)
    with _app() as app:
        if app.profile.shape == "graphiti":
            raise ConfigError("this memory is Graphiti's own and is only read; `gavel adopt` lets it be cleaned")
        outcomes = _done(app, plan, kept, dry_run=dry_run, undo=undo)
    _tell(outcomes, output)


class _Kept:
    """The receipts of a plan, in a file beside it, so that it can be taken back."""

    def __init__(self, plan: Path) -> None:
        self._file = plan.with_name(plan.name + ".receipts.json")

    def read(self, plan: "Plan") -> dict[str, list[str]]:
        if not self._file.exists():
            return {}
        try:
            told = json.loads(self._file.read_text(encoding="utf-8"))
            receipts: dict[str, list[str]] = told["receipts"] if told["plan"] == plan.id else {}
            return {key: [str(id_) for id_ in ids] for key, ids in receipts.items()}
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise ConfigError(f"{self._file} cannot be read ({error}); remove it, and the plan finds its receipts again") from error

    def write(self, plan: "Plan", receipts: "Mapping[str, Sequence[str]]") -> None:
        text = json.dumps({"plan": plan.id, "receipts": {key: ids for key, ids in receipts.items() if ids}}, indent=1)
        beside = self._file.with_name(self._file.name + ".new")
        beside.write_text(text, encoding="utf-8")
        beside.replace(self._file)


def _done(app: "App", plan: "Plan", kept: _Kept, *, dry_run: bool, undo: bool) -> "list[Outcome]":
    from knowledge.cleaning.cleaner import Cleaner
    from knowledge.remember.proposal import Provenance

    principal = app.principal()
    inbox = app.memory.inbox(principal, Provenance(run_id=plan.id, tool="gavel namespace clean"))
    cleaner: Cleaner = Cleaner(plan, app.memories(), inbox, app.memory.apply, kept.read(plan))
    if dry_run:
        return cleaner.preview()
    if undo:
        return cleaner.undo(app.memory.undo(principal))
    try:
        return cleaner.clean(app.memory.delegations(principal))
    finally:
        kept.write(plan, cleaner.receipts)


def _summed(found: "Audit") -> None:
    counts = found.counts()
    echo(
        f"{sum(found.held.values()):,} live memories in {', '.join(f'{name} ({n:,})' for name, n in found.held.items()) or 'no namespace'}"
    )
    echo(", ".join(f"{n:,} {kind}" for kind, n in counts.items() if n) or "nothing is wrong")


def _tell(outcomes: "Sequence[Outcome]", output: Format) -> None:
    from knowledge.cleaning.cleaner import counts

    if output is Format.json:
        print_json({"counts": counts(outcomes), "actions": [outcome.as_json() for outcome in outcomes]})
    else:
        for outcome in outcomes:
            echo(f"{outcome.state:8}{outcome.action.do:9}{one_line('; '.join(outcome.said))}")
        echo(", ".join(f"{n:,} {state}" for state, n in counts(outcomes).items()) or "the plan is empty")
    if any(outcome.state == "refused" for outcome in outcomes):
        raise typer.Exit(1)


def _app() -> "App":
    from gavel import settings
    from gavel.app import App

    return App(settings.load())
