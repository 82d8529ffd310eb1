"""What an owner says about a graph: which property names an entity, and in which words people speak of each relation."""

from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, PlainSerializer

Shape = Literal["memory", "native"]
Layout = Literal["memory", "native", "graphiti"]


def _several(said: object) -> object:
    """A file may give one kind as a plain string."""
    if isinstance(said, str):
        return (said,) if said else ()
    return said


def _written(kinds: tuple[str, ...]) -> str | list[str]:
    return kinds[0] if len(kinds) == 1 else list(kinds)


Kinds = Annotated[tuple[str, ...], BeforeValidator(_several), PlainSerializer(_written)]


class RelationProfile(BaseModel):
    """How people speak of a relation. `subject` and `object`: the kinds of things at its ends, the commonest first.

    `roles` are nouns for its object; `forward`/`backward` are phrases for either direction.

    In a native graph `valid_from` and `valid_to` name the properties that hold its dates: half-open, missing is open.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    description: str = ""
    subject: Kinds = ()
    object: Kinds = ()
    roles: tuple[str, ...] = ()
    forward: tuple[str, ...] = ()
    backward: tuple[str, ...] = ()
    valid_from: str = ""
    valid_to: str = ""


class LabelProfile(BaseModel):
    """The properties of one label of a native graph. `key` identifies a node for ever; without it the id is a hash of label and name."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = "name"
    key: str = ""
    text: tuple[str, ...] = ()
    valid_from: str = ""
    valid_to: str = ""
    access: str = ""


class GraphProfile(BaseModel):
    """Shape and wording of one database. `kinds` maps a kind to the nouns for it; `namespace` is the pseudo-namespace of a native graph.

    graphiti: a memory that Graphiti made and Gavel did not load; it is read only.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    shape: Layout = "memory"
    namespace: str = ""
    labels: dict[str, LabelProfile] = Field(default_factory=dict)
    kinds: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    relations: dict[str, RelationProfile] = Field(default_factory=dict)
