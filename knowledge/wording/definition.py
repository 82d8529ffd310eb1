"""Reads a noun through its WordNet definition as steps of this graph: "grandmother: the mother of your father or mother"."""

import re
from typing import NamedTuple

import numpy as np

from knowledge.wording.gender import Sex, word_sex
from knowledge.wording.lexicon import Lexicon
from knowledge.wording.wordnet import wordnet

_ARTICLE = r"(?:(?:a|an|the|your|their|his|one's|someone's|a person's) )"
_FELLOW = re.compile(
    r"(?:a|an|the) (?:(male|female) )?(?:.* )?(?:same|own|fellow member of an?|that one) (?:\w+ )?([a-z]+)(?: with| as .*)?$"
)
_SAME = re.compile(
    r"(?:a|an|the) (?:(male|female) )?(?:person |man |woman )?(?:who |with |from |that )?(?:has |have )?(?:the same|your own|the same ) ?(\w+)"
)
_WITH_ONE = re.compile(r"()?(?:a|an) \w+ that one (\w+) (?:with|for|at)$")
_OF = re.compile(_ARTICLE + r"?((?:\w+[ -])*?[\w-]+) of " + _ARTICLE + r"?([\w-]+)(?: or ([\w-]+))?\s*$")
_OR = re.compile(_ARTICLE + r"([\w-]+) or ([\w-]+)\s*$")
_SEXED = re.compile(r"(?:a|an) (male|female) ([\w-]+)\s*$")
_PARENTHESES = re.compile(r"\(.*?\)")
NAMES_STEP = 0.55
NAMES_STEP_SURELY = 0.95
DEPTH = 4


class DefinedStep(NamedTuple):
    """One step of a definition: the word that names it, the sex that its end must have, and whether it goes back over the step before."""

    word: str
    sex: Sex | None
    back: bool


Definition = tuple[DefinedStep, ...]


class DefinitionReader:
    """Steps are given nearest to the entity first; None where the graph has no words for the noun."""

    def __init__(self, lexicon: Lexicon) -> None:
        self._lexicon = lexicon
        self._known: dict[tuple[str, int], Definition | None] = {}

    def read(self, word: str, depth: int = DEPTH) -> Definition | None:
        key = word, depth
        if key not in self._known:
            self._known[key] = self._read(word, depth)
        return self._known[key]

    def either(self, one: str, other: str) -> Definition | None:
        """ "aunt or uncle", when both take several steps."""
        readings = [self.read(one), self.read(other)]
        return self._merge(readings) if all(r and len(r) > 1 for r in readings) else None

    def remember(self, word: str, definition: Definition) -> None:
        """Give a joined word a meaning of its own."""
        self._known[word, DEPTH] = definition

    def _read(self, word: str, depth: int) -> Definition | None:
        sex = word_sex(word)
        persons = self._person_senses(word)
        strength = self._lexicon.evidence(word).strongest
        plain: Definition | None = (DefinedStep(word, sex if persons else None, False),) if strength >= NAMES_STEP else None
        if plain and (strength >= NAMES_STEP_SURELY or not persons):
            return plain
        for sense in persons if depth else []:
            for gloss in wordnet().synset(sense).glosses:
                found = self._read_gloss(_PARENTHESES.sub(" ", gloss.strip()), sex, depth - 1)
                if found:
                    return found
        return plain

    def _person_senses(self, word: str) -> list[int]:
        net = wordnet()
        first = [s for r in net.readings(word) if r.pos == "n" and r.share > 0.3 for s in net.senses(r.lemma, "n")[:1]]
        return [s for s in first if net.synset(s).field == "noun.person"]

    def _read_gloss(self, gloss: str, sex: Sex | None, depth: int) -> Definition | None:
        return (
            self._read_shared(gloss, sex)
            or self._read_of(gloss, sex, depth)
            or self._read_alternative(gloss, depth)
            or self._read_sexed(gloss, depth)
        )

    def _read_shared(self, gloss: str, sex: Sex | None) -> Definition | None:
        """brother: "a male with the same parents" → parents and back."""
        match = _WITH_ONE.match(gloss) or _FELLOW.match(gloss) or _SAME.match(gloss)
        if not match or self._lexicon.evidence(match[2]).strongest < NAMES_STEP:
            return None
        return DefinedStep(match[2], None, False), DefinedStep(match[2], sex, True)

    def _read_of(self, gloss: str, sex: Sex | None, depth: int) -> Definition | None:
        """grandmother: "the mother of your father or mother" → the steps of the second noun, then those of the first."""
        match = _OF.match(gloss)
        if not match:
            return None
        head = self.read(match[1].replace(" ", "_"), depth)
        base = self._merge([self.read(word, depth) for word in (match[2], match[3]) if word])
        return (*base, *head[:-1], head[-1]._replace(sex=sex or head[-1].sex)) if head and base else None

    def _read_alternative(self, gloss: str, depth: int) -> Definition | None:
        """parent: "a father or mother"."""
        match = _OR.match(gloss)
        return self._merge([self.read(match[1], depth), self.read(match[2], depth)]) if match else None

    def _read_sexed(self, gloss: str, depth: int) -> Definition | None:
        """son: "a male child"."""
        match = _SEXED.match(gloss)
        base = self.read(match[2], depth) if match else None
        if not match or not base:
            return None
        sex: Sex = "male" if match[1] == "male" else "female"
        return (*base[:-1], base[-1]._replace(sex=sex))

    def _merge(self, readings: list[Definition | None]) -> Definition | None:
        """ "father or mother" → one sequence without a sex, if both are the same steps; else the first."""
        known = [r for r in readings if r]
        if not known or len(known) < len(readings) or any(len(r) != len(known[0]) for r in known):
            return known[0] if known else None
        columns = list(zip(*known, strict=True))
        if not all(self._same_step(column) for column in columns):
            return known[0]
        return tuple(c[0]._replace(sex=c[0].sex if len({u.sex for u in c}) == 1 else None) for c in columns)

    def _same_step(self, alternatives: tuple[DefinedStep, ...]) -> bool:
        """Whether one relation is named best, or as well as any other, by all of them."""
        best = [self._lexicon.relation(step.word) for step in alternatives]
        shared = np.all([relations >= relations.max() for relations in best], axis=0)
        return bool(shared.any()) and len({step.back for step in alternatives}) == 1
