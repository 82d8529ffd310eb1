"""The words in which the two shapes differ; every query template is written once, in these words."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Literal, Protocol

from knowledge.clocks import Moment, moment
from knowledge.database.connection import Row
from knowledge.reading.sameness import Around, Way
from knowledge.records import Entity, Fact
from knowledge.scope import Scope

if TYPE_CHECKING:
    from knowledge.search.side import SideIndex

Arrow = Literal["out", "in", "both"]
Fields = Row
Key = str | Mapping[str, str]


@dataclass(frozen=True)
class Clause:
    """A piece of Cypher with the parameters that it brings."""

    clause: str
    parameters: Mapping[str, object]


@dataclass(frozen=True)
class About:
    """What is searched for. `vector` is empty where the search is by words alone, `words` False where it is by vector alone.

    `kinds` empty means every kind. At most `most` rows per ranking.
    """

    text: str
    words: bool
    vector: tuple[float, ...]
    kinds: tuple[str, ...] = ()
    most: int = 50


class Dialect(Protocol):
    """Cypher fragments of one shape, and the way back from rows to records. A `variable` is an identifier of the template."""

    def starts(self, variable: str, keys: str) -> str:
        """A clause that binds the variable to nodes in scope. `keys` is an expression for a list of what `keys` returned."""
        ...

    def keys(self, ids: Sequence[str]) -> Sequence[Key]:
        """What `starts` wants for these entity ids; unknown ids are left out."""
        ...

    def named(self, mentions: Sequence[str]) -> Clause:
        """Clauses that bind `mention` and `n` to the entities whose folded name or alias may be one of these folded mentions."""
        ...

    def entities_about(self, about: About) -> Clause:
        """Clauses that bind `source` (`words` or `vector`), `score` and the entity `n`, by rows in scope only, best first per source."""
        ...

    def facts_about(self, about: About) -> Clause:
        """As `entities_about`, with the fact `r`."""
        ...

    def entities_like(self, about: About) -> Clause:
        """As `entities_about`, also for misspelt words and beginnings of words."""
        ...

    def node(self, variable: str) -> str:
        """The pattern of an entity, such as `(n:Entity)`."""
        ...

    def fact(self, variable: str, direction: Arrow) -> str:
        """The pattern of a fact between two nodes, such as `<-[r:RELATES_TO]-`."""
        ...

    def relation(self, variable: str) -> str:
        """The expression for the relation type of a fact."""
        ...

    def name(self, variable: str) -> str:
        """The expression for the name of an entity."""
        ...

    def label(self, variable: str) -> str:
        """The expression for the telling label of an entity in a list, empty where there is none."""
        ...

    def confidence(self, variable: str) -> str:
        """The expression for the confidence of a fact, 0 to 1."""
        ...

    def sees_node(self, variable: str) -> str:
        """The predicate that an entity is in the scope."""
        ...

    def sees_fact(self, variable: str) -> str:
        """The predicate that a fact is in the scope, its end nodes apart."""
        ...

    @property
    def joining(self) -> tuple[str, ...]:
        """The namespaces in which several nodes may be one entity; where there are none, `one` and `around` are the node itself."""
        ...

    def one(self, variable: str) -> str:
        """The expression for the node that stands for all that are one entity with this."""
        ...

    def identity(self, variable: str) -> str:
        """An expression that is equal for nodes that are one entity."""
        ...

    def grouped(self, variable: str) -> str:
        """What of a WITH leaves one row per entity, for the variable."""
        ...

    def around(self, variable: str) -> Around:
        """Where the facts of an entity stand."""
        ...

    def way(self, fact: str, start: str, end: str, chosen: str) -> Way:
        """A step of a path between two nodes. `chosen`: what is asked of facts besides being in scope, ending in AND."""
        ...

    def entity_fields(self, variable: str) -> str:
        """A map expression that `entity` reads."""
        ...

    def fact_fields(self, variable: str) -> str:
        """A map expression that `record` reads."""
        ...

    def version(self) -> str:
        """A statement that returns `namespace` and `version` for the namespaces in scope; the version changes with every commit."""
        ...

    def scope(self, scope: Scope, now: datetime) -> dict[str, object]:
        """The parameters that the predicates use."""
        ...

    def entity(self, fields: Fields) -> Entity: ...

    def record(self, fields: Fields, subject: Entity, object_: Entity) -> Fact: ...


class SideDialect(Dialect, Protocol):
    """The dialect of a graph to which nothing is added: `side` knows the names, words and vectors of its nodes."""

    @property
    def side(self) -> "SideIndex": ...

    @property
    def model(self) -> str:
        """The embedding model whose vectors are read, empty for none."""
        ...

    @property
    def inside(self) -> Sequence[str]:
        """The namespaces that are searched; empty where the graph has only one."""
        ...

    def at(self, variable: str, place: str) -> str:
        """A clause that binds the variable to the node of a place {ref, name}, if it is still that node and in scope."""
        ...

    def everything(self) -> Clause:
        """A statement that returns `entity`, the fields of every node of the graph, whatever the scope."""
        ...

    def state(self) -> Clause:
        """A statement that returns `version`, which changes with the nodes of the graph."""
        ...


def instants(scope: Scope, now: datetime) -> dict[str, str]:
    """The scope's two clocks as ISO text: `as_of`, `as_of_end` (half-open) and `known_at`."""
    span: Moment = scope.as_of or moment(now.isoformat())
    known = scope.known_at or now
    return {"as_of": span.start.isoformat(), "as_of_end": span.end.isoformat(), "known_at": known.isoformat()}
