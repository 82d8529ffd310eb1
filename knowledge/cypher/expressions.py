"""The expressions of the read grammar, by falling precedence."""

from abc import abstractmethod
from collections.abc import Callable, Sequence

from knowledge.cypher.cursor import Cursor
from knowledge.cypher.syntax import (
    Binary,
    Case,
    Comparison,
    Constant,
    Expression,
    HasLabels,
    Labels,
    Parameter,
    Property,
    Slice,
    Subscript,
    Tested,
    Text,
    Unary,
    Variable,
)  # fmt: skip

_COMPARISONS = ("=", "<>", "<=", ">=", "<", ">")
_CONSTANTS = {"TRUE": "true", "FALSE": "false", "NULL": "null", "INF": "Inf", "INFINITY": "Inf", "NAN": "NaN"}
_TESTS = (("STARTS", "WITH"), ("ENDS", "WITH"), ("CONTAINS",), ("IN",))


class Expressions(Cursor):
    """Operators and operands; what begins with a name, a bracket or a parenthesis is read by `Atoms`."""

    @abstractmethod
    def compound(self) -> Expression:
        """Whatever begins with a name, a bracket, a brace or a parenthesis and is no plain variable."""

    @abstractmethod
    def labels(self) -> Labels:
        """A label expression, after its colon."""

    def expression(self) -> Expression:
        """Any expression."""
        with self.nested():
            return self._binary(lambda: self._binary(lambda: self._binary(self._not, "AND"), "XOR"), "OR")

    def _binary(self, operand: Callable[[], Expression], word: str) -> Expression:
        left = operand()
        while self.token.word == word:
            at = self.advance().at
            left = Binary(word, left, operand(), at=at)
        return left

    def _not(self) -> Expression:
        if self.token.word != "NOT":
            return self._comparison()
        at = self.advance().at
        with self.nested():
            return Unary("NOT", self._not(), at=at)

    def _comparison(self) -> Expression:
        first = self._tested()
        rest: list[tuple[str, Expression]] = []
        while self.token.is_symbol(*_COMPARISONS):
            operator = self.advance().text
            rest.append((operator, self._tested()))
        return Comparison(first, tuple(rest), at=first.at) if rest else first

    def _tested(self) -> Expression:
        """`IN`, `STARTS WITH`, `=~`, `IS NULL` and the like after an operand."""
        left = self._sum()
        while True:
            at = self.token.at
            operator = next((words for words in _TESTS if self.sees_word(*words)), None)
            if operator:
                self.takes_word(*operator)
                left = Binary(" ".join(operator), left, self._sum(), at=at)
            elif self.takes("=~"):
                left = Binary("=~", left, self._sum(), at=at)
            elif self.token.word == "IS":
                left = Tested(left, self._test(), at=at)
            elif self.takes("::"):
                left = Tested(left, f"IS :: {self._type()}", at=at)
            else:
                return left

    def _test(self) -> str:
        self.expect_word("IS")
        negated = "NOT " if self.takes_word("NOT") else ""
        if self.takes_word("NULL"):
            return f"IS {negated}NULL"
        if not self.takes("::"):
            self.expect_word("TYPED")
        return f"IS {negated}:: {self._type()}"

    def _type(self) -> str:
        """A type of values in capitals, such as `LIST<INTEGER NOT NULL> | STRING`."""
        words = [self._type_word()]
        while self.token.kind == "name" and self.token.word in ("NOT", "NULL", "DATETIME", "TIME", "ZONED", "WITH", "WITHOUT", "TIMEZONE"):
            words.append(self._type_word())
        if self.takes("<"):
            words.append(f"<{self._type()}>")
            self.expect(">")
        if self.takes("|"):
            words.append(f"| {self._type()}")
        return " ".join(words)

    def _type_word(self) -> str:
        if not self.token.word:
            raise self.unexpected("expected the name of a type")
        return self.advance().word

    def _sum(self) -> Expression:
        return self._left(lambda: self._left(lambda: self._left(self._signed, "^"), "*", "/", "%"), "+", "-", "||")

    def _left(self, operand: Callable[[], Expression], *symbols: str) -> Expression:
        left = operand()
        while self.token.is_symbol(*symbols):
            token = self.advance()
            left = Binary(token.text, left, operand(), at=token.at)
        return left

    def _signed(self) -> Expression:
        if not self.token.is_symbol("+", "-"):
            return self._postfix()
        token = self.advance()
        with self.nested():
            return Unary(token.text, self._signed(), at=token.at)

    def _postfix(self) -> Expression:
        of = self._atom()
        while True:
            at = self.token.at
            if self.takes("."):
                of = Property(of, self.name("the name of a property"), at=at)
            elif self.takes("["):
                of = self._subscript(of, at)
            elif self.takes(":"):
                of = HasLabels(of, self.labels(), at=at)
            else:
                return of

    def _subscript(self, of: Expression, at: int) -> Expression:
        start = None if self.token.is_symbol("..") else self.expression()
        if not self.takes(".."):
            self.expect("]")
            return Subscript(of, _given(start), at=at)
        end = None if self.token.is_symbol("]") else self.expression()
        self.expect("]")
        return Slice(of, start, end, at=at)

    def _atom(self) -> Expression:
        token = self.token
        if token.kind == "number":
            return Constant(self.advance().text, at=token.at)
        if token.kind == "string":
            return Text(self.advance().text, at=token.at)
        if token.kind == "parameter":
            return Parameter(self.advance().text, at=token.at)
        if token.word == "CASE":
            return self._case()
        if token.word in _CONSTANTS and not self.ahead(1).is_symbol("("):
            return Constant(_CONSTANTS[self.advance().word], at=token.at)
        if token.kind in ("name", "quoted", "symbol"):
            return self.compound()
        raise self.unexpected("expected an expression")

    def _case(self) -> Expression:
        at = self.advance().at
        subject = None if self.token.word == "WHEN" else self.expression()
        branches: list[tuple[Expression, Expression]] = []
        while self.takes_word("WHEN"):
            condition = self.expression()
            self.expect_word("THEN")
            branches.append((condition, self.expression()))
        if not branches:
            raise self.unexpected("expected WHEN")
        otherwise = self.expression() if self.takes_word("ELSE") else None
        self.expect_word("END")
        return Case(subject, tuple(branches), otherwise, at=at)

    def listed(self, closing: str) -> Sequence[Expression]:
        """Expressions between commas, up to and with the closing symbol."""
        found: list[Expression] = []
        if self.takes(closing):
            return found
        found.append(self.expression())
        while self.takes(","):
            found.append(self.expression())
        self.expect(closing)
        return found

    def variable(self) -> Variable:
        at = self.token.at
        return Variable(self.name("a variable"), at=at)


def _given(expression: Expression | None) -> Expression:
    assert expression is not None
    return expression
