"""Requests to a kg as plain data, and back: what travels in a task and what a reader takes."""

from collections.abc import Sequence

from agents.exchange import Hop, Spec
from knowledge.reading.contract import Aggregation, Measure
from knowledge.records import Filter, Step, Walk


def hops(steps: Sequence[Step]) -> list[Hop]:
    """Steps as state carries them."""
    return [{"relation": step.relation, "direction": step.direction} for step in steps]


def steps_of(given: Sequence[Hop]) -> tuple[Step, ...]:
    """Steps as a reader takes them."""
    return tuple(Step(hop["relation"], hop["direction"]) for hop in given)


def walk_spec(walk: Walk) -> Spec:
    """The walk without its starts, which a task holds itself."""
    filters = [{"step": f.step, "relation": f.relation, "direction": f.direction, "values": list(f.values)} for f in walk.filters]
    spec = {"steps": hops(walk.steps), "filters": filters, "back": list(walk.back), "keep_start": walk.keep_start}
    return {**spec, "without": list(walk.without)} if walk.without else spec  # type: ignore[typeddict-item, return-value]


def walk_of(starts: Sequence[str], spec: Spec) -> Walk:
    """The walk that a task asks for, from these entities."""
    return Walk(
        starts=tuple(starts),
        steps=steps_of(spec.get("steps", [])),
        filters=tuple(Filter(f["step"], f["relation"], f["direction"], tuple(f["values"])) for f in spec.get("filters", [])),
        back=tuple(spec.get("back", [])),
        keep_start=spec.get("keep_start", False),
        without=tuple(spec.get("without", [])),
    )


def measure_spec(walk: Walk | None, measure: Measure, by: Sequence[Step], limit: int = 10) -> Spec:
    """An aggregate over the set that a walk reaches, or without one over every subject of `by`."""
    of_walk: Spec = walk_spec(walk) if walk else {}
    return {**of_walk, "measure": measure, "by": hops(by), "limit": limit}


def aggregation_of(starts: Sequence[str], spec: Spec) -> Aggregation:
    """The aggregate that a task asks for."""
    walk = walk_of(starts, spec) if starts else None
    return Aggregation(measure=spec["measure"], walk=walk, steps=steps_of(spec.get("by", [])), limit=spec.get("limit", 10))


def described(spec: Spec, *, start: str = "") -> str:
    """A request in words for reports and traces: `A -invests-> ; <-competes-`."""
    arrows = [f"-{hop['relation']}->" if hop["direction"] == "out" else f"<-{hop['relation']}-" for hop in spec.get("steps", [])]
    by = [f"by {hop['relation']}" for hop in spec.get("by", [])]
    return " ".join(part for part in (spec.get("measure", ""), start, *arrows, *by, spec.get("text", "")) if part)
