"""What a proposal may change beside adding its episode, or, where it only archives, without adding one."""

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

NAME = 300
TEXT = 4_000
Name = Annotated[str, Field(min_length=1, max_length=NAME)]
Value = str | int | float | bool | list[str]


class _Operation(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class AddEntity(_Operation):
    """An entity, or more about a known one. `key` joins it across namespaces; without one it is known by its name."""

    op: Literal["add_entity"] = "add_entity"
    name: Name
    key: str = Field(default="", max_length=NAME)
    kind: str = Field(default="", max_length=NAME)
    summary: str = Field(default="", max_length=TEXT)
    aliases: tuple[Name, ...] = Field(default=(), max_length=50)
    properties: Mapping[Name, Value] = Field(default_factory=dict, max_length=50)


class AddRelation(_Operation):
    """A fact between two entities, named by key or name. Dates as in loaded files: an end of year, month or day precision is inclusive."""

    op: Literal["add_relation"] = "add_relation"
    subject: Name
    relation: Name
    object: Name
    subject_kind: str = Field(default="", max_length=NAME)
    object_kind: str = Field(default="", max_length=NAME)
    text: str = Field(default="", max_length=TEXT)
    valid_from: str = Field(default="", max_length=40)
    valid_to: str = Field(default="", max_length=40)
    confidence: float = Field(default=1.0, gt=0, le=1)


class UpdateProperty(_Operation):
    """Another value for a property of a known entity. `expected`: the value it must still have, where the proposer has seen one."""

    op: Literal["update_property"] = "update_property"
    entity: Name
    property: Name
    value: Value
    expected: Value | None = None


class InvalidateRelation(_Operation):
    """A fact that is no longer true from `valid_to` on (the proposal's own date where that is empty)."""

    op: Literal["invalidate_relation"] = "invalidate_relation"
    subject: Name
    relation: Name
    object: Name
    valid_to: str = Field(default="", max_length=40)


class ArchiveEpisode(_Operation):
    """A memory that is no longer to be found, by the uuid of its episode; it stays in the history and can be brought back by undoing.

    `facts`: what only it told ends with it, or is kept because something else says the same.
    """

    op: Literal["archive_episode"] = "archive_episode"
    episode: str = Field(min_length=1, max_length=NAME)
    facts: Literal["end", "keep"] = "end"


Operation = Annotated[AddEntity | AddRelation | UpdateProperty | InvalidateRelation | ArchiveEpisode, Field(discriminator="op")]
