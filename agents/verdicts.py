"""Judgements over what was found: does a claim hold, who comes first, what do two sides share."""

from collections.abc import Mapping, Sequence

from agents.exchange import Answer, EntityRef, Part
from agents.findings import Finding, entities
from knowledge.identity import fold

HIGH_FIRST = frozenset({"most", "highest", "latest"})


def claimed(found: Sequence[EntityRef], part: Part) -> list[EntityRef]:
    """The entities found that the claim names, by id or folded name."""
    wanted = {fold(name) for name in part["claim"]}
    ids = set(part["claim"])
    return [one for one in found if one["id"] in ids or fold(one["name"]) in wanted]


def extremes(values: Sequence[Answer]) -> list[Answer]:
    """The first of ranked values and all that tie with it: a year and a month of that year cannot be told apart."""
    return [answer for answer in values if _tied(answer, values[0])]


def _tied(one: Answer, other: Answer) -> bool:
    mine, theirs = f"{one['value']}-", f"{other['value']}-"
    return mine.startswith(theirs) or theirs.startswith(mine)


def ranked_operands(sides: Sequence[Finding], known: Mapping[str, EntityRef], measure: str) -> list[Answer]:
    """The operand that comes first by its own count or value; none where a side has no value. Ties keep both."""
    scored = [(subject, _value(side, known)) for side in sides if (subject := _subject(side))]
    if len(scored) < len(sides) or any(value is None for _, value in scored):
        return []
    best = (max if measure in HIGH_FIRST else min)(value for _, value in scored if value is not None)
    return [
        {"id": one["id"], "name": one["name"], "kind": one["kind"], "value": value, "score": 1.0} for one, value in scored if value == best
    ]


def of_all_sides(members: Sequence[Sequence[EntityRef]], part: Part) -> list[EntityRef]:
    """What all sides have, what any of them has, or what not all of them have, in order of appearance."""
    ids = [{one["id"] for one in side} for side in members]
    everywhere = set.intersection(*ids) if ids else set()
    wanted = {one["id"]: one for side in members for one in side if part["either"] or (one["id"] in everywhere) == part["shared"]}
    return list(wanted.values())


def _subject(side: Finding) -> EntityRef | None:
    return next((one for mention in side.part["mentions"] for one in mention["chosen"]), None)


def _value(side: Finding, known: Mapping[str, EntityRef]) -> float | None:
    """A count where one was asked, else the number or year that the side's only answer starts with."""
    if side.task is None:
        return None
    if side.task["values"]:
        return _number(side.task["values"][0]["value"])
    return _number(next((one["name"] for one in entities(side, known)), None))


def _number(value: str | float | bool | None) -> float | None:
    try:
        return float(str(value)[:4] if isinstance(value, str) and value[4:5] == "-" else str(value).replace(",", ""))
    except ValueError:
        return None
