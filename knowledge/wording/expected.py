"""What kind of thing a question asks for, from its question word and the noun beside it."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from knowledge.records import GraphSchema
from knowledge.wording.english import FORMS_OF_BE, FORMS_OF_DO, FUNCTION_WORDS, PERSON_QUESTIONS, STOP, THING_QUESTIONS
from knowledge.wording.lexicon import Evidence, Lexicon, names_subject
from knowledge.wording.question import View, nominal
from knowledge.wording.vectors import Array
from knowledge.wording.weights import Weights
from knowledge.wording.wordnet import wordnet

NOUN_WITHIN = 7


@dataclass(frozen=True)
class Expected:
    """`kinds` (K,): 0 to 1 per kind, all zero when unknown. `relations` (R,): the relation whose role noun is asked for.

    `named` (K,): how well the asked noun itself names each kind ("companies", not "investors"), all zero where none does.
    `stated` is false where only "what" was said, which asks rather for no person.
    """

    kinds: Array
    relations: Array
    named: Array
    stated: bool = True


class ExpectedKindReader:
    """Reads what is asked for."""

    def __init__(self, lexicon: Lexicon, schema: GraphSchema, weights: Weights) -> None:
        self._lexicon = lexicon
        self._weights = weights
        self._number = {kind: k for k, kind in enumerate(schema.kinds)}
        self._subjects = [[self._number[kind] for kind in r.subject_kinds] for r in schema.relations]
        self._objects = [[self._number[kind] for kind in r.object_kinds] for r in schema.relations]
        self._unnamed = np.zeros(len(self._number))
        asked = lexicon.meanings.question_kinds
        self._asked = {question: {self._number[k] for k in kinds if k in self._number} for question, kinds in asked.items()}

    def read(self, view: View) -> Expected:
        kinds, relations = np.zeros(len(self._number)), np.zeros(len(self._objects))
        at = _question_word(view)
        word = view.words[at] if at is not None else ""
        following = "" if at is None else next(iter(view.words[at + 1 : at + 2]), "")
        if word == "how" and following == "many":
            return self._by_noun(view, at + 1 if at is not None else None, kinds)
        if word in self._asked:
            kinds[list(self._asked[word])] = 1
            if word != "who" or following not in FORMS_OF_BE:
                return Expected(kinds, relations, self._unnamed)
        if not kinds.any() and word in {"when", "where", "how", "whose"}:
            return Expected(kinds, relations, self._unnamed, stated=False)
        found = self._by_noun(view, at, kinds)
        if word == "what" and following and not found.kinds.any() and not found.relations.any():
            return self._rather_no_person(found)
        return found

    def _by_noun(self, view: View, at: int | None, kinds: Array) -> Expected:
        none = Expected(kinds, np.zeros(len(self._objects)), self._unnamed, stated=bool(kinds.any()))
        words = view.words
        places = range(len(words)) if at is None else range(at + 1, min(len(words), at + NOUN_WITHIN))
        for place in places:
            if not view.outside(place) or (at is not None and words[place] in FORMS_OF_DO):
                return none
            if words[place] in FUNCTION_WORDS:
                continue
            x = self._compound_end(view, place)
            if x and words[x - 1] == "whose":
                return none
            evidence = self._lexicon.evidence(words[x])
            if at is not None and x == at + 1 and self._asks_by_relation(words[at], words[x], evidence):
                return self._by_relation(words[x], evidence, none)
            if evidence.roles.max() >= 0.4:
                return self._by_kind(words[x], evidence, none)
            if not none.stated and at is not None and (x > at + 3 or words[x + 1 : x + 2] == ("of",)):
                return none
        return none

    def _compound_end(self, view: View, x: int) -> int:
        """The last word of a compound noun."""
        while x + 1 < len(view.words) and view.outside(x + 1) and self._lexicon.evidence(view.words[x + 1]).roles.max() > 0.6:
            if view.words[x] in STOP:
                break
            x += 1
        return x

    @staticmethod
    def _asks_by_relation(question: str, noun: str, evidence: Evidence) -> bool:
        """ "which instrument": what it names is a relation."""
        return evidence.roles.max() < 0.4 and question in {"which", "what"} and nominal(noun)

    def _by_relation(self, noun: str, evidence: Evidence, known: Expected) -> Expected:
        """The objects of the relation that the noun names; its subjects where the noun is a person and the objects are none."""
        if evidence.strongest < 0.45:
            return known
        strong = evidence.relation > 0.5 * evidence.strongest
        subjects, objects = (_kinds_of(ends, strong) for ends in (self._subjects, self._objects))
        persons = self._asked.get("who", set())
        kinds = known.kinds.copy()
        if not _is_person(noun) or all(k in persons for k in objects):
            kinds[objects] = 1
            return Expected(kinds, evidence.relation * strong, self._unnamed)
        kinds[subjects] = 1
        return Expected(kinds, known.relations, self._unnamed)

    def _by_kind(self, noun: str, evidence: Evidence, known: Expected) -> Expected:
        kinds = known.kinds if known.stated else np.maximum(known.kinds, evidence.roles)
        by_role = evidence.roles.max() > evidence.kinds.max()
        named = np.array(
            [r if r > 0.5 and not names_subject(self._lexicon.meanings, i, noun) else 0.0 for i, r in enumerate(evidence.relation)]
        )
        return Expected(kinds, named if by_role else known.relations, evidence.kinds)

    def _rather_no_person(self, found: Expected) -> Expected:
        persons = self._asked.get("who", set())
        if not persons:
            return found
        others = set().union(*(self._asked.get(q, set()) for q in ("who", "where", "when")))
        unlikely = others if len(others) < len(self._number) else persons
        half = 0.5 * self._weights.question_what
        kinds = np.array([0.5 - half if k in unlikely else 0.5 + half for k in range(len(self._number))])
        return Expected(kinds, found.relations, self._unnamed, stated=False)


def _kinds_of(ends: Sequence[Sequence[int]], relations: NDArray[np.bool_]) -> list[int]:
    """The kinds at one side of the chosen relations."""
    return [kind for relation in np.nonzero(relations)[0].tolist() for kind in ends[relation]]


def _question_word(view: View) -> int | None:
    """The place of the word that asks; relative pronouns do not."""
    words, last = view.words, len(view.words) - 1
    things = [i for i, w in enumerate(words) if w in THING_QUESTIONS and view.outside(i)]
    persons = [
        i
        for i, w in enumerate(words)
        if w in PERSON_QUESTIONS and view.outside(i) and w != "whose" and (w == "whom" or i in {0, last} or i in view.clause_starts)
    ]
    if persons and (not things or persons[0] < things[0]):
        return persons[0]
    return things[0] if things else None


def _is_person(noun: str) -> bool:
    net = wordnet()
    return any(r.pos == "n" and net.field_of(r.lemma, "n") == "noun.person" for r in net.readings(noun))
