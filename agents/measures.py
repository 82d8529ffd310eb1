"""How sets are counted, ranked and dated: along which step of the graph a measure is taken."""

import re
from collections.abc import Iterable, Mapping

from agents.exchange import Mention, ReadingRef
from agents.ground import Ground, reading_refs
from agents.specs import measure_spec, walk_spec
from knowledge.reading.contract import Measure
from knowledge.records import GraphSchema, Step, Walk
from knowledge.wording.frame_model import Extreme, Frame
from knowledge.wording.frame_time import first_or_last, unordered
from knowledge.wording.reading import Reading

MOST_RANKED = 10
MOST_STEPS = 5
NUMERIC_SHARE = 0.9
_NUMBER = re.compile(r"-?[\d.,]+|\d{4}-\d{2}(-\d{2})?")
_MEASURE: dict[Extreme, Measure] = {
    "most": "most", "least": "least", "highest": "highest", "lowest": "lowest", "earliest": "lowest", "latest": "highest",
}  # fmt: skip


def value_measure(extreme: Extreme) -> Measure:
    """earliest is the lowest date, latest the highest."""
    return _MEASURE[extreme]


def count_of(reading: ReadingRef) -> ReadingRef:
    """The same walk, counted in the database instead of listed."""
    return {**reading, "strategy": "aggregate", "spec": {**reading["spec"], "measure": "count", "by": []}}


def numeric(reading: ReadingRef, schema: GraphSchema) -> bool:
    """Whether the walk already ends in numbers ("how many votes"), so that they are the answer and not their count."""
    steps = reading["spec"].get("steps", [])
    return bool(steps) and Step(steps[-1]["relation"], steps[-1]["direction"]) in valued_steps(schema)


def extreme_readings(frame: Frame, ground: Ground) -> list[ReadingRef]:
    """Ranked ways to take the extreme: over the set that a name leads to, or over everything of a kind."""
    measure = value_measure(frame.measure or "most")
    named = _named_sets(frame.core, ground)
    if not named:
        return _over_everything(frame, measure, ground)[:MOST_STEPS]
    by_value = [(value, ref) for reading in named for value, ref in _over_set(reading, frame, measure, ground)]
    said = [ref for value, ref in by_value if value]
    happened = _by_date(frame, measure, ground) if first_or_last(frame.question) and frame.measure in ("earliest", "latest") else []
    return (said or [*happened, *(ref for _, ref in by_value)])[:MOST_STEPS]


def _by_date(frame: Frame, measure: Measure, ground: Ground) -> list[ReadingRef]:
    """Rank what a plain walk reaches by the dates of the facts that lead there."""
    named = _named_sets(unordered(frame.question), ground)
    plain = [reading for reading in named if not reading.walk.filters and not reading.walk.back]
    return [{**ref, "strategy": "by_date", "spec": {**ref["spec"], "measure": measure}} for ref in reading_refs(plain)]


def dated_steps(mention: Mention, aspect: str, ground: Ground) -> list[ReadingRef]:
    """The dates or numbers around an entity, those that the words name first."""
    named = ground.aligner.steps(aspect)
    chosen = mention["chosen"][0]["id"] if mention["chosen"] else ""
    valued = valued_steps(ground.schema)
    steps = [step for use in ground.uses.get(chosen, []) if (step := Step(use.relation, use.direction)) in valued]
    ranked = sorted(steps, key=lambda step: -named.get(step, 0.0))
    return [
        ReadingRef(
            strategy="walk", starts=[chosen], ends=[], spec=walk_spec(Walk((chosen,), (step,))), expects="",
            score=named.get(step, 0.0), confidence=0.5 + named.get(step, 0.0) / 2,
        )
        for step in ranked[:5]
    ]  # fmt: skip


def _named_sets(text: str, ground: Ground) -> list[Reading]:
    """Readings that start from a name, not from a common word that happens to be one."""
    return [r for r in ground.read(text) if not _common(r.mention, ground)][:3]


def _common(mention: str, ground: Ground) -> bool:
    if " " in mention or (ground.language == "zh" and mention.isascii()):
        return False
    named = max([*ground.aligner.steps(mention).values(), *ground.aligner.kinds(mention).values()], default=0.0)
    return named >= 0.5


def _over_set(reading: Reading, frame: Frame, measure: Measure, ground: Ground) -> list[tuple[float, ReadingRef]]:
    """Rank what the walk reaches by a step that leads on from there; with how clearly the words name that step."""
    last = reading.walk.steps[-1]
    onward = {second for first, second in ground.schema.follows if first == last} - {_back(last)}
    ranked = _ranked_steps(onward, frame, measure, ground)[:MOST_STEPS]
    base = reading_refs([reading])[0]
    return [
        (value, {**base, "strategy": "aggregate", "spec": measure_spec(reading.walk, measure, [step], MOST_RANKED), "score": base["score"] + value})
        for step, value in ranked
    ]  # fmt: skip


def _over_everything(frame: Frame, measure: Measure, ground: Ground) -> list[ReadingRef]:
    """Rank every entity that starts a step, by the step that the question's words name."""
    everything = {step for r in ground.schema.relations for step in (Step(r.name, "out"), Step(r.name, "in"))}
    kinds = _ends(ground.schema)
    heads = ground.aligner.kinds(frame.question.replace(frame.measured, " ") if frame.measured else frame.question)
    ranked = _ranked_steps(everything, frame, measure, ground)
    scored = sorted(((step, value + _best(heads, kinds[step][0])) for step, value in ranked), key=lambda pair: -pair[1])[:MOST_STEPS]
    return [
        {
            "strategy": "aggregate", "starts": [], "ends": [], "spec": measure_spec(None, measure, [step], MOST_RANKED), "expects": "",
            "score": round(value, 4), "confidence": round(min(1.0, value / 3), 4),
        }
        for step, value in scored
    ]  # fmt: skip


def _ranked_steps(steps: Iterable[Step], frame: Frame, measure: Measure, ground: Ground) -> list[tuple[Step, float]]:
    """Steps by how well the words name them; a highest or lowest is taken along values only."""
    valued, kinds = valued_steps(ground.schema), _ends(ground.schema)
    words = frame.measured or frame.core
    named, aimed = ground.aligner.steps(frame.core), ground.aligner.kinds(words)
    by_value = measure in ("highest", "lowest")
    usable = [step for step in steps if (step in valued) == by_value]
    scored = [(step, named.get(step, 0.0) + (ground.aligner.steps(words).get(step, 0.0) + _best(aimed, kinds[step][1]))) for step in usable]
    return sorted(scored, key=lambda pair: (-pair[1], pair[0]))


def _best(named: Mapping[str, float], kinds: Iterable[str]) -> float:
    return max((named.get(kind, 0.0) for kind in kinds), default=0.0)


def _ends(schema: GraphSchema) -> dict[Step, tuple[tuple[str, ...], tuple[str, ...]]]:
    """(kinds where the step starts, kinds where it leads) per step."""
    forward = {Step(r.name, "out"): (r.subject_kinds, r.object_kinds) for r in schema.relations}
    backward = {Step(r.name, "in"): (r.object_kinds, r.subject_kinds) for r in schema.relations}
    return {**forward, **backward}


def valued_steps(schema: GraphSchema) -> set[Step]:
    """The steps that lead to numbers or dates."""
    found = set()
    for r in schema.relations:
        for step, names in ((Step(r.name, "out"), r.object_samples), (Step(r.name, "in"), r.subject_samples)):
            if names and sum(bool(_NUMBER.fullmatch(name)) for name in names) >= NUMERIC_SHARE * len(names):
                found.add(step)
    return found


def _back(step: Step) -> Step:
    return Step(step.relation, "in" if step.direction == "out" else "out")
