"""The planner behind a model: it takes readings of the rules, or writes walks and Cypher of its own over what the schema holds."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel, Field
from rapidfuzz import process

from agents.contract import PlannerReply, PlannerView
from agents.exchange import EntityRef, Hop, Part, Spec, Strategy, Task, new_task
from agents.llm import lines
from agents.llm.ask import Mind, Thought, ask
from agents.schema_digest import schema_digest
from agents.specs import described
from agents.tasks import next_task
from knowledge.cypher.reader import CypherReader
from knowledge.records import GraphSchema

MOST_TASKS = 4
MOST_ENTITIES = 12
MOST_READINGS = 6
MOST_USES = 30
SCHEMA_CHARACTERS = 3000
LONGEST_WALK = 4
SURE = 0.95
NEAREST = 3
How = Literal["reading", "walk", "connect", "explore", "search", "cypher"]
Rules = Callable[[PlannerView, CypherReader], PlannerReply]


class StepDraft(BaseModel):
    """One step along a relation."""

    relation: str = Field(max_length=200)
    direction: Literal["out", "in"] = "out"


class TaskDraft(BaseModel):
    """One task as the model writes it."""

    id: str = Field(min_length=1, max_length=10)
    part: int = 0
    how: How
    reading: int = -1
    start: list[str] = Field(default=[], max_length=10)
    end: list[str] = Field(default=[], max_length=10)
    steps: list[StepDraft] = Field(default=[], max_length=LONGEST_WALK)
    text: str = Field(default="", max_length=2000)
    goal: str = Field(default="", max_length=200)


class PlanDraft(BaseModel):
    """The plan as the model writes it."""

    tasks: list[TaskDraft] = Field(max_length=MOST_TASKS)


@dataclass(frozen=True)
class Ground:
    """What a plan may name: entities and readings by handle, relations by name, tasks of earlier rounds by id.

    `guessed`: entities (by id) that are not what the question names but may be meant by it, with the words of the question.
    """

    view: PlannerView
    entities: Mapping[str, EntityRef]
    guessed: Mapping[str, str]
    relations: frozenset[str]
    earlier: frozenset[str]
    readings: Sequence[tuple[int, int]]

    @property
    def parts(self) -> list[Part]:
        return self.view["understanding"]["parts"]


def _think(view: PlannerView, reader: CypherReader, rules: Rules) -> Thought[PlannerReply]:
    """Where the rules are sure of every part, their plan is taken as it is."""
    parts = view["understanding"]["parts"]
    if view["round"] == 1 and parts and all(_sure(part) for part in parts):
        return rules(view, reader)
    ground = _ground(view, reader.schema())
    draft = yield from ask(
        "planner", view["understanding"]["standalone"] or view["asked"], PlanDraft, lambda plan: _check(plan, ground),
        schema=schema_digest(reader.schema(), SCHEMA_CHARACTERS, view["asked"]) if view["schema"] else lines.NOTHING,
        entities=lines.joined((_told(handle, ref, ground) for handle, ref in ground.entities.items()), MOST_ENTITIES),
        around=_around(ground, reader), readings=_readings(ground), parts=lines.parts(ground.parts),
        rounds=lines.rounds(view["rounds"]), gaps=lines.gaps(view["gaps"]),
    )  # fmt: skip
    tasks = [_task(one, draft, ground) for one in draft.tasks]
    plan = {task["id"]: task for task in tasks}
    return PlannerReply(report=f"{len(plan)} tasks: {'; '.join(task['goal'] for task in tasks)}"[:300], plan=plan)


def _sure(part: Part) -> bool:
    return bool(part["readings"]) and part["readings"][0]["confidence"] >= SURE and not part["operands"]


def _ground(view: PlannerView, schema: GraphSchema) -> Ground:
    parts = view["understanding"]["parts"]
    mentions = [mention for part in parts for mention in part["mentions"]]
    sure = {e["id"]: e for m in mentions for e in m["chosen"]}
    refs = {**sure, **{e["id"]: e for m in mentions for e in m["candidates"] if e["id"] not in sure}}
    guessed = {e["id"]: m["text"] for m in mentions for e in m["candidates"] if e["id"] not in sure}
    handles = lines.numbered("e", refs, MOST_ENTITIES)
    readings = [(i, k) for i, part in enumerate(parts) for k in range(len(part["readings"]))][:MOST_READINGS]
    earlier = frozenset(task["id"] for summary in view["rounds"] for task in summary["tasks"] if task["status"] == "completed")
    names = frozenset(relation.name for relation in schema.relations)
    return Ground(view, {handle: refs[id_] for handle, id_ in handles.items()}, guessed, names, earlier, readings)


def _told(handle: str, ref: EntityRef, ground: Ground) -> str:
    meant = ground.guessed.get(ref["id"])
    return f"{handle} {lines.entity(ref)}" + (f", perhaps meant by {lines.name(meant, lines.SHORT_CHARACTERS)!r}" if meant else "")


def _around(ground: Ground, reader: CypherReader) -> str:
    """The relations that the entities take part in, the most frequent first."""
    of = {ref["id"]: handle for handle, ref in ground.entities.items()}
    uses = [(use, of[id_]) for id_, found in reader.relations(list(of)).items() for use in found] if of else []
    ranked = sorted(uses, key=lambda pair: -pair[0].count)
    return lines.joined((f"{handle} {use.relation} {use.direction}: {use.count}" for use, handle in ranked), MOST_USES)


def _readings(ground: Ground) -> str:
    told = []
    for number, (part, place) in enumerate(ground.readings):
        reading = ground.parts[part]["readings"][place]
        start = next((e["name"] for m in ground.parts[part]["mentions"] for e in m["chosen"] if e["id"] in reading["starts"]), "")
        told.append(
            f"{number}: part {part}, {reading['strategy']} {described(reading['spec'], start=start)}, confidence {reading['confidence']:.2f}"
        )
    return lines.joined(told, MOST_READINGS)


def _check(plan: PlanDraft, ground: Ground) -> None:
    """ValueError for the first task that cannot be run, in words that say what can. Where nothing is known, nothing need be planned."""
    if not plan.tasks and (ground.readings or len(ground.entities) > len(ground.guessed)):
        raise ValueError("the plan has no task; take a reading, or explore an entity")
    known: set[str] = {*ground.entities, *ground.earlier}
    for task in plan.tasks:
        if task.id in known:
            raise ValueError(f"{task.id} is the name of something else already; give each task an id of its own, such as t{len(known) + 1}")
        if not 0 <= task.part < max(1, len(ground.parts)):
            raise ValueError(f"{task.id}: there is no part {task.part}")
        _check_names(task, known, ground)
        _check_form(task, plan, ground)
        known.add(task.id)


def _check_names(task: TaskDraft, known: set[str], ground: Ground) -> None:
    for handle in (*task.start, *task.end):
        if handle not in known:
            told = lines.flat(", ".join(sorted(known)) or "none")
            raise ValueError(f"{task.id}: {lines.flat(handle)!r} is neither an entity nor an earlier task; known: {told}")
    for side in (task.start, task.end):
        if len({handle in ground.entities for handle in side}) > 1:
            raise ValueError(f"{task.id}: {', '.join(side)} are entities and tasks; use one kind, and a second task for the other")
    for step in task.steps:
        if ground.relations and step.relation not in ground.relations:
            near = [name for name, _, _ in process.extract(step.relation, sorted(ground.relations), limit=NEAREST)]
            raise ValueError(f"{task.id}: there is no relation {lines.flat(step.relation)!r}; near: {', '.join(map(lines.flat, near))}")


def _check_form(task: TaskDraft, plan: PlanDraft, ground: Ground) -> None:
    if task.how == "reading":
        if not 0 <= task.reading < len(ground.readings):
            raise ValueError(f"{task.id}: there is no reading {task.reading}")
        for operand in ground.parts[ground.readings[task.reading][0]]["operands"]:
            if not any(_operand(operand, plan, ground)):
                raise ValueError(f"{task.id}: reading {task.reading} builds on part {operand}, which has no task; add one for it")
    if task.how in ("walk", "explore", "connect") and not task.start:
        raise ValueError(f"{task.id}: {task.how} needs start")
    if task.how == "walk" and not task.steps:
        raise ValueError(f"{task.id}: walk needs steps")
    if task.how == "connect" and not task.end:
        raise ValueError(f"{task.id}: connect needs end")
    if task.how in ("search", "cypher") and not task.text.strip():
        raise ValueError(f"{task.id}: {task.how} needs text")


def _task(draft: TaskDraft, plan: PlanDraft, ground: Ground) -> Task:
    """The draft as a task of this round; its reading, where it has none, is one past the last: nothing measured how well it fits."""
    id_ = _id(draft.id, ground)
    if draft.how == "reading":
        part, place = ground.readings[draft.reading]
        if taken := next_task(id_, part, ground.parts[part], place):
            return _between(taken, plan, ground) if ground.parts[part]["operands"] else taken
    spec: Spec = _SPEC[draft.how](draft)
    starts, needs = _sides(draft.start, plan, ground)
    ends, ends_from = _sides(draft.end, plan, ground)
    beyond = len(ground.parts[draft.part]["readings"]) if ground.parts else 0
    goal = f"{draft.goal} [{described(spec)}]".strip()
    strategy: Strategy = "walk" if draft.how == "reading" else draft.how
    return new_task(
        id_, strategy, goal, starts=starts, ends=ends, spec=spec, needs=needs, ends_from=ends_from, part=draft.part, reading=beyond
    )


def _between(task: Task, plan: PlanDraft, ground: Ground) -> Task:
    """A reading of what holds between other parts: from the first one's entities to those of the others."""
    left, *right = [_operand(operand, plan, ground) for operand in ground.parts[task["part"]]["operands"]]
    ends, ends_from = ([id_ for side in right for id_ in side[i]] for i in (0, 1))
    return {**task, "starts": left[0], "needs": left[1], "ends": ends, "ends_from": ends_from}


def _operand(index: int, plan: PlanDraft, ground: Ground) -> tuple[list[str], list[str]]:
    """The entities of a part: by the tasks that found or will find them, else those that it names."""
    part = ground.parts[index]
    before = [t["id"] for s in ground.view["rounds"] for t in s["tasks"] if t["part"] == index and t["status"] == "completed"]
    own = [_id(one.id, ground) for one in plan.tasks if _part(one, ground) == index]
    tasks = before or own
    return ([], tasks) if tasks or part["readings"] else ([e["id"] for m in part["mentions"] for e in m["chosen"]], [])


def _part(draft: TaskDraft, ground: Ground) -> int:
    """The part that a task is for; a reading knows its own."""
    is_reading = draft.how == "reading" and 0 <= draft.reading < len(ground.readings)
    return ground.readings[draft.reading][0] if is_reading else draft.part


def _id(draft: str, ground: Ground) -> str:
    return f"r{ground.view['round']}.{draft}"


def _sides(handles: Sequence[str], plan: PlanDraft, ground: Ground) -> tuple[list[str], list[str]]:
    """Entity ids, and tasks whose findings are meant; where both are named, the entities."""
    entities = [ground.entities[h]["id"] for h in handles if h in ground.entities]
    own = {task.id for task in plan.tasks}
    tasks = [_id(h, ground) if h in own else h for h in handles if h not in ground.entities]
    return entities, [] if entities else tasks


def _hops(draft: TaskDraft) -> list[Hop]:
    return [{"relation": step.relation, "direction": step.direction} for step in draft.steps]


def _relations(draft: TaskDraft) -> list[str]:
    return list(dict.fromkeys(step.relation for step in draft.steps))


_SPEC: Mapping[How, Callable[[TaskDraft], Spec]] = {
    "reading": lambda draft: {"steps": _hops(draft)},
    "walk": lambda draft: {"steps": _hops(draft)},
    "connect": lambda draft: {"relations": _relations(draft)},
    "explore": lambda draft: {"relations": _relations(draft)},
    "search": lambda draft: {"text": draft.text},
    "cypher": lambda draft: {"cypher": draft.text},
}  # fmt: skip
MIND = Mind(_think)
