"""Sluices: a clause that is nothing but a question word asks it of the clause before: "was it sold, and when?", "有对手吗？是谁？"."""

import re
from collections.abc import Callable

from knowledge.wording.frame_model import Language
from knowledge.wording.frame_text import MASK

_PREPOSITION = r"(?:to|by|from|with|for|in|into|of|at|on|under|until|till|since|as|through|via|behind) "
_SLUICE = {
    "en": re.compile(
        rf"^(?:(?:and|but|or|so|then|if so|if yes|if not|exactly|by) )*(?P<asks>{_PREPOSITION}(?:what|which) \w+|(?:{_PREPOSITION})?"
        r"(?:who|whom|whose|what|which|which ones?|when|where|why|how|how many|how much|how long|(?:in )?(?:what|which) year))"
        r"(?: (?:else|exactly))?(?: (?:is|are|was|were|do|does|did|has|have|had|would) (?:it|he|she|they|that|those|these|this|so))?$",
        re.I,
    ),
    "zh": re.compile(
        r"^(?:如果有|如果是|那么?|都|又|分别|具体|究竟|到底)*(?P<asks>(?:都|分别)?(?:是|有|叫|在|为|跟|和|与|给|由|被)?"
        r"(?:谁|什么时候|什么|何时|哪一?年|几年|哪里|哪儿|哪些人?|哪[几一]?[个家位部本]|何地|何处|为什么|为何|多少|几个|多久))(?P<verb>[\u3400-\u9fff]{1,4}?)??(?:的|呢|啊|呀|了)*$"
    ),
}
_POLAR = {
    "en": re.compile(r"^(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would)(?:n't)?\b", re.I),
    "zh": re.compile(r"吗$|有没有|是不是|是否|有无"),
}
_CIRCUMSTANCE = {"en": re.compile(r"\b(?:when|where|why|how|year|long)$", re.I), "zh": re.compile(r"时|年|哪里|哪儿|何地|何处|为|多久")}
_ASKED = {
    "en": re.compile(r"^(?:and )?(?:who|whom|what|when|where|why|how)(?:'s)?\b ?", re.I),
    "zh": re.compile(r"吗$|(?:是|有)?(?:谁|哪里|哪儿|什么时候|何时|什么)$|^谁"),
}
_HAS = re.compile(r"(?:是否有|有没有|有)(?=[^有的]+$)")
_EDGE = " ,;:.?!。"


def unsluiced(clauses: list[str], language: Language, connects: Callable[[str], bool]) -> list[str]:
    """The clauses, each sluice written out. One that names what a yes/no clause leaves open takes its place: naming it says yes.

    `connects`: whether a clause asks for a connection, whose paths answer how, through whom and which.
    """
    if language == "other":
        return clauses
    whole: list[str] = []
    for clause in clauses:
        sluice = _SLUICE[language].match(clause.strip(_EDGE)) if whole else None
        if not sluice or (sluice.groupdict().get("verb") or "") not in whole[-1]:
            whole.append(clause)
            continue
        if connects(whole[-1]):
            continue
        before = whole[-1].strip(_EDGE)
        named = _leaves_open(before, language) and not _CIRCUMSTANCE[language].search(sluice["asks"])
        whole[-1 if named else len(whole) :] = [_of(sluice["asks"], before, language)]
    return whole


def _leaves_open(clause: str, language: Language) -> bool:
    """Whether a yes/no clause has one name at most: one that has both ends claims something definite."""
    return bool(_POLAR[language].search(clause)) and len(re.findall(MASK, clause)) < 2


def _of(asks: str, before: str, language: Language) -> str:
    rest = _ASKED[language].sub("", before)
    return f"{asks} {rest[:1].lower()}{rest[1:]}" if language == "en" else f"{_HAS.sub('的', rest)}{asks}"
