"""Counting, grouping and extremes over a set, run in the database."""

from collections.abc import Callable

from knowledge.errors import ConfigError
from knowledge.reading.comparable import comparable
from knowledge.reading.contract import Aggregation, Measure, Measured
from knowledge.reading.dialect import Dialect
from knowledge.reading.follow import as_data, form, frontier
from knowledge.reading.sameness import Around
from knowledge.reading.session import Gathered, Session, gathered
from knowledge.records import Step

SHOWN = 3


def aggregate(session: Session, request: Aggregation) -> list[Measured]:
    """Rows as `Aggregation` describes them. Members and values are counted as distinct entities.

    Members without a fact of the last step are not ranked; highest and lowest leave out values that are neither number nor date.
    ConfigError where the request names neither a walk nor a step, or ranks without a step.
    """
    if not request.steps and (request.walk is None or request.measure != "count"):
        raise ConfigError(f"{request.measure} needs {'steps' if request.walk else 'a walk or steps'}; give at least one step")
    d = session.dialect
    members, parameters = _members(d, request)
    statement = (
        f"{members}{_MEASURES[request.measure](d, request)}"
        "WITH collect({entity: entity, value: value, facts: facts}) AS found\n"
        "CALL (found) { UNWIND found AS m UNWIND m.facts AS f RETURN collect(DISTINCT f) AS facts }\n"
        f"{gathered(d, 'facts')}"
        f"RETURN fact_rows, entity_rows, [m IN found | {{entity: CASE WHEN m.entity IS NULL THEN null ELSE {d.entity_fields('m.entity')} END,"
        " value: m.value, facts: [f IN m.facts | elementId(f)]}] AS found"
    )
    steps = [{"relation": s.relation} for s in request.steps]
    bound = {**parameters, "steps": steps, "limit": request.limit}
    row = session.send(statement, bound)[0]
    gathered_row = Gathered(d, row)
    return [
        Measured(
            d.entity(m["entity"]) if m["entity"] else None,
            m["value"] if isinstance(m["value"], str) else float(m["value"]),
            tuple(gathered_row.facts[f] for f in m["facts"]),
        )
        for m in row["found"]
    ]


def _members(d: Dialect, request: Aggregation) -> tuple[str, dict[str, object]]:
    """Clauses that bind `m0` to each member once, with `proof`, a fact or two that put it in the set."""
    if request.walk:
        length = len(request.walk.steps)
        inside = f"{frontier(d, form(request.walk))}WITH n{length} AS m0, head(collect(proofs[0])) AS proof RETURN m0, proof"
        return f"WITH $walk AS w CALL (w) {{ {inside} }}\n", {"walk": as_data(d, request.walk)}
    if request.measure == "count":
        return f"{_hop(d, Around('', 'm0'), 0, request.steps[0])}WITH {d.one('m0')} AS m0, [head(collect(r1))] AS proof\n", {}
    return "", {}


def _hop(d: Dialect, start: Around, i: int, step: Step) -> str:
    """A MATCH from `start` over the fact `r{i + 1}` to `m{i + 1}`."""
    fact, end = f"r{i + 1}", f"m{i + 1}"
    return (
        f"{start.clause}MATCH {d.node(start.node)}{d.fact(fact, step.direction)}{d.node(end)}"
        f" WHERE {d.relation(fact)} = $steps[{i}].relation"
        f" AND {d.sees_fact(fact)} AND {d.sees_node(start.node)} AND {d.sees_node(end)}\n"
    )


def _chain(d: Dialect, request: Aggregation) -> str:
    """From the members, or from everything that the first step leaves where there are none yet."""
    chain = ""
    for i, step in enumerate(request.steps):
        begun = i > 0 or request.walk
        last = f", r{i + 1}" if i + 1 == len(request.steps) else ""
        hop = _hop(d, d.around(f"m{i}") if begun else Around("", f"m{i}"), i, step)
        first = d.one("m0") if i == 0 and not begun else "m0"
        chain += f"{hop}WITH DISTINCT {first} AS m0, {d.one(f'm{i + 1}')} AS m{i + 1}{last}\n"
    return chain


def _count(d: Dialect, request: Aggregation) -> str:
    return (
        f"WITH m0, proof ORDER BY {d.name('m0')} WITH count(m0) AS value, collect(proof)[..{SHOWN}] AS some\n"
        f"WITH null AS entity, value, reduce(flat = [], p IN some | flat + p)[..{SHOWN}] AS facts\n"
    )


def _group(d: Dialect, request: Aggregation) -> str:
    k = len(request.steps)
    return (
        f"{_chain(d, request)}WITH m{k} AS entity, count(DISTINCT m0) AS value, collect(r{k})[..{SHOWN}] AS facts\n"
        f"ORDER BY value DESC, {d.name('entity')} LIMIT $limit\n"
    )


def _ranked_by_number(order: str) -> Callable[[Dialect, Aggregation], str]:
    def clauses(d: Dialect, request: Aggregation) -> str:
        k = len(request.steps)
        return (
            f"{_chain(d, request)}WITH m0 AS entity, count(DISTINCT m{k}) AS value, collect(r{k})[..{SHOWN}] AS facts\n"
            f"ORDER BY value {order}, {d.name('entity')} LIMIT $limit\n"
        )

    return clauses


def _ranked_by_value(order: str) -> Callable[[Dialect, Aggregation], str]:
    def clauses(d: Dialect, request: Aggregation) -> str:
        k = len(request.steps)
        return (
            f"{_chain(d, request)}WITH m0 AS entity, r{k} AS fact, {d.name(f'm{k}')} AS value, {comparable(d.name(f'm{k}'))} AS size\n"
            f"WHERE size IS NOT NULL WITH entity, fact, value, size ORDER BY size {order}\n"
            "WITH entity, head(collect({size: size, value: value, fact: fact})) AS best\n"
            f"ORDER BY best.size {order}, {d.name('entity')} LIMIT $limit\n"
            "WITH entity, best.value AS value, [best.fact] AS facts\n"
        )

    return clauses


_MEASURES: dict[Measure, Callable[[Dialect, Aggregation], str]] = {
    "count": _count,
    "group": _group,
    "most": _ranked_by_number("DESC"),
    "least": _ranked_by_number("ASC"),
    "highest": _ranked_by_value("DESC"),
    "lowest": _ranked_by_value("ASC"),
}
