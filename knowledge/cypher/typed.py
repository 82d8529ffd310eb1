"""Expressions of the scoped grammar: each is given its kind, and what reads a node or a relationship is put into the surface's words.

Soundness: nodes, relationships and paths come from patterns only, every one of which is in the scope, and reach an expression only where a
rule below names the kinds. All else is refused, so that nothing of an element is read but what the surface shows.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import singledispatchmethod

from knowledge.cypher.kinds import FACT, NODE, NULL, PATH, PLAIN, VALUE, Kind, joined, list_of, member
from knowledge.cypher.refusal import Refused
from knowledge.cypher.surface import Surface
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
    PatternExpression,
    Property,
    Quantified,
    Reduced,
    Slice,
    Subquery,
    Subscript,
    Tested,
    Text,
    Unary,
    Variable,
)  # fmt: skip
from knowledge.cypher.typed_calls import CALLS, Use, plain_call
from knowledge.cypher.writing import variable_name

Typed = tuple[Expression, Kind]
_HELD = "element"
_INSTEAD_OF = {
    "EXISTS": "use MATCH, or OPTIONAL MATCH … WITH …, count(x) AS n WHERE n = 0 for what must not be there",
    "COUNT": "use OPTIONAL MATCH … and count(x)",
    "COLLECT": "use OPTIONAL MATCH … and collect(x)",
}


class Typer:
    """Types and translates expressions under an environment of variables."""

    def __init__(self, surface: Surface) -> None:
        self.surface = surface
        self.variables: dict[str, Kind] = {}

    @contextmanager
    def bound(self, variables: Mapping[str, Kind]) -> Iterator[None]:
        """These variables beside, and instead of, those that are there."""
        before = self.variables
        self.variables = {**before, **variables}
        yield
        self.variables = before

    def value(self, expression: Expression) -> Expression:
        """An expression that must be a plain value."""
        written, kind = self.typed(expression)
        if kind not in PLAIN:
            raise element_as_value(kind, expression.at)
        return written

    def shown(self, expression: Expression) -> Expression:
        """An expression as a plain value: of a node or a relationship, the properties that may be seen."""
        written, kind = self.typed(expression)
        if kind in (NODE, FACT):
            return self.on_element(written, lambda name: self.surface.properties(name, fact=kind == FACT))
        if kind not in PLAIN:
            raise element_as_value(kind, expression.at)
        return written

    def on_element(self, element: Expression, use: Use) -> Expression:
        """`use` of the identifier of an element; one that is not a variable is bound first."""
        if isinstance(element, Variable):
            return use(variable_name(element.name))
        return Call("head", (Comprehension(_HELD, ListOf((element,)), None, use(variable_name(_HELD))),))

    @singledispatchmethod
    def typed(self, expression: Expression) -> Typed:
        """The expression in the surface's words, and its kind. Refused (`Refused`) where it is outside of the scoped grammar."""
        raise TypeError(f"{type(expression).__name__} is no expression of a statement")

    @typed.register
    def _variable(self, e: Variable) -> Typed:
        if e.name not in self.variables:
            raise Refused("syntax", f"the variable {e.name} is not defined here", e.at, "bind it in MATCH, or carry it on in WITH")
        return e, self.variables[e.name]

    @typed.register
    def _constant(self, e: Constant) -> Typed:
        return e, NULL if e.written == "null" else VALUE

    @typed.register
    def _text(self, e: Text) -> Typed:
        return e, VALUE

    @typed.register
    def _parameter(self, e: Parameter) -> Typed:
        return e, VALUE

    @typed.register
    def _property(self, e: Property) -> Typed:
        of, kind = self.typed(e.of)
        if kind in PLAIN:
            return Property(of, e.name), VALUE
        if kind not in (NODE, FACT):
            raise element_as_value(kind, e.at)
        try:
            return self.on_element(of, lambda name: Fragment(self.surface.property(name, e.name, fact=kind == FACT))), VALUE
        except Refused as refused:
            raise Refused(refused.code, refused.message, e.at, refused.instead) from refused

    @typed.register
    def _subscript(self, e: Subscript) -> Typed:
        of, kind = self.typed(e.of)
        inner = member(kind)
        if inner is None:
            raise Refused("dynamic", "the name of a property cannot be computed", e.at, "write n.name")
        return Subscript(of, self.value(e.index)), inner

    @typed.register
    def _slice(self, e: Slice) -> Typed:
        of, kind = self.typed(e.of)
        if member(kind) is None:
            raise element_as_value(kind, e.at)
        return Slice(of, self.value(e.start) if e.start else None, self.value(e.end) if e.end else None), kind

    @typed.register
    def _list(self, e: ListOf) -> Typed:
        items = [self.typed(item) for item in e.items]
        kind = joined(kind for _, kind in items)
        if kind is None:
            return ListOf(tuple(map(self.shown, e.items))), VALUE
        return ListOf(tuple(item for item, _ in items)), list_of(kind)

    @typed.register
    def _map(self, e: MapOf) -> Typed:
        return MapOf(tuple((key, self.shown(value)) for key, value in e.items)), VALUE

    @typed.register
    def _projection(self, e: MapProjection) -> Typed:
        kind = self.typed(e.of)[1]
        items = tuple((key, self.shown(value)) for key, value in e.items)
        if kind in PLAIN:
            return MapProjection(e.of, items, e.everything), VALUE
        if kind not in (NODE, FACT):
            raise element_as_value(kind, e.at)
        all_of_it = self.surface.properties(variable_name(e.of.name), fact=kind == FACT).items if e.everything else ()
        return MapOf(tuple({**dict(all_of_it), **dict(items)}.items())), VALUE

    @typed.register
    def _call(self, e: Call) -> Typed:
        arguments = [self.typed(argument) for argument in e.arguments]
        rule = CALLS.get(e.name, plain_call)
        return rule(self, e, [a for a, _ in arguments], [kind for _, kind in arguments])

    @typed.register
    def _unary(self, e: Unary) -> Typed:
        return Unary(e.operator, self.value(e.of)), VALUE

    @typed.register
    def _binary(self, e: Binary) -> Typed:
        (left, left_kind), (right, right_kind) = self.typed(e.left), self.typed(e.right)
        written = Binary(e.operator, left, right)
        if e.operator == "IN" and (left_kind == member(right_kind) or (left_kind in PLAIN and right_kind in PLAIN)):
            return written, VALUE
        if e.operator == "+" and left_kind.startswith("[") and left_kind == right_kind:
            return written, left_kind
        return Binary(e.operator, self.value(e.left), self.value(e.right)), VALUE

    @typed.register
    def _comparison(self, e: Comparison) -> Typed:
        operands = [self.typed(e.first), *(self.typed(operand) for _, operand in e.rest)]
        kind = joined(kind for _, kind in operands)
        if kind in (NODE, FACT) and all(operator in ("=", "<>") for operator, _ in e.rest):
            first, *rest = (operand for operand, _ in operands)
            return Comparison(first, tuple(zip((o for o, _ in e.rest), rest, strict=True))), VALUE
        return Comparison(self.value(e.first), tuple((operator, self.value(operand)) for operator, operand in e.rest)), VALUE

    @typed.register
    def _tested(self, e: Tested) -> Typed:
        if e.test.endswith("NULL") and "::" not in e.test:
            return Tested(self.typed(e.of)[0], e.test), VALUE
        return Tested(self.value(e.of), e.test), VALUE

    @typed.register
    def _has_labels(self, e: HasLabels) -> Typed:
        of, kind = self.typed(e.of)
        if kind == NODE:
            return self.on_element(of, lambda name: self.surface.is_a(name, e.labels)), VALUE
        if kind == FACT:
            return self.on_element(of, lambda name: self.surface.of_type(name, e.labels)), VALUE
        raise Refused("syntax", "only nodes and relationships have labels or types", e.at)

    @typed.register
    def _case(self, e: Case) -> Typed:
        subject = self.value(e.subject) if e.subject else None
        branches = [(self.value(condition), self.typed(result)) for condition, result in e.branches]
        otherwise = self.typed(e.otherwise) if e.otherwise else None
        kind = joined([kind for _, (_, kind) in branches] + ([otherwise[1]] if otherwise else []))
        if kind is None:
            raise Refused("element_as_value", "the branches of CASE are of different kinds", e.at, "name a property in each")
        return Case(subject, tuple((c, r) for c, (r, _) in branches), otherwise[0] if otherwise else None), kind

    @typed.register
    def _comprehension(self, e: Comprehension) -> Typed:
        source, kind, inner = self._source(e.source)
        with self.bound({e.variable: inner}):
            where = self.value(e.where) if e.where else None
            if e.result is None:
                return Comprehension(e.variable, source, where, None), kind
            result, result_kind = self.typed(e.result)
        return Comprehension(e.variable, source, where, result), list_of(result_kind)

    @typed.register
    def _reduced(self, e: Reduced) -> Typed:
        source, _, inner = self._source(e.source)
        start = self.value(e.start)
        with self.bound({e.accumulator: VALUE, e.variable: inner}):
            return Reduced(e.accumulator, start, e.variable, source, self.value(e.body)), VALUE

    @typed.register
    def _quantified(self, e: Quantified) -> Typed:
        source, _, inner = self._source(e.source)
        with self.bound({e.variable: inner}):
            return Quantified(e.word, e.variable, source, self.value(e.where)), VALUE

    @typed.register
    def _pattern(self, e: PatternExpression) -> Typed:
        if e.path.selector:
            raise Refused(
                "shortest_path", f"{e.path.selector} is not used here", e.at, "use a bounded path such as -[*1..3]- and ORDER BY length(p)"
            )
        raise Refused(
            "pattern_expression",
            "a pattern cannot stand in an expression here",
            e.at,
            "use MATCH or OPTIONAL MATCH, then count(x) or x IS NULL",
        )

    @typed.register
    def _subquery(self, e: Subquery) -> Typed:
        raise Refused("subquery", f"{e.word} {{ … }} is not used here", e.at, _INSTEAD_OF[e.word])

    def _source(self, source: Expression) -> tuple[Expression, Kind, Kind]:
        written, kind = self.typed(source)
        inner = member(kind)
        if inner is None:
            raise element_as_value(kind, source.at)
        return written, kind, inner


def element_as_value(kind: Kind, at: int) -> Refused:
    """The refusal of a node, a relationship or a path where a plain value is wanted."""
    what = {NODE: "a node", FACT: "a relationship", PATH: "a path"}.get(kind, "a list of nodes, relationships or paths")
    return Refused(
        "element_as_value", f"{what} stands where a value is wanted", at, "name a property, such as .name, or use length(p), nodes(p)"
    )
