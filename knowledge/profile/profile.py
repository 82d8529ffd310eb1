"""What an owner says about a graph: which property names an entity, and in which words people speak of each relation."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

Shape = Literal["memory", "native"]


class RelationProfile(BaseModel):
    """How people speak of a relation. `roles` are nouns for its object; `forward`/`backward` are phrases for either direction.

    In a native graph `valid_from` and `valid_to` name the properties that hold its dates: half-open, missing is open.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    description: str = ""
    subject: str = ""
    object: str = ""
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
    """Shape and wording of one database. `kinds` maps a kind to the nouns for it; `namespace` is the pseudo-namespace of a native graph."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    shape: Shape = "memory"
    namespace: str = ""
    labels: dict[str, LabelProfile] = Field(default_factory=dict)
    kinds: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    relations: dict[str, RelationProfile] = Field(default_factory=dict)
