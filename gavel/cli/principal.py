"""`gavel principal …`: who may come to the doors, and what was given to them."""

from collections.abc import Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from gavel.cli.output import Format, FormatOption, note, one_line, print_json, table, tell
from knowledge.scope import EVERY_NAMESPACE, EVERYONE, LOCAL, PUBLIC

if TYPE_CHECKING:
    from gavel.app import App
    from knowledge.remember.principals import Listed

principal = typer.Typer(no_args_is_help=True, rich_markup_mode=None, help="Say who may act, and what is given to them.")


_Sets = tuple[Sequence[str], Sequence[str], Sequence[str], Sequence[str]]


class KindChoice(StrEnum):
    """What it is."""

    person = "person"
    agent = "agent"


ID = typer.Argument(metavar="ID", help="1 to 64 of A-Z a-z 0-9 _ . @ -; an id is given once and for all")
KIND = typer.Option("--kind", "-k", help="only a person approves what the contract of a namespace leaves to persons")
READS = typer.Option(
    "--reads", help=f"a namespace that it may read, or {EVERY_NAMESPACE}; repeat it for more  [default: none]", show_default=False
)
WRITES = typer.Option(
    "--writes", help=f"a namespace that it may write to, or {EVERY_NAMESPACE}; repeat it for more  [default: none]", show_default=False
)
LEVELS = typer.Option(
    "--access-level", help=f"an access level that it may read, or {EVERY_NAMESPACE}  [default: {PUBLIC}]", show_default=False
)
GROUPS = typer.Option("--group", help=f"a visibility group that it is in, or {EVERY_NAMESPACE}  [default: none]", show_default=False)
ROUNDS = typer.Option("--max-rounds", min=1, help="the most plan and evidence cycles of one run  [default: no limit of its own]")
TURNS = typer.Option("--max-turns", min=0, help="the most agent turns of one run")
QUERIES = typer.Option("--max-queries", min=0, help="the most statements that one run sends to the database")
MODEL_CALLS = typer.Option("--max-model-calls", min=0, help="the most requests of one run to a model; 0 leaves the rules")
TOKENS = typer.Option("--max-tokens", min=0, help="the most tokens of one run, prompts and completions together")
WALL_TIME = typer.Option("--max-wall-time", min=0, help="the most seconds of one run")
EVERYTHING = typer.Option("--everything", help="give all there is, as the first principal must have it")


@principal.command()
def add(
    identity: Annotated[str, ID],
    kind: Annotated[KindChoice, KIND],
    reads: Annotated[list[str] | None, READS] = None,
    writes: Annotated[list[str] | None, WRITES] = None,
    levels: Annotated[list[str] | None, LEVELS] = None,
    groups: Annotated[list[str] | None, GROUPS] = None,
    everything: Annotated[bool, EVERYTHING] = False,
    max_rounds: Annotated[int | None, ROUNDS] = None,
    max_turns: Annotated[int | None, TURNS] = None,
    max_queries: Annotated[int | None, QUERIES] = None,
    max_model_calls: Annotated[int | None, MODEL_CALLS] = None,
    max_tokens: Annotated[int | None, TOKENS] = None,
    max_wall_time: Annotated[float | None, WALL_TIME] = None,
    output: FormatOption = Format.text,
) -> None:
    """Add a principal and print its token, this once. From the first one on nobody acts here without a token."""
    all_ = (EVERY_NAMESPACE,)
    given: _Sets = (all_, all_, all_, all_) if everything else (reads or (), writes or (), levels or (PUBLIC,), (EVERYONE, *(groups or ())))
    asked = {"rounds": max_rounds, "turns": max_turns, "queries": max_queries, "model_calls": max_model_calls, "tokens": max_tokens}
    limits = {name: most for name, most in {**asked, "wall_time": max_wall_time}.items() if most is not None}
    with _app() as app:
        token = app.memory.principals.add(app.actor(), identity, kind.value, *given, limits=limits)
    tell(output, {"id": identity, "kind": kind.value, "token": token}, token)
    _keep(identity)


@principal.command("list")
def list_(output: FormatOption = Format.text) -> None:
    """Show the principals: all of them to a person who may write everywhere, yourself otherwise."""
    with _app() as app:
        grants = app.grants()
        every = app.memory.principals.list() if app.memory.begun else []
    listed = [one for one in every if grants.governs or one.grants.id == grants.id]
    if grants is LOCAL:
        note("no principal was added: whoever runs a command here is the one local person, who may do everything")
    if output is Format.json:
        print_json([one.as_json() for one in listed])
        return
    table(["principal", "kind", "reads", "writes", "access", "groups", "limits", "added by", "revoked"], [_row(one) for one in listed])


@principal.command()
def revoke(identity: Annotated[str, ID], output: FormatOption = Format.text) -> None:
    """End what a principal may do, at once and for good; its id is given to nobody else."""
    with _app() as app:
        app.memory.principals.revoke(app.actor(), identity)
    tell(output, {"revoked": identity}, f"{identity} is revoked")


@principal.command()
def rotate(identity: Annotated[str, ID], output: FormatOption = Format.text) -> None:
    """Print a new token of a principal, this once. The old one stops at once; what was given stays."""
    with _app() as app:
        token = app.memory.principals.rotate(app.actor(), identity)
    tell(output, {"id": identity, "token": token}, token)
    _keep(identity)


def _keep(identity: str) -> None:
    note(f"this is the token of {identity}, shown this once: keep it in GAVEL_TOKEN, or in a file of mode 0600 named by GAVEL_TOKEN_FILE")


def _row(one: "Listed") -> list[str]:
    given = one.grants
    sets = (given.reads, given.writes, given.access_levels, given.visibility_groups)
    told = (one_line(", ".join(sorted(filter(None, each)))) or "none" for each in sets)
    limits = ", ".join(f"{name} {most:g}" for name, most in given.limits.items()) or "none"
    return [given.id, given.kind, *told, limits, one.added_by, one.revoked]


def _app() -> "App":
    from gavel import settings
    from gavel.app import App

    return App(settings.load())
