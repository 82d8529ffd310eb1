"""Conditions that cannot fail, whatever the data: an error would tell of an element before the scope has hidden it."""

from collections.abc import Iterable, Iterator

from knowledge.cypher.syntax import (
    Binary,
    Comparison,
    Constant,
    Expression,
    Fragment,
    HasLabels,
    ListOf,
    Parameter,
    Property,
    Quantified,
    Tested,
    Text,
    Unary,
    Variable,
)  # fmt: skip

_TEXT_TESTS = ("STARTS WITH", "ENDS WITH", "CONTAINS")
_LOGIC = ("AND", "OR", "XOR")


def conjuncts(expression: Expression | None) -> Iterator[Expression]:
    """The conditions that all must hold."""
    if isinstance(expression, Binary) and expression.operator == "AND":
        yield from conjuncts(expression.left)
        yield from conjuncts(expression.right)
    elif expression is not None:
        yield expression


def conjunction(expressions: Iterable[Expression]) -> Expression | None:
    """One condition for several, None for none."""
    found: Expression | None = None
    for expression in expressions:
        found = expression if found is None else Binary("AND", found, expression)
    return found


def cannot_fail(condition: Expression) -> bool:
    """Comparisons of properties and constants under AND, OR and NOT; they are true, false or null for values of any type."""
    if isinstance(condition, Binary) and condition.operator in _LOGIC:
        return cannot_fail(condition.left) and cannot_fail(condition.right)
    if isinstance(condition, Unary) and condition.operator == "NOT":
        return cannot_fail(condition.of)
    if isinstance(condition, Comparison):
        return _is_plain(condition.first) and all(_is_plain(operand) for _, operand in condition.rest)
    if isinstance(condition, Binary):
        return _is_test(condition)
    if isinstance(condition, Quantified):
        return isinstance(condition.source, Variable) and cannot_fail(condition.where)
    if isinstance(condition, Tested):
        return "::" not in condition.test and _is_plain(condition.of)
    return isinstance(condition, HasLabels) or condition == Constant("true")


def _is_test(condition: Binary) -> bool:
    if condition.operator in _TEXT_TESTS:
        return _is_plain(condition.left) and isinstance(condition.right, Text)
    return condition.operator == "IN" and _is_plain(condition.left) and isinstance(condition.right, ListOf) and _is_plain(condition.right)


def _is_plain(operand: Expression) -> bool:
    """A constant, or a property of an element as the surface writes it."""
    if isinstance(operand, ListOf):
        return all(map(_is_plain, operand.items))
    return isinstance(operand, Constant | Text | Parameter | Fragment | Property) and (
        not isinstance(operand, Property) or isinstance(operand.of, Variable)
    )
