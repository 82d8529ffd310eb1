"""Words of a user as Lucene queries: nothing that a user writes is read as Lucene syntax."""

import re
from collections.abc import Iterable

from knowledge.identity import words

_SPECIAL = re.compile(r'([+\-&|!(){}\[\]^"~*?:\\/])')
MOST_CLAUSES = 500


def escaped(text: str) -> str:
    """The text with every Lucene operator character escaped and the operators AND, OR, NOT in lower case."""
    return re.sub(r"\b(AND|OR|NOT|TO)\b", lambda m: m[0].lower(), _SPECIAL.sub(r"\\\1", text))


def phrase(text: str) -> str:
    """A quoted phrase; inside quotes only the quote and the backslash are special."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def any_phrase(texts: Iterable[str]) -> str:
    """A query for entries that contain one of the phrases; texts without a word are left out. Empty where none is left."""
    return " OR ".join([phrase(text) for text in dict.fromkeys(texts) if words(text)][:MOST_CLAUSES])


def any_word(text: str) -> str:
    """A query for entries with some of the words, more is better. Empty where the text has no word."""
    return " OR ".join([phrase(word) for word in dict.fromkeys(words(text))][:MOST_CLAUSES])
