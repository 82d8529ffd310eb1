"""Joins words that mean one thing together: idioms, compounds that WordNet knows, "aunt or uncle"."""

from itertools import product

from knowledge.wording.definition import DefinitionReader
from knowledge.wording.english import IDIOMS, STOP
from knowledge.wording.lexicon import Lexicon
from knowledge.wording.question import Question, View
from knowledge.wording.wordnet import wordnet

Joined = tuple[str, int]


class PhraseJoiner:
    """Joins where it helps, never across or inside the mention."""

    def __init__(self, lexicon: Lexicon, definitions: DefinitionReader) -> None:
        self._lexicon = lexicon
        self._definitions = definitions

    def view(self, question: Question, start: int, end: int, skip: frozenset[int] = frozenset()) -> View:
        """The joined question as seen from the words `start`:`end`."""
        words: list[str] = []
        places: list[int] = []
        i = 0
        while i < len(question.words):
            joined = None if start <= i < end else self._join(question.words, i, start)
            word, length = joined or (question.words[i], 1)
            words.append(word)
            places.append(i)
            i += length
        moved = {old: new for new, old in enumerate(places)}
        return View(
            words=tuple(words),
            start=moved.get(start, len(words)),
            end=moved.get(end, len(words)),
            clause_starts=frozenset(moved[x] for x in question.starts if x in moved),
            skip=frozenset(moved[x] for x in skip if x in moved),
        )

    def _join(self, words: tuple[str, ...], i: int, mention: int) -> Joined | None:
        idiom = self._idiom(words, i, mention)
        if idiom:
            return idiom
        for length in (4, 3, 2):
            part = words[i : i + length]
            if len(part) == length and not i < mention < i + length and self._may_join(part):
                joined = self._alternative(part) or self._compound(part)
                if joined:
                    return joined, length
        return None

    def _idiom(self, words: tuple[str, ...], i: int, mention: int) -> Joined | None:
        for length in (4, 2, 1):
            meaning = IDIOMS.get(words[i : i + length])
            if meaning and not i < mention < i + length and self._strength(meaning) > self._strength(words[i]):
                return meaning, length
        return None

    @staticmethod
    def _may_join(part: tuple[str, ...]) -> bool:
        return not ((part[0] in STOP and len(part) < 3) or all(w in STOP for w in part) or "s" in part)

    def _strength(self, word: str) -> float:
        return self._lexicon.evidence(word).strongest

    def _alternative(self, part: tuple[str, ...]) -> str | None:
        """ "aunt or uncle" """
        if len(part) != 3 or part[1] not in {"or", "and"}:
            return None
        definition = self._definitions.either(part[0], part[2])
        if not definition:
            return None
        joined = "_".join(part)
        self._definitions.remember(joined, definition)
        return joined

    def _compound(self, part: tuple[str, ...]) -> str | None:
        """ "better half", "sons in law", "took over" """
        known = next(iter(_compounds(part)), None)
        if known is None:
            return None
        definition = self._definitions.read(known)
        short = len(part) < 3
        alone = max(self._strength(w) for w in part)
        enough = self._strength(known) >= max(0.5 if short else 0.3, alone - (0.05 if short else 0.3))
        return known if enough or (definition is not None and len(definition) > 1) else None


def _compounds(part: tuple[str, ...]) -> list[str]:
    """The joined forms that WordNet knows, with first and last word also as lemmas."""
    net = wordnet()
    firsts = [part[0], *(lemma for lemma, _ in net.lemmas(part[0]))]
    lasts = [part[-1], *(lemma for lemma, _ in net.lemmas(part[-1]))]
    forms = (glue.join((first, *part[1:-1], last)) for glue, first, last in product(("_", "-", ""), firsts, lasts))
    return [form for form in forms if net.knows(form, "n") or net.knows(form, "v")]
