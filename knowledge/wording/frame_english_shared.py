"""English questions for what two or more things have alike, or any of them has: "which R did both A and B V", "who V both A and B",
"R that A and B V together", "how many R did either A or B V".
"""

import re
from dataclasses import replace

from knowledge.wording.frame_clause import Clause
from knowledge.wording.frame_model import Frame
from knowledge.wording.frame_text import MASK

_LISTS = re.compile(
    r"^(?!(?:is|are|was|were|do|does|did|has|have|had|can|could|whether|if)\b)(?:.*\b(?:who|whom|whose|what|which|where|when|that|how many|number of)\b|"
    r"(?:list|name|enumerate|show|find|give|get|tell|return|display)\b)",
    re.I,
)
_PREPOSITION = r"(?:by|in|for|from|with|to|at|on|of|into|under|against)"
_CONJUNCT = rf"(?:\b{_PREPOSITION} )?(?:\bthe )?{MASK}"
_LED = re.compile(rf"{_PREPOSITION} ", re.I)
_AND = r"(?:,? and(?: also)?|,)"
_NAMES = rf"(?P<names>{_CONJUNCT}(?:{_AND} {_CONJUNCT})+)"
_TOGETHER = r"(?:together|jointly|alike|at the same time|at once|simultaneously)"
_ALIKE = tuple(
    re.compile(p, re.I)
    for p in (
        rf"\bboth (?:of )?{_NAMES}",
        rf"{_NAMES},? (?:have |had |has |are |were |did )?(?:both|each|all|{_TOGETHER})\b",
        rf"(?P<names>{_CONJUNCT},? (?:as well as|and also|together with|along with|alongside) {_CONJUNCT})",
        rf"{_NAMES}(?P<rest>[^\ue000-\uf8ff,]*?) {_TOGETHER}\b",
    )
)
_EITHER = re.compile(rf"(?<![,:] )(?:\beither )?(?P<names>{_CONJUNCT}(?:,? or {_CONJUNCT})+)", re.I)
_SAME = re.compile(
    rf"^(?:do|does|did|have|has) (?:both )?{_NAMES} (?P<verb>(?!have |share |get |win |won )[^\ue000-\uf8ff]+?) "
    r"(?:the same|a common|an identical) (?P<asp>[^\ue000-\uf8ff]+)$",
    re.I,
)
_OR = re.compile(r",? or ", re.I)
COUNTS = re.compile(r"\b(?:how many|number of)\b", re.I)
_BETWEEN_NAMES = re.compile(r",? (?:and also|and|as well as|together with|along with|alongside) |, ", re.I)


def shared(clause: Clause) -> Frame | None:
    """A list question over coordinated names: each side is the clause with its own name only, and what all sides have is asked."""
    found = next((m for p in _ALIKE if (m := p.search(clause.text))), None) if _LISTS.search(clause.text) else None
    return replace(_asked_of_each(clause, found, _BETWEEN_NAMES), shared=True) if found else None


def same(clause: Clause) -> Frame | None:
    """ "Do A and B work on a common project?": which project each works on, and whether there is one for all."""
    found = _SAME.search(clause.text)
    if not found:
        return None
    names = [name[0] for piece in _BETWEEN_NAMES.split(found["names"]) if (name := re.search(MASK, piece))]
    asked = [f"which {found['asp']} does {name} {found['verb']}" for name in names]
    operands = tuple(replace(clause.operand(n), clause=clause.source.written(text)) for n, text in zip(names, asked, strict=True))
    return replace(clause.frame("comparison", 0.9), operands=operands, shared=True, polar=True)


def either(clause: Clause) -> Frame | None:
    """The same for what at least one of the names has. A choice between answers ("who made it, A or B?") is none."""
    found = _EITHER.search(clause.text) if _LISTS.search(clause.text) else None
    return replace(_asked_of_each(clause, found, _OR), either=True) if found else None


def _asked_of_each(clause: Clause, found: re.Match[str], between: re.Pattern[str]) -> Frame:
    kept = found.groupdict().get("rest") or ""
    led = _LED.match(found["names"])
    sides = [
        (
            name[0],
            f"{clause.text[: found.start()]}{piece if not led or _LED.match(piece) else led[0] + piece}{kept}{clause.text[found.end() :]}",
        )
        for piece in between.split(found["names"])
        if (name := re.search(MASK, piece))
    ]
    operands = tuple(replace(clause.operand(name), clause=clause.source.written(text)) for name, text in sides)
    return replace(clause.frame("comparison", 0.9), operands=operands, counts=bool(COUNTS.search(clause.text)))
