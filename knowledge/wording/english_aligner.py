"""The English engine behind the common face of aligners."""

from collections.abc import Mapping

from knowledge.profile.profile import GraphProfile
from knowledge.records import Candidate, GraphSchema, RelationUse, Step
from knowledge.wording.engine import Wording
from knowledge.wording.english import informativeness
from knowledge.wording.lexicon import Evidence
from knowledge.wording.question import parse_question
from knowledge.wording.reading import Reading

NAMED = 0.2


class EnglishAligner:
    """An `Aligner` for English; `steps` and `kinds` take the word that names each of them best."""

    def __init__(self, schema: GraphSchema, profile: GraphProfile) -> None:
        self._wording = Wording(schema, profile)
        self._steps = [step for r in schema.relations for step in (Step(r.name, "out"), Step(r.name, "in"))]
        self._kinds = schema.kinds

    def spans(self, question: str) -> list[str]:
        return self._wording.spans(question)

    def read(self, question: str, candidates: Mapping[str, list[Candidate]], uses: Mapping[str, list[RelationUse]]) -> list[Reading]:
        return self._wording.read(question, candidates, uses)

    def steps(self, text: str) -> Mapping[Step, float]:
        best = dict[Step, float]()
        for evidence in self._evidence(text):
            for step, value in zip(self._steps, evidence.steps, strict=True):
                if value >= NAMED:
                    best[step] = max(best.get(step, 0.0), float(value))
        return best

    def kinds(self, text: str) -> Mapping[str, float]:
        best = dict[str, float]()
        for evidence in self._evidence(text):
            for kind, value in zip(self._kinds, evidence.roles, strict=True):
                if value >= NAMED:
                    best[kind] = max(best.get(kind, 0.0), float(value))
        return best

    def _evidence(self, text: str) -> list[Evidence]:
        return [self._wording.lexicon.evidence(word) for word in parse_question(text).words if informativeness(word) > 0]
