"""Chinese questions for what two or more things have alike, or any of them has: 同时投资了甲和乙的有谁, 甲和乙都投资过的公司,
既投资了甲又收购了乙的公司, 甲或乙投资了哪些公司.
"""

import re
from dataclasses import replace

from knowledge.wording.chinese_grammar import MANY
from knowledge.wording.frame_clause import Clause
from knowledge.wording.frame_model import Frame
from knowledge.wording.frame_text import MASK

_LISTS = re.compile("谁|哪|什么|何|多少|几|列出|列举|罗列|给出|枚举|找出|查找")
_POLAR = re.compile("吗$|是否|是不是|有没有")
_NAMES = rf"(?P<names>{MASK}(?:(?:和|与|跟|同|以及|及|、){MASK})+)"
_EITHER = re.compile(rf"{MASK}(?:、{MASK})*(?:或者?|或是|抑或){MASK}")
_PAIR = "(?:这?[两三]|二)(?:[家个位名人部方者])(?:公司)?"
_ALIKE = tuple(
    re.compile(p)
    for p in (
        rf"(?:同时|共同|均|一起)(?P<verb>[^\ue000-\uf8ff,的]{{0,6}}?){_NAMES}",
        rf"{_NAMES}(?:{_PAIR})?(?:都|也都)?(?:同时|共同|一起|一同|联合|携手)(?=[^的,])",
        rf"{_NAMES}(?:{_PAIR})?(?:都|均|全都|皆)(?=[^的,哪谁什何]+的)",
    )
)
_BOTH = tuple(
    re.compile(p)
    for p in (
        rf"既(?P<one>[^,]*?{MASK}的[^,]*?),?(?:又|也)(?P<two>[^,]*?{MASK}的[^,的]*)",
        rf"既(?P<one>[^,]*?{MASK}[^,的]*?),?(?:又|也)(?P<two>[^,]*?{MASK}[^,的]*)",
    )
)


def shared(clause: Clause) -> Frame | None:
    """A list question over coordinated names: each side is the clause with its own name only, and what all sides have is asked."""
    text = clause.text
    if not _LISTS.search(text) or _POLAR.search(text):
        return None
    sides = _coordinated(text) or _both(text)
    return replace(_asked_of_each(clause, sides), shared=True) if len(sides) > 1 else None


def either(clause: Clause) -> Frame | None:
    """The same for what at least one of the names has."""
    found = _EITHER.search(clause.text) if _LISTS.search(clause.text) and not _POLAR.search(clause.text) else None
    if not found:
        return None
    sides = [(name, f"{clause.text[: found.start()]}{name}{clause.text[found.end() :]}") for name in re.findall(MASK, found[0])]
    return replace(_asked_of_each(clause, sides), either=True)


def _asked_of_each(clause: Clause, sides: list[tuple[str, str]]) -> Frame:
    operands = tuple(replace(clause.operand(name), clause=clause.source.written(side)) for name, side in sides)
    return replace(clause.frame("comparison", 0.9), operands=operands, counts=MANY.search(clause.text) is not None)


def _coordinated(text: str) -> list[tuple[str, str]]:
    found = next((m for p in _ALIKE if (m := p.search(text))), None)
    if not found:
        return []
    verb = found.groupdict().get("verb") or ""
    return [(name, f"{text[: found.start()]}{verb}{name}{text[found.end() :]}") for name in re.findall(MASK, found["names"])]


def _both(text: str) -> list[tuple[str, str]]:
    """既…又…: each half may have a verb of its own."""
    found = next((m for p in _BOTH if (m := p.search(text))), None)
    if not found:
        return []
    halves = [(re.findall(MASK, half)[0], half) for half in (found["one"], found["two"])]
    return [(name, f"{text[: found.start()]}{half}{text[found.end() :]}") for name, half in halves]
