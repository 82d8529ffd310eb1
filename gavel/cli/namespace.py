"""`gavel namespace …`: the contracts of the registry, and whether and where a memory may go."""

from dataclasses import asdict, replace
from difflib import unified_diff
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from gavel.cli.output import Format, FormatOption, echo, note, print_json, table, tell
from knowledge.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Collection

    from gavel.app import App
    from knowledge.embedding.embedder import Embedder
    from knowledge.registry.contract import Contract
    from knowledge.registry.placement import Objection
    from knowledge.registry.registry import Registry
    from knowledge.scope import Grants

namespace = typer.Typer(
    help="Show the namespaces of the registry (GAVEL_REGISTRY), and where a memory may go.", no_args_is_help=True, rich_markup_mode=None
)
REFUSED = 1
AROUND = 3


class PolicyChoice(StrEnum):
    """How what is remembered gets in."""

    self_service = "self_service"
    owner_only = "owner_only"
    explicit_approval_required = "explicit_approval_required"


class JoinChoice(StrEnum):
    """What an entity with the same key in another namespace is."""

    key = "key"
    none = "none"


ID = typer.Argument(metavar="ID", help="the id of a namespace, to the letter")
CHECKED = typer.Argument(metavar="[ID]", help="the id of a namespace  [default: check the whole file]", show_default=False)
CHECKED_TYPE = typer.Option("--type", "-t", help="the type of what is to be remembered, such as Lesson")
NAME = typer.Option("--name", help="its name: `Type: Topic - Aspect`")
TEXT = typer.Argument(metavar="TEXT", help="what is to be remembered, in a few words; or an id that is not quite right")
PURPOSE = typer.Option("--purpose", help="one sentence that says what is remembered there")
OWNER = typer.Option("--owner", help="human_curated, any_agent, project_agent, or the id of a person or an agent")
TYPES = typer.Option("--type", "-t", help="a type that it takes; repeat it for more")
LIMIT = typer.Option("--limit", min=0, help="the most live episodes")
FACTS = typer.Option("--facts", min=0, help="the most live facts")
BYTES = typer.Option("--bytes", min=0, help="the most bytes of live episodes")
POLICY = typer.Option("--policy", help="how what is remembered gets in")
ALTERNATIVE = typer.Option("--alternative", help="the namespace that is named to whoever is refused")
SINGLE = typer.Option("--single-valued", help="a relation of which a subject has one at a time; repeat it for more")
RETENTION = typer.Option("--retention-days", min=1, help="days that memories are kept  [default: for ever]", show_default=False)
JOIN = typer.Option("--join", help="whether entities with the same key in other namespaces are the same")
CHANGE = typer.Argument(metavar="CHANGE", help="the id of a change, as `gavel namespace changes` prints it")
DISPLAY = typer.Option("--display-name", help="a name for people")
PROJECT = typer.Option("--project", help="the project whose agents own it, where --owner is project_agent")


@namespace.command("list")
def list_(output: FormatOption = Format.text) -> None:
    """List the namespaces that you may read or write: those of the file, and those that projects and domains make."""
    registry, visible = _seen()
    contracts = [_open(contract, visible) for contract in registry.all(visible)]
    if output is Format.json:
        print_json([_document(contract) for contract in contracts])
        return
    rows = [
        [contract.id, contract.owner, ", ".join(contract.allowed_types), _limits(contract), contract.write_policy, contract.purpose]
        for contract in contracts
    ]
    table(["namespace", "owner", "takes", "at most", "policy", "purpose"], rows)


@namespace.command()
def show(identity: Annotated[str, ID], output: FormatOption = Format.text) -> None:
    """Show the contract of a namespace as it stands in the file."""
    from knowledge.registry.placement import objection
    from knowledge.registry.proposal import rendered

    registry, visible = _seen()
    found = registry.find(identity) if identity in visible else None
    if found is None:
        raise ConfigError(str(objection(registry, identity, visible)))
    contract = _open(found, visible)
    agents = sorted(registry.agents_of(contract.project))
    lines = [rendered(contract).rstrip()] + ([f"# agents of {contract.project}: {', '.join(agents) or 'none'}"] if contract.project else [])
    tell(output, {**_document(contract), "agents": agents}, *lines)


@namespace.command()
def check(
    identity: Annotated[str, CHECKED] = "",
    type_: Annotated[str, CHECKED_TYPE] = "",
    name: Annotated[str, NAME] = "",
    output: FormatOption = Format.text,
) -> None:
    """Say whether the file is sound, or whether a memory may go into a namespace and, where not, where else. Exit code 1 where not."""
    if identity:
        _check_memory(identity, type_, name, output)
    elif type_ or name:
        raise ConfigError("--type and --name need the id of a namespace; `gavel namespace suggest` finds one")
    else:
        _check_file(output)


@namespace.command()
def create(
    identity: Annotated[str, ID],
    purpose: Annotated[str, PURPOSE],
    owner: Annotated[str, OWNER],
    types: Annotated[list[str], TYPES],
    limit: Annotated[int, LIMIT] = 100,
    facts: Annotated[int | None, FACTS] = None,
    bytes_: Annotated[int | None, BYTES] = None,
    policy: Annotated[PolicyChoice, POLICY] = PolicyChoice.explicit_approval_required,
    alternative: Annotated[str, ALTERNATIVE] = "",
    single_valued: Annotated[list[str] | None, SINGLE] = None,
    retention_days: Annotated[int | None, RETENTION] = None,
    join: Annotated[JoinChoice, JOIN] = JoinChoice.key,
    display_name: Annotated[str, DISPLAY] = "",
    project: Annotated[str, PROJECT] = "",
    output: FormatOption = Format.text,
) -> None:
    """Propose the registry with one more namespace. Nothing changes until another person approves it."""
    from knowledge.registry.contract import Contract, SizeLimit

    wanted = Contract(
        id=identity,
        purpose=purpose.strip(),
        owner=owner.strip(),
        allowed_types=tuple(each.strip() for each in types),
        size_limit=SizeLimit(limit, facts, bytes_),
        write_policy=policy.value,
        suggested_alternative=alternative.strip(),
        single_valued=frozenset(each.strip() for each in single_valued or ()),
        retention_days=retention_days,
        join=join.value,
        display_name=display_name.strip(),
        project=project.strip(),
    )
    _propose(wanted, output)


@namespace.command()
def suggest(text: Annotated[str, TEXT], type_: Annotated[str, CHECKED_TYPE] = "", output: FormatOption = Format.text) -> None:
    """Suggest where a memory may go: by its type, by names, by purposes. The best comes first."""
    from knowledge.registry.closest import find_closest_namespace, find_namespace_for_type

    registry, visible = _seen()
    taking = [contract.id for contract in find_namespace_for_type(registry, type_, visible)]
    closest = find_closest_namespace(registry, text, taking if type_ else visible, _embedder())
    found = list(dict.fromkeys(([closest.id] if closest else []) + taking))
    purposes = {contract.id: contract.purpose for contract in registry.all(found)}
    lines = [f"{each}: {purposes[each]}" for each in found]
    nothing = f"no namespace takes {type_!r}" if type_ else "no name and no purpose is near"
    document = {"suggestions": [{"namespace": each, "purpose": purposes[each]} for each in found]}
    tell(output, document, *(lines or [f"{nothing}; `gavel namespace list` shows those that there are"]))


@namespace.command()
def propose(output: FormatOption = Format.text) -> None:
    """Propose the registry as its file says now, after you have edited it. Nothing changes until another person approves it."""
    from gavel import settings
    from knowledge.registry.file import registry_text

    file = settings.load().registry
    with _app() as app:
        if not app.memory.registry.changed():
            raise ConfigError(f"{file} says what holds already; edit it, then propose it")
        change = app.memory.registry.propose(registry_text(file), app.actor())
    tell(output, {"file": str(file), "change": change}, f"proposed as {change}; another person sees it with `gavel namespace changes`")


@namespace.command()
def changes(output: FormatOption = Format.text) -> None:
    """Show the changes of the registry that wait for approval, each as what it would change, oldest first.

    All of them to a person who may write everywhere, and your own otherwise.
    """
    with _app() as app:
        grants = app.grants()
        waiting = [one for one in app.memory.registry.open() if grants.governs or one.principal == grants.id]
        holds, around = app.memory.registry.text.splitlines(True), AROUND if grants.governs else 0
    told = [(one, "".join(unified_diff(holds, one.text.splitlines(True), "holds", "proposed", n=around))) for one in waiting]
    if output is Format.json:
        print_json([{"change": one.id, "from": one.principal, "at": one.proposed, "stale": one.stale, "diff": diff} for one, diff in told])
        return
    for one, diff in told:
        late = "; the registry has changed since, so it must be proposed anew" if one.stale else ""
        echo(f"{one.id}  from {one.principal} at {one.proposed}{late}\n{diff}")
    if not told:
        echo("no change waits")


@namespace.command()
def approve(change: Annotated[str, CHANGE], output: FormatOption = Format.text) -> None:
    """Let a proposed change hold, and write it into the file. For a person who may write everywhere, and did not propose it."""
    with _app() as app:
        registry = app.memory.registry.approve(change, app.actor())
    document = {"approved": change, "version": registry.version, "digest": registry.digest}
    tell(output, document, f"version {registry.version} of the registry holds, and the file says so")


def _check_memory(identity: str, type_: str, name: str, output: Format) -> None:
    from knowledge.registry.memory_name import memory_name
    from knowledge.registry.placement import name_objection, objection

    registry, visible = _seen()
    named = memory_name(name)
    wanted = type_ or (named.type if named else "")
    asked = [name_objection(name, type_) if name else None, objection(registry, identity, visible, wanted, _embedder())]
    objections: list[Objection] = [each for each in asked if each]
    contract = registry.find(identity) if identity in visible else None
    document = {
        "namespace": identity,
        "type": wanted,
        "ok": not objections,
        "objections": [asdict(each) for each in objections],
        "write_policy": contract.write_policy if contract else None,
    }
    fine = f"{identity} takes {wanted or 'what its contract allows'} ({contract.write_policy if contract else ''})"
    tell(output, document, *(map(str, objections) if objections else [fine]))
    if objections:
        raise typer.Exit(REFUSED)


def _check_file(output: Format) -> None:
    from gavel import settings
    from knowledge.registry.names import agent_named

    file, (registry, names) = settings.load().registry, _seen()
    warnings = [reason for name in names if (reason := agent_named(name))]
    document = {
        "file": file,
        "version": registry.version,
        "digest": registry.digest,
        "namespaces": names,
        "warnings": warnings,
    }
    tell(output, document, f"{file} is sound: version {registry.version}, namespaces: {', '.join(names) or 'none'}", *warnings)


def _propose(wanted: "Contract", output: Format) -> None:
    from gavel import settings
    from knowledge.registry.file import registry_text
    from knowledge.registry.names import agent_named
    from knowledge.registry.proposal import proposed, rendered

    if reason := agent_named(wanted.id):
        raise ConfigError(reason)
    file = settings.load().registry
    text = proposed(registry_text(file), wanted)
    with _app() as app:
        change = app.memory.registry.propose(text, app.actor())
        shown = text if _knows_all(app.grants()) else rendered(wanted)
    if output is Format.json:
        told = {"namespace": _document(wanted), "file": file, "changed": False, "needs_approval": True, "change": change, "proposed": shown}
        print_json(told)
    else:
        echo(shown.rstrip())
    note(f"{file} is unchanged: a person has to approve {wanted.id}, another than the proposer: `gavel namespace approve {change}`")


def _registry() -> "Registry":
    from gavel import settings
    from knowledge.registry.file import read_registry

    return read_registry(settings.load().registry)


def _seen() -> "tuple[Registry, list[str]]":
    """The registry, and what of it may be shown here: the namespaces that may be read or written, and nothing of others."""
    with _app() as app:
        grants = app.grants()
    registry = _registry()
    return registry, [contract.id for contract in registry.all() if grants.knows(contract.id)]


def _open(contract: "Contract", visible: "Collection[str]") -> "Contract":
    return contract if contract.suggested_alternative in visible else replace(contract, suggested_alternative="")


def _knows_all(grants: "Grants") -> bool:
    return all(grants.knows(contract.id) for contract in _registry().all())


def _embedder() -> "Embedder | None":
    with _app() as app:
        return app.embedder


def _app() -> "App":
    from gavel import settings
    from gavel.app import App

    return App(settings.load())


def _document(contract: "Contract") -> dict[str, object]:
    return {**asdict(contract), "single_valued": sorted(contract.single_valued)}


def _limits(contract: "Contract") -> str:
    limits = asdict(contract.size_limit)
    return ", ".join(f"{limit:,} {name}" for name, limit in limits.items() if limit is not None)
