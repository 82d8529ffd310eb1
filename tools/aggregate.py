"""Tool: count, group and rank, computed in the database."""

from typing import Annotated, Literal

from pydantic import Field

from knowledge.numbers import written
from knowledge.reading.contract import Aggregation, Measured
from knowledge.records import Walk
from tools.arguments import Limit, Reader, Route
from tools.checked import checked
from tools.cited import Cited, cut, listed
from tools.errors import ToolError

Measure = Annotated[
    Literal["count", "group", "most", "least", "highest", "lowest"],
    Field(
        description="count: how many are in the set; group: the set by where `by` leads; most/least: members by how many entities `by` "
        "leads to; highest/lowest: members by the number or date that `by` leads to"
    ),
]
Starts = Annotated[
    tuple[str, ...], Field(max_length=50, description="Ids where `route` starts; empty: everything that has the first step of `by`")
]


@checked
def aggregate(
    reader: Reader,
    measure: Measure,
    starts: Starts = (),
    route: Route = (),
    by: Route = (),
    limit: Limit = 10,
) -> Cited[list[Measured]]:
    """Measure a set: what `route` reaches from `starts`, or without starts everything that has the first step of `by`."""
    if starts and not route:
        raise ToolError("starts need a route; say with `route` which set they lead to")
    if route and not starts:
        raise ToolError("a route needs starts; give the ids where it begins, or leave it out to measure everything")
    if not by and (measure != "count" or not starts):
        raise ToolError(f"{measure} needs `by`: the step along which to measure")
    walk = Walk(starts, tuple(hop.step for hop in route)) if starts else None
    rows = reader.aggregate(Aggregation(measure, walk, tuple(hop.step for hop in by), limit))
    return Cited(cut([_line(row) for row in rows], empty="Nothing to measure: no member of the set has that step."), rows)


def _line(row: Measured) -> str:
    value = written(row.value) if isinstance(row.value, float) else row.value
    about = f"{row.entity.name} [{row.entity.id}]: {value}" if row.entity else str(value)
    return f"{about}{f' [{listed(row.facts)}]' if row.facts else ''}"
