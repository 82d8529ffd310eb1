"""A second name in a Chinese question as a condition on the answers: 总部在甲的, 乙投资过的, 哪些受到过丙的处罚."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from knowledge.records import Candidate, RelationUse
from knowledge.wording.chinese_alignment import ChineseAligner
from knowledge.wording.chinese_grammar import ASKED, WHERE, WHO
from knowledge.wording.chinese_lexicon import ChineseLexicon
from knowledge.wording.chinese_question import Asked, around, orders
from knowledge.wording.chinese_spans import Span
from knowledge.wording.chinese_weights import ChineseWeights
from knowledge.wording.steps import Steps

MOST_CONDITIONS = 2
SURE = 0.5
_EDGE = re.compile(rf"[,、;:?!。]|的|{WHO.pattern}|{WHERE.pattern}|{ASKED.pattern}|之?其?当?中|里")
_NOTHING_ASKED = Asked("", "", stated=False, counts=False, shares=False)


@dataclass(frozen=True)
class Condition:
    """`step` leads from an answer to `value`. The words at [start, end) say so, and they are worth `score` of at most `best`."""

    step: int
    value: Candidate
    start: int
    end: int
    score: float
    best: float

    def without(self, text: str) -> str:
        return text[: self.start] + text[self.end :]

    def moved(self, span: Span) -> Span:
        """Where a span outside the condition stands once the condition is gone."""
        by = self.end - self.start if span.start >= self.end else 0
        return Span(span.text, span.start - by, span.end - by, span.quoted)


class ConditionReader:
    """Reads the words around a name as one step from it."""

    def __init__(self, lexicon: ChineseLexicon, steps: Steps, aligner: ChineseAligner, weights: ChineseWeights) -> None:
        self._lexicon = lexicon
        self._steps = steps
        self._aligner = aligner
        self._weights = weights

    def read(self, text: str, mention: Span, other: Span, value: Candidate, uses: Iterable[RelationUse]) -> list[Condition]:
        """The surest conditions that `other` may put on what is reached from `mention`, at most two."""
        first = self._steps.first(uses)
        found = [c for start, end in _regions(text, mention, other) for c in self._of_region(text, start, end, other, value, first)]
        best: dict[int, Condition] = {}
        for condition in sorted(found, key=lambda c: (-c.score, c.end - c.start)):
            best.setdefault(condition.step, condition)
        return list(best.values())[:MOST_CONDITIONS]

    def _of_region(self, text: str, start: int, end: int, other: Span, value: Candidate, first: Sequence[int]) -> list[Condition]:
        sides = around(text[start:end], other.start - start, other.end - start)
        units = orders(sides, self._lexicon, _NOTHING_ASKED)
        if not first or not units[0]:
            return []
        gone = end + 1 if text[end : end + 1] == "的" else end
        aligned = self._aligner.align(units, _NOTHING_ASKED, tuple(first), 1, MOST_CONDITIONS)
        return [
            Condition(
                int(self._steps.inverse[a.path[0]]), value, start, gone, a.score + self._weights.condition, a.best + self._weights.condition
            )
            for a in aligned
            if a.score >= SURE * a.best and not a.unexplained
        ]


def _regions(text: str, mention: Span, other: Span) -> list[tuple[int, int]]:
    """Where the words of the condition may begin and end: from the last edge before the name to an edge behind it."""
    floor = mention.end if mention.end <= other.start else 0
    ceiling = mention.start if mention.start >= other.end else len(text)
    before = [m.end() for m in _EDGE.finditer(text, floor, other.start)]
    start = before[-1] if before else floor
    after = [m.start() for m in _EDGE.finditer(text, other.end, ceiling)]
    if text[other.end : other.end + 1] == "的":
        after.append(next((m.start() for m in _EDGE.finditer(text, other.end + 1, ceiling)), ceiling))
    return [
        (start, end) for end in dict.fromkeys([other.end, *after[:1], *after[-1:], ceiling]) if not _EDGE.search(text[other.end + 1 : end])
    ]
