"""Operands that begin with a name or a bracket: functions, lists, maps, comprehensions, subqueries."""

from abc import abstractmethod
from typing import cast

from rapidfuzz import process

from knowledge.cypher.expressions import Expressions
from knowledge.cypher.refusal import Refused
from knowledge.cypher.syntax import (
    Call,
    Comprehension,
    Expression,
    ListOf,
    MapOf,
    MapProjection,
    Path,
    PatternExpression,
    Property,
    Quantified,
    QuantifierWord,
    Query,
    Reduced,
    Subquery,
    SubqueryWord,
    Variable,
)  # fmt: skip
from knowledge.cypher.words import function, functions

_QUANTIFIERS = ("all", "any", "none", "single")
_SUBQUERIES = ("EXISTS", "COUNT", "COLLECT")
_SHORTEST = ("shortestpath", "allshortestpaths")


class Atoms(Expressions):
    """Patterns and subqueries inside expressions are read by `Patterns` and `Clauses`."""

    @abstractmethod
    def chain(self) -> Path:
        """A pattern with at least one relationship."""

    @abstractmethod
    def shortest(self) -> Path:
        """`shortestPath(…)` or `allShortestPaths(…)`."""

    @abstractmethod
    def subquery(self) -> Query:
        """What stands in the braces of EXISTS, COUNT or COLLECT, with the closing brace."""

    def compound(self) -> Expression:
        token = self.token
        if token.is_symbol("("):
            return self._parenthesis()
        if token.is_symbol("["):
            return self._bracket()
        if token.is_symbol("{"):
            return MapOf(self.entries(), at=token.at)
        if token.kind == "symbol":
            raise self.unexpected("expected an expression")
        if token.word in _SUBQUERIES and self.ahead(1).is_symbol("{"):
            return self._subquery()
        if name := self._called():
            return self._call(name)
        if self.ahead(1).is_symbol("{"):
            return self._map_projection()
        return self.variable()

    def _parenthesis(self) -> Expression:
        at = self.token.at
        if path := self.attempt(self.chain):
            return PatternExpression(path, at=at)
        self.expect("(")
        with self.bar(ends=False):
            inner = self.expression()
        self.expect(")")
        return inner

    def _bracket(self) -> Expression:
        at = self.token.at
        if self.ahead(1).kind in ("name", "quoted") and self.ahead(2).word == "IN":
            return self._comprehension()
        if found := self.attempt(self._pattern_comprehension):
            return found
        self.expect("[")
        return ListOf(tuple(self.listed("]")), at=at)

    def _comprehension(self) -> Expression:
        at = self.advance().at
        variable = self.name("a variable")
        self.expect_word("IN")
        source = self._before_bar()
        where = self._before_bar() if self.takes_word("WHERE") else None
        result = self.expression() if self.takes("|") else None
        self.expect("]")
        return Comprehension(variable, source, where, result, at=at)

    def _pattern_comprehension(self) -> Expression:
        at = self.token.at
        self.expect("[")
        variable = self._path_variable()
        path = self.chain()
        where = self._before_bar() if self.takes_word("WHERE") else None
        self.expect("|")
        result = self.expression()
        self.expect("]")
        return PatternExpression(Path(path.elements, variable, at=path.at), where, result, at=at)

    def _path_variable(self) -> str:
        if self.ahead(1).is_symbol("="):
            name = self.name("a variable")
            self.expect("=")
            return name
        return ""

    def _before_bar(self) -> Expression:
        with self.bar(ends=True):
            return self.expression()

    def entries(self) -> tuple[tuple[str, Expression], ...]:
        """`{key: value, …}`"""
        self.expect("{")
        found: list[tuple[str, Expression]] = []
        while not self.takes("}"):
            if found:
                self.expect(",")
            key = self.name("a key")
            self.expect(":")
            found.append((key, self.expression()))
        return tuple(found)

    def _map_projection(self) -> Expression:
        of = self.variable()
        self.expect("{")
        items: list[tuple[str, Expression]] = []
        everything = count = 0
        while not self.takes("}"):
            if count:
                self.expect(",")
            count += 1
            if self.takes(".", "*"):
                everything = 1
            else:
                items.append(self._projected(of))
        return MapProjection(of, tuple(items), bool(everything), at=of.at)

    def _projected(self, of: Variable) -> tuple[str, Expression]:
        at = self.token.at
        if self.takes("."):
            name = self.name("the name of a property")
            return name, Property(of, name, at=at)
        name = self.name("a key")
        return name, self.expression() if self.takes(":") else Variable(name, at=at)

    def _subquery(self) -> Expression:
        token = self.advance()
        self.expect("{")
        with self.nested():
            return Subquery(cast(SubqueryWord, token.word), self.subquery(), at=token.at)

    def _called(self) -> str:
        """The dotted name of the function that is called here, empty where none is."""
        parts, distance = [self.token.text], 1
        while self.ahead(distance).is_symbol(".") and self.ahead(distance + 1).kind in ("name", "quoted"):
            parts.append(self.ahead(distance + 1).text)
            distance += 2
        return ".".join(parts) if self.ahead(distance).is_symbol("(") else ""

    def _call(self, name: str) -> Expression:
        lowered, at = name.lower(), self.token.at
        if lowered in _SHORTEST:
            return PatternExpression(self.shortest(), at=at)
        if lowered == "reduce":
            return self._reduced()
        if lowered in _QUANTIFIERS:
            return self._quantified(cast(QuantifierWord, lowered))
        allowed = function(name)
        if not allowed:
            raise _unknown_function(name, at)
        while not self.takes("("):
            self.advance()
        if self.takes("*", ")"):
            return Call(allowed, (), star=True, at=at)
        distinct = self.takes_word("DISTINCT")
        return Call(allowed, tuple(self.listed(")")), distinct, at=at)

    def _reduced(self) -> Expression:
        at = self.advance().at
        self.expect("(")
        accumulator = self.name("a variable")
        self.expect("=")
        start = self.expression()
        self.expect(",")
        variable = self.name("a variable")
        self.expect_word("IN")
        source = self._before_bar()
        self.expect("|")
        body = self.expression()
        self.expect(")")
        return Reduced(accumulator, start, variable, source, body, at=at)

    def _quantified(self, word: QuantifierWord) -> Expression:
        at = self.advance().at
        self.expect("(")
        variable = self.name("a variable")
        self.expect_word("IN")
        source = self.expression()
        self.expect_word("WHERE")
        where = self.expression()
        self.expect(")")
        return Quantified(word, variable, source, where, at=at)


def _unknown_function(name: str, at: int) -> Refused:
    found = process.extractOne(name, functions(), score_cutoff=75)
    instead = f"did you mean {found[0]}()?" if found else "use plain Cypher functions such as count, collect, toLower, date"
    return Refused("function", f"the function {name}() is not allowed", at, instead)
