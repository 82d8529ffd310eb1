"""A statement as tokens: names, quoted names, strings, numbers, parameters and symbols, comments left out."""

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from knowledge.cypher.escapes import decoded
from knowledge.cypher.refusal import Refused

Kind = Literal["name", "quoted", "string", "number", "parameter", "symbol", "end"]
_SYMBOLS = ("..", "<=", ">=", "<>", "=~", "::", "||", *list("()[]{}.,:;|+-*/%^<>=&!$?"))
_ESCAPES = {"t": "\t", "b": "\b", "n": "\n", "r": "\r", "f": "\f", "'": "'", '"': '"', "\\": "\\", "`": "`"}
_DIGITS = frozenset("0123456789")


@dataclass(frozen=True)
class Token:
    """`text` is the value of a string and the name inside back-ticks or after `$`. `at` and `end` are offsets in the text that was given."""

    kind: Kind
    text: str
    at: int
    end: int

    @property
    def word(self) -> str:
        """The keyword that a bare name may be, in capitals; empty for everything else. Only ASCII letters make keywords."""
        return self.text.upper() if self.kind == "name" and self.text.isascii() else ""

    def is_symbol(self, *symbols: str) -> bool:
        """Whether it is one of these symbols, and no string or name that looks like it."""
        return self.kind == "symbol" and self.text in symbols


def tokens(text: str) -> list[Token]:
    """All tokens, closed by one of kind `end`. Refused for what is unfinished, no character of Cypher, or looks like another one."""
    return list(_Lexer(text).tokens())


class _Lexer:
    def __init__(self, text: str) -> None:
        self._text, self._places = decoded(text)
        self._at = 0

    def tokens(self) -> Iterator[Token]:
        while self._skip():
            start = self._at
            kind, text = self._next()
            yield Token(kind, text, self._places[start], self._places[self._at])
        yield Token("end", "", self._places[-1], self._places[-1])

    def _skip(self) -> bool:
        """Go over white space and comments; whether anything is left."""
        while self._at < len(self._text):
            if self._ahead("//"):
                self._line()
            elif self._ahead("/*"):
                self._block()
            elif self._text[self._at].isspace():
                self._at += 1
            else:
                return True
        return False

    def _next(self) -> tuple[Kind, str]:
        character = self._text[self._at]
        if character in "'\"":
            return "string", self._string(character)
        if character == "`":
            return "quoted", self._quoted()
        if character in _DIGITS or (character == "." and self._text[self._at + 1 : self._at + 2] in _DIGITS and not self._ahead("..")):
            return "number", self._number()
        if _begins_name(character):
            return "name", self._name()
        if character == "$" and self._at + 1 < len(self._text):
            return self._parameter()
        return "symbol", self._symbol()

    def _string(self, quote: str) -> str:
        start, found = self._at, list[str]()
        self._at += 1
        while self._at < len(self._text):
            character = self._text[self._at]
            if character == quote:
                self._at += 1
                return "".join(found)
            following = self._text[self._at + 1 : self._at + 2]
            if character == "\\" and following in _ESCAPES and following:
                found.append(_ESCAPES[following])
                self._at += 2
            else:
                found.append(character)
                self._at += 1
        raise Refused("unfinished", f"the string that begins here has no closing {quote}", self._places[start])

    def _quoted(self) -> str:
        start, found = self._at, list[str]()
        self._at += 1
        while self._at < len(self._text):
            if self._ahead("``"):
                found.append("`")
                self._at += 2
            elif self._text[self._at] == "`":
                self._at += 1
                if not found:
                    raise Refused("syntax", "a name in back-ticks is empty", self._places[start])
                return "".join(found)
            else:
                found.append(self._text[self._at])
                self._at += 1
        raise Refused("unfinished", "the name in back-ticks that begins here is not closed", self._places[start])

    def _number(self) -> str:
        """Digits, one point that no second one follows, an exponent; hexadecimal and octal numbers as one word."""
        start = self._at
        if self._text[start] == "0" and self._text[start + 1 : start + 2] in ("x", "o", "X", "O"):
            self._word()
            return self._text[start : self._at]
        self._digits()
        if self._ahead(".") and not self._ahead("..") and self._text[self._at + 1 : self._at + 2] in _DIGITS:
            self._at += 1
            self._digits()
        if self._text[self._at : self._at + 1] in ("e", "E"):
            self._at += 1 + (self._text[self._at + 1 : self._at + 2] in ("+", "-"))
            self._digits()
        if self._at < len(self._text) and _continues_name(self._text[self._at]):
            raise Refused("syntax", "a number runs into a word", self._places[start])
        return self._text[start : self._at]

    def _digits(self) -> None:
        while self._at < len(self._text) and (self._text[self._at] in _DIGITS or self._text[self._at] == "_"):
            self._at += 1

    def _word(self) -> None:
        while self._at < len(self._text) and _continues_name(self._text[self._at]):
            self._at += 1

    def _name(self) -> str:
        start = self._at
        self._word()
        return self._text[start : self._at]

    def _parameter(self) -> tuple[Kind, str]:
        start = self._at
        self._at += 1
        if self._text[self._at] == "`":
            return "parameter", self._quoted()
        self._word()
        if self._at > start + 1:
            return "parameter", self._text[start + 1 : self._at]
        return "symbol", "$"

    def _symbol(self) -> str:
        symbol: str
        for symbol in _SYMBOLS:
            if self._ahead(symbol):
                self._at += len(symbol)
                return symbol
        character, place = self._text[self._at], self._places[self._at]
        plain = unicodedata.normalize("NFKC", character)
        if (plain.isascii() and plain != character) or unicodedata.category(character) == "Pd":
            raise Refused("look_alike", f"{character!r} only looks like a character of Cypher", place, f"write {plain!r} or - in ASCII")
        raise Refused(
            "character", f"{character!r} has no meaning in Cypher", place, "leave it out, or put it inside a string or back-ticks"
        )

    def _ahead(self, text: str) -> bool:
        return self._text.startswith(text, self._at)

    def _line(self) -> None:
        while self._at < len(self._text) and self._text[self._at] not in "\r\n":
            self._at += 1

    def _block(self) -> None:
        end = self._text.find("*/", self._at + 2)
        if end < 0:
            raise Refused("unfinished", "the comment that begins here is not closed", self._places[self._at])
        self._at = end + 2


def _begins_name(character: str) -> bool:
    return character == "_" or character.isidentifier()


def _continues_name(character: str) -> bool:
    return ("_" + character).isidentifier()
