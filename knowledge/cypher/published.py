"""How the columns of a statement leave the database: nodes, relationships and paths as what may be shown of them."""

from knowledge.cypher.kinds import FACT, NODE, PATH, PLAIN, Kind, list_of
from knowledge.cypher.refusal import Refused
from knowledge.cypher.surface import Surface
from knowledge.cypher.writing_query import Writer

_ONE = "gavel_one"
_END = "gavel_end"


def published(variable: str, kind: Kind, surface: Surface) -> str:
    """The expression of a column; `rows.shown` reads what it gives back. Refused (`Refused`) for lists inside lists of elements."""
    if kind in PLAIN:
        return variable
    if kind == NODE:
        return _unless_null(variable, _node(variable, surface))
    if kind == FACT:
        return _unless_null(variable, _fact(variable, surface))
    if kind == PATH:
        nodes, facts = (published(f"{of}({variable})", list_of(k), surface) for of, k in (("nodes", NODE), ("relationships", FACT)))
        return _unless_null(variable, f"{{nodes: {nodes}, facts: {facts}}}")
    if kind in (list_of(NODE), list_of(FACT)):
        return f"[{_ONE} IN {variable} | {published(_ONE, kind[1:-1], surface)}]"
    raise Refused("element_as_value", "a column holds lists inside lists, or lists of paths", instead="return properties, or fewer levels")


def _node(variable: str, surface: Surface) -> str:
    return f"{{entity: {surface.dialect.entity_fields(variable)}, properties: {_properties(variable, surface, fact=False)}}}"


def _fact(variable: str, surface: Surface) -> str:
    ends = ", ".join(
        f"{name}: head([{_END} IN [{end}({variable})] | {surface.dialect.entity_fields(_END)}])"
        for name, end in (("subject", "startNode"), ("object", "endNode"))
    )
    return f"{{fact: {surface.dialect.fact_fields(variable)}, {ends}, properties: {_properties(variable, surface, fact=True)}}}"


def _properties(variable: str, surface: Surface, *, fact: bool) -> str:
    return Writer().write(surface.properties(variable, fact=fact))


def _unless_null(variable: str, expression: str) -> str:
    return f"CASE WHEN {variable} IS NOT NULL THEN {expression} END"
