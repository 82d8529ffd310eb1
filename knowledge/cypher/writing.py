"""Expressions as text for the server, with every string as a parameter. What runs is this text, never the one that was given."""

from abc import abstractmethod
from functools import singledispatchmethod

from knowledge.cypher.syntax import (
    Binary,
    Call,
    Case,
    Comparison,
    Comprehension,
    Constant,
    Expression,
    Fragment,
    HasLabels,
    ListOf,
    MapOf,
    MapProjection,
    Parameter,
    Path,
    PatternExpression,
    Property,
    Quantified,
    Query,
    Reduced,
    Slice,
    Subquery,
    Subscript,
    Tested,
    Text,
    Unary,
    Variable,
)  # fmt: skip
from knowledge.cypher.writing_labels import labels_written
from knowledge.database.ddl import quoted


def variable_name(name: str) -> str:
    """A variable of the statement as the server sees it: apart from every name of our own fragments."""
    return quoted(f"v_{name}")


def parameter_name(name: str) -> str:
    """A parameter of the caller as the server sees it: apart from those of the scope and from `t_1`, `t_2`, … which hold strings."""
    return f"p_{name}"


class ExpressionWriter:
    """`texts` collects the strings, equal ones once, so that equal expressions stay equal."""

    def __init__(self) -> None:
        self.texts: dict[str, str] = {}

    @abstractmethod
    def path(self, path: Path) -> str:
        """A pattern."""

    @abstractmethod
    def query(self, query: Query) -> str:
        """What stands in a subquery."""

    @singledispatchmethod
    def write(self, expression: Expression) -> str:
        """The text of an expression, in parentheses where precedence could matter."""
        raise TypeError(f"{type(expression).__name__} is no expression")

    def several(self, expressions: tuple[Expression, ...]) -> str:
        return ", ".join(self.write(e) for e in expressions)

    def entries(self, items: tuple[tuple[str, Expression], ...]) -> str:
        return "{" + ", ".join(f"{quoted(key)}: {self.write(value)}" for key, value in items) + "}"

    @write.register
    def _variable(self, e: Variable) -> str:
        return variable_name(e.name)

    @write.register
    def _constant(self, e: Constant) -> str:
        return e.written

    @write.register
    def _fragment(self, e: Fragment) -> str:
        return e.written

    @write.register
    def _text(self, e: Text) -> str:
        return "$" + self.texts.setdefault(e.value, f"t_{len(self.texts) + 1}")

    @write.register
    def _parameter(self, e: Parameter) -> str:
        return "$" + quoted(parameter_name(e.name))

    @write.register
    def _property(self, e: Property) -> str:
        return f"{self.write(e.of)}.{quoted(e.name)}"

    @write.register
    def _subscript(self, e: Subscript) -> str:
        return f"{self.write(e.of)}[{self.write(e.index)}]"

    @write.register
    def _slice(self, e: Slice) -> str:
        start, end = (self.write(bound) if bound else "" for bound in (e.start, e.end))
        return f"{self.write(e.of)}[{start}..{end}]"

    @write.register
    def _list(self, e: ListOf) -> str:
        return f"[{self.several(e.items)}]"

    @write.register
    def _map(self, e: MapOf) -> str:
        return self.entries(e.items)

    @write.register
    def _projection(self, e: MapProjection) -> str:
        items = [".*"] * e.everything + [f"{quoted(key)}: {self.write(value)}" for key, value in e.items]
        return f"{self.write(e.of)} {{{', '.join(items)}}}"

    @write.register
    def _call(self, e: Call) -> str:
        inside = "*" if e.star else ("DISTINCT " if e.distinct else "") + self.several(e.arguments)
        return f"{e.name}({inside})"

    @write.register
    def _unary(self, e: Unary) -> str:
        return f"({e.operator} {self.write(e.of)})"

    @write.register
    def _binary(self, e: Binary) -> str:
        return f"({self.write(e.left)} {e.operator} {self.write(e.right)})"

    @write.register
    def _comparison(self, e: Comparison) -> str:
        return f"({self.write(e.first)}{''.join(f' {operator} {self.write(operand)}' for operator, operand in e.rest)})"

    @write.register
    def _tested(self, e: Tested) -> str:
        return f"({self.write(e.of)} {e.test})"

    @write.register
    def _has_labels(self, e: HasLabels) -> str:
        return f"({self.write(e.of)}:{labels_written(e.labels)})"

    @write.register
    def _case(self, e: Case) -> str:
        subject = f" {self.write(e.subject)}" if e.subject else ""
        branches = "".join(f" WHEN {self.write(condition)} THEN {self.write(result)}" for condition, result in e.branches)
        otherwise = f" ELSE {self.write(e.otherwise)}" if e.otherwise else ""
        return f"(CASE{subject}{branches}{otherwise} END)"

    @write.register
    def _comprehension(self, e: Comprehension) -> str:
        where = f" WHERE {self.write(e.where)}" if e.where else ""
        result = f" | {self.write(e.result)}" if e.result else ""
        return f"[{variable_name(e.variable)} IN {self.write(e.source)}{where}{result}]"

    @write.register
    def _reduced(self, e: Reduced) -> str:
        return (
            f"reduce({variable_name(e.accumulator)} = {self.write(e.start)},"
            f" {variable_name(e.variable)} IN {self.write(e.source)} | {self.write(e.body)})"
        )

    @write.register
    def _quantified(self, e: Quantified) -> str:
        return f"{e.word}({variable_name(e.variable)} IN {self.write(e.source)} WHERE {self.write(e.where)})"

    @write.register
    def _pattern(self, e: PatternExpression) -> str:
        if e.result is None:
            return self.path(e.path)
        where = f" WHERE {self.write(e.where)}" if e.where else ""
        return f"[{self.path(e.path)}{where} | {self.write(e.result)}]"

    @write.register
    def _subquery(self, e: Subquery) -> str:
        return f"{e.word} {{ {self.query(e.query)} }}"
