"""What agents exchange through state. Plain dicts only: they survive any checkpointer and read well in Studio."""

from collections.abc import Sequence
from typing import Literal

from typing_extensions import TypedDict

from knowledge.reading.contract import Measure
from knowledge.records import Direction, Entity, Fact

Status = Literal["pending", "running", "completed", "failed"]
Strategy = Literal["walk", "explore", "connect", "aggregate", "by_date", "search", "cypher"]
Kind = Literal["fact", "exploration", "connection", "trend", "temporal", "compound", "write", "out_of_scope"]
Intent = Literal["list", "count", "extreme", "yes_no", "began", "ended", "compare", "connect", "describe"]
GapKind = Literal["missing_entity", "ambiguous_entity", "missing_relation", "missing_value", "stale_value", "broken_chain"]


class EntityRef(TypedDict):
    """An entity as state carries it."""

    id: str
    name: str
    kind: str


class Evidence(TypedDict):
    """One fact that was seen, keyed by its evidence id. Dates are empty where open."""

    id: str
    subject: EntityRef
    relation: str
    object: EntityRef
    text: str
    valid_from: str
    valid_to: str
    known_from: str
    source: str
    confidence: float


class Hop(TypedDict):
    """One step of a relation path."""

    relation: str
    direction: Direction


class FilterSpec(TypedDict):
    """`knowledge.records.Filter` as plain data."""

    step: int
    relation: str
    direction: Direction
    values: list[str]


class Spec(TypedDict, total=False):
    """A strategy's own request; a strategy reads its keys only.

    walk: steps, filters, back, keep_start, without; alternatives: what to follow, in this order, where that finds nothing. explore: relations. connect: hops, most, relations. search: text.
    aggregate: measure, steps (the set that is measured, walked from the starts), by (the step that is counted or ranked), limit.
    by_date: measure (highest: the last one first), steps, of which the last one's facts carry the dates. cypher: a read-only statement.
    """

    alternatives: list["Alternative"]
    steps: list[Hop]
    filters: list[FilterSpec]
    back: list[int]
    keep_start: bool
    without: list[str]
    relations: list[str]
    hops: int
    most: int
    text: str
    cypher: str
    kinds: list[str]
    measure: Measure
    by: list[Hop]
    limit: int


class Answer(TypedDict):
    """One ranked answer: an entity, or a value (`id` empty) such as a count, a date or yes/no (`value` None for an entity)."""

    id: str
    name: str
    kind: str
    value: str | float | bool | None
    score: float


class Alternative(TypedDict):
    """Another walk."""

    starts: list[str]
    spec: Spec


class Task(TypedDict):
    """One unit of a plan; `new_task` makes one.

    `starts` are entity ids; empty: what the tasks in `needs` found. `ends` are the other side of a connection; empty: what the tasks in
    `ends_from` found. `needs` and `ends_from` may name tasks of earlier rounds. `found` are entity ids, `paths` chains of evidence ids,
    `values` what an aggregate measured. `reading`: which of the part's readings it follows, or followed to what it found.
    """

    id: str
    part: int
    reading: int
    strategy: Strategy
    goal: str
    starts: list[str]
    ends: list[str]
    spec: Spec
    needs: list[str]
    ends_from: list[str]
    required: bool
    status: Status
    found: list[str]
    paths: list[list[str]]
    values: list[Answer]
    error: str


class Gap(TypedDict):
    """What the question needs and the evidence lacks. Closable: another task may find it. `priority` 1 is the most urgent."""

    kind: GapKind
    about: str
    relation: str
    why: str
    priority: int
    required: bool
    closable: bool


class Conclusion(TypedDict):
    """What the evidence proves for one part: its answers (at most 50), the chains behind them (at most 30), and how sure they are."""

    part: int
    answers: list[Answer]
    paths: list[list[str]]
    confidence: float


class WeakestLink(TypedDict):
    """The evidence that the answer leans on most precariously, and why. Empty id where there is no evidence."""

    id: str
    why: str


class Mention(TypedDict):
    """A span of the question and what it means: usually one entity. `candidates`: what else it may mean, best first, at most five."""

    text: str
    chosen: list[EntityRef]
    candidates: list[EntityRef]


class ReadingRef(TypedDict):
    """One way to read a part of the question as a task: how to look, from where. `expects`: the kind asked for, empty where unsaid."""

    strategy: Strategy
    starts: list[str]
    ends: list[str]
    spec: Spec
    expects: str
    score: float
    confidence: float


class Part(TypedDict):
    """One thing that the question asks; `new_part` makes one. `readings` are ranked, best first, at most five.

    `operands`: the parts (by index) whose answers this one compares or connects; empty where `readings` say it all.
    `claim`: what a yes/no question says the answer is (entity names or a value; empty: whether there is any answer at all), or the other
    end of the fact whose date is asked (`began`, `ended`).
    `polar`, `negated`: yes or no is asked, the other way round. `shared`: what the operands have in common is asked; `either`: what any of
    them has; `counts`: how many these are.
    `measure`: how the operands are ranked, or which of several dates is meant. `relation`: the words for what shall hold between them.
    `unexplained`: content words that the best reading does not account for.
    """

    text: str
    intent: Intent
    mentions: list[Mention]
    readings: list[ReadingRef]
    operands: list[int]
    claim: list[str]
    polar: bool
    negated: bool
    shared: bool
    either: bool
    counts: bool
    measure: str
    relation: str
    unexplained: list[str]


class Understanding(TypedDict):
    """What intake made of the question. `standalone`: the question with its references to earlier turns resolved.

    `ambiguous`: names the mention that cannot be settled, empty where all are; such a question is answered by its candidates.
    """

    kind: Kind
    language: str
    standalone: str
    parts: list[Part]
    confidence: float
    ambiguous: str


class Turn(TypedDict):
    """An earlier turn of the thread; only the last one knows its entities. Texts are cut at 500 characters."""

    asked: str
    answer: str
    mentioned: list[EntityRef]
    answered: list[EntityRef]


class TaskSummary(TypedDict):
    """What a task of an earlier round asked for and what became of it; at most ten of its entities."""

    id: str
    part: int
    strategy: Strategy
    goal: str
    spec: Spec
    status: Status
    found: list[str]
    error: str


class RoundSummary(TypedDict):
    """One finished round. `facts` and `entities` count what was new in it."""

    round: int
    tasks: list[TaskSummary]
    facts: int
    entities: int
    confidence: float


def new_task(
    id: str,
    strategy: Strategy,
    goal: str,
    *,
    starts: Sequence[str] = (),
    ends: Sequence[str] = (),
    spec: Spec | None = None,
    needs: Sequence[str] = (),
    ends_from: Sequence[str] = (),
    part: int = 0,
    reading: int = 0,
    required: bool = True,
) -> Task:
    """A pending task."""
    return {
        "id": id, "part": part, "reading": reading, "strategy": strategy, "goal": goal, "starts": list(starts), "ends": list(ends), "spec": spec or {},
        "needs": list(needs), "ends_from": list(ends_from), "required": required, "status": "pending",
        "found": [], "paths": [], "values": [], "error": "",
    }  # fmt: skip


def new_part(text: str, intent: Intent, *, mentions: Sequence[Mention] = (), readings: Sequence[ReadingRef] = ()) -> Part:
    """A part without operands or claim; the caller sets what else it knows."""
    return {
        "text": text, "intent": intent, "mentions": list(mentions), "readings": list(readings)[:5], "operands": [], "claim": [],
        "polar": False, "negated": False, "shared": False, "either": False, "counts": False, "measure": "", "relation": "", "unexplained": [],
    }  # fmt: skip


def entity_ref(entity: Entity) -> EntityRef:
    """The entity as state carries it."""
    return {"id": entity.id, "name": entity.name, "kind": entity.kind}


def evidence(fact: Fact) -> Evidence:
    """The fact as state carries it."""
    return {
        "id": fact.id, "subject": entity_ref(fact.subject), "relation": fact.relation, "object": entity_ref(fact.object),
        "text": fact.text, "valid_from": fact.valid_from, "valid_to": fact.valid_to, "known_from": fact.known_from,
        "source": fact.source, "confidence": fact.confidence,
    }  # fmt: skip
