"""Label expressions as predicates."""

from collections.abc import Callable

from knowledge.cypher.syntax import Binary, Constant, Expression, LabelPair, Labels, NotLabel, Unary
from knowledge.cypher.walk import below


def tested(labels: Labels, test: Callable[[str], Expression]) -> Expression:
    """`test` of every name, joined as the label expression joins them; `%` always holds."""
    if isinstance(labels, NotLabel):
        return Unary("NOT", tested(labels.of, test))
    if isinstance(labels, LabelPair):
        return Binary("AND" if labels.operator == "&" else "OR", tested(labels.left, test), tested(labels.right, test))
    return Constant("true") if labels.name == "%" else test(labels.name)


def negates(labels: Labels) -> bool:
    """Whether a label stands under `!`."""
    return any(isinstance(part, NotLabel) for part in below(labels))
