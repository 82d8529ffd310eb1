"""Tool: walk from entities, along given steps or around them, what fits the task first."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field

from knowledge.identity import words
from knowledge.reading.contract import KgReader
from knowledge.records import Fact, Reached, Walk
from tools.arguments import EntityIds, Limit, Reader, Relations, Route
from tools.checked import checked
from tools.cited import Cited, cut, fact_line, path_line
from tools.errors import ToolError

FRONTIER = 20
PER_LEVEL = 200
Depth = Annotated[int, Field(ge=1, le=5, description="How many hops around the starts, where no route is given")]
Way = Annotated[Literal["out", "in", "both"], Field(description="out: starts are subjects; in: starts are objects")]
Task = Annotated[str, Field(max_length=1_000, description="What is looked for; facts that share its words come first")]


@dataclass(frozen=True)
class Traversal:
    """`reached` where a route was given, else `facts` from near to far."""

    reached: tuple[Reached, ...] = ()
    facts: tuple[Fact, ...] = ()


@checked
def traverse(
    reader: Reader,
    starts: EntityIds,
    route: Route = (),
    relations: Relations = (),
    direction: Way = "both",
    depth: Depth = 1,
    task: Task = "",
    limit: Limit = 30,
) -> Cited[Traversal]:
    """Walk through the graph from known entities.

    With a route: the entities where its steps end, with the paths that lead there. Without: the facts around the starts, up to a depth,
    over the given relations.
    """
    if route and (relations or direction != "both" or depth != 1):
        raise ToolError("a route names its relations and directions itself; leave out relations, direction and depth")
    if route:
        reached = reader.follow([Walk(starts, tuple(hop.step for hop in route))], limit=limit)[0]
        lines = [f"{one.entity.name} [{one.entity.id}] {one.ways} ways: {path_line(one.proofs[0])}" for one in reached]
        return Cited(cut(lines, empty=_NOWHERE), Traversal(reached=tuple(reached)))
    facts = _around(reader, starts, relations, direction, depth, task)[:limit]
    return Cited(cut([fact_line(fact) for fact in facts], empty=_NOWHERE), Traversal(facts=tuple(facts)))


_NOWHERE = "Nothing is there. Check the ids, and the names and directions of relations with get_schema."


def _around(
    reader: KgReader, starts: Sequence[str], relations: Sequence[str], direction: Literal["out", "in", "both"], depth: int, task: str
) -> list[Fact]:
    """Facts level by level, one statement each; from every level the entities of the best facts go on."""
    wanted = set(words(task))
    seen: dict[str, Fact] = {}
    visited, frontier = set(starts), list(starts)
    for _ in range(depth):
        found = reader.expand(frontier, relations=relations, direction=None if direction == "both" else direction, limit=PER_LEVEL)
        fresh = sorted((f for f in found if f.id not in seen), key=lambda fact: -_relevance(fact, wanted))
        seen |= {fact.id: fact for fact in fresh}
        ends = dict.fromkeys(end.id for fact in fresh for end in (fact.subject, fact.object) if end.id not in visited)
        frontier = list(ends)[:FRONTIER]
        visited |= set(frontier)
        if not frontier:
            break
    return list(seen.values())


def _relevance(fact: Fact, wanted: set[str]) -> int:
    """How many words of the task the fact has."""
    return len(wanted & {*words(fact.text), *words(fact.relation.replace("_", " ")), *words(fact.subject.name), *words(fact.object.name)})
