"""The content words of a question as units of evidence for steps and kinds, with the direction that the wording gives them."""

import re
from dataclasses import dataclass

import numpy as np

from knowledge.wording.definition import Definition, DefinitionReader
from knowledge.wording.english import AUXILIARIES, FUNCTION_WORDS, PASSIVE, informativeness
from knowledge.wording.gender import Sex, word_sex
from knowledge.wording.lexicon import Lexicon, names_subject
from knowledge.wording.question import View
from knowledge.wording.relation_name import parse
from knowledge.wording.steps import Steps
from knowledge.wording.vectors import Array
from knowledge.wording.weights import Weights
from knowledge.wording.wordnet import wordnet

MOST_UNITS = 10
AGENT_ENDING = re.compile("(?:er|or)$")


@dataclass(frozen=True)
class SexAttribute:
    """The relation whose values say male or female, and which value says which."""

    relation: int
    values: dict[Sex, tuple[str, ...]]


@dataclass(frozen=True)
class Unit:
    """Evidence per step (J,) and per kind (K,). `hard`: must take the step after the unit before. `back`: goes back over that step.

    `place`: where the word stands in the view, -1 for none. `word`: what the unit means; `surface`: what the question says.
    """

    word: str
    surface: str
    place: int
    weight: float
    steps: Array
    kinds: Array
    hard: bool = False
    sex: Sex | None = None
    back: bool = False


class UnitReader:
    """Makes units of words."""

    def __init__(self, lexicon: Lexicon, definitions: DefinitionReader, steps: Steps, sexes: SexAttribute | None, weights: Weights) -> None:
        self._lexicon = lexicon
        self._definitions = definitions
        self._steps = steps
        self._sexes = sexes
        self._weights = weights
        self._names = [parse(r) for r in lexicon.meanings.relations]

    def read(self, view: View, order: list[int]) -> list[Unit]:
        """At most ten units, in reading order; "a man or a woman" comes last as one unit."""
        alternative = self._alternative_sexes(view)
        units: list[Unit] = []
        for x in view.content(order):
            if x not in alternative:
                units += self._read_word(view, x)
        units = units[:MOST_UNITS]
        return [*units, self._any_sex()] if alternative else units

    def _read_word(self, view: View, x: int) -> list[Unit]:
        word = view.words[x]
        weight = informativeness(word.replace("_", " "))
        evidence = self._lexicon.evidence(word)
        definition = self._definitions.read(word)
        if definition and (len(definition) > 1 or (definition[0].sex and self._sexes)):
            return self._read_definition(view, x, weight, definition)
        return [Unit(word, word, x, weight, self._steps.fold(self._steered(evidence.steps, view, x)), evidence.kinds)]

    def _read_definition(self, view: View, x: int, weight: float, definition: Definition) -> list[Unit]:
        units = []
        for k, step in enumerate(definition):
            evidence = self._lexicon.evidence(step.word)
            steps = self._steps.fold(self._steered(evidence.steps, view, x))
            units.append(
                Unit(
                    word=step.word,
                    surface=view.words[x],
                    place=x,
                    weight=weight / len(definition),
                    steps=steps[self._steps.inverse] if step.back else steps,
                    kinds=evidence.kinds if len(definition) == 1 else np.zeros_like(evidence.kinds),
                    hard=k > 0,
                    sex=step.sex,
                    back=step.back,
                )
            )
        return units

    def _steered(self, steps: Array, view: View, x: int) -> Array:
        """On steps within one kind the direction must come from the wording; where an end is mixed, only if the name or the noun tells who acts. Always a copy."""
        steered = self._with_particle(steps, view, x)
        if not self._steps.within_kind.any():
            return steered
        by_verb, direction = self._voice(view, x)
        for j in np.nonzero(self._steps.within_kind)[0]:
            relation = int(self._steps.relation[j])
            if self._steps.mixed[j] and not self._tells_who_acts(view.words[x], relation):
                continue
            wanted = self._wanted(view.words[x], relation, by_verb, direction)
            if self._steps.backward[j] != wanted:
                steered[j] *= self._weights.against_direction
        return steered

    def _with_particle(self, steps: Array, view: View, x: int) -> Array:
        """ "works on": of the relations that "works" names alike, those with another particle (`works_in`) count less. Always a copy."""
        steered = steps.copy()
        follows = view.words[x + 1] if x + 1 < len(view.words) else ""
        particles = np.repeat([name.particle for name in self._names], 2)
        same = particles == follows
        if follows and steps[same].max(initial=0.0) >= steps.max(initial=0.0) > 0:
            steered[(particles != "") & ~same] *= self._weights.against_particle
        return steered

    def _tells_who_acts(self, word: str, relation: int) -> bool:
        meanings = self._lexicon.meanings
        return bool(meanings.acting and meanings.acting[relation]) or names_subject(meanings, relation, word)

    def _voice(self, view: View, x: int) -> tuple[bool, int]:
        """(read by a verb?, 0 from the entity to the object of the relation, 1 back to its subject)"""
        words, x = view.words, self._light_verb(view, x)
        word = words[x]
        if wordnet().share(word, "v") < 0.5:
            whose = x > 0 and words[x - 1] == "whose" and x < view.start
            of_what = words[x + 1 : x + 2] == ("of",) and (x + 2 == len(words) or words[x + 2] in {"who", "whom"})
            return False, int(whose or of_what)
        by = words[x + 1 : x + 2] == ("by",)
        if x < view.start:
            return True, 0 if by else 1
        passive = bool(PASSIVE & set(words[max(0, x - 2) : x])) and word.endswith(("ed", "en", "t", "d"))
        return True, int(passive)

    @staticmethod
    def _light_verb(view: View, x: int) -> int:
        """ "who put money into X": the verb right before a noun speaks for it where a preposition leads from the noun to the mention."""
        between, before = set(view.words[x + 1 : view.start]), view.words[x - 1] if x else ""
        leads_on = bool(between) and between <= FUNCTION_WORDS - AUXILIARIES - {"of"}
        noun_of_verb = wordnet().share(view.words[x], "v") < 0.5 and before not in FUNCTION_WORDS and wordnet().share(before, "v") >= 0.5
        return x - 1 if leads_on and noun_of_verb else x

    def _wanted(self, word: str, relation: int, by_verb: bool, direction: int) -> int:
        meanings = self._lexicon.meanings
        acting = bool(meanings.acting) and meanings.acting[relation]
        if by_verb and self._names[relation].passive:
            return 1 - direction
        if by_verb and not acting:
            return 1 - direction if self._names[relation].words[-1] in self._agents_of_verb(word) else 0
        if not by_verb and acting and self._is_agent(word):
            return 1 - direction
        if not by_verb and names_subject(meanings, relation, word):
            return 1 - direction
        return direction

    @staticmethod
    def _is_agent(word: str) -> bool:
        """Backers, owner: a person by the name of what they do."""
        net = wordnet()
        nouns = [
            (r.lemma, s) for r in net.readings(word) if r.pos == "n" and AGENT_ENDING.search(r.lemma) for s in net.senses(r.lemma, "n")[:2]
        ]
        doing = ((s, net.derived(s, lemma)) for lemma, s in nouns if net.synset(s).field == "noun.person")
        return any(net.synset(to).pos == "v" for _, derived in doing for _, to in derived)

    @staticmethod
    def _agents_of_verb(word: str) -> set[str]:
        """advise → advisor"""
        net = wordnet()
        senses = [(r.lemma, s) for r in net.readings(word) if r.pos == "v" for s in net.senses(r.lemma, "v")[:4]]
        return {noun for lemma, s in senses for noun, to in net.derived(s, lemma) if net.synset(to).field == "noun.person"}

    def _alternative_sexes(self, view: View) -> set[int]:
        """ "a man or a woman": the places on both sides of "or"."""
        if not self._sexes:
            return set()
        words = view.words
        for x, word in enumerate(words):
            if word == "or" and view.outside(x):
                before = [y for y in range(max(0, x - 2), x) if informativeness(words[y])][-1:]
                after = [y for y in range(x + 1, min(len(words), x + 3)) if informativeness(words[y])][:1]
                sexes = {word_sex(words[y]) for y in before + after}
                if before and after and sexes == {"male", "female"} and not self._definitions.read(words[before[0]]):
                    return {*before, *after}
        return set()

    def _any_sex(self) -> Unit:
        assert self._sexes is not None
        steps = np.zeros(len(self._steps.steps))
        steps[2 * self._sexes.relation] = 1.0
        return Unit("either", "or", -1, 1.0, steps, np.zeros(len(self._lexicon.meanings.kinds)))
