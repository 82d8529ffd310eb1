"""What the plan's tasks found, part by part: the one place that reads results back out of tasks and evidence."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from agents.exchange import Answer, EntityRef, Evidence, Part, ReadingRef, Task
from agents.tasks import readings_tried
from knowledge.numbers import written


@dataclass(frozen=True)
class Finding:
    """A part's latest completed task (None: nothing completed), the reading that it ran, and all tasks tried for the part."""

    index: int
    part: Part
    task: Task | None
    tried: tuple[Task, ...]

    @property
    def reading(self) -> ReadingRef | None:
        """The reading behind the completed task, else the best one."""
        readings = self.part["readings"]
        at = self.task["reading"] if self.task else 0
        return readings[at] if at < len(readings) else None

    @property
    def untried(self) -> int:
        """How many readings have not been tried."""
        return max(0, len(self.part["readings"]) - readings_tried(task["spec"] for task in self.tried))


def asks_what_is_not(part: Part) -> bool:
    """Whether a set is asked that no fact records: what does not, is not, has never. What was found is then the opposite of an answer."""
    return part["negated"] and part["intent"] in ("list", "count")


def findings(parts: Sequence[Part], plan: Mapping[str, Task]) -> list[Finding]:
    """One finding per part, in the order of the parts."""
    by_part: dict[int, list[Task]] = {}
    for task in plan.values():
        by_part.setdefault(task["part"], []).append(task)
    return [_finding(index, part, by_part.get(index, [])) for index, part in enumerate(parts)]


def names(evidence: Mapping[str, Evidence], parts: Sequence[Part]) -> dict[str, EntityRef]:
    """Every entity that evidence or mentions know, by id."""
    seen = {end["id"]: end for fact in evidence.values() for end in (fact["subject"], fact["object"])}
    mentioned = {e["id"]: e for part in parts for m in part["mentions"] for e in (*m["candidates"], *m["chosen"])}
    return {**mentioned, **seen}


def entities(finding: Finding, known: Mapping[str, EntityRef]) -> list[EntityRef]:
    """The entities that answer a part, best first; a part that nobody read or planned stands for its mentions."""
    if not finding.part["readings"] and finding.task is None:
        return [e for m in finding.part["mentions"] for e in m["chosen"]]
    found = finding.task["found"] if finding.task else []
    return [known[id_] for id_ in found if id_ in known]


def dates(finding: Finding, evidence: Mapping[str, Evidence]) -> dict[str, list[str]]:
    """The chains that answer a question for a date, by the date that their last fact carries; in order of the dates."""
    claim, end = set(finding.part["claim"]), "valid_to" if finding.part["intent"] == "ended" else "valid_from"
    found: dict[str, list[str]] = {}
    for path in finding.task["paths"] if finding.task else []:
        last = evidence.get(path[-1]) if path else None
        if last and (not claim or claim & {last["subject"]["id"], last["object"]["id"]}) and last[end]:  # type: ignore[literal-required]
            found.setdefault(str(last[end]), path)  # type: ignore[literal-required]
    return dict(sorted(found.items()))


def as_answers(refs: Iterable[EntityRef]) -> list[Answer]:
    """Ranked answers; equal ways of reaching an entity are told apart by order only."""
    return [
        {"id": r["id"], "name": r["name"], "kind": r["kind"], "value": None, "score": round(1 / (1 + i), 4)} for i, r in enumerate(refs)
    ]


def value_answer(value: str | float | bool, *, kind: str = "") -> Answer:
    """An answer that is a value."""
    name = ("yes" if value else "no") if isinstance(value, bool) else written(value) if isinstance(value, float) else str(value)
    return {"id": "", "name": name, "kind": kind, "value": value, "score": 1.0}


def _finding(index: int, part: Part, tasks: list[Task]) -> Finding:
    completed = [task for task in tasks if task["status"] == "completed"]
    return Finding(index, part, completed[-1] if completed else None, tuple(tasks))
