"""Patterns inside expressions start somewhere: their plans stand in no operator, so that a scan of everything would not be seen there."""

from collections.abc import Iterator

from knowledge.cypher.label_tests import negates
from knowledge.cypher.refusal import Refused
from knowledge.cypher.syntax import (
    CallQuery,
    Clause,
    Group,
    Label,
    Labels,
    Match,
    Node,
    Path,
    PatternExpression,
    Projection,
    Query,
    Relationship,
    Subquery,
)
from knowledge.cypher.visible import bound, visible
from knowledge.cypher.walk import below

_PATTERNS = (Subquery, PatternExpression)


def check_anchored(query: Query) -> None:
    """Refused (`Refused`) where a pattern in an expression has neither a label nor a type, nor a node that is known outside."""
    _check(query, set(), inside=False)


def _check(query: Query, known: set[str], *, inside: bool) -> None:
    for branch in query.branches:
        for place, clause in enumerate(branch):
            _check_clause(clause, visible(branch[:place], known), inside=inside)


def _check_clause(clause: Clause, here: set[str], *, inside: bool) -> None:
    if isinstance(clause, CallQuery):
        imported = here if clause.imports == ("*",) else set(clause.imports or ())
        _check(clause.query, imported, inside=inside)
        return
    if isinstance(clause, Match):
        for path in clause.paths:
            if inside:
                _require_anchor(path, here)
            here = here | set(bound(path))
    if isinstance(clause, Projection):
        here = here | {item.name for item in clause.items}
    _check_expressions(clause, here)


def _check_expressions(tree: object, here: set[str]) -> None:
    for part in below(tree, within=_PATTERNS):
        if isinstance(part, Subquery):
            _check(part.query, here, inside=True)
        elif isinstance(part, PatternExpression):
            _require_anchor(part.path, here)
            _check_expressions((part.path, part.where, part.result), here | set(bound(part.path)))


def _require_anchor(path: Path, known: set[str]) -> None:
    if not any(_is_anchor(element, known) for element in _elements(path)):
        raise Refused("scan", "a pattern in an expression looks at everything", path.at, "give it a label: (n:Label)")


def _elements(path: Path) -> Iterator[Node | Relationship]:
    for element in path.elements:
        if isinstance(element, Group):
            yield from _elements(element.path)
        else:
            yield element


def _is_anchor(element: Node | Relationship, known: set[str]) -> bool:
    labels = element.labels if isinstance(element, Node) else element.types
    return _names_something(labels) or (isinstance(element, Node) and element.variable in known)


def _names_something(labels: Labels | None) -> bool:
    return labels is not None and not negates(labels) and not any(part == Label("%") for part in below(labels))
