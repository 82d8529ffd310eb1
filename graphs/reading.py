"""The reader that a brain is given: each read is traced, an identical one is answered from the run's memory, and a looping task is stopped."""

import threading
import time
from collections.abc import Callable, Mapping, Sequence, Sized
from typing import TypeVar, cast

from graphs.budget import RunMeter
from graphs.seen import seen_in
from graphs.trace import Trace
from knowledge.cypher.reader import CypherReader
from knowledge.cypher.refusal import Refusal
from knowledge.cypher.verdict import Result
from knowledge.errors import OutOfBudget
from knowledge.identity import fold
from knowledge.reading.contract import Aggregation, Hit, KgReader, Measured, SearchMode
from knowledge.records import Candidate, Direction, Entity, Fact, GraphSchema, Path, Reached, RelationUse, Walk
from knowledge.scope import Scope

T = TypeVar("T")
Similarity = Callable[[str, str], float]
SAME_TEXT = 0.9
REPEATS_PER_TASK = 1
ARGUMENT_CHARACTERS = 200
Call = tuple[object, ...]


class ReadMemory:
    """What a run has read, by call. A run sees one state of the kg, so the same call has the same result."""

    def __init__(self) -> None:
        self._results: dict[Call, object] = {}
        self._lock = threading.Lock()

    def get(self, call: Call) -> tuple[bool, object]:
        """(known, result)."""
        with self._lock:
            return call in self._results, self._results.get(call)

    def put(self, call: Call, result: object) -> None:
        with self._lock:
            self._results[call] = result


class LoopRule:
    """Judges the reads of one task: the first repeated one gets its earlier result, with the next the task is stopped."""

    def __init__(self, similarity: Similarity | None) -> None:
        self._similarity = similarity
        self._seen: set[Call] = set()
        self._repeats = 0
        self._last_search: Call = ()

    def admit(self, call: Call) -> Call:
        """The call to make instead: itself, or the earlier search that it only rewords. OutOfBudget("loop") when the task goes in circles."""
        earlier = self._reworded(call)
        if earlier in self._seen:
            self._repeats += 1
            if self._repeats > REPEATS_PER_TASK:
                raise OutOfBudget("loop")
        self._seen.add(earlier)
        return earlier

    def _reworded(self, call: Call) -> Call:
        """Two successive searches are the same when their texts are; everything else about them must be equal."""
        if not str(call[0]).startswith("search"):
            return call
        last, self._last_search = self._last_search, call
        if last and last[0] == call[0] and last[2:] == call[2:] and self._same(str(last[1]), str(call[1])):
            self._last_search = last
            return last
        return call

    def _same(self, one: str, other: str) -> bool:
        return fold(one) == fold(other) or (self._similarity is not None and self._similarity(one, other) > SAME_TEXT)


class RunReader:
    """A `CypherReader` for one brain at work: `agent` and `task` say in the trace who read."""

    def __init__(
        self,
        inner: KgReader,
        meter: RunMeter,
        trace: Trace,
        memory: ReadMemory,
        agent: str,
        task: str = "",
        loop: LoopRule | None = None,
        span: int | None = None,
    ) -> None:
        self._inner, self._meter, self._trace, self._memory = inner, meter, trace, memory
        self._agent, self._task, self._loop, self._span = agent, task, loop, span

    @property
    def scope(self) -> Scope:
        return self._inner.scope

    @property
    def semantic(self) -> bool:
        return self._inner.semantic

    def schema(self) -> GraphSchema:
        return self._watched(("schema",), self._inner.schema)

    def link(self, mentions: Sequence[str], *, limit: int = 5) -> Mapping[str, list[Candidate]]:
        return self._read(("link", tuple(mentions), limit), lambda: self._inner.link(mentions, limit=limit))

    def suggest(self, text: str, *, limit: int = 5) -> list[Candidate]:
        return self._read(("suggest", text, limit), lambda: self._inner.suggest(text, limit=limit))

    def relations(self, ids: Sequence[str]) -> Mapping[str, list[RelationUse]]:
        return self._read(("relations", tuple(ids)), lambda: self._inner.relations(ids))

    def context(self, ids: Sequence[str]) -> list[Entity]:
        return self._read(("context", tuple(ids)), lambda: self._inner.context(ids))

    def expand(
        self, ids: Sequence[str], *, relations: Sequence[str] = (), direction: Direction | None = None, limit: int = 100
    ) -> list[Fact]:
        call = ("expand", tuple(ids), tuple(relations), direction, limit)
        return self._read(call, lambda: self._inner.expand(ids, relations=relations, direction=direction, limit=limit))

    def follow(self, walks: Sequence[Walk], *, limit: int = 200) -> list[list[Reached]]:
        return self._read(("follow", tuple(walks), limit), lambda: self._inner.follow(walks, limit=limit))

    def paths(self, pairs: Sequence[tuple[str, str]], *, hops: int = 4, most: int = 3, relations: Sequence[str] = ()) -> list[list[Path]]:
        call = ("paths", tuple(pairs), hops, most, tuple(relations))
        return self._read(call, lambda: self._inner.paths(pairs, hops=hops, most=most, relations=relations))

    def aggregate(self, request: Aggregation) -> list[Measured]:
        return self._read(("aggregate", request), lambda: self._inner.aggregate(request))

    def search_entities(self, query: str, *, mode: SearchMode = "hybrid", kinds: Sequence[str] = (), limit: int = 10) -> list[Hit[Entity]]:
        call = ("search_entities", query, mode, tuple(kinds), limit)
        return self._read(call, lambda: self._inner.search_entities(query, mode=mode, kinds=kinds, limit=limit))

    def search_facts(self, query: str, *, mode: SearchMode = "hybrid", limit: int = 10) -> list[Hit[Fact]]:
        return self._read(("search_facts", query, mode, limit), lambda: self._inner.search_facts(query, mode=mode, limit=limit))

    def cypher(self, text: str, parameters: Mapping[str, object] | None = None) -> Result | Refusal:
        given = tuple(sorted((parameters or {}).items(), key=repr))
        return self._read(("cypher", text, given), lambda: cast(CypherReader, self._inner).cypher(text, parameters))

    def _read(self, call: Call, send: Callable[[], T]) -> T:
        """From memory where the run has read it already, else from the kg."""
        asked = self._loop.admit(call) if self._loop else call
        known, result = self._memory.get(asked)
        if known:
            self._tell(call, result, (), 0.0)
            return cast(T, result)
        fresh = self._watched(call, send)
        self._memory.put(call, fresh)
        return fresh

    def _watched(self, call: Call, send: Callable[[], T]) -> T:
        began, earlier, result = time.perf_counter(), len(self._meter.sent), cast(T, None)
        try:
            result = send()
            return result
        finally:
            if cypher := self._meter.sent[earlier:]:
                self._tell(call, result, cypher, round((time.perf_counter() - began) * 1000, 2))

    def _tell(self, call: Call, result: object, cypher: Sequence[str], took: float) -> None:
        self._trace.brought_up(call, result)
        arguments = ", ".join(str(argument) for argument in call[1:])[:ARGUMENT_CHARACTERS]
        entities, relations = seen_in(result)
        self._trace.emit(
            "statement", parent=self._span, agent=self._agent, task=self._task, method=call[0], arguments=arguments, rows=_rows(result),
            cypher=tuple(cypher), took=took, cached=not cypher, kept={"entities": entities, "relations": relations},
        )  # fmt: skip


def _rows(result: object) -> int:
    return len(result) if isinstance(result, Sized) else int(result is not None)
