"""A chain of evidence as people read it: from one entity along its facts to another, each fact in the direction it was walked."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from graphs.state import EntityRef, Evidence


class Leg(NamedTuple):
    """One fact of a chain: where it was entered, where it was left, and whether it was walked from subject to object."""

    start: EntityRef
    fact: Evidence
    end: EntityRef
    forward: bool


def legs(chain: Sequence[str], evidence: Mapping[str, Evidence]) -> list[Leg]:
    """The chain in walking order; ids without evidence are left out. A fact that does not join the one before starts anew at its subject."""
    facts = [evidence[key] for key in chain if key in evidence]
    walked: list[Leg] = []
    here = _entrance(facts) if facts else ""
    for fact in facts:
        forward = fact["object"]["id"] != here or fact["subject"]["id"] == here
        start, end = (fact["subject"], fact["object"]) if forward else (fact["object"], fact["subject"])
        walked.append(Leg(start, fact, end, forward))
        here = end["id"]
    return walked


def drawn(walked: Sequence[Leg]) -> str:
    """`A ──made──▶ B ◀──owns── C`; a gap in the chain is a semicolon."""
    line, here = "", ""
    for leg in walked:
        if leg.start["id"] != here:
            line += ("; " if line else "") + leg.start["name"]
        relation = spoken(leg.fact["relation"])
        line += f" ──{relation}──▶ " if leg.forward else f" ◀──{relation}── "
        line += leg.end["name"]
        here = leg.end["id"]
    return line


def spoken(relation: str) -> str:
    """A relation's name as words."""
    return relation.replace("_", " ").strip() or "is related to"


def dates(fact: Evidence) -> str:
    """`2019-07 to 2021`, `since 2019`, `until 2021` or nothing; ends are exclusive as stored."""
    start, end = fact["valid_from"], fact["valid_to"]
    if start and end:
        return f"{start} to {end}"
    return f"since {start}" if start else f"until {end}" if end else ""


def _entrance(facts: Sequence[Evidence]) -> str:
    first = facts[0]
    if len(facts) == 1:
        return first["subject"]["id"]
    beyond = {facts[1]["subject"]["id"], facts[1]["object"]["id"]}
    return first["object"]["id"] if first["subject"]["id"] in beyond and first["object"]["id"] not in beyond else first["subject"]["id"]
