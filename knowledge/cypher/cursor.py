"""A place in the tokens of a statement, and the few moves that a recursive-descent parser makes."""

import unicodedata
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from knowledge.cypher.refusal import Refused
from knowledge.cypher.tokens import Token, tokens
from knowledge.cypher.words import KEYWORDS

DEEPEST = 30
MOST_STEPS = 100_000
T = TypeVar("T")


class Cursor:
    """Every method refuses with `syntax` where the text is not as expected; nesting and backtracking are bounded."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens = tokens(text)
        self._index = 0
        self._depth = 0
        self._steps = 0
        self._bar_ends = False

    @property
    def token(self) -> Token:
        return self._tokens[self._index]

    def ahead(self, distance: int) -> Token:
        """A later token; the end token where there are not so many."""
        return self._tokens[min(self._index + distance, len(self._tokens) - 1)]

    def advance(self) -> Token:
        """The current token, after which the next one is current."""
        token = self.token
        self._steps += 1
        if self._steps > MOST_STEPS:
            raise Refused("too_deep", "the statement is nested too deeply to be read", token.at, "split it with WITH")
        self._index = min(self._index + 1, len(self._tokens) - 1)
        return token

    def takes(self, *symbols: str) -> bool:
        """Step over these symbols if they come next, in this order."""
        if all(self.ahead(i).is_symbol(symbol) for i, symbol in enumerate(symbols)):
            for _ in symbols:
                self.advance()
            return True
        return False

    def takes_word(self, *words: str) -> bool:
        """Step over these keywords if they come next, in this order."""
        if self.sees_word(*words):
            for _ in words:
                self.advance()
            return True
        return False

    def sees_word(self, *words: str) -> bool:
        return all(self.ahead(i).word == word for i, word in enumerate(words))

    def expect(self, *symbols: str) -> None:
        for symbol in symbols:
            if not self.takes(symbol):
                raise self.unexpected(f"expected {symbol}")

    def expect_word(self, word: str) -> None:
        if not self.takes_word(word):
            raise self.unexpected(f"expected {word}")

    def name(self, what: str) -> str:
        """A bare or quoted name."""
        if self.token.kind not in ("name", "quoted"):
            raise self.unexpected(f"expected {what}")
        return self.advance().text

    def unexpected(self, expected: str) -> Refused:
        """The refusal for the current token, which says if it only looks like a keyword."""
        token = self.token
        plain = unicodedata.normalize("NFKC", token.text).upper()
        if token.kind == "name" and not token.text.isascii() and plain in KEYWORDS:
            return Refused("look_alike", f"{token.text!r} only looks like {plain}", token.at, f"write {plain} in ASCII letters")
        found = f"found {token.text!r}" if token.kind != "end" else "the statement ends here"
        return Refused("syntax", f"{expected}, {found}", token.at)

    def attempt(self, read: Callable[[], T]) -> T | None:
        """What `read` reads, or None and nothing read where it finds other text. Refusals that are no matter of syntax stand."""
        before = self._index, self._depth, self._bar_ends
        try:
            return read()
        except Refused as refused:
            if refused.code != "syntax":
                raise
            self._index, self._depth, self._bar_ends = before
            return None

    @contextmanager
    def bar(self, *, ends: bool) -> Iterator[None]:
        """Whether `|` ends an expression here, or else joins labels."""
        before, self._bar_ends = self._bar_ends, ends
        yield
        self._bar_ends = before

    @contextmanager
    def nested(self) -> Iterator[None]:
        """One level deeper."""
        self._depth += 1
        if self._depth > DEEPEST:
            raise Refused("too_deep", f"expressions are nested more than {DEEPEST} deep", self.token.at, "split it with WITH")
        yield
        self._depth -= 1
