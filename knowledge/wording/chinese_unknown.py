"""The name in a Chinese question in which nothing is known: the run of characters that neither grammar, relations nor kinds explain."""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from knowledge.wording.chinese_grammar import is_stop
from knowledge.wording.chinese_words import segment

EXPLAINED = 0.5
MOST_WORDS = 40
_PIECE = re.compile(r"[\u3400-\u9fff]+|[A-Za-zÀ-ɏ0-9][A-Za-zÀ-ɏ0-9.&'-]*|\S")
_INSIDE_NAMES = frozenset("中上下大家部本天里内外前后同一二三多会能")
Strength = Callable[[str], float]


@dataclass(frozen=True)
class _Word:
    """`strength`: how strongly it names a relation or kind, 0 to 1; -1 for grammar, which ends a run."""

    text: str
    start: int
    strength: float

    @property
    def end(self) -> int:
        return self.start + len(self.text)

    @property
    def dark(self) -> bool:
        return 0 <= self.strength < EXPLAINED


def unknown_name(text: str, relation: Strength, kind: Strength) -> str:
    """The likeliest name, empty where the question seems to have none. `relation` and `kind`: how strongly a word names one, 0 to 1.

    A relation's word that touches the name ends it, where no other word of the question names a relation (甲投资了谁). A name is what is
    left: several words of which one is unexplained, or a single unexplained word beside a relation.
    """
    words = _words(text, relation, kind)
    runs = [_compound(run) for run in _runs(words)]
    dark = [run for run in runs if any(word.dark for word in run)]
    if not dark:
        return ""
    best = max(dark, key=lambda run: (len(run) > 1, sum(len(word.text) for word in run if word.dark)))
    elsewhere = any(relation(word.text) >= EXPLAINED for run in runs if run is not best for word in run)
    name, related = (best, True) if elsewhere else _peeled(best, relation)
    if not any(word.dark for word in name) or (len(name) < 2 and not related):
        return ""
    return text[name[0].start : name[-1].end].strip()


def _words(text: str, relation: Strength, kind: Strength) -> list[_Word]:
    found: list[_Word] = []
    for piece in _PIECE.finditer(text):
        at = piece.start()
        for word in segment(piece[0]) if "\u3400" <= piece[0][0] <= "\u9fff" else [piece[0]]:
            grammar = is_stop(word) or not word[0].isalnum()
            found.append(_Word(word, at, -1 if grammar else max(relation(word), kind(word))))
            at += len(word)
    return found[:MOST_WORDS]


def _runs(words: list[_Word]) -> list[list[_Word]]:
    """Neighbouring words without grammar between them; a character that names often contain is no grammar between single characters."""
    runs: list[list[_Word]] = [[]]
    for i, word in enumerate(words):
        inside = 0 < i < len(words) - 1 and word.text in _INSIDE_NAMES and words[i - 1].dark and len(words[i + 1].text) == 1
        if word.strength >= 0 or (inside and not is_stop(words[i + 1].text)):
            runs[-1].append(word)
        elif runs[-1]:
            runs.append([])
    return [run for run in runs if run]


def _compound(run: list[_Word]) -> list[_Word]:
    """A single character beside another word of a run is no word: the dictionary does not know what it belongs to."""
    return [replace(word, strength=0.0) if len(run) > 1 and len(word.text) == 1 else word for word in run]


def _peeled(run: list[_Word], relation: Strength) -> tuple[list[_Word], bool]:
    """Without the word at one end that names a relation best, and whether there was one."""
    first, last = relation(run[0].text), relation(run[-1].text)
    if len(run) < 2 or max(first, last) < EXPLAINED:
        return run, False
    return (run[1:], True) if first > last else (run[:-1], True)
