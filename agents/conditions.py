"""Questions with filters, orders and limits, written as Cypher over what the schema holds: values, dates of facts, counts, typed properties."""

from collections.abc import Sequence
from dataclasses import dataclass

from agents.exchange import Intent, Part, ReadingRef, new_part
from agents.ground import Ground
from agents.measures import valued_steps
from knowledge.database.ddl import literal, quoted
from knowledge.embedding.choice import embedder
from knowledge.numbers import written
from knowledge.records import PropertySchema, RelationSchema, Step, Walk
from knowledge.wording.conditions import Condition, Conditions, Order, conditions
from knowledge.wording.relation_name import parse

NAMED = 0.45
ALIKE = 0.5
SURE_WALK = 0.4
ROWS = 50
FACTS_PER_ROW = 3
ABOUT_TIME = ("date", "born")
BEGINNINGS = ("born", "founded", "established", "created", "built", "launched", "released", "opened", "date", "year")
CONFIDENCE = 0.75  # of a statement whose every word was placed; nothing measures it yet


@dataclass(frozen=True)
class Attribute:
    """Where a value stands: behind a step, in a property of the thing itself, or (`dates`) in the dates of the step's facts."""

    score: float
    step: Step | None = None
    property: str = ""
    number: bool = False
    dates: bool = False


def conditional_part(question: str, intent: Intent, ground: Ground) -> Part | None:
    """The part that a statement answers; None where the question has no condition, or not every one could be placed."""
    said = conditions(question, ground.language)
    ranked = bool(said.order and ground.schema.properties)
    if not (said or ranked) or intent not in ("list", "count", "extreme"):
        return None
    statement = _grouped(said, ground) if said.each else _filtered(said, intent, ground)
    if not statement:
        return None
    reading = ReadingRef(strategy="cypher", starts=[], ends=[], spec={"cypher": statement}, expects="", score=1.0, confidence=CONFIDENCE)
    return new_part(question, intent, readings=[reading])


class Statement:
    """A statement under construction, about the things that the variable `a` stands for."""

    def __init__(self) -> None:
        self.matches: list[str] = []
        self.tests: list[str] = []
        self.facts: list[str] = []
        self._bound: dict[Step, int] = {}

    def value(self, attribute: Attribute) -> str:
        """The expression of an attribute, behind a pattern that is added where it needs one."""
        if attribute.step is None:
            return f"a.{quoted(attribute.property)}" if attribute.number else f"toString(a.{quoted(attribute.property)})"
        number = self._bound.get(attribute.step)
        if number is None:
            number = self._bound[attribute.step] = len(self._bound) + 1
            self.matches.append(f"MATCH (a){arrow(attribute.step, f'r{number}')}(v{number})")
            self.facts.append(f"r{number}")
        if attribute.dates:
            return f"toString(r{number}.valid_from)"
        return f"toFloat(replace(v{number}.name, ',', ''))" if attribute.number else f"v{number}.name"


def _filtered(said: Conditions, intent: Intent, ground: Ground) -> str:
    """Everything of a kind, or what a name leads to, that meets the conditions; empty where something cannot be placed."""
    made = Statement()
    head = _head(said, ground)
    if head is None:
        return ""
    made.matches.append(head.pattern)
    made.facts += head.facts
    counted = [c for c in said.conditions if c.counted]
    for condition in (c for c in said.conditions if not c.counted):
        attribute = _attribute(condition.words, head.kind, ground, dated=condition.dated)
        if attribute is None:
            return ""
        made.tests.append(_test(made.value(attribute), condition, attribute))
    order = _ordered_by(said.order, head.kind, ground) if said.order else None
    if said.order and order is None:
        return ""
    ranked = made.value(order) if order else ""
    if ranked:
        made.tests.append(f"{ranked} IS NOT NULL")
    return _written(made, said, intent, ranked, _counts(counted, head, ground))


@dataclass(frozen=True)
class Head:
    """What the question is about: the pattern that binds `a`, and its kind."""

    pattern: str
    kind: str
    facts: tuple[str, ...] = ()


def _head(said: Conditions, ground: Ground) -> Head | None:
    labels = {label for label, _ in ground.schema.labels}
    named = [reading for reading in ground.read(said.rest) if reading.confidence >= SURE_WALK] if ground.links else []
    if named:
        walk = named[0].walk
        if walk.filters or walk.back or len(named[0].walk.starts) != 1:
            return None
        facts = tuple(f"w{place}" for place in range(1, len(walk.steps) + 1))
        return Head(_walked(named[0].entity.name, walk), named[0].expected_kind, facts)
    kinds = {kind: value for kind, value in ground.aligner.kinds(said.rest).items() if value >= NAMED}
    if not kinds:
        return None
    best = max(kinds, key=lambda kind: (kinds[kind], kind in labels, kind))
    return Head(f"MATCH (a:{quoted(best)})" if best in labels else "MATCH (a)", best)


def _walked(name: str, walk: Walk) -> str:
    """The walk as one pattern that ends in `a`."""
    pattern = f"(s {{name: {literal(name)}}})"
    for place, step in enumerate(walk.steps, 1):
        pattern += f"{arrow(step, f'w{place}')}({'a' if place == len(walk.steps) else f'm{place}'})"
    return f"MATCH {pattern}"


def _attribute(words: str, kind: str, ground: Ground, *, dated: bool) -> Attribute | None:
    """The best place of the value that the words name, among those that things of the kind have."""
    found = [*_of_steps(words, kind, ground, dated), *_of_properties(words, kind, ground, dated)]
    best = max(found, key=lambda one: one.score, default=None)
    return best if best and best.score >= NAMED else None


def _ordered_by(order: Order, kind: str, ground: Ground) -> Attribute | None:
    """The attribute of an order; the oldest and the latest go by whatever says when such things began."""
    if order.words not in ABOUT_TIME:
        return _attribute(order.words, kind, ground, dated=False) or _attribute(order.words, kind, ground, dated=True)
    found = [one for words in BEGINNINGS if (one := _attribute(words, kind, ground, dated=True))]
    return max(found, key=lambda one: one.score, default=None)


def _of_steps(words: str, kind: str, ground: Ground, dated: bool) -> list[Attribute]:
    named, valued = ground.aligner.steps(words), valued_steps(ground.schema)
    return [
        Attribute(score, step=step, number=not dated, dates=dated and step not in valued)
        for step, score in named.items()
        if _starts_at(step, kind, ground) and (step in valued or dated)
    ]  # fmt: skip


def _of_properties(words: str, kind: str, ground: Ground, dated: bool) -> list[Attribute]:
    """Dates are held as such or as numbers that are years."""
    mine = [one for one in ground.schema.properties if one.label == kind and one.type in (("date", "number") if dated else ("number",))]
    return [Attribute(score, property=one.name, number=one.type == "number") for one, score in _alike(words, mine) if score >= ALIKE]


def _alike(words: str, properties: Sequence[PropertySchema]) -> list[tuple[PropertySchema, float]]:
    spoken = [" ".join(parse(one.name).words) for one in properties]
    if not spoken or not words:
        return []
    asked, *others = embedder().embed([words, *spoken])
    return [(one, 1.0 if said == words else float(asked @ other)) for one, said, other in zip(properties, spoken, others, strict=True)]


def _starts_at(step: Step, kind: str, ground: Ground) -> bool:
    relation = _relation(step, ground)
    return relation is not None and (
        kind in _near(relation, step) or kind not in {k for r in ground.schema.relations for k in (*r.subject_kinds, *r.object_kinds)}
    )


def _relation(step: Step, ground: Ground) -> RelationSchema | None:
    return next((relation for relation in ground.schema.relations if relation.name == step.relation), None)


def _near(relation: RelationSchema, step: Step) -> Sequence[str]:
    return relation.subject_kinds if step.direction == "out" else relation.object_kinds


def _far(relation: RelationSchema, step: Step) -> Sequence[str]:
    return relation.object_kinds if step.direction == "out" else relation.subject_kinds


def _step_to(noun: str, kind: str, ground: Ground) -> Step | None:
    """The step from things of the kind that leads to what the noun names, by its relation or by its kind."""
    named, kinds = ground.aligner.steps(noun), ground.aligner.kinds(noun)
    scored = []
    for relation in ground.schema.relations:
        for step in (Step(relation.name, "out"), Step(relation.name, "in")):
            if kind in _near(relation, step):
                scored.append((named.get(step, 0.0) + max((kinds.get(k, 0.0) for k in _far(relation, step)), default=0.0), step))
    best = max(scored, default=None, key=lambda pair: pair[0])
    return best[1] if best and best[0] >= NAMED else None


def _counts(counted: Sequence[Condition], head: Head, ground: Ground) -> list[tuple[Condition, Step | None]]:
    return [(condition, _step_to(condition.words, head.kind, ground)) for condition in counted]


def _written(made: Statement, said: Conditions, intent: Intent, ranked: str, counts: Sequence[tuple[Condition, Step | None]]) -> str:
    """The whole statement; empty where a count cannot be placed."""
    if any(step is None for _, step in counts) or len(counts) > 1:
        return ""
    lines = [*made.matches, *([f"WHERE {' AND '.join(made.tests)}"] if made.tests else [])]
    direction = "DESC" if said.order and said.order.descending else "ASC"
    facts = _shown_facts(made.facts)
    for condition, step in counts:
        assert step is not None
        lines += ["WITH DISTINCT a", f"MATCH (a){arrow(step, 'c')}(b)", f"WITH a, count(DISTINCT b) AS n{_shown_facts(['c'])}"]
        lines.append(f"WHERE n {condition.comparator} {_value(condition)}")
    if intent == "count":
        return "\n".join([*lines, "RETURN count(DISTINCT a) AS n"])
    limit = said.limit or (1 if said.order and intent == "extreme" else ROWS)
    if counts:
        return "\n".join([*lines, f"RETURN a, n, c ORDER BY n DESC LIMIT {limit}"])
    if ranked:
        best = f"{'max' if direction == 'DESC' else 'min'}({ranked}) AS value"
        return "\n".join([*lines, f"RETURN a, {best}{facts} ORDER BY value {direction} LIMIT {limit}"])
    return "\n".join([*lines, f"WITH a{facts} ORDER BY a.name LIMIT {limit}", f"RETURN a{''.join(f', {name}' for name in made.facts)}"])


def _shown_facts(names: Sequence[str]) -> str:
    """The first few facts of each row, as evidence."""
    return "".join(f", collect(DISTINCT {name})[..{FACTS_PER_ROW}] AS {name}" for name in names)


def _grouped(said: Conditions, ground: Ground) -> str:
    """How many of one thing there are for each of another."""
    labels = {label for label, _ in ground.schema.labels}
    kinds = {kind: value for kind, value in ground.aligner.kinds(said.each).items() if value >= NAMED}
    each = max(kinds, key=lambda kind: kinds[kind], default="")
    step = _step_to(said.rest, each, ground) if each else None
    if step is None:
        return ""
    node = f"(a:{quoted(each)})" if each in labels else "(a)"
    return f"MATCH {node}{arrow(step, 'r')}(b)\nRETURN a, count(DISTINCT b) AS n ORDER BY n DESC, a.name LIMIT {ROWS}"


def _test(value: str, condition: Condition, attribute: Attribute) -> str:
    """Years and days are compared as the texts that they begin with, except where they are numbers."""
    if not condition.dated:
        return f"{value} {condition.comparator} {_value(condition)}"
    date = str(condition.value)
    if attribute.number:
        return f"{value} {condition.comparator} {date[:4]}"
    return f"substring({value}, 0, {len(date)}) {condition.comparator} {literal(date)}"


def _value(condition: Condition) -> str:
    return written(condition.value) if isinstance(condition.value, float) else literal(condition.value)


def arrow(step: Step, variable: str) -> str:
    """A relationship of a pattern, along or against its direction."""
    inner = f"[{variable}:{quoted(step.relation)}]"
    return f"-{inner}->" if step.direction == "out" else f"<-{inner}-"
