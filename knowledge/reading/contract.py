"""What can be read from a kg: the one interface that agents and tools see, whatever the shape below it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, Literal, Protocol, TypeVar

from knowledge.records import Candidate, Direction, Entity, Fact, GraphSchema, Path, Reached, RelationUse, Step, Walk
from knowledge.scope import Scope

T = TypeVar("T")
SearchMode = Literal["keyword", "semantic", "hybrid"]
Measure = Literal["count", "group", "most", "least", "highest", "lowest"]


@dataclass(frozen=True)
class Aggregation:
    """A question about numbers, computed in the database.

    `walk` names the set that is measured; without one it is every subject of `steps[0]` in the scope.
    count: size of the set. group: the set grouped by the last step, with counts. most/least: members ranked by how many facts of the
    last step they have. highest/lowest: members ranked by the value (number or date) that the last step leads to.
    """

    measure: Measure
    walk: Walk | None = None
    steps: tuple[Step, ...] = ()
    limit: int = 10


@dataclass(frozen=True)
class Measured:
    """One row of an aggregate: the entity it is about (None for a plain count), its value, and up to three facts that show it."""

    entity: Entity | None
    value: float | str
    facts: tuple[Fact, ...] = ()


@dataclass(frozen=True)
class Hit(Generic[T]):
    """A search result. `score` is comparable within one result list only."""

    item: T
    score: float


class KgReader(Protocol):
    """Bound to one scope and one meter. Every method sends one statement whatever the length of its lists, except `schema`,
    which sends none while cached and at most four when the kg has changed. All raise OutOfBudget when the meter refuses.
    """

    @property
    def scope(self) -> Scope: ...

    @property
    def semantic(self) -> bool:
        """Whether vectors can be searched; where not, every search and suggestion is by words alone."""
        ...

    def schema(self) -> GraphSchema: ...

    def link(self, mentions: Sequence[str], *, limit: int = 5) -> Mapping[str, list[Candidate]]:
        """Entities whose folded name or alias is the mention (already folded with `identity.fold`); mentions without one are left out."""
        ...

    def suggest(self, text: str, *, limit: int = 5) -> list[Candidate]:
        """Entities that a misspelt, partial or described name may mean: partial, fuzzy and vector matches, best first."""
        ...

    def relations(self, ids: Sequence[str]) -> Mapping[str, list[RelationUse]]: ...

    def context(self, ids: Sequence[str]) -> list[Entity]: ...

    def expand(
        self, ids: Sequence[str], *, relations: Sequence[str] = (), direction: Direction | None = None, limit: int = 100
    ) -> list[Fact]: ...

    def follow(self, walks: Sequence[Walk], *, limit: int = 200) -> list[list[Reached]]:
        """One list per walk, most ways first, then by name; up to three proofs each."""
        ...

    def paths(self, pairs: Sequence[tuple[str, str]], *, hops: int = 4, most: int = 3, relations: Sequence[str] = ()) -> list[list[Path]]:
        """Shortest paths per pair, shortest first, then by confidence; hops ≤ 5."""
        ...

    def aggregate(self, request: Aggregation) -> list[Measured]: ...

    def search_entities(
        self, query: str, *, mode: SearchMode = "hybrid", kinds: Sequence[str] = (), limit: int = 10
    ) -> list[Hit[Entity]]: ...

    def search_facts(self, query: str, *, mode: SearchMode = "hybrid", limit: int = 10) -> list[Hit[Fact]]: ...
