"""Reading a question in a language without grammar here: the vector of the question without its name against the texts of paths."""

import math
from collections.abc import Mapping, Sequence

import numpy as np

from knowledge.embedding.choice import embedder as process_embedder
from knowledge.embedding.embedder import Embedder
from knowledge.profile.profile import GraphProfile
from knowledge.records import Candidate, GraphSchema, Step, Walk
from knowledge.wording.chinese_lexicon import ChineseLexicon
from knowledge.wording.chinese_spans import Span, spans_of
from knowledge.wording.frame_text import clean
from knowledge.wording.mentions import Links, Uses
from knowledge.wording.reading import Reading
from knowledge.wording.relation_name import parse
from knowledge.wording.steps import PathIds, Steps
from knowledge.wording.vectors import Array

HOPS = 2
MOST_PATHS = 300
MOST_READINGS = 20
MOST_MENTIONS = 3
NAMED = 0.3
HOP = 0.1
QUESTION_LIMIT = 300


class VectorWording:
    """The same face as the engines with grammar. Confidence is the cosine: it stays low, and says how little was understood."""

    def __init__(self, schema: GraphSchema, profile: GraphProfile | None = None, embedder: Embedder | None = None) -> None:
        self.schema = schema
        self._embedder = embedder or process_embedder()
        self._lexicon = ChineseLexicon(schema, profile or GraphProfile(), self._embedder)
        self._steps = Steps(schema)
        self._texts: dict[PathIds, Array] = {}

    def spans(self, question: str) -> list[str]:
        """Every folded run of words or characters that may be a name."""
        return list(dict.fromkeys(s.text for s in spans_of(clean(question)[:QUESTION_LIMIT])))

    def read(self, question: str, candidates: Links, uses: Uses) -> list[Reading]:
        """At most 20 readings, best first, of the longest linked mentions."""
        text = clean(question)[:QUESTION_LIMIT]
        linked = sorted((s for s in spans_of(text) if candidates.get(s.text)), key=lambda s: s.start - s.end)[:MOST_MENTIONS]
        found = [r for span in linked for candidate in candidates[span.text] for r in self._of_candidate(text, span, candidate, uses)]
        best: dict[tuple[str, Walk], Reading] = {}
        for reading in sorted(found, key=lambda r: -r.score):
            best.setdefault((reading.entity.id, reading.walk), reading)
        return list(best.values())[:MOST_READINGS]

    def steps(self, text: str) -> Mapping[Step, float]:
        """How near the text is to each step's words, 0 to 1."""
        evidence = self._lexicon.evidence(clean(text)[:QUESTION_LIMIT] or " ").steps
        return {step: float(evidence[j]) for j, step in self._steps.walked() if evidence[j] >= NAMED}

    def kinds(self, text: str) -> Mapping[str, float]:
        """How near the text is to each kind's words, 0 to 1."""
        evidence = self._lexicon.evidence(clean(text)[:QUESTION_LIMIT] or " ").kinds
        return {kind: float(v) for kind, v in zip(self.schema.kinds, evidence, strict=True) if v >= NAMED}

    def _of_candidate(self, text: str, span: Span, candidate: Candidate, uses: Uses) -> list[Reading]:
        first = self._steps.first(uses.get(candidate.entity.id, ()))
        masked = f"{text[: span.start]} {text[span.end :]}".strip(" ?!.") or text
        paths = self._steps.paths(first, HOPS, np.zeros(len(self._steps.steps)))[:MOST_PATHS] if first else []
        if not paths:
            return []
        cosine = self._path_vectors(paths) @ np.asarray(self._embedder.embed([masked])[0], dtype=np.float64)
        worth = math.log1p(len(span.text)) + span.quoted
        order = np.argsort(-(cosine - HOP * np.array([len(p) for p in paths])), kind="stable")[:MOST_READINGS]
        return [
            Reading(
                entity=candidate.entity,
                mention=span.text,
                walk=Walk(starts=(candidate.entity.id,), steps=self._steps.named(paths[i])),
                counts=False,
                score=float(cosine[i]) - HOP * len(paths[i]) + worth,
                confidence=min(1.0, max(0.0, float(cosine[i]))),
                unexplained=(),
                expected_kind="",
            )
            for i in order
        ]

    def _path_vectors(self, paths: Sequence[PathIds]) -> Array:
        missing = [p for p in paths if p not in self._texts]
        if missing:
            texts = [", ".join(parse(step.relation).text for step in self._steps.named(p)) for p in missing]
            rows = np.asarray(self._embedder.embed(texts), dtype=np.float64)
            self._texts.update(zip(missing, rows, strict=True))
        return np.array([self._texts[p] for p in paths])
