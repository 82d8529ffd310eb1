"""What the kg gives back: entities, facts, paths, and requests for walks. Immutable values, the same for both shapes."""

from dataclasses import dataclass, field
from typing import Literal, NamedTuple

Direction = Literal["out", "in"]
Match = Literal["exact", "alias", "folded", "partial", "fuzzy", "vector"]


@dataclass(frozen=True)
class Entity:
    """A node. `id` is the evidence id: `uuid` in the memory shape, the declared key or a hash in a native graph."""

    id: str
    name: str
    kind: str = ""
    namespace: str = ""
    aliases: tuple[str, ...] = ()
    summary: str = ""


@dataclass(frozen=True)
class Fact:
    """A dated edge. Dates are written at their own precision, open ends are empty strings."""

    id: str
    subject: Entity
    relation: str
    object: Entity
    text: str = ""
    valid_from: str = ""
    valid_to: str = ""
    known_from: str = ""
    source: str = ""
    confidence: float = 1.0


class Step(NamedTuple):
    """One hop: `out` follows the relation from subject to object, `in` back from object to subject."""

    relation: str
    direction: Direction


@dataclass(frozen=True)
class Candidate:
    """An entity that a mention may mean. `similarity` is 1.0 for exact and alias matches; `degree` counts facts in scope."""

    mention: str
    entity: Entity
    match: Match
    similarity: float
    degree: int = 0


@dataclass(frozen=True)
class Filter:
    """Keep the nodes reached after `step` hops (1-based) that have `relation` to one of `values` (entity names)."""

    step: int
    relation: str
    direction: Direction
    values: tuple[str, ...]


@dataclass(frozen=True)
class Walk:
    """Follow `steps` from `starts` (entity ids).

    `back`: 0-based steps that return over the step before and leave out where they came from (siblings).
    `keep_start`: whether the start may be among the answers. `without`: kinds that no answer may have.
    """

    starts: tuple[str, ...]
    steps: tuple[Step, ...]
    filters: tuple[Filter, ...] = ()
    back: tuple[int, ...] = ()
    keep_start: bool = False
    without: tuple[str, ...] = ()


@dataclass(frozen=True)
class Path:
    """A chain of facts from `start` to `end`, in walking order. `conditions` are the facts that met a walk's filters on the way."""

    start: Entity
    end: Entity
    facts: tuple[Fact, ...]
    conditions: tuple[Fact, ...] = ()


@dataclass(frozen=True)
class Reached:
    """One answer of a walk: where it ended, how many ways lead there, and up to three of them as proof."""

    entity: Entity
    ways: int
    proofs: tuple[Path, ...] = ()


@dataclass(frozen=True)
class RelationUse:
    """How often an entity takes part in a relation, in one direction, within the scope."""

    relation: str
    direction: Direction
    count: int


@dataclass(frozen=True)
class RelationSchema:
    """One relation type as the scope sees it. Samples hold at most 150 names, the whole set where it is smaller.

    `more_subject_kinds`, `more_object_kinds`: where an end holds things of several kinds, those beside the commonest.
    """

    name: str
    facts: int
    subjects: int
    objects: int
    subject_kind: str
    object_kind: str
    subject_samples: tuple[str, ...] = ()
    object_samples: tuple[str, ...] = ()
    more_subject_kinds: tuple[str, ...] = ()
    more_object_kinds: tuple[str, ...] = ()

    @property
    def subject_kinds(self) -> tuple[str, ...]:
        return (self.subject_kind, *self.more_subject_kinds)

    @property
    def object_kinds(self) -> tuple[str, ...]:
        return (self.object_kind, *self.more_object_kinds)


PropertyType = Literal["number", "date", "text"]


@dataclass(frozen=True)
class PropertySchema:
    """A property that most nodes of a label with it hold as such a value; texts that are dates count as dates."""

    label: str
    name: str
    type: PropertyType


@dataclass(frozen=True)
class GraphSchema:
    """What kinds of things there are and how they are related, as the scope sees it.

    Kinds are named by label or profile where there is one, else induced from overlapping node sets (`kind0`, …).
    `copies`: a step that only repeats another one backwards (children = parents backwards), as {copy: original}.
    `follows`: step pairs (first, second) for which some node ends the first and starts the second.
    `properties`: of a native graph; a memory says everything by relations.
    """

    version: str
    entities: int
    facts: int
    relations: tuple[RelationSchema, ...]
    kinds: tuple[str, ...]
    copies: dict[Step, Step] = field(default_factory=dict)
    follows: frozenset[tuple[Step, Step]] = frozenset()
    labels: tuple[tuple[str, int], ...] = ()
    properties: tuple[PropertySchema, ...] = ()
