"""A kg of eleven facts in memory and brains that know its words: what the graphs cost and how they behave, without a database."""

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from knowledge.errors import DatabaseError, StatementError
from knowledge.identity import fold
from knowledge.reading.contract import Aggregation, Hit, Measured, SearchMode
from knowledge.reading.meter import Meter
from knowledge.records import Candidate, Direction, Entity, Fact, GraphSchema, Path, Reached, RelationUse, Walk
from knowledge.scope import Principal, Scope

TRIPLES = [
    ("Auro", "made", "Dunka"), ("Auro", "wrote", "Ekko"),
    ("Belo", "made", "Dunka"), ("Belo", "wrote", "Fynn"),
    ("Belo", "basis", "Gallo"), ("Ciro", "made", "Dunka"),
    ("Dunka", "born", "Hessi"), ("Ekko", "birthplace", "Ilmo"), ("Fynn", "birthplace", "Jarva"),
    ("Ilmo", "within", "Korland"), ("Hessi", "within", "Lorland"),
]  # fmt: skip
WORDS = {
    "directed": "made",
    "director": "made",
    "wrote": "wrote",
    "writer": "wrote",
    "hometown": "born",
    "country": "within",
    "book": "basis",
}
SYNONYMS = {"born": ["birthplace"]}
ENTITIES = {name: Entity(f"id-{name}", name, "thing", "demo") for triple in TRIPLES for name in (triple[0], triple[2])}
FACTS = [Fact(f"{s}-{r}-{o}", ENTITIES[s], r, ENTITIES[o], f"{s} {r} {o}", source="toy") for s, r, o in TRIPLES]
SCOPE = Scope(frozenset({"demo", "other"}))


def person() -> Principal:
    """Who asks: one local person who may read two namespaces."""
    return Principal("toy", "person", SCOPE)


@dataclass
class ToyKg:
    """`latency` seconds per statement; an entity in `broken` raises `breaks`; `log` holds the statements really run."""

    latency: float = 0.0
    broken: frozenset[str] = frozenset()
    breaks: type[DatabaseError] = StatementError
    log: list[str] = field(default_factory=list)
    _running: dict[str, threading.Event] = field(default_factory=dict)

    def open(self, scope: Scope, meter: Meter) -> "ToyReader":
        """The reader of one run."""
        return ToyReader(self, scope, meter)

    def terminate(self, tag: str) -> None:
        """End the statements that carry the tag."""
        self._running.setdefault(tag, threading.Event()).set()

    def run(self, text: str, meter: Meter) -> None:
        """One statement."""
        seconds = meter.charge(text)
        self.log.append(text)
        if self.latency and self._running.setdefault(meter.tag, threading.Event()).wait(min(self.latency, seconds)):
            self._running.pop(meter.tag, None)
            raise StatementError("the statement was terminated")


@dataclass(frozen=True)
class ToyReader:
    """A `KgReader` over the eleven facts."""

    kg: ToyKg
    scope: Scope
    meter: Meter
    semantic: bool = False

    def schema(self) -> GraphSchema:
        return GraphSchema("1", len(ENTITIES), len(FACTS), (), ("thing",))

    def link(self, mentions: Sequence[str], *, limit: int = 5) -> Mapping[str, list[Candidate]]:
        self.kg.run(f"link {list(mentions)}", self.meter)
        known = {fold(name): entity for name, entity in ENTITIES.items()}
        return {m: [Candidate(m, known[m], "exact", 1.0)] for m in mentions if m in known}

    def suggest(self, text: str, *, limit: int = 5) -> list[Candidate]:
        self.kg.run(f"suggest {text}", self.meter)
        return []

    def relations(self, ids: Sequence[str]) -> Mapping[str, list[RelationUse]]:
        self.kg.run(f"relations {list(ids)}", self.meter)
        return {id_: [RelationUse(f.relation, "out", 1) for f in FACTS if f.subject.id == id_] for id_ in ids}

    def context(self, ids: Sequence[str]) -> list[Entity]:
        self.kg.run(f"context {list(ids)}", self.meter)
        return [entity for entity in ENTITIES.values() if entity.id in ids]

    def expand(
        self, ids: Sequence[str], *, relations: Sequence[str] = (), direction: Direction | None = None, limit: int = 100
    ) -> list[Fact]:
        self.kg.run(f"expand {list(ids)} {list(relations)}", self.meter)
        if broken := sorted(name for name in self.kg.broken if f"id-{name}" in ids):
            raise self.kg.breaks(f"lost the database at {broken[0]}")
        return [f for f in FACTS if f.subject.id in ids and (not relations or f.relation in relations)][:limit]

    def follow(self, walks: Sequence[Walk], *, limit: int = 200) -> list[list[Reached]]:
        self.kg.run(f"follow {len(walks)}", self.meter)
        return [[] for _ in walks]

    def paths(self, pairs: Sequence[tuple[str, str]], *, hops: int = 4, most: int = 3, relations: Sequence[str] = ()) -> list[list[Path]]:
        self.kg.run(f"paths {list(pairs)}", self.meter)
        return [[] for _ in pairs]

    def aggregate(self, request: Aggregation) -> list[Measured]:
        self.kg.run(f"aggregate {request.measure}", self.meter)
        return [Measured(None, len(FACTS))]

    def search_entities(self, query: str, *, mode: SearchMode = "hybrid", kinds: Sequence[str] = (), limit: int = 10) -> list[Hit[Entity]]:
        self.kg.run(f"search_entities {query}", self.meter)
        return [Hit(entity, 1.0) for name, entity in ENTITIES.items() if fold(name) in fold(query)][:limit]

    def search_facts(self, query: str, *, mode: SearchMode = "hybrid", limit: int = 10) -> list[Hit[Fact]]:
        self.kg.run(f"search_facts {query}", self.meter)
        return [Hit(fact, 1.0) for fact in FACTS if fold(fact.subject.name) in fold(query)][:limit]
