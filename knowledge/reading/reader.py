"""The one public face of reading: bound to a scope and a meter, one statement per call."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from knowledge.reading import aggregate, expand, follow, link, paths, search
from knowledge.reading.contract import Aggregation, Hit, Measured, SearchMode
from knowledge.reading.dialect import About
from knowledge.reading.meter import Meter
from knowledge.records import Candidate, Direction, Entity, Fact, GraphSchema, Path, Reached, RelationUse, Walk
from knowledge.scope import Scope

if TYPE_CHECKING:
    from knowledge.reading.kg import Kg


class Reader:
    """Implements `KgReader`, which documents the methods. Thread-safe as far as its meter is."""

    def __init__(self, kg: "Kg", scope: Scope, meter: Meter) -> None:
        self._kg = kg
        self._session = kg.session(scope, meter)

    @property
    def scope(self) -> Scope:
        return self._session.scope

    @property
    def semantic(self) -> bool:
        return self._kg.semantic

    def schema(self) -> GraphSchema:
        return self._kg.schemas.schema(self._session.of("schema"), self._kg.profile)

    def link(self, mentions: Sequence[str], *, limit: int = 5) -> Mapping[str, list[Candidate]]:
        return link.link(self._session.of("link"), mentions, limit)

    def relations(self, ids: Sequence[str]) -> Mapping[str, list[RelationUse]]:
        return link.relations(self._session.of("relations"), ids)

    def context(self, ids: Sequence[str]) -> list[Entity]:
        return link.context(self._session.of("context"), ids)

    def expand(
        self, ids: Sequence[str], *, relations: Sequence[str] = (), direction: Direction | None = None, limit: int = 100
    ) -> list[Fact]:
        return expand.expand(self._session.of("expand"), ids, relations, direction, limit)

    def follow(self, walks: Sequence[Walk], *, limit: int = 200) -> list[list[Reached]]:
        return follow.follow(self._session.of("follow"), walks, limit)

    def paths(self, pairs: Sequence[tuple[str, str]], *, hops: int = 4, most: int = 3, relations: Sequence[str] = ()) -> list[list[Path]]:
        return paths.paths(self._session.of("paths"), pairs, hops, most, relations)

    def aggregate(self, request: Aggregation) -> list[Measured]:
        return aggregate.aggregate(self._session.of("aggregate"), request)

    def suggest(self, text: str, *, limit: int = 5) -> list[Candidate]:
        return search.suggest(self._session.of("suggest"), self._about(text, "hybrid"), limit)

    def search_entities(self, query: str, *, mode: SearchMode = "hybrid", kinds: Sequence[str] = (), limit: int = 10) -> list[Hit[Entity]]:
        about = self._about(query, mode, tuple(kinds), limit)
        return search.search_entities(self._session.of("search_entities"), about, "keyword" if not about.vector else mode, limit)

    def search_facts(self, query: str, *, mode: SearchMode = "hybrid", limit: int = 10) -> list[Hit[Fact]]:
        about = self._about(query, mode, (), limit)
        return search.search_facts(self._session.of("search_facts"), about, "keyword" if not about.vector else mode, limit)

    def _about(self, text: str, mode: SearchMode, kinds: tuple[str, ...] = (), limit: int = 0) -> About:
        """Without an embedder or stored vectors every mode is by words."""
        vector = self._kg.vector(text) if mode != "keyword" else ()
        return About(text, mode != "semantic" or not vector, vector, kinds, max(search.CONSIDERED, limit))
