"""From the readings of a part to the task that tries them: the best one first, and for walks the others where it finds nothing."""

from collections.abc import Iterable, Sequence

from agents.exchange import Part, ReadingRef, Spec, Task, new_task
from agents.specs import described


def next_task(id_: str, index: int, part: Part, tried: int) -> Task | None:
    """The task for the part's readings from number `tried` on; None when none is left."""
    readings = part["readings"][tried:]
    if not readings:
        return None
    best, spec = readings[0], readings[0]["spec"]
    others = [{"starts": r["starts"], "spec": r["spec"]} for r in readings[1:] if r["strategy"] == "walk" == best["strategy"]]
    if others:
        spec = {**spec, "alternatives": others}  # type: ignore[typeddict-item]
    how = described(best["spec"], start=_start(part, best))
    goal = f"{part['text']} [{how}]" if how else part["text"]
    return new_task(id_, best["strategy"], goal, starts=best["starts"], ends=best["ends"], spec=spec, part=index, reading=tried)


def readings_tried(specs: Iterable[Spec]) -> int:
    """How many readings tasks with these requests have used up."""
    return sum(1 + len(spec.get("alternatives", [])) for spec in specs)


def _start(part: Part, reading: ReadingRef) -> str:
    named: Sequence[str] = [m["text"] for m in part["mentions"] if any(e["id"] in reading["starts"] for e in m["chosen"])]
    return named[0] if named else ""
