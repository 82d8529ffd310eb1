"""Temporal markers of a question, in English and Chinese: dates with before/after/between, "now", and "when"."""

import re
from typing import Literal

from knowledge.wording.frame_model import TimeRelation, When

_DATE = r"(?P<y>(?:1[0-9]|20)\d\d)(?:-(?P<m>0[1-9]|1[0-2])(?:-(?P<d>0[1-9]|[12]\d|3[01]))?|\s*年(?:\s*(?P<zm>1[0-2]|0?[1-9])\s*月(?:\s*(?P<zd>3[01]|[12]\d|0?[1-9])\s*[日号])?)?)?"
_POINT = re.compile(rf"(?<![\d.-]){_DATE}(?!\d|s\b)")
_DECADE = re.compile(r"\b(?P<y>(?:1[0-9]|20)\d)0s\b|(?P<z>(?:1[0-9]|20)\d)0年代")
_BEFORE = re.compile(
    r"(?:\bbefore|\buntil|\btill|\bup to|\bprior to|\bby the end of|\bearlier than)\s+(?:the year\s+|the end of\s+)?$", re.I
)
_AFTER = re.compile(r"(?:\bafter|\bsince|\bfrom|\blater than|自从|自|从)\s*(?:the year\s+)?$", re.I)
_BETWEEN = re.compile(r"^\s*(?:and|to|until|-|–|至|到|和|与)\s*$", re.I)
_ZH_BEFORE, _ZH_AFTER = re.compile(r"^\s*(?:之前|以前|前)"), re.compile(r"^\s*(?:之后|以后|以来|后|起)")
_NOW = re.compile(r"\b(?:currently|current|now|nowadays|today|at present|at the moment|presently)\b|目前|现在|当前|如今|现任|眼下", re.I)
_ASKED = re.compile(
    r"\b(?:when|(?:what|which|in what|in which) (?:year|date|month|day|century|decade)|how old|since when)\b|什么时候|何时|哪一?年|几年|哪一?天|几月|几号|多久|什么时间|年份|哪个年代",
    re.I,
)

_FIRST = re.compile(r"\b(?:first|earliest|initially|originally)\b|最早|最先|最初|首次|首先|第一次|第一[个家位]", re.I)
_LAST = re.compile(r"\b(?:last|latest|most recent(?:ly)?|newest)\b|最近|最后|最晚|最新|上一?次", re.I)


def asks_when(text: str) -> bool:
    """Whether a date is what the question wants."""
    return bool(_ASKED.search(text))


def first_or_last(text: str) -> Literal["earliest", "latest"] | None:
    """Which of several moments is asked: when something happened first or last."""
    return "earliest" if _FIRST.search(text) else "latest" if _LAST.search(text) else None


def unordered(text: str) -> str:
    """The text without its words for first and last."""
    return " ".join(_LAST.sub(" ", _FIRST.sub(" ", text)).split())


def temporal(text: str) -> tuple[When, ...]:
    """Every marker in reading order; two dates joined by "and/to/至" are one interval."""
    points = [(m.start(), m.end(), *_span(m)) for m in _POINT.finditer(text)] + [_decade(m) for m in _DECADE.finditer(text)]
    found: list[When] = []
    joined = False
    for i, (start, end, first, last) in enumerate(sorted(points)):
        if joined:
            joined = False
            continue
        after = sorted(points)[i + 1 : i + 2]
        if after and _BETWEEN.match(text[end : after[0][0]]):
            found.append(When("between", first, after[0][3], text[start : after[0][1]]))
            joined = True
        else:
            relation = _relation(text[:start], text[end:])
            found.append(When(relation if first == last else "between" if relation == "in" else relation, first, last, text[start:end]))
    found += [When("now", text=m[0]) for m in _NOW.finditer(text)][:1]
    asked = _ASKED.search(text)
    return (*found, When("asked", text=asked[0])) if asked else tuple(found)


def _span(m: re.Match[str]) -> tuple[str, str]:
    month, day = m["m"] or m["zm"], m["d"] or m["zd"]
    date = "-".join([m["y"], *(part.zfill(2) for part in (month, day) if part)])
    return date, date


def _decade(m: re.Match[str]) -> tuple[int, int, str, str]:
    tens = m["y"] or m["z"]
    return m.start(), m.end(), f"{tens}0", f"{tens}9"


def _relation(before: str, after: str) -> TimeRelation:
    if _BEFORE.search(before) or _ZH_BEFORE.match(after):
        return "before"
    return "after" if _AFTER.search(before) or _ZH_AFTER.match(after) else "in"
