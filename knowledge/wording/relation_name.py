"""The words in the name of a relation, and what its grammar says: who acts, which word is the head."""

import re
from dataclasses import dataclass

from knowledge.wording.english import STOP
from knowledge.wording.wordnet import WordNet

_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_SEGMENT = re.compile(r"__+|[./:#]+")
_INNER_SEGMENT = re.compile(r"__+|[/:#]+")
_WORD_BREAK = re.compile(r"[_\W]+")


def _words(segment: str) -> list[str]:
    return [word.lower() for word in _WORD_BREAK.split(_CAMEL.sub("_", segment)) if word]


@dataclass(frozen=True)
class RelationName:
    """A relation name in words: `__fleet__vessel__captain` has the words (captain,) and the owner (vessel,).

    `owner`: words of the segment before the last, which name the subject's kind. `inner`: words of earlier dotted parts.
    """

    words: tuple[str, ...]
    owner: tuple[str, ...] = ()
    inner: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        return " ".join(self.words)

    @property
    def content(self) -> tuple[str, ...]:
        """The words that are no function words, or all where there is no other."""
        return tuple(w for w in self.words if w not in STOP) or self.words

    @property
    def passive(self) -> bool:
        """`painted_by`: the object acts."""
        return self.words[-1] == "by"

    @property
    def prepositional(self) -> bool:
        """`moored_at`: the last word names no role."""
        return self.words[-1] in STOP and not self.passive

    @property
    def particle(self) -> str:
        """The function word that the name ends with (`works_on`, `painted_by`), empty where it ends with another word."""
        return self.words[-1] if len(self.words) > 1 and self.words[-1] in STOP else ""

    @property
    def head(self) -> int:
        """The place of the head among the content words: the last one, or the last before `of` (`port_of_call`)."""
        if "of" not in self.words[1:-1]:
            return len(self.content) - 1
        before = self.words[: self.words.index("of")]
        return max((i for i, word in enumerate(self.content) if word in before), default=0)


def parse(name: str) -> RelationName:
    """Segments end at dots, slashes, double underscores; words at single underscores, hyphens, camel case."""
    segments = [words for part in _SEGMENT.split(name) if (words := _words(part))] or [[name.lower()]]
    last = [w for w in segments[-1] if len(w) > 1] or segments[-1]
    nested = "/" in name or "__" in name
    inner = [w for part in name.split(".")[:-1] if part.strip("_/") for w in _words(_INNER_SEGMENT.split(part.strip("_/"))[-1])]
    return RelationName(tuple(last), tuple(segments[-2]) if len(segments) > 1 else (), tuple(inner) if nested else ())


def is_active_verb(name: RelationName, word: str, wordnet: WordNet) -> bool:
    """Whether `word` is the verb of a name in which the subject acts: owns, sails_for; not hired_sailors, not has_flags."""

    def is_verb(w: str) -> bool:
        return any(r.pos == "v" and r.share > 0.6 for r in wordnet.readings(w))

    if not is_verb(word) or word != next(w for w in name.content if is_verb(w)):
        return False
    first = name.words[0]
    if word == first and len(name.words) > 2 and name.words[1] in STOP and name.words[1] != "of" and word.endswith("s"):
        return True
    if len(name.content) > 1 and first not in STOP:
        return False
    return not (first == "has" and word == name.content[-1] and wordnet.share(word, "n") > 0)


def acts(name: RelationName, wordnet: WordNet) -> bool:
    """Whether the subject of the relation acts on its object (`owns`, `cares_for`); in `led_by` the object does."""
    if name.passive:
        return False
    return any(is_active_verb(name, word, wordnet) for word in name.content) or (name.words[-1] in STOP and name.words[-1] != "of")
