"""The text that is sent: bounded in rows, with our names for variables, parameters and strings, and the columns as they were asked for."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from knowledge.cypher.bounds import whole
from knowledge.cypher.limits import Limits
from knowledge.cypher.published import published
from knowledge.cypher.refusal import Refused
from knowledge.cypher.scoped import Column
from knowledge.cypher.surface import Surface
from knowledge.cypher.syntax import Constant, Expression, Parameter, Projection, Query
from knowledge.cypher.walk import below
from knowledge.cypher.writing import parameter_name, variable_name
from knowledge.cypher.writing_query import Writer
from knowledge.database.ddl import quoted

LANGUAGE = "CYPHER 5 "


@dataclass(frozen=True)
class Compiled:
    """`rows`: most rows that are asked for, one more than are given back where the statement itself allows more."""

    text: str
    parameters: Mapping[str, object]
    columns: tuple[Column, ...]
    rows: int
    added: tuple[str, ...] = ()


def compiled(query: Query, columns: tuple[Column, ...], given: Mapping[str, object], surface: Surface, limits: Limits) -> Compiled:
    """Refused (`Refused`) for a parameter that is not given and a LIMIT that is no number."""
    writer = Writer()
    shown = ", ".join(f"{published(variable_name(c.name), c.kind, surface)} AS {quoted(c.name)}" for c in columns)
    closing = _closing(query)
    rows = limits.rows + 1 if closing is None else _rows(closing.limit, given, limits)
    if closing is None:
        body = f"CALL () {{ {writer.query(query)} }} WITH * LIMIT {rows}"
    else:
        last = replace(closing, word="WITH", limit=Constant(str(rows)))
        body = " ".join([*map(writer.clause, query.branches[0][:-1]), writer.projection(last)])
    parameters = {**_parameters(query, given), **{name: text for text, name in writer.texts.items()}}
    added = (f"LIMIT {limits.rows}",) if rows > limits.rows else ()
    return Compiled(f"{body} RETURN {shown}", parameters, columns, rows, added)


def _closing(query: Query) -> Projection | None:
    """The RETURN of a statement without UNION."""
    last = query.branches[0][-1]
    return last if len(query.branches) == 1 and isinstance(last, Projection) else None


def _rows(limit: Expression | None, given: Mapping[str, object], limits: Limits) -> int:
    if limit is None:
        return limits.rows + 1
    asked = whole(limit, given)
    if asked is None or asked < 0:
        raise Refused("row_count", "LIMIT wants a whole number", limit.at, f"write LIMIT {limits.rows}, or less")
    return asked if asked <= limits.rows else limits.rows + 1


def _parameters(query: Query, given: Mapping[str, object]) -> dict[str, object]:
    found: dict[str, object] = {}
    for part in below(query):
        if isinstance(part, Parameter):
            if part.name not in given:
                raise Refused("unknown_parameter", f"the parameter ${part.name} is not given", part.at, "write the value itself")
            found[parameter_name(part.name)] = given[part.name]
    return found
