"""The rules brain's reading of a question: entity and path are chosen together, by one sum, without a database."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

import numpy as np

from knowledge.profile.profile import GraphProfile
from knowledge.records import Candidate, Filter, GraphSchema, Step, Walk
from knowledge.wording.alignment import Aligned, Aligner
from knowledge.wording.chunks import ChunkReader
from knowledge.wording.definition import DefinitionReader
from knowledge.wording.english import load_frequencies
from knowledge.wording.expected import Expected, ExpectedKindReader
from knowledge.wording.gender import Sex, word_sex
from knowledge.wording.lexicon import Lexicon
from knowledge.wording.mentions import Condition, Links, Mention, MentionFinder, Uses, degree
from knowledge.wording.phrases import PhraseJoiner
from knowledge.wording.profile_lexicon import meanings_of
from knowledge.wording.question import Question, View, parse_question
from knowledge.wording.reading import Reading
from knowledge.wording.steps import PathIds, Steps
from knowledge.wording.units import SexAttribute, UnitReader
from knowledge.wording.weights import WEIGHTS

Neighbours = Mapping[str, Mapping[Step, Collection[Step]]]
HOPS = 3
MOST_PATHS = 25
MOST_PATHS_WITH_CONDITION = 5
MOST_READINGS = 60
EXPLAINED = 0.3
SEXLESS = 0.01
MOST_SEX_VALUES = 8


@dataclass(frozen=True)
class _Scored:
    """A reading before it is written as one."""

    score: float
    mention: Mention
    candidate: Candidate
    aligned: Aligned
    expected: Expected
    condition: Condition | None


@dataclass
class _Task:
    """One question with what was looked up for it. `aligned` remembers alignments, which many candidates share."""

    question: Question
    mentions: list[Mention]
    uses: Uses
    neighbours: Neighbours
    aligned: dict[object, tuple[list[Aligned], Expected]] = field(default_factory=dict)


class Wording:
    """Built once per schema version and profile. English; another language gives the same Readings from an aligner of its own.

    `spans` says what to look up, `read` what the question may mean once the links and the relations of the linked entities are known.
    """

    def __init__(self, schema: GraphSchema, profile: GraphProfile | None = None) -> None:
        self.schema = schema
        self.lexicon = Lexicon(meanings_of(schema, profile or GraphProfile()))
        self._steps = Steps(schema)
        definitions = DefinitionReader(self.lexicon)
        load_frequencies()
        self._joiner = PhraseJoiner(self.lexicon, definitions)
        self._mentions = MentionFinder(self.lexicon, WEIGHTS)
        self._sexes = sex_attribute(schema)
        self._units = UnitReader(self.lexicon, definitions, self._steps, self._sexes, WEIGHTS)
        expected = ExpectedKindReader(self.lexicon, schema, WEIGHTS)
        chunks = ChunkReader(self.lexicon, self._steps, WEIGHTS)
        self._aligner = Aligner(self.lexicon, self._steps, self._units, expected, chunks, WEIGHTS)

    def spans(self, question: str) -> list[str]:
        """Every folded span that may be a name, for one batched look-up."""
        parsed = parse_question(question)
        return [*dict.fromkeys(parsed.text(i, j) for i, j in parsed.spans()), *parsed.symbols]

    def read(self, question: str, candidates: Links, uses: Uses, neighbours: Neighbours | None = None) -> list[Reading]:
        """At most 60 readings, best first; none where no candidate has a relation.

        `candidates` by folded span; `uses` by entity id. `neighbours`, for graphs with hundreds of relations: by entity id, for each step
        that it offers the steps that the nodes behind it offer.
        """
        parsed = parse_question(question)
        if not self.schema.relations:
            return []
        task = _Task(parsed, self._mentions.find(parsed, candidates), uses, neighbours or {})
        found = [s for mention in task.mentions for candidate in mention.candidates for s in self._of_candidate(task, mention, candidate)]
        return self._written(task, sorted(found, key=lambda s: -s.score))

    def steps(self, text: str) -> Mapping[Step, float]:
        """How strongly the words name each step, 0 to 1, whatever entity they stand beside; below 0.3 a step counts as not named.

        A word that takes several steps ("grandmother") names none.
        """
        view = self._alone(text)
        units = self._units.read(view, list(range(len(view.words))))
        places = [u.place for u in units]
        single = [u.steps for u in units if places.count(u.place) == 1]
        if not single:
            return {}
        best = np.max(single, axis=0)
        return {step: float(best[j]) for j, step in self._steps.walked() if best[j] >= EXPLAINED}

    def kinds(self, text: str) -> Mapping[str, float]:
        """How strongly the words name each kind, 0 to 1, by its own nouns, by role nouns ("director") and by question words ("who")."""
        found: dict[str, float] = {}
        view = self._alone(text)
        for word in (view.words[x] for x in view.content(list(range(len(view.words))))):
            for kind, value in zip(self.schema.kinds, self.lexicon.evidence(word).roles, strict=True):
                found[kind] = max(found.get(kind, 0.0), float(value))
        for question in parse_question(text).words:
            found.update(dict.fromkeys(self.lexicon.meanings.question_kinds.get(question, ()), 1.0))
        return {kind: value for kind, value in found.items() if value >= EXPLAINED}

    def _alone(self, text: str) -> View:
        """A text without a mention, with those words joined that mean one thing together."""
        parsed = parse_question(text)
        return self._joiner.view(parsed, len(parsed.words), len(parsed.words))

    def _of_candidate(self, task: _Task, mention: Mention, candidate: Candidate) -> list[_Scored]:
        first = self._steps.first(task.uses.get(candidate.entity.id, ()))
        if not first:
            return []
        base = self._mentions.score(mention, candidate, task.uses)
        paths, expected = self._align(task, mention, candidate, first, frozenset())
        found = [_Scored(path.score + base, mention, candidate, path, expected, None) for path in paths]
        if not mention.places:
            return found
        facts = degree(candidate, task.uses)
        for condition in self._mentions.conditions(task.question, mention, task.mentions, task.uses, facts):
            paths, expected = self._align(task, mention, candidate, first, condition.places)
            found += [
                _Scored(path.score + base + condition.score, mention, candidate, path, expected, condition)
                for path in paths[:MOST_PATHS_WITH_CONDITION]
                if self._steps.may_meet(path.path[-1], 2 * condition.relation)
            ]
        return found

    def _align(
        self, task: _Task, mention: Mention, candidate: Candidate, first: PathIds, skip: frozenset[int]
    ) -> tuple[list[Aligned], Expected]:
        neighbours = task.neighbours.get(candidate.entity.id)
        key = mention.start, mention.end, first, skip, candidate.entity.id if neighbours else ""
        if key not in task.aligned:
            view = self._joiner.view(task.question, mention.start, mention.end, skip)
            task.aligned[key] = self._aligner.align(view, first, HOPS, neighbours, MOST_PATHS)
        return task.aligned[key]

    def _written(self, task: _Task, scored: list[_Scored]) -> list[Reading]:
        """Each (entity, walk) once."""
        found: dict[tuple[str, Walk], Reading] = {}
        for one in scored[:MOST_READINGS]:
            for reading in self._readings(task, one):
                found.setdefault((reading.entity.id, reading.walk), reading)
        return sorted(found.values(), key=lambda r: -r.score)

    def _readings(self, task: _Task, one: _Scored) -> list[Reading]:
        """The reading, and just below it the same without the sexes that words ask for, in case the graph does not state them."""
        best = self._mentions.best_possible(task.question, one.mention)
        walks = [self._walk(one, sexes) for sexes in ((True, False) if self._sex_filters(one) else (True,))]
        return [
            Reading(
                entity=one.candidate.entity,
                mention=one.mention.text,
                walk=walk,
                counts=task.question.counts,
                score=one.score - SEXLESS * n,
                confidence=min(1.0, max(0.0, one.score / best)) if best else 0.0,
                unexplained=self._unexplained(one),
                expected_kind=self._expected_kind(one.expected),
            )
            for n, walk in enumerate(walks)
        ]

    def _walk(self, one: _Scored, sexes: bool) -> Walk:
        path, aligned = one.aligned.path, one.aligned
        back = aligned.goes_back()
        excludes = aligned.shares or any(u.back for u in aligned.block.order.units)
        filters = self._sex_filters(one) if sexes else ()
        if one.condition:
            relation = self.schema.relations[one.condition.relation].name
            filters = (*filters, Filter(len(path), relation, "out", (one.condition.value.entity.name,)))
        return Walk(
            starts=(one.candidate.entity.id,),
            steps=self._steps.named(path),
            filters=filters,
            back=tuple(sorted(back)),
            keep_start=bool(self._steps.within_kind[list(path)].any()) and not excludes,
            without=tuple(self.schema.kinds[k] for k in self._steps.others(path[-1], one.expected.named)),
        )

    def _sex_filters(self, one: _Scored) -> tuple[Filter, ...]:
        if not self._sexes:
            return ()
        relation = self.schema.relations[self._sexes.relation].name
        return tuple(Filter(step + 1, relation, "out", self._sexes.values[sex]) for step, sex in sorted(one.aligned.sexes()))

    def _unexplained(self, one: _Scored) -> tuple[str, ...]:
        """Content words that neither step, kind nor condition accounts for, in the order of the question."""
        units = one.aligned.block.order.units
        values: dict[int, float] = {}
        for unit, value in zip(units, one.aligned.block.explained(one.aligned.row), strict=True):
            values[unit.place] = max(values.get(unit.place, 0.0), float(value))
        words = {unit.place: unit.surface for unit in units}
        return tuple(words[place] for place in sorted(values) if place >= 0 and values[place] < EXPLAINED)

    def _expected_kind(self, expected: Expected) -> str:
        if expected.stated and expected.kinds.any():
            return self.schema.kinds[int(expected.kinds.argmax())]
        if expected.relations.any():
            return self.schema.relations[int(expected.relations.argmax())].object_kind
        return ""


def sex_attribute(schema: GraphSchema) -> SexAttribute | None:
    """The attribute with at most eight values of which WordNet calls some male and some female."""
    found = None
    for i, relation in enumerate(schema.relations):
        if not 1 < relation.objects <= MOST_SEX_VALUES:
            continue
        sexes: dict[Sex, list[str]] = {}
        for value in relation.object_samples:
            sex = word_sex(value.lower())
            if sex:
                sexes.setdefault(sex, []).append(value)
        if len(sexes) == 2:
            found = SexAttribute(i, {sex: tuple(sorted(values)) for sex, values in sexes.items()})
    return found
