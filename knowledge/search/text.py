"""Words of a user as Lucene queries: nothing that a user writes is read as Lucene syntax."""

from collections.abc import Iterable

from knowledge.identity import words

MOST_CLAUSES = 200
FUZZY_FROM = 4
TWO_EDITS_FROM = 8


def phrase(text: str) -> str:
    """A quoted phrase; inside quotes only the quote and the backslash are special."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def any_phrase(texts: Iterable[str]) -> str:
    """A query for entries that contain one of the phrases; texts without a word are left out. Empty where none is left."""
    return " OR ".join([phrase(text) for text in dict.fromkeys(texts) if words(text)][:MOST_CLAUSES])


def any_word(text: str) -> str:
    """A query for entries with some of the words, more is better; runs of Chinese match by their parts. Empty where the text has no word.

    Folded words hold letters, digits and `_` only, so no operator can be among them.
    """
    return " OR ".join(_plain(text))


def like_words(text: str) -> str:
    """As `any_word`, and words of four letters or more also with one typing error (two from eight letters on) or as a beginning."""
    clauses = []
    for word in _plain(text):
        clauses.append(f"{word}^2")
        if len(word) >= FUZZY_FROM and word.isascii():
            clauses += [f"{word}~{2 if len(word) >= TWO_EDITS_FROM else 1}", f"{word}*"]
    return " OR ".join(clauses)


def _plain(text: str) -> list[str]:
    return list(dict.fromkeys(words(text)))[:MOST_CLAUSES]
