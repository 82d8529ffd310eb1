"""A question as words, seen from one mention: what stands left and right of it, and in which orders it can be read."""

import re
from dataclasses import dataclass
from functools import cached_property

from knowledge.identity import words
from knowledge.wording.english import AUXILIARIES, FORMS_OF_DO, FUNCTION_WORDS, RELATIVE_PRONOUNS, SHARING, informativeness
from knowledge.wording.wordnet import wordnet

_CLAUSE = re.compile(r"[,:;]")
_WORD = re.compile(r"\w")
MOST_WORDS = 64
MOST_SPAN = 16


@dataclass(frozen=True)
class Question:
    """Folded words, at most 64 of them; `starts`: the words that begin a clause after a comma, colon or semicolon; `symbols`: tokens
    without a letter or digit, which may be names.
    """

    words: tuple[str, ...]
    starts: frozenset[int]
    symbols: tuple[str, ...]

    @property
    def counts(self) -> bool:
        return any(self.words[i : i + 2] == ("how", "many") for i in range(len(self.words)))

    def spans(self) -> list[tuple[int, int]]:
        """Every run of at most 16 words."""
        n = len(self.words)
        return [(i, j) for i in range(n) for j in range(i + 1, min(n, i + MOST_SPAN) + 1)]

    def text(self, start: int, end: int) -> str:
        """The folded form of a span, which links are looked up by."""
        return " ".join(self.words[start:end])


def parse_question(text: str) -> Question:
    """Words beyond the 64th are left out."""
    clauses = [words(part) for part in _CLAUSE.split(text)]
    starts, count = set(), 0
    for clause in clauses[:-1]:
        count += len(clause)
        starts.add(count)
    symbols = [token for token in text.split() if not _WORD.search(token)]
    return Question(tuple(w for clause in clauses for w in clause)[:MOST_WORDS], frozenset(starts), tuple(dict.fromkeys(symbols)))


def nominal(word: str) -> bool:
    """Whether a word can well be read as a noun; unknown words can."""
    net = wordnet()
    return not net.readings(word) or net.share(word, "n") >= 0.4


def nearest(words_in_order: list[str]) -> list[str]:
    """The first content word, if there is one."""
    return [w for w in words_in_order if informativeness(w) > 0][:1]


@dataclass(frozen=True)
class View:
    """The question seen from the mention at `start`:`end`. `skip`: places that a condition already explains."""

    words: tuple[str, ...]
    start: int
    end: int
    clause_starts: frozenset[int] = frozenset()
    skip: frozenset[int] = frozenset()

    @cached_property
    def left(self) -> list[str]:
        """Nearest to the mention first."""
        return list(self.words[: self.start][::-1])

    @cached_property
    def right(self) -> list[str]:
        return list(self.words[self.end :])

    def outside(self, place: int) -> bool:
        return not self.start <= place < self.end

    @property
    def shares(self) -> bool:
        return any(w in SHARING for w in (*self.left, *self.right))

    @property
    def possessive(self) -> bool:
        """ "X's director": what follows surely belongs to its noun phrase."""
        return self.right[:1] == ["s"]

    @property
    def after_of(self) -> bool:
        return self.words[: self.start][-1:] == ("of",)

    @property
    def relative(self) -> bool:
        """ "the ships that X has sold": what follows belongs to the clause about the mention."""
        return bool(self.left) and self.left[0] in RELATIVE_PRONOUNS

    @cached_property
    def phrase(self) -> int:
        """How many words after the mention may belong to its noun phrase ("the X director", "X starred movies")."""
        right, owned = self.right, self.possessive
        passing = {"s"} if owned else AUXILIARIES if self.relative else frozenset()
        size = int(owned)
        while size < len(right) and (right[size] not in FUNCTION_WORDS or right[size] in passing):
            size += 1
        least = 2 if owned else 0 if self.after_of else size
        while size > least and self.left and size == len(right) and self._verb_at_end(right[size - 1]):
            size -= 1
        return size

    def _verb_at_end(self, word: str) -> bool:
        """ "was the child of X's parents born", "did the boss of X sell": the verb comes last."""
        asked = bool(FORMS_OF_DO & set(self.left))
        return not nominal(word) or (asked and any(r.pos == "v" and r.share > 0.2 for r in wordnet().readings(word)))

    def orders(self) -> list[list[int]]:
        """Reading orders, nearest to the mention first: its noun phrase, then the left side, then the rest; or left side first."""
        left, right = list(range(self.start - 1, -1, -1)), list(range(self.end, len(self.words)))
        first = [right[: self.phrase] + left + right[self.phrase :]]
        return [*first, left + right] if self.phrase and left and not self.possessive else first

    @cached_property
    def adjacent(self) -> set[str]:
        """The words beside the mention, and the content words nearest to it."""
        return {*self.left[:1], *self.right[:1], *nearest(self.left), *nearest(self.right)}

    def shared_words(self) -> list[str]:
        """What is shared: the content word after a sharing word, or else before it, on the same side of the mention."""
        found: list[str] = []
        for side in (list(self.words[: self.start]), list(self.words[self.end :])):
            for x, word in enumerate(side):
                if word in SHARING:
                    found += nearest(side[x + 1 : x + 4]) or nearest(side[max(0, x - 3) : x][::-1])
        return found

    def content(self, order: list[int]) -> list[int]:
        """The places of content words that are still to be explained."""
        return [x for x in order if x not in self.skip and informativeness(self.words[x].replace("_", " "))]
