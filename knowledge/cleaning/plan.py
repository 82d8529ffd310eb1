"""A plan as a file: what is to be done with which memory, for a person to read and to change before anything is done."""

import uuid
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from knowledge.errors import ConfigError

MOST_BYTES = 16 << 20
MOST_USES = 1_000_000
MOST_HOURS = 24.0 * 366
_HEAD = """\
# What is to be done with each memory. Change or delete any of it, then:
#   gavel namespace clean {name} --dry-run    what exactly would change
#   gavel namespace clean {name}              propose it; run it again after approvals, until all is done
#   gavel namespace clean {name} --undo       take it back
# do: move (to another namespace or, with `rename`, under another name), merge (into another memory that says the same), archive, keep,
#     or delegate (let another write into a namespace for a time).
"""


class _Action(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)


class _OfMemory(_Action):
    memory: str = Field(min_length=1, max_length=100)
    from_: str = Field(alias="from")
    name: str = ""
    why: str = ""


class Move(_OfMemory):
    """The memory is told again where it belongs, with its facts, and archived where it was."""

    do: Literal["move"] = "move"
    to: str
    rename: str = Field(default="", max_length=300)


class Merge(_OfMemory):
    """Archived because `into` says the same; what only it told stays believed."""

    do: Literal["merge"] = "merge"
    into: str = Field(min_length=1)


class Archive(_OfMemory):
    """Out of sight, with the facts that only it told, unless they are to be kept."""

    do: Literal["archive"] = "archive"
    facts: Literal["end", "keep"] = "end"


class Keep(_OfMemory):
    """Nothing is done; the reason says what a person may want to do."""

    do: Literal["keep"] = "keep"


class Delegate(_Action):
    """`to` may write into `namespace` for a time: for what an owner wants cleaned by another."""

    do: Literal["delegate"] = "delegate"
    namespace: str
    to: str
    uses: int = Field(default=100, gt=0, le=MOST_USES)
    hours: float = Field(default=24.0, gt=0, le=MOST_HOURS)
    why: str = ""


Action = Annotated[Move | Merge | Archive | Keep | Delegate, Field(discriminator="do")]


class Plan(BaseModel):
    """`id` names it for ever: done twice, it is done once."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str = Field(min_length=8, max_length=64, pattern=r"^[A-Za-z0-9_-]+$")
    actions: tuple[Action, ...] = ()


def new(actions: Sequence[Action]) -> Plan:
    """With an id of its own."""
    return Plan(id=uuid.uuid4().hex, actions=tuple(actions))


def write(plan: Plan, file: Path) -> None:
    """ConfigError where there is a file already: it may hold a person's work."""
    told = {"id": plan.id, "actions": [_ordered(action) for action in plan.actions]}
    text = _HEAD.format(name=file.name) + yaml.safe_dump(told, allow_unicode=True, sort_keys=False, width=120)
    try:
        with file.open("x", encoding="utf-8") as open_file:
            open_file.write(text)
    except FileExistsError as error:
        raise ConfigError(f"{file} is there already; name another file, or remove it") from error


def read(file: Path) -> Plan:
    """ConfigError says in which action what cannot be used."""
    try:
        if file.stat().st_size > MOST_BYTES:
            raise ConfigError(f"{file} is larger than {MOST_BYTES >> 20} MB; clean in several plans")
        told = yaml.safe_load(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError, yaml.YAMLError) as error:
        raise ConfigError(f"{file} cannot be read as a plan: {error}") from error
    if not isinstance(told, dict):
        raise ConfigError(f"{file} holds no plan; `gavel namespace audit --plan FILE` writes one")
    try:
        plan = Plan.model_validate(told)
    except ValidationError as error:
        raise ConfigError(f"{file} cannot be used: {'; '.join(_fault(one) for one in error.errors()[:5])}") from error
    _check_once(plan, file)
    return plan


def _check_once(plan: Plan, file: Path) -> None:
    seen: set[str] = set()
    gone = {action.memory for action in plan.actions if isinstance(action, Merge | Archive)}
    for place, action in enumerate(plan.actions, start=1):
        about = f"{action.to} in {action.namespace}" if isinstance(action, Delegate) else action.memory
        if about in seen:
            raise ConfigError(
                f"{file}: action {place} is about {about} once more; one memory, and one delegate in a namespace, has one action"
            )
        seen.add(about)
        if isinstance(action, Merge) and action.into in gone:
            raise ConfigError(f"{file}: action {place} merges into {action.into}, which is taken away itself; merge into what stays")


def _ordered(action: _Action) -> dict[str, object]:
    told = action.model_dump(by_alias=True)
    return {"do": told.pop("do")} | {name: value for name, value in told.items() if value != ""}


def _fault(error: object) -> str:
    assert isinstance(error, dict)
    where = [str(part + 1) if isinstance(part, int) else str(part) for part in error["loc"]]
    return f"{' '.join(where).replace('actions', 'action', 1)}: {error['msg']}"
