"""Filters, orders and limits in a question, read off its closed-class words: "the three highest-paid actors born after 1970"."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from knowledge.wording.frame_model import Language

Comparator = Literal[">", ">=", "<", "<=", "="]
_WORD_NUMBERS = {
    "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "twelve": 12, "twenty": 20,
    "两": 2, "二": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9, "十": 10,
}  # fmt: skip
_SCALES = {"thousand": 1e3, "k": 1e3, "million": 1e6, "m": 1e6, "billion": 1e9, "bn": 1e9, "万": 1e4, "百万": 1e6, "亿": 1e8}
_COMPARATORS: dict[str, Comparator] = {
    "more than": ">", "over": ">", "above": ">", "greater than": ">", "higher than": ">", "larger than": ">", "exceeding": ">",
    "less than": "<", "fewer than": "<", "under": "<", "below": "<", "lower than": "<", "smaller than": "<",
    "at least": ">=", "no less than": ">=", "no fewer than": ">=", "at most": "<=", "no more than": "<=", "up to": "<=", "exactly": "=",
    "超过": ">", "高于": ">", "大于": ">", "多于": ">", "低于": "<", "小于": "<", "少于": "<", "不到": "<", "至少": ">=", "不少于": ">=",
    "不低于": ">=", "至多": "<=", "不超过": "<=", "最多": "<=",
}  # fmt: skip
_DESCENDING = {
    "highest": "", "largest": "", "biggest": "", "greatest": "", "longest": "length", "tallest": "height", "heaviest": "weight", "richest": "wealth",
    "newest": "date", "latest": "date", "youngest": "born", "best": "", "most expensive": "price",
}  # fmt: skip
_ASCENDING = {
    "lowest": "", "smallest": "", "shortest": "length", "lightest": "weight", "oldest": "date", "earliest": "date", "worst": "",
    "cheapest": "price", "poorest": "wealth",
}  # fmt: skip
_ZH_ABOUT = {"最长": "长度", "最短": "长度", "最大": "大小", "最小": "大小", "最早": "date", "最晚": "date", "最新": "date"}
_ZH_ORDERS = {
    "最高": True,
    "最大": True,
    "最长": True,
    "最晚": True,
    "最新": True,
    "最低": False,
    "最小": False,
    "最短": False,
    "最早": False,
}
_NUMBER = r"(?P<number>\d[\d,]*(?:\.\d+)?)\s?(?P<scale>thousand|million|billion|bn|k|m|百万|万|亿)?(?![\w-])"
_ZH_NUMBER = r"(?P<number>\d[\d,]*(?:\.\d+)?)(?P<scale>百万|万|亿)?"
_COUNT = r"(?:\d{1,2}|" + "|".join(word for word in _WORD_NUMBERS if word.isascii()) + ")"
_ZH_COUNT = r"(?:\d{1,2}|[两二三四五六七八九十])"
_DATE = r"\d{4}(?:-\d{2}(?:-\d{2})?)?"
_HAVING = ("", "have", "has")
_VERB = r"(?!is|are|was|were)[a-z]{3,}"
_MORE = "|".join(sorted((word for word in _COMPARATORS if word.isascii()), key=len, reverse=True))
_ZH_MORE = "|".join(sorted((word for word in _COMPARATORS if not word.isascii()), key=len, reverse=True))
_SUPERLATIVE = "|".join(sorted((*_DESCENDING, *_ASCENDING), key=len, reverse=True))
_DATED = re.compile(
    rf"\b(?:that (?:was|were) |who (?:was|were) |which (?:was|were) |was |were )?(?P<words>(?!(?:the|and|was|were|year|that|who|which)\b)[a-z]{{3,}}) "
    rf"(?:(?P<how>after|before|since|until) (?P<date>{_DATE})|between (?P<low>{_DATE}) and (?P<high>{_DATE}))\b",
    re.I,
)  # fmt: skip
_VALUED = re.compile(
    rf"\b(?:with (?:an? |the )?|whose |(?:having|that have|who have|which have|have|has) (?:an? ))(?P<words>[a-z][a-z _-]*?) (?:of |is |was |are )?(?P<how>{_MORE}) {_NUMBER}", re.I
)  # fmt: skip
_COUNTED = re.compile(
    rf"\b(?:with|having|(?:that |who |which )?(?P<verb>{_VERB})) (?P<how>{_MORE}) {_NUMBER} (?P<words>[a-z][a-z _-]*?)(?=[?,.]|$| and | born| founded)",
    re.I,
)
_ORDERED = re.compile(
    rf"\b(?:(?:the |which )?(?:top )?(?P<count>{_COUNT}) )?(?:the )?(?P<order>{_SUPERLATIVE})(?:[- ](?P<participle>paid|rated|priced|grossing|ranked|scoring|valued))?\b", re.I
)  # fmt: skip
_TOP = re.compile(rf"\b(?:the )?top (?P<count>{_COUNT})\b(?P<rest>.*?)\b(?:by|in|for) (?P<words>[a-z][a-z _-]*?)(?=[?,.]|$)", re.I)
_BY = re.compile(
    r"\bwith the (?P<order>highest|largest|greatest|biggest|lowest|smallest|longest|shortest) (?P<words>[a-z_-]+(?: [a-z_-]+)?(?=[?,.]|$)|[a-z_-]+)",
    re.I,
)
_PER = re.compile(
    r"^(?:how many|the number of|number of) (?P<what>[a-z][a-z _-]*?) (?:per|for each|does each|did each|has each|do each) (?P<each>[a-z][a-z -]*?)(?: have| own| make| made)?[?.]*$",
    re.I,
)
_ZH_DATED = re.compile(rf"(?:在)?(?P<date>{_DATE})年?(?P<how>以后|之后|后|以前|之前|前|以来)(?P<words>[\u4e00-\u9fff]{{1,4}}?)的")
_ZH_VALUED = re.compile(rf"(?P<words>[\u4e00-\u9fff]{{1,6}}?)(?P<how>{_ZH_MORE}){_ZH_NUMBER}(?:[元美人个部岁米]*)的")
_ZH_COUNTED = re.compile(rf"(?:有)?(?P<words>[\u4e00-\u9fff]{{1,6}}?)(?P<how>{_ZH_MORE}){_ZH_NUMBER}[个名位部家艘座](?:以上)?的")
_ZH_COUNT_FIRST = re.compile(rf"(?:有|拥有)(?P<how>{_ZH_MORE}){_ZH_NUMBER}[个名位部家艘座](?P<words>[\u4e00-\u9fff]{{1,6}}?)的")
_ZH_ORDERED = re.compile(
    rf"(?P<words>[\u4e00-\u9fff]{{0,6}}?)(?P<order>{'|'.join(_ZH_ORDERS)})的(?:前)?(?P<count>{_ZH_COUNT})?[个位名部家座]?"
)
_ZH_ASKING = re.compile("^(?:哪些|哪|请问|列出|有哪些|谁是)+")


@dataclass(frozen=True)
class Condition:
    """The attribute that `words` name compares so with the value: a number, or a date as text (`dated`). `counted`: how many of these, not their value."""

    words: str
    comparator: Comparator
    value: float | str
    dated: bool = False
    counted: bool = False


@dataclass(frozen=True)
class Order:
    """By the attribute that `words` name (empty: unsaid). `dated` words are about time."""

    words: str
    descending: bool


@dataclass(frozen=True)
class Conditions:
    """What the closed-class words say; `rest` is the question without them. `limit` 0: unsaid. `each`: the noun to group by."""

    rest: str
    conditions: tuple[Condition, ...] = ()
    order: Order | None = None
    limit: int = 0
    each: str = ""

    def __bool__(self) -> bool:
        return bool(self.conditions or self.each or (self.order and self.limit))


def conditions(question: str, language: Language) -> Conditions:
    """Every filter, order and limit of the question; empty (false) where there is none."""
    return _chinese(question) if language == "zh" else _english(question)


def _english(question: str) -> Conditions:
    if per := _PER.match(question.strip()):
        return Conditions(per["what"], each=per["each"])
    found: list[Condition] = []
    rest = _taking(_DATED, question, lambda m: _dated(m, found))
    rest = _taking(_COUNTED, rest, lambda m: found.append(_compared(m, counted=True)))
    rest = _taking(_VALUED, rest, lambda m: found.append(_compared(m)))
    order, limit, rest = _english_order(rest)
    return Conditions(_tidy(rest), tuple(found), order, limit)


def _english_order(text: str) -> tuple[Order | None, int, str]:
    if top := _TOP.search(text):
        return Order(top["words"].strip(), True), _count(top["count"]), text[: top.start()] + top["rest"] + text[top.end() :]
    limit = 0
    if counted := re.search(rf"\b(?:the )?(?:top )?(?P<count>{_COUNT})\b", text, re.I):
        limit = _count(counted["count"])
    if by := _BY.search(text):
        without = text[: by.start()] + text[by.end() :]
        return (
            Order(by["words"].strip(), by["order"].lower() in _DESCENDING),
            limit,
            without.replace(counted[0], " ", 1) if counted else without,
        )
    if found := _ORDERED.search(text):
        word = found["order"].lower()
        words = found["participle"] or {**_DESCENDING, **_ASCENDING}[word]
        return (
            Order(words, word in _DESCENDING),
            _count(found["count"]) if found["count"] else 0,
            text[: found.start()] + text[found.end() :],
        )
    return None, 0, text


def _chinese(question: str) -> Conditions:
    found: list[Condition] = []
    rest = _taking(_ZH_DATED, question, lambda m: _dated(m, found))
    for pattern in (_ZH_COUNT_FIRST, _ZH_COUNTED):
        rest = _taking(pattern, rest, lambda m: found.append(_compared(m, counted=True)))
    rest = _taking(_ZH_VALUED, rest, lambda m: found.append(_compared(m)))
    if ordered := _ZH_ORDERED.search(rest):
        words = _ZH_ASKING.sub("", ordered["words"]) or _ZH_ABOUT.get(ordered["order"], "")
        limit = _count(ordered["count"]) if ordered["count"] else 0
        rest = rest[: ordered.start()] + rest[ordered.end() :]
        return Conditions(rest, tuple(found), Order(words, _ZH_ORDERS[ordered["order"]]), limit)
    return Conditions(rest, tuple(found))


def _taking(pattern: re.Pattern[str], text: str, take: Callable[[re.Match[str]], None]) -> str:
    """The text without what the pattern matches, which is handed over."""

    def each(found: re.Match[str]) -> str:
        take(found)
        return " "

    return pattern.sub(each, text)


def _dated(found: re.Match[str], into: list[Condition]) -> None:
    groups = found.groupdict()
    if groups.get("low"):
        into.append(Condition(found["words"], ">=", found["low"], dated=True))
        into.append(Condition(found["words"], "<=", found["high"], dated=True))
        return
    how: Comparator = {
        "after": ">", "before": "<", "since": ">=", "until": "<=", "以后": ">", "之后": ">", "后": ">", "以来": ">=",
    }.get(found["how"].lower(), "<")  # type: ignore[assignment]  # fmt: skip
    into.append(Condition(found["words"], how, found["date"], dated=True))


def _compared(found: re.Match[str], *, counted: bool = False) -> Condition:
    number = float(found["number"].replace(",", "")) * _SCALES.get((found["scale"] or "").lower(), 1)
    verb = found.groupdict().get("verb") or ""
    words = found["words"].strip() if verb.lower() in _HAVING else f"{verb} {found['words'].strip()}"
    return Condition(words, _COMPARATORS[found["how"].lower()], number, counted=counted)


def _count(word: str) -> int:
    return int(word) if word.isdigit() else _WORD_NUMBERS[word.lower()]


def _tidy(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip(" ,")
