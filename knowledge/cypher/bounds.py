"""What a plan does not show: how far a statement's own lists, texts and paths can grow. Bounds are required or added here."""

import json
from collections.abc import Iterator, Mapping

from knowledge.cypher.limits import Limits
from knowledge.cypher.refusal import Refused
from knowledge.cypher.syntax import (
    Binary,
    Call,
    Comprehension,
    Constant,
    Expression,
    Length,
    ListOf,
    Located,
    Parameter,
    Property,
    Quantified,
    Query,
    Reduced,
    Text,
    Unary,
    Unwind,
    Variable,
)  # fmt: skip
from knowledge.cypher.walk import below, changed

_MEASURES = frozenset({"size", "length"})
Parameters = Mapping[str, object]


def bounded(query: Query, given: Parameters, limits: Limits) -> tuple[Query, tuple[str, ...]]:
    """The statement with an upper bound on every path, and what was added. Refused for what could grow beyond the limits."""
    _check_growth(query, given, limits)
    added: list[str] = []

    def shorten(part: Located) -> Located:
        if not isinstance(part, Length):
            return part
        if part.high is None and (part.low or 0) <= limits.depth:
            added.append(f"paths end after {limits.depth} steps")
            return Length(part.low, limits.depth, part.quantifier, at=part.at)
        if part.high is None or part.high > limits.depth:
            raise Refused("path_length", f"a path may have {limits.depth} steps at most", part.at, f"write *1..{limits.depth}")
        return part

    return changed(query, shorten), tuple(dict.fromkeys(added))


def whole(expression: Expression | None, given: Parameters) -> int | None:
    """The whole number that a literal, a parameter or a sum of such stands for, None for anything else."""
    if isinstance(expression, Constant) and expression.written.isdigit():
        return int(expression.written)
    if isinstance(expression, Parameter):
        value = given.get(expression.name)
        return value if isinstance(value, int) and not isinstance(value, bool) else None
    if isinstance(expression, Unary) and expression.operator in "+-":
        inner = whole(expression.of, given)
        return inner if inner is None or expression.operator == "+" else -inner
    if isinstance(expression, Binary) and expression.operator in "+-":
        left, right = whole(expression.left, given), whole(expression.right, given)
        return None if left is None or right is None else left + right if expression.operator == "+" else left - right
    return None


def check_given(given: Parameters, limits: Limits) -> None:
    """Refused where the parameters are too large or are no JSON."""
    try:
        size = len(json.dumps(given))
    except (TypeError, ValueError, RecursionError) as error:
        raise Refused("list_size", "parameters must be plain JSON values", instead="pass texts, numbers, booleans and lists") from error
    if size > limits.given:
        raise Refused("list_size", f"the parameters have {size} characters, {limits.given} may be given", instead="pass fewer values")


def _check_growth(query: Query, given: Parameters, limits: Limits) -> None:
    parts = list(below(query))
    largest = max((size for part in parts if (size := _listed(part, given, limits)) is not None), default=1)
    grown = 1
    for part, source in _iterations(parts):
        size = _listed(source, given, limits)
        grown *= max(1, size if size is not None else largest)
        if grown > limits.listed:
            raise Refused(
                "list_size", f"lists written in a statement may make {limits.listed} rounds together", part.at, "use shorter lists, or fewer of them"
            )  # fmt: skip
    _check_number([p for p in parts if isinstance(p, Unwind)], limits.unwinds, "UNWIND")
    _check_number([p for p in parts if isinstance(p, Reduced)], limits.reduces, "reduce()")
    _check_number([p for p in parts if _adds_variables(p)], limits.sums, "sums of variables")
    for each in parts:
        _check_texts(each)


def _iterations(parts: list[object]) -> Iterator[tuple[Located, Expression]]:
    return ((part, part.source) for part in parts if isinstance(part, Unwind | Comprehension | Reduced | Quantified))


def _listed(part: object, given: Parameters, limits: Limits) -> int | None:
    """How many elements a written list, a range or a parameter has; None for anything else."""
    if isinstance(part, ListOf):
        return len(part.items)
    if isinstance(part, Parameter):
        value = given.get(part.name)
        return len(value) if isinstance(value, list | tuple) else None
    if isinstance(part, Call) and part.name == "range":
        return _range(part, given, limits)
    return None


def _range(call: Call, given: Parameters, limits: Limits) -> int:
    """The elements of a range; one that ends at the size of something is as long as that, which is no literal."""
    numbers = [whole(argument, given) for argument in call.arguments]
    if None not in numbers and len(numbers) in (2, 3):
        low, high, step = [*(n for n in numbers if n is not None), 1][:3]
        length = abs(high - low) // max(1, abs(step)) + 1
        if length > limits.listed:
            raise Refused("list_size", f"a range may have {limits.listed} elements", call.at, "use a shorter range")
        return length
    if any(isinstance(part, Call) and part.name in _MEASURES for part in below(call.arguments[1:2])):
        return 1
    raise Refused("list_size", "the ends of range() must be whole numbers", call.at, "write small numbers, or size(list) - 1 as the end")


def _check_number(parts: list[object], most: int, what: str) -> None:
    if len(parts) > most:
        place = parts[most]
        at = place.at if isinstance(place, Located) else -1
        raise Refused("growth", f"a statement may have {most} {what} at most", at, "ask for less in one statement")


def _adds_variables(part: object) -> bool:
    """A sum that can double a text or a list: one of its sides is neither a literal nor a property."""
    return isinstance(part, Binary) and part.operator in ("+", "||") and any(_may_be_long(side) for side in (part.left, part.right))


def _may_be_long(side: Expression) -> bool:
    return not isinstance(side, Constant | Text | Property | ListOf | Unary | Binary)


def _check_texts(part: object) -> None:
    if isinstance(part, Reduced):
        used = sum(isinstance(inner, Variable) and inner.name == part.accumulator for inner in below(part.body))
        if used > 1 and any(isinstance(inner, Binary) and inner.operator in ("+", "||", "*") for inner in below(part.body)):
            raise Refused("growth", f"{part.accumulator} stands twice in reduce(), so it could double", part.at, "use it once")
    if isinstance(part, Call) and part.name == "replace" and len(part.arguments) == 3 and not isinstance(part.arguments[2], Text):
        raise Refused("growth", "what replace() puts in must be a literal text", part.at, "write it in quotes")
