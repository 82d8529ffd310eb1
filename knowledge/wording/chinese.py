"""The rules brain's reading of a Chinese question: entity and path are chosen together, by one sum, without a database."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from knowledge.embedding.choice import embedder as process_embedder
from knowledge.embedding.embedder import Embedder
from knowledge.profile.profile import GraphProfile
from knowledge.records import Candidate, Filter, GraphSchema, Step, Walk
from knowledge.wording.chinese_alignment import AlignedPath, ChineseAligner
from knowledge.wording.chinese_conditions import Condition, ConditionReader
from knowledge.wording.chinese_grammar import is_stop
from knowledge.wording.chinese_lexicon import ChineseLexicon, WordEvidence
from knowledge.wording.chinese_question import Asked, around, asked, orders
from knowledge.wording.chinese_spans import Span, spans_of
from knowledge.wording.chinese_weights import WEIGHTS
from knowledge.wording.frame_text import clean
from knowledge.wording.mentions import Links, Uses
from knowledge.wording.reading import Reading
from knowledge.wording.steps import Steps

HOPS = 3
MOST_PATHS = 25
MOST_READINGS = 60
MOST_MENTIONS = 8
NAMED = 0.3
COMMON = 0.45
QUESTION_LIMIT = 200


@dataclass(frozen=True)
class _Mention:
    span: Span
    candidates: tuple[Candidate, ...]
    score: float


class ChineseWording:
    """Built once per schema version and profile; the same face as the English engine. Names and relations may be in either script."""

    def __init__(
        self,
        schema: GraphSchema,
        profile: GraphProfile | None = None,
        embedder: Embedder | None = None,
        of_schema: Embedder | None = None,
    ) -> None:
        self.schema = schema
        self.lexicon = ChineseLexicon(schema, profile or GraphProfile(), embedder or process_embedder(), of_schema)
        self._steps = Steps(schema)
        self._aligner = ChineseAligner(self.lexicon, self._steps, WEIGHTS)
        self._conditions = ConditionReader(self.lexicon, self._steps, self._aligner, WEIGHTS)

    def spans(self, question: str) -> list[str]:
        """Every folded run of characters or words that may be a name, for one batched look-up."""
        return list(dict.fromkeys(s.text for s in spans_of(_shortened(question)) if not is_stop(s.text)))

    def read(self, question: str, candidates: Links, uses: Uses) -> list[Reading]:
        """At most 60 readings, best first; none where no candidate has a relation."""
        text = _shortened(question)
        if not self.schema.relations:
            return []
        mentions = self._mentions(text, candidates)
        found: dict[tuple[str, Walk], Reading] = {}
        for mention in mentions:
            for reading in self._around(text, mention, mentions, uses):
                key = reading.entity.id, reading.walk
                if key not in found or reading.score > found[key].score:
                    found[key] = reading
        return sorted(found.values(), key=lambda r: (-r.score, r.entity.id))[:MOST_READINGS]

    def steps(self, text: str) -> Mapping[Step, float]:
        """How strongly the words name each step, 0 to 1, whatever entity they stand beside; below 0.3 a step counts as not named."""
        rows = [e.steps for e in self._alone(text)]
        best = self._steps.fold(np.max(rows, axis=0)) if rows else np.zeros(len(self._steps.steps))
        return {step: float(best[j]) for j, step in self._steps.walked() if best[j] >= NAMED}

    def kinds(self, text: str) -> Mapping[str, float]:
        """How strongly the words name each kind, by its nouns, by question words, and by nouns for what a relation leads to."""
        best = np.zeros(len(self.schema.kinds))
        for evidence in self._alone(text):
            best = np.maximum(best, evidence.kinds)
            for j, value in enumerate(evidence.steps):
                best[self._steps.target[j]] = max(best[self._steps.target[j]], value * (value >= evidence.relational))
        sides = around(_shortened(text), 0, 0)
        asked_kinds = self.lexicon.meanings.question_kinds.get(asked(sides, self.lexicon).word, ())
        named = {kind: float(v) for kind, v in zip(self.schema.kinds, best, strict=True) if v >= NAMED}
        return {**named, **dict.fromkeys(asked_kinds, 1.0)}

    def _alone(self, text: str) -> list[WordEvidence]:
        sides = around(_shortened(text), 0, 0)
        units = orders(sides, self.lexicon, asked(sides, self.lexicon))[0]
        return [self.lexicon.evidence(u.text) for u in units]

    def _mentions(self, text: str, candidates: Links) -> list[_Mention]:
        """Linked spans, longest and most telling first. A span inside a longer linked one, or one that is a word of the graph, counts less."""
        linked = [s for s in spans_of(text) if candidates.get(s.text) and not is_stop(s.text)]
        self.lexicon.prepare([s.text for s in linked if _may_be_word(s)])
        found = [_Mention(s, tuple(candidates[s.text]), self._telling(s, linked)) for s in linked]
        return sorted(found, key=lambda m: -m.score)[:MOST_MENTIONS]

    def _telling(self, span: Span, linked: Sequence[Span]) -> float:
        han = sum("\u3400" <= c <= "\u9fff" for c in span.text)
        words = len([w for w in span.text.split() if w.isascii()])
        inside = min(WEIGHTS.most_inside, WEIGHTS.han_inside * han + WEIGHTS.word_inside * words) + WEIGHTS.quoted * span.quoted
        contained = any(_within(span, o) for o in linked)
        common = self.lexicon.evidence(span.text).strongest if _may_be_word(span) else 0.0
        return inside - WEIGHTS.contained * contained - WEIGHTS.relational_name * common

    def _around(self, text: str, mention: _Mention, mentions: Sequence[_Mention], uses: Uses) -> list[Reading]:
        """Readings from one name, and those in which another name says which of the answers are meant."""
        others = [other for other in mentions if self._may_be_condition(other, mention, mentions)]
        plain = self._of_mention(text, mention, uses)
        if others:
            plain = [replace(reading, score=reading.score - WEIGHTS.unused_name) for reading in plain]
        return plain + [
            reading
            for other in others
            for condition in self._conditions.read(
                text, mention.span, other.span, other.candidates[0], uses.get(other.candidates[0].entity.id, ())
            )
            for reading in self._of_mention(condition.without(text), replace(mention, span=condition.moved(mention.span)), uses, condition)
        ]

    def _may_be_condition(self, other: _Mention, mention: _Mention, mentions: Sequence[_Mention]) -> bool:
        """A whole name that stands apart from the mention and is no word of the graph."""
        apart = other.span.end <= mention.span.start or mention.span.end <= other.span.start
        whole = not any(_within(s.span, longer.span) for s in (other, mention) for longer in mentions)
        same = {c.entity.id for c in other.candidates} & {c.entity.id for c in mention.candidates}
        return (
            apart and whole and not same and not (_may_be_word(other.span) and self.lexicon.evidence(other.span.text).strongest >= COMMON)
        )

    def _of_mention(self, text: str, mention: _Mention, uses: Uses, condition: Condition | None = None) -> list[Reading]:
        sides = around(text, mention.span.start, mention.span.end)
        question = asked(sides, self.lexicon)
        units = orders(sides, self.lexicon, question)
        found: list[Reading] = []
        aligned: dict[tuple[int, ...], list[AlignedPath]] = {}
        for candidate in mention.candidates:
            first = self._steps.first(uses.get(candidate.entity.id, ()))
            if not first:
                continue
            if first not in aligned:
                aligned[first] = self._aligner.align(units, question, first, HOPS, MOST_PATHS)
            degree = sum(use.count for use in uses.get(candidate.entity.id, ()))
            written = WEIGHTS.as_written * (candidate.entity.name in text)
            base = mention.score + written + WEIGHTS.degree * math.log1p(degree) - WEIGHTS.dissimilar_match * (1 - candidate.similarity)
            paths = [p for p in aligned[first] if condition is None or self._steps.may_follow(p.path[-1], condition.step)]
            found += [self._reading(mention, candidate, path, base, question, condition) for path in paths]
        return found

    def _reading(
        self, mention: _Mention, candidate: Candidate, path: AlignedPath, base: float, question: Asked, condition: Condition | None
    ) -> Reading:
        score, best = (path.score + condition.score, path.best + condition.best) if condition else (path.score, path.best)
        within = bool(self._steps.within_kind[list(path.path)].any())
        asked = self.lexicon.evidence(question.noun).kinds if question.noun else np.zeros(len(self.schema.kinds))
        walk = Walk(
            starts=(candidate.entity.id,),
            steps=self._steps.named(path.path),
            filters=(self._filter(len(path.path), condition),) if condition else (),
            back=path.returns,
            keep_start=within and not question.shares,
            without=tuple(self.schema.kinds[k] for k in self._steps.others(path.path[-1], asked)),
        )
        return Reading(
            entity=candidate.entity,
            mention=mention.span.text,
            walk=walk,
            counts=question.counts,
            score=score + base,
            confidence=min(1.0, max(0.0, (score + mention.score) / (best + mention.score))) if mention.score + best > 0 else 0.0,
            unexplained=path.unexplained,
            expected_kind=self._expected_kind(question),
        )

    def _filter(self, step: int, condition: Condition) -> Filter:
        wanted = self._steps.steps[condition.step]
        return Filter(step, wanted.relation, wanted.direction, (condition.value.entity.name,))

    def _expected_kind(self, question: Asked) -> str:
        expected = self._aligner.expected(question)
        return self.schema.kinds[int(self._steps.target[int(expected.argmax())])] if expected.any() else ""


def _within(span: Span, other: Span) -> bool:
    return other.start <= span.start and span.end <= other.end and other.end - other.start > span.end - span.start


def _may_be_word(span: Span) -> bool:
    """A short run of Chinese characters, which may name a relation or a kind as well as a thing."""
    return not span.quoted and len(span.text) <= 4 and not span.text.isascii()


def _shortened(question: str) -> str:
    return clean(question)[:QUESTION_LIMIT]
