"""What the words of a question stand on: the names that are known, the relations around them, and the engine that aligns the rest."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from agents.exchange import Mention, ReadingRef, entity_ref
from agents.specs import walk_spec
from knowledge.identity import fold
from knowledge.reading.contract import KgReader
from knowledge.records import Candidate, GraphSchema, RelationUse, Step
from knowledge.wording.aligner import Aligner
from knowledge.wording.frame_model import Language
from knowledge.wording.reading import Reading

MOST_CANDIDATES = 5
MOST_READINGS = 5
CLEARLY = 0.3
SURE = 0.5
_RANK = {"exact": 0, "alias": 1, "folded": 2, "partial": 3, "fuzzy": 4, "vector": 5}


@dataclass(frozen=True)
class Ground:
    """Links by folded span, relation uses by entity id."""

    question: str
    language: Language
    aligner: Aligner
    schema: GraphSchema
    links: Mapping[str, list[Candidate]]
    uses: Mapping[str, list[RelationUse]]

    def read(self, text: str) -> list[Reading]:
        """Readings of a text that holds linked names, best first.

        Where the words clearly ask for a relation that the entity does not have, that is the only reading: the honest answer is that
        nothing is recorded, not the nearest thing that is.
        """
        recorded = self.aligner.read(text, self.links, self.uses)
        if not recorded:
            return recorded
        best = recorded[0]
        possible = self.aligner.read(text, {best.mention: self.links[best.mention]}, self._possible_uses(best))
        absent = [r for r in possible if r.score > best.score + CLEARLY and r.confidence >= SURE and not self._recorded(r)]
        return absent[:1] or recorded

    def relational(self, word: str) -> float:
        """How strongly a word names a relation, 0 to 1."""
        return max(self.aligner.steps(word).values(), default=0.0)

    def kindly(self, word: str) -> float:
        """How strongly a word names a kind of thing, 0 to 1."""
        return max(self.aligner.kinds(word).values(), default=0.0)

    def _recorded(self, reading: Reading) -> bool:
        first = reading.walk.steps[0]
        return any(Step(use.relation, use.direction) == first for use in self.uses.get(reading.entity.id, []))

    def _possible_uses(self, reading: Reading) -> dict[str, list[RelationUse]]:
        """Every relation that things of the entity's kinds take part in, as if the entity had it once."""
        sources = {
            step: kinds
            for r in self.schema.relations
            for step, kinds in ((Step(r.name, "out"), r.subject_kinds), (Step(r.name, "in"), r.object_kinds))
        }
        own = {Step(use.relation, use.direction) for use in self.uses.get(reading.entity.id, [])}
        own_kinds = {sources[step][0] for step in own if step in sources}
        possible = [RelationUse(step.relation, step.direction, 1) for step, kinds in sources.items() if own_kinds & set(kinds)]
        return {reading.entity.id: possible}

    def mention(self, text: str) -> Mention:
        """The entity that a noun phrase names: its longest linked span, whose best candidate is chosen."""
        candidates = self.links.get(self.span(fold(text)), [])
        ranked = sorted(self._spelled(candidates), key=lambda c: (_RANK[c.match], -c.degree))
        refs = [entity_ref(c.entity) for c in ranked[:MOST_CANDIDATES]]
        return {"text": text, "chosen": refs[:1], "candidates": refs}

    def mention_of(self, reading: Reading) -> Mention:
        """The mention behind a reading, with what else its span may mean."""
        candidates = self._spelled(self.links.get(reading.mention, []))
        others = [entity_ref(c.entity) for c in candidates if c.entity.id != reading.entity.id]
        chosen = entity_ref(reading.entity)
        return {"text": reading.mention, "chosen": [chosen], "candidates": [chosen, *others][:MOST_CANDIDATES]}

    def _spelled(self, candidates: Sequence[Candidate]) -> Sequence[Candidate]:
        """The candidates whose name stands in the question to the letter, the longest one; all where none does."""
        spelled = [c for c in candidates if c.entity.name in self.question]
        longest = max((len(c.entity.name) for c in spelled), default=0)
        return [c for c in spelled if len(c.entity.name) == longest] or candidates

    def span(self, folded: str) -> str:
        """The longest linked name in a folded text, empty where there is none."""
        padded = f" {folded} "
        inside = [span for span in self.links if f" {span} " in padded or (not span.isascii() and span in folded)]
        return max(inside, key=len, default="")


def ground(question: str, language: Language, aligner: Aligner, schema: GraphSchema, reader: KgReader, names: Sequence[str] = ()) -> Ground:
    """Link every span of the question (and `names`), then look up the relations around what was found: two statements."""
    spans = list(dict.fromkeys([*aligner.spans(question), *(fold(name) for name in names)]))
    links = {span: found for span, found in reader.link(spans).items() if found} if spans else {}
    ids = list(dict.fromkeys(c.entity.id for found in links.values() for c in found))
    return Ground(question, language, aligner, schema, links, reader.relations(ids) if ids else {})


def reading_refs(readings: Sequence[Reading]) -> list[ReadingRef]:
    """The best distinct readings as state carries them."""
    refs = [
        ReadingRef(
            strategy="walk", starts=[r.entity.id], ends=[], spec=walk_spec(r.walk), expects=r.expected_kind,
            score=round(r.score, 4), confidence=round(r.confidence, 4),
        )
        for r in readings
    ]  # fmt: skip
    return refs[:MOST_READINGS]
