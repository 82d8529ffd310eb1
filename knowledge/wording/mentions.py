"""Which spans of a question name something, how likely each is meant, and which may be a condition on the answers."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from knowledge.records import Candidate, RelationUse
from knowledge.wording.english import informativeness
from knowledge.wording.lexicon import Lexicon
from knowledge.wording.question import Question
from knowledge.wording.weights import Weights

Links = Mapping[str, Sequence[Candidate]]
Uses = Mapping[str, Sequence[RelationUse]]
MOST_MENTIONS = 10
SYMBOL_SCORE = 0.5
CROWDED = 3
NEVER_NAMES = frozenset(("the", "of", "in", "a", "is"))
RELATIONAL = 0.45
MOST_CONDITIONS = 2
CUE_WITHIN = 3


@dataclass(frozen=True)
class Mention:
    """A span that names something. `score` is what the span alone is worth; a symbol ("!!!") has an empty span."""

    text: str
    start: int
    end: int
    candidates: tuple[Candidate, ...]
    score: float = SYMBOL_SCORE
    relational: float = 0.0

    def within(self, other: "Mention") -> bool:
        return other.start <= self.start and self.end <= other.end and other.end - other.start > self.end - self.start

    def apart(self, other: "Mention") -> bool:
        return self.end <= other.start or self.start >= other.end

    @property
    def places(self) -> range:
        return range(self.start, self.end)


@dataclass(frozen=True)
class Condition:
    """A second entity that the answers must be objects' subjects of. `places`: the words that say so; `score`: what they are worth."""

    relation: int
    value: Candidate
    places: frozenset[int]
    score: float


def degree(candidate: Candidate, uses: Uses) -> int:
    """Facts of the entity in the scope, as the search counted them or as its relations sum up."""
    return candidate.degree or sum(use.count for use in uses.get(candidate.entity.id, ()))


class MentionFinder:
    """Weighs linked spans."""

    def __init__(self, lexicon: Lexicon, weights: Weights) -> None:
        self._lexicon = lexicon
        self._weights = weights
        self._relations = {name: i for i, name in enumerate(lexicon.meanings.relations)}

    def find(self, question: Question, links: Links) -> list[Mention]:
        """The ten most telling spans, then the symbols."""
        spans = [(i, j) for i, j in question.spans() if links.get(question.text(i, j))]
        if len(spans) > CROWDED:
            spans = [(i, j) for i, j in spans if question.text(i, j) not in NEVER_NAMES]
        spans = sorted(spans, key=lambda span: -self._telling(question, *span))[:MOST_MENTIONS]
        named = [self._mention(question, i, j, spans, links) for i, j in spans]
        return named + [Mention(symbol, 0, 0, tuple(links[symbol])) for symbol in question.symbols if links.get(symbol)]

    def _telling(self, question: Question, start: int, end: int) -> float:
        return sum(informativeness(w) * self._weights.inside + self._weights.inside_each for w in question.words[start:end])

    def _mention(self, question: Question, start: int, end: int, spans: list[tuple[int, int]], links: Links) -> Mention:
        relational = self._relational(question.words[start:end])
        contained = any(i <= start and end <= j and j - i > end - start for i, j in spans)
        score = self._telling(question, start, end) - self._weights.contained * contained
        score -= self._weights.relational_name * relational * (2 if end - start == 1 else 1)
        text = question.text(start, end)
        return Mention(text, start, end, tuple(links[text]), score, relational)

    def _relational(self, words: Sequence[str]) -> float:
        """How much the words of a span speak of relations and kinds, on average."""
        found = [self._lexicon.evidence(w) if informativeness(w) else None for w in words]
        return sum(0.5 if e is None else max(e.strongest, float(e.kinds.max(initial=0))) for e in found) / len(found)

    def score(self, mention: Mention, candidate: Candidate, uses: Uses) -> float:
        """What it is worth to mean `candidate` by this mention."""
        facts = degree(candidate, uses)
        distance = self._weights.dissimilar_match * (1 - candidate.similarity)
        return mention.score + self._weights.degree * math.log1p(facts) - distance

    def conditions(self, question: Question, mention: Mention, mentions: Sequence[Mention], uses: Uses, facts: int) -> list[Condition]:
        """Other mentions, of something with more facts than the candidate's `facts`, that may be a condition on the answers."""
        others = [
            m
            for m in mentions
            if m.places
            and m.apart(mention)
            and m.relational < RELATIONAL
            and any(informativeness(question.words[x]) for x in m.places)
            and not any(m.within(longer) for longer in mentions)
        ]
        found = []
        for other in others[:MOST_CONDITIONS]:
            if degree(other.candidates[0], uses) > facts:
                used = {use.relation for use in uses.get(other.candidates[0].entity.id, ()) if use.direction == "in"}
                relations = [self._relations[name] for name in sorted(used) if name in self._relations]
                found += [self._condition(question, mention, other, relation, alone=len(relations) == 1) for relation in relations]
        return found

    def _condition(self, question: Question, mention: Mention, other: Mention, relation: int, *, alone: bool) -> Condition:
        """With the words before the value that name its relation; to choose one of several without such a word is a guess."""
        before = range(max(0, other.start - CUE_WITHIN), other.start)
        cues = [
            x
            for x in before
            if x not in mention.places and informativeness(w := question.words[x]) and self._lexicon.relation(w)[relation] > 0.5
        ]
        places = frozenset((*other.places, *cues))
        worth = sum(informativeness(question.words[x]) for x in places) * self._weights.value_word - self._weights.value
        worth -= 0.0 if cues or alone else self._weights.missing_step
        return Condition(relation, other.candidates[0], places, worth)

    def best_possible(self, question: Question, mention: Mention) -> float:
        """The score of a reading that explains every word."""
        outside = sum(informativeness(w) for x, w in enumerate(question.words) if x not in mention.places)
        return outside + self._telling(question, mention.start, mention.end)
