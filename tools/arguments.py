"""The arguments that tools share, with the bounds and descriptions that a model sees."""

from typing import Annotated, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, SkipValidation

from knowledge.reading.contract import KgReader
from knowledge.records import Step

Reader: TypeAlias = Annotated[KgReader, SkipValidation]
Query: TypeAlias = Annotated[str, Field(min_length=1, max_length=1_000, description="What to look for, in words")]
Mode: TypeAlias = Annotated[
    Literal["keyword", "semantic", "hybrid"], Field(description="keyword: by words; semantic: by meaning; hybrid: both, fused by rank")
]
Limit: TypeAlias = Annotated[int, Field(ge=1, le=100, description="At most this many results")]
EntityIds: TypeAlias = Annotated[
    tuple[str, ...], Field(min_length=1, max_length=50, description="Ids of entities, as other tools return them in brackets")
]
Relations: TypeAlias = Annotated[tuple[str, ...], Field(max_length=50, description="Names of relations to use; empty for all")]


class Hop(BaseModel):
    """One step along a relation."""

    model_config = ConfigDict(extra="forbid")

    relation: str = Field(description="Name of the relation, as get_schema lists it")
    direction: Literal["out", "in"] = Field("out", description="out: from subject to object; in: back from object to subject")

    @property
    def step(self) -> Step:
        return Step(self.relation, self.direction)


Route: TypeAlias = Annotated[tuple[Hop, ...], Field(max_length=5, description="Steps to take one after another, at most 5")]
