"""Several clauses in one question: where they part, and what the pronouns of a later one stand for."""

import re

from knowledge.wording.frame_model import Frame, Language
from knowledge.wording.frame_text import CLAUSE_LIMITS, MASK

PART_LIMIT = 6
_EN_WH = r"(?:who|whom|whose|what|which|when|where|how|why|whether|if)\b"
_EN_PREPOSITION = r"(?:to|by|from|with|for|in|into|of|at|on|under|until|since|through|via|behind)"
_EN_AUX = r"(?:is|are|was|were|do|does|did|has|have|had|can|could)\b"
_EN_ASK = r"(?:list|name|tell|show|give|find|compare|describe|explain|analy[sz]e|summari[sz]e|check|say|identify|count|determine|see|examine|discuss|state|outline|contrast|assess|evaluate|review|elaborate|clarify|enumerate)\b"
_EN_SPLIT = re.compile(
    rf"(?:[.?!;]+\s+(?:(?:and|also|then|but)\b,?\s+)*|,?\s+(?:and|but|as well as|plus|then)\s+(?:(?:also|then|if so|in addition|further|finally),?\s+)*|,\s+)"
    rf"(?=(?:{_EN_PREPOSITION} )?{_EN_WH}|{_EN_ASK}|{_EN_AUX}\s)",
    re.I,
)
_EN_QUESTION = re.compile(rf"\b{_EN_WH}|^(?:{_EN_AUX}|{_EN_ASK})|\b{_EN_ASK}|\bdifferences?\b|\bhow\b", re.I)
_EN_RELATIVE = re.compile(rf"^(?:{_EN_PREPOSITION} )?(?:who|whom|whose|which|where|when|that)\b", re.I)
_ZH_CONNECT = r"(?:以及|并且|并|而且|另外|此外|还有|同时|然后|接着|再|顺便|那么?|且|和|也)?"
_ZH_ASK = r"(?:分析|比较|对比|说明|列出|列举|介绍|解释|总结|判断|指出|告诉|看看|查一?下|讨论|阐述|评估)"
_ZH_WH = re.compile(rf"谁|哪|什么|几|多少|是否|有没有|有无|吗|呢|如何|怎么|怎样|何|会不会|是不是|能否|差异|区别|不同|异同|关系|{_ZH_ASK}")
_ZH_JOIN = re.compile(r"^(?:以及|并且|并|而且|另外|此外|还有|同时|然后|接着|再(?!见)|顺便|那么?|且)[,\s]*")
_ZH_AT_ONCE = re.compile(r"^同时(?!,)")
_ZH_IF_SO = re.compile(r"^(?:如果|若|要是)(?:是|不是|有|没有)(?:的话)?$")
_ZH_SPLIT = re.compile(rf"[?;。！!]+\s*|\s*,\s*(?={_ZH_CONNECT})|(?:以及|并且|并(?={_ZH_ASK}))")


def split_clauses(text: str, language: Language) -> list[str]:
    """Clauses of a masked text, each asking something; one clause where nothing later asks."""
    pieces = (_english if language == "en" else _chinese)(text)
    asked, limit = pieces[:PART_LIMIT], CLAUSE_LIMITS[language]
    return [p[:limit] for p in asked] or [text[:limit]]


def _english(text: str) -> list[str]:
    pieces: list[str] = []
    for piece, mark in _cut(_EN_SPLIT, text):
        comma_only = mark.strip() == ","
        joins = pieces and (
            not _EN_QUESTION.search(pieces[-1]) or (comma_only and _EN_RELATIVE.match(piece) and not piece.rstrip().endswith("?"))
        )
        if joins:
            pieces[-1] = f"{pieces[-1]}{mark}{piece}"
        elif piece.strip(" .?!,;"):
            pieces.append(piece)
    return pieces


def _chinese(text: str) -> list[str]:
    pieces: list[str] = []
    for piece, mark in _cut(_ZH_SPLIT, text):
        if _ZH_IF_SO.match(piece.strip(" ,")):
            continue
        if pieces and not (_ZH_WH.search(pieces[-1]) and _ZH_WH.search(piece)):
            pieces[-1] = f"{pieces[-1]}{mark}{piece}"
        elif piece.strip(" .?!,;。"):
            joins = pieces or not _ZH_AT_ONCE.match(piece)
            pieces.append((_ZH_JOIN.sub("", piece) if joins else piece) or piece)
    return pieces


def _cut(pattern: re.Pattern[str], text: str) -> list[tuple[str, str]]:
    """(piece, the mark before it)"""
    out: list[tuple[str, str]] = []
    at, mark = 0, ""
    for m in pattern.finditer(text):
        if m.end() == 0 or m.start() == 0:
            continue
        out.append((text[at : m.start()], mark))
        at, mark = m.end(), m[0]
    return [*out, (text[at:], mark)]


_IT = {
    "en": re.compile(r"\b(?P<own>its|their)\b|\b(?P<self>it|they|them|this|that one)\b(?! \ue000)", re.I),
    "zh": re.compile(
        r"(?P<own>(?:它们?|它|其|该片|该公司)(?:各自|分别)?的|各自的|其(?=[^他它中实]))|(?P<self>它们|它|两者|二者|双方|这[部个家本位](?:\w{0,2}?)(?=的|是|在|由|被|有))"
    ),
}
_HE = {
    "en": re.compile(r"\b(?P<own>his|her)\b|\b(?P<self>he|she|him|her)\b", re.I),
    "zh": re.compile(r"(?P<own>(?:他们?|她们?)(?:各自|分别)?的)|(?P<self>他们?|她们?|此人)"),
}


def subjects_of(frame: Frame, masked: str, names: tuple[str, ...]) -> tuple[str, ...]:
    """What "it", "they" and "their" of the next clause stand for: the operands' mentions, else the names of the clause."""
    own = tuple(dict.fromkeys(o.mention for o in frame.operands if o.mention))
    return own or tuple(names[ord(c) - 0xE000] for c in re.findall(MASK, masked) if ord(c) - 0xE000 < len(names))


def pronoun(text: str, language: Language) -> str:
    """ "it" for things and plurals, "he" for one person, empty where the clause has no pronoun or names something before it."""
    if language == "other":
        return ""
    name = re.search(MASK, text)
    for which, patterns in (("he", _HE), ("it", _IT)):
        found = patterns[language].search(text)
        if found:
            return "" if name and name.start() < found.start() else which
    return ""


def resolved(text: str, language: Language, antecedent: str, which: str) -> str:
    """The clause with its first pronoun replaced by the antecedent, possessives kept possessive."""
    if language == "other" or not which:
        return text
    pattern = (_HE if which == "he" else _IT)[language]

    def put(m: re.Match[str]) -> str:
        owned = f"{antecedent}'s" if language == "en" else f"{antecedent}的"
        return owned if m["own"] else antecedent

    return pattern.sub(put, text, count=1)
