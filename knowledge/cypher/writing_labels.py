"""Label expressions and lengths of paths as text."""

from knowledge.cypher.syntax import LabelPair, Labels, Length, NotLabel
from knowledge.database.ddl import quoted


def labels_written(labels: Labels) -> str:
    """The label expression with quoted names."""
    if isinstance(labels, NotLabel):
        return f"!{labels_written(labels.of)}"
    if isinstance(labels, LabelPair):
        return f"({labels_written(labels.left)}{labels.operator}{labels_written(labels.right)})"
    return "%" if labels.name == "%" else quoted(labels.name)


def types_written(labels: Labels) -> str:
    """As `labels_written`, with a plain choice of types in the form that lengths such as `*1..3` go with."""
    plain = _plain(labels)
    return "|".join(map(quoted, plain)) if plain else labels_written(labels)


def _plain(labels: Labels) -> list[str]:
    """The names of a choice between names, empty for anything else."""
    if isinstance(labels, NotLabel):
        return []
    if isinstance(labels, LabelPair):
        left, right = _plain(labels.left), _plain(labels.right)
        return left + right if labels.operator == "|" and left and right else []
    return [] if labels.name == "%" else [labels.name]


def star_written(length: Length | None) -> str:
    """`*1..3` inside a relationship; empty for a quantifier and for none."""
    if length is None or length.quantifier:
        return ""
    low = "" if length.low is None else str(length.low)
    high = "" if length.high is None else str(length.high)
    return f"*{low}..{high}"


def quantifier_written(length: Length | None) -> str:
    """`{1,3}` after a relationship or a group; empty for a star and for none."""
    if length is None or not length.quantifier:
        return ""
    high = "" if length.high is None else str(length.high)
    return f"{{{length.low or 0},{high}}}"
