"""From the frame of a question to its parts: what each asks, from which entities, along which relations."""

from collections.abc import Callable, Mapping, Sequence

from agents.conditions import conditional_part
from agents.dates import asks_for_a_date, dated
from agents.exchange import Intent, Mention, Part, ReadingRef, new_part
from agents.ground import Ground, reading_refs
from agents.measures import count_of, dated_steps, extreme_readings, numeric, value_measure
from agents.specs import walk_spec
from knowledge.identity import fold
from knowledge.records import Step, Walk
from knowledge.wording.english import informativeness
from knowledge.wording.frame_model import Frame, FrameKind, Operand
from knowledge.wording.frame_text import clean
from knowledge.wording.relation_name import parse

CONNECT_HOPS = 4
CHAINED_HOPS = 3
BETWEEN_SETS_HOPS = 2
RELATION_NAMED = 0.4


_ASKS: Mapping[FrameKind, Intent] = {"fact": "list", "list": "list", "count": "count", "extreme": "extreme"}


def parts_of(frame: Frame, ground: Ground) -> list[Part]:
    """The parts of a question; the operands of a comparison or connection come before the part that needs them."""
    parts: list[Part] = []
    for one in frame.parts or (frame,):
        if conditional := conditional_part(one.question, _ASKS.get(one.kind, "describe"), ground):
            parts.append(conditional)
            continue
        parts += _BUILD.get(one.kind, _list)(one, ground, len(parts))
    return _whole(frame, parts, ground) or parts


def _whole(frame: Frame, parts: Sequence[Part], ground: Ground) -> list[Part]:
    """Clauses that ask the same thing, read as one question where that explains the words as well: "how old is X, when did it open?"."""
    if len(frame.parts) < 2 or any(part["intent"] != "list" or part["operands"] for part in parts):
        return []
    if len({str(part["readings"][0]["spec"]) for part in parts if part["readings"]}) > 1:
        return []
    whole = _read_part(frame.question, "list", ground, negated=any(one.negated for one in frame.parts))
    apart = min((part["readings"][0]["confidence"] if part["readings"] else 0.0 for part in parts), default=0.0)
    return [whole] if whole["readings"] and whole["readings"][0]["confidence"] >= apart else []


def _list(frame: Frame, ground: Ground, at: int) -> list[Part]:
    """The whole question is read, but for a clause of a compound, whose references are resolved in its core."""
    text = frame.question if frame.question == clean(ground.question) else frame.core
    part = _read_part(text, "list", ground, negated=frame.negated)
    return [dated(part, frame, ground) if asks_for_a_date(frame) else part]


def _count(frame: Frame, ground: Ground, at: int) -> list[Part]:
    part = _read_part(frame.question, "count", ground, negated=frame.negated)
    return [{**part, "readings": [r if numeric(r, ground.schema) else count_of(r) for r in part["readings"]]}]


def _yes_no(frame: Frame, ground: Ground, at: int) -> list[Part]:
    """Read from the core to the claim, or from the claim to the core: whichever explains the words better."""
    operand = frame.operands[0] if frame.operands else Operand(frame.core)
    if frame.claim is None:
        return [{**_read_part(frame.core, "yes_no", ground, negated=frame.negated), "polar": True}]
    if linking := _linking(frame, operand, frame.claim, ground):
        return [linking]
    here = _claim_part(frame, operand, frame.claim, ground)
    there = _claim_part(frame, frame.claim, operand, ground)
    return [max(here, there, key=lambda part: part["readings"][0]["score"] if part["readings"] else float("-inf"))]


def _linking(frame: Frame, operand: Operand, claim: Operand, ground: Ground) -> Part | None:
    """ "Is A in B?", without a word for a relation: a fact between them, or a chain of relations with this preposition (`lies_in`)."""
    mentions = [ground.mention(operand.mention), ground.mention(claim.mention)]
    starts, ends = ([one["id"] for one in mention["chosen"]] for mention in mentions)
    words = _without(fold(frame.question), *(ground.span(fold(mention["text"])) for mention in mentions)).split()
    if not (starts and ends) or set(starts) & set(ends) or any(informativeness(word) for word in words):
        return None
    direct: ReadingRef = {**_connecting([], 1), "starts": starts, "ends": ends}
    chains = [walk_spec(Walk((starts[0],), chain)) for chain in _chains(starts[0], frozenset(words), ground)]
    readings = [direct, *(ReadingRef(**{**direct, "strategy": "walk", "spec": chain}) for chain in chains)]
    part = new_part(frame.question, "connect", mentions=mentions, readings=readings)
    return {**part, "claim": ends, "polar": True, "negated": frame.negated}


def _chains(start: str, particles: frozenset[str], ground: Ground) -> list[tuple[Step, ...]]:
    """Chains of two and three relations that end with one of these particles, from subject to object: works_in, lies_in."""
    alike = {Step(r.name, "out") for r in ground.schema.relations if parse(r.name).particle in particles}
    found: list[tuple[Step, ...]] = [(step,) for use in ground.uses.get(start, []) if (step := Step(use.relation, use.direction)) in alike]
    for _ in range(2, CHAINED_HOPS + 1):
        found += [
            (*chain, second) for chain in found for first, second in sorted(ground.schema.follows) if first == chain[-1] and second in alike
        ]
    return [chain for chain in dict.fromkeys(found) if len(chain) > 1]


def _without(text: str, *spans: str) -> str:
    for span in spans:
        text = text.replace(span, " ")
    return text


def _claim_part(frame: Frame, start: Operand, claim: Operand, ground: Ground) -> Part:
    """The question read as one walk from `start`, with `claim` as what it should lead to."""
    start_mention, claim_mention = ground.mention(start.mention), ground.mention(claim.mention)
    wanted = {e["id"] for e in start_mention["chosen"]}
    readings = [r for r in ground.read(frame.question.replace(claim.mention, " ")) if r.entity.id in wanted]
    part = new_part(frame.question, "yes_no", mentions=[start_mention, claim_mention], readings=reading_refs(readings))
    claimed = [e["id"] for e in claim_mention["candidates"]] or [claim.mention]
    return {**part, "claim": claimed, "polar": True, "negated": frame.negated, "relation": frame.relation}


def _extreme(frame: Frame, ground: Ground, at: int) -> list[Part]:
    part = new_part(frame.question, "extreme", readings=extreme_readings(frame, ground))
    starts = {id_ for reading in part["readings"] for id_ in reading["starts"]}
    mentions = [m for m in (ground.mention(span) for span in ground.links) if any(e["id"] in starts for e in m["chosen"])]
    return [{**part, "mentions": mentions[:1], "measure": frame.measure or ""}]


def _connection(frame: Frame, ground: Ground, at: int) -> list[Part]:
    """Between two entities: one search for paths. Between sets: the sets first, then paths between their members."""
    relations = _relations(frame.relation, ground)
    sides = [_side(operand, ground) for operand in frame.operands]
    sets = any(side["readings"] for side in sides)
    reading = _connecting(relations, BETWEEN_SETS_HOPS if sets else CONNECT_HOPS)
    part: Part = {
        **new_part(frame.core, "connect", readings=[reading]),
        "polar": frame.polar,
        "negated": frame.negated,
        "relation": frame.relation,
    }
    if sets:
        return [*sides, {**part, "operands": list(range(at, at + len(sides)))}]
    mentions = [mention for side in sides for mention in side["mentions"]]
    ends = [[e["id"] for e in mention["chosen"]] for mention in mentions]
    if len(ends) < 2 or not all(ends):
        return [{**part, "mentions": mentions, "readings": []}]
    return [{**part, "mentions": mentions, "readings": [{**reading, "starts": ends[0], "ends": [id_ for end in ends[1:] for id_ in end]}]}]


def _comparison(frame: Frame, ground: Ground, at: int) -> list[Part]:
    """One part per operand, each looking at the same thing; then what differs, what is shared, or who comes first."""
    sides = [_compared(operand, frame, ground) for operand in frame.operands]
    part = new_part(frame.question, "compare", mentions=[m for side in sides for m in side["mentions"]])
    measure = value_measure(frame.measure) if frame.measure else ""
    return [
        *sides,
        {
            **part,
            "operands": list(range(at, at + len(sides))),
            "shared": frame.shared,
            "either": frame.either,
            "counts": frame.counts,
            "measure": measure,
            "polar": frame.polar,
        },
    ]


def _compared(operand: Operand, frame: Frame, ground: Ground) -> Part:
    mention = ground.mention(operand.mention)
    if frame.measure and not frame.measured:
        return new_part(operand.mention, "list", mentions=[mention], readings=dated_steps(mention, frame.aspect, ground))
    aspect = frame.measured or frame.aspect or operand.role
    if not aspect and not operand.clause:
        return _describe(mention)
    side = _side(operand if operand.clause else Operand(operand.mention, aspect, frame.language), ground)
    if frame.measure in ("most", "least"):
        return {**side, "intent": "count", "readings": [count_of(r) for r in side["readings"]]}
    return side if side["readings"] or operand.clause else _describe(mention)


def _exploration(frame: Frame, ground: Ground, at: int) -> list[Part]:
    """What is known of each name; where the words beside a single name are all explained by relations, what these lead to: "X founders"."""
    if len(frame.operands) == 1 and _asks_beside(frame.core, ground):
        asked = _read_part(frame.core, "list", ground)
        if asked["readings"] and asked["readings"][0]["confidence"] >= RELATION_NAMED and not asked["unexplained"]:
            return [asked]
    return [_describe(ground.mention(operand.mention)) for operand in frame.operands] or _list(frame, ground, at)


def _asks_beside(text: str, ground: Ground) -> bool:
    """Whether the words beside a name say more than what kind of thing it is: not "the company X"."""
    span = ground.span(fold(text))
    words = _without(fold(text), span).strip()
    kinds = ground.aligner.kinds(words)
    own = max((kinds.get(candidate.entity.kind, 0.0) for candidate in ground.links.get(span, [])), default=0.0)
    return bool(words) and (not own or ground.relational(words) > own)


def _global(frame: Frame, ground: Ground, at: int) -> list[Part]:
    reading = ReadingRef(
        strategy="search", starts=[], ends=[], spec={"text": frame.question, "limit": 20}, expects="", score=0.0, confidence=0.4
    )
    return [new_part(frame.question, "describe", readings=[reading])]


def _read_part(text: str, intent: Intent, ground: Ground, *, negated: bool = False) -> Part:
    readings = ground.read(text)
    part = new_part(text, intent, mentions=[ground.mention_of(r) for r in readings[:1]], readings=reading_refs(readings))
    return {**part, "negated": negated, "unexplained": list(readings[0].unexplained) if readings else []}


def _side(operand: Operand, ground: Ground) -> Part:
    """ROLE of MENTION, or the question asked of MENTION alone, as a list to be read; a plain mention stands for itself."""
    mention = ground.mention(operand.mention)
    if operand.phrase == operand.mention:
        return new_part(operand.mention, "list", mentions=[mention])
    ids = {e["id"] for e in mention["chosen"]}
    readings = [r for r in ground.read(operand.phrase) if r.entity.id in ids]
    part = new_part(operand.phrase, "list", mentions=[mention], readings=reading_refs(readings))
    return {**part, "unexplained": list(readings[0].unexplained) if readings else []}


def _describe(mention: Mention) -> Part:
    starts = [e["id"] for e in mention["chosen"]]
    explore = ReadingRef(strategy="explore", starts=starts, ends=[], spec={"relations": []}, expects="", score=0.0, confidence=0.9)
    return new_part(mention["text"], "describe", mentions=[mention], readings=[explore] if starts else [])


def _relations(words: str, ground: Ground) -> list[str]:
    """The relations that these words name, best first."""
    named = ground.aligner.steps(words) if words else {}
    best = max(named.values(), default=0.0)
    strong = sorted((s for s, v in named.items() if v >= max(RELATION_NAMED, 0.8 * best)), key=lambda s: -named[s])
    return list(dict.fromkeys(step.relation for step in strong))


def _connecting(relations: Sequence[str], most_hops: int) -> ReadingRef:
    spec = {"relations": list(relations), "hops": 1 if relations else most_hops, "most": 3}
    return ReadingRef(strategy="connect", starts=[], ends=[], spec=spec, expects="", score=0.0, confidence=0.9)  # type: ignore[typeddict-item]


_BUILD: Mapping[FrameKind, Callable[[Frame, Ground, int], list[Part]]] = {
    "count": _count, "yes_no": _yes_no, "extreme": _extreme, "connection": _connection, "comparison": _comparison,
    "exploration": _exploration, "global": _global,
}  # fmt: skip
