"""Walks of fixed relation paths: several in one statement, counted hop by hop so that hubs cost edges, not paths.

The text of a statement depends on the lengths of its walks, on which steps are filtered and whether kinds are left out; all else is data, so that plans are reused.
"""

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from knowledge.database.connection import Row
from knowledge.errors import ConfigError
from knowledge.reading.dialect import Dialect
from knowledge.reading.session import Gathered, Session, gathered
from knowledge.records import Path, Reached, Walk

MOST_STEPS = 5
PROOFS = 3


def follow(session: Session, walks: Sequence[Walk], limit: int) -> list[list[Reached]]:
    """The answers of each walk, most ways first, then by name, at most `limit` each. ConfigError for more than five steps.

    Ways are counted by dynamic programming over (start, node), so a fact may be used twice unless a step is in `back`;
    without `keep_start` a way never comes back to its start, not even on the way.
    """
    found: list[list[Reached]] = [[] for _ in walks]
    by_form: dict[Form, list[dict[str, object]]] = defaultdict(list)
    for number, walk in enumerate(walks):
        by_form[form(walk)].append({"number": number, **as_data(session.dialect, walk)})
    if not by_form:
        return found
    forms = sorted(by_form)
    statement = "\nUNION ALL\n".join(_statement(session.dialect, form, f"$walks{n}") for n, form in enumerate(forms))
    for row in session.send(statement, {"limit": limit, **{f"walks{n}": by_form[form] for n, form in enumerate(forms)}}):
        found[row["walk"]] = _reached(session.dialect, row, walks[row["walk"]])
    return found


class Form(NamedTuple):
    """What of a walk the text of its statement depends on: its length, the filtered steps (1-based), whether kinds are left out."""

    length: int
    filtered: tuple[int, ...]
    choosy: bool


def form(walk: Walk) -> Form:
    """What a walk has in common with others that one statement can answer."""
    return Form(len(walk.steps), tuple(sorted({f.step for f in walk.filters})), bool(walk.without))


def as_data(d: Dialect, walk: Walk) -> dict[str, object]:
    """The walk as the parameter `w` that `frontier` reads."""
    if len(walk.steps) > MOST_STEPS:
        raise ConfigError(f"a walk of {len(walk.steps)} steps is too long; use at most {MOST_STEPS}")
    hops = range(1, len(walk.steps) + 1)
    return {
        "starts": d.keys(walk.starts),
        "keep_start": walk.keep_start,
        "without": list(walk.without),
        "relations": [step.relation for step in walk.steps],
        "forward": [step.direction == "out" for step in walk.steps],
        "back": [i - 1 in walk.back and i > 1 for i in hops],
        "filters": [
            [{"relation": f.relation, "forward": f.direction == "out", "values": list(f.values)} for f in walk.filters if f.step == i]
            for i in hops
        ],
    }


def frontier(d: Dialect, form: Form) -> str:
    """Clauses over the imported variable `w` that end with a row per (start, last node): `start`, `n{length}`, `ways` and `proofs`."""
    first = f"{d.starts('n0', 'w.starts')}\nWITH DISTINCT n0 AS start, n0, 1 AS ways, [[]] AS proofs, null AS from0\n"
    hops = "".join(_hop(d, i, form) for i in range(1, form.length + 1))
    last = f"WITH * WHERE none(label IN {d.label(f'n{form.length}')} WHERE label IN w.without)\n" if form.choosy else ""
    return f"{first}{hops}{last}"


def _statement(d: Dialect, form: Form, walks: str) -> str:
    end = f"n{form.length}"
    return (
        f"UNWIND {walks} AS w CALL (w) {{\n{frontier(d, form)}"
        f"WITH {d.one(end)} AS answer, sum(ways) AS ways, {_cut('collect(proofs)')} AS proofs\n"
        f"ORDER BY ways DESC, {d.name('answer')} LIMIT $limit\n"
        "WITH collect({node: answer, ways: ways, proofs: proofs}) AS found\n"
        "CALL (found) { UNWIND found AS a UNWIND a.proofs AS p UNWIND p AS f RETURN collect(DISTINCT f) AS facts }\n"
        f"{gathered(d, 'facts')}"
        f"RETURN fact_rows, entity_rows, [a IN found | {{entity: {d.entity_fields('a.node')}, ways: a.ways,"
        " proofs: [p IN a.proofs | [f IN p | elementId(f)]]}] AS answers }\n"
        "RETURN w.number AS walk, fact_rows, entity_rows, answers"
    )


def _hop(d: Dialect, i: int, form: Form) -> str:
    """One step, its filters, and the rows grouped by node; by the node before as well where the next step may not return to it."""
    around, here = d.around(f"n{i - 1}"), d.identity(f"n{i}")
    conditions = [
        f"{d.relation('r')} = w.relations[{i - 1}]",
        _leaves("r", around.node, f"w.forward[{i - 1}]"),
        d.sees_fact("r"),
        d.sees_node(f"n{i}"),
        f"(w.keep_start OR {here} <> {d.identity('start')})",
        f"(from{i - 1} IS NULL OR {here} <> from{i - 1})",
    ]
    before = f"CASE WHEN w.back[{i}] THEN {d.identity(f'n{i - 1}')} END" if i < form.length else "null"
    return (
        f"{around.clause}MATCH ({around.node}){d.fact('r', 'both')}{d.node(f'n{i}')} WHERE {' AND '.join(conditions)}\n"
        f"WITH start, {d.grouped(f'n{i}')}, {before} AS from{i}, sum(ways) AS ways, collect(r)[..{PROOFS}] AS last, collect(proofs)[..{PROOFS}] AS before\n"
        f"{_filtered(d, i) if i in form.filtered else ''}"
        f"WITH start, n{i}, from{i}, ways, reduce(all = [], j IN range(0, size(last) - 1) |"
        f" all + [p IN before[j] | p + last[j]{' + held' if i in form.filtered else ''}])[..{PROOFS}] AS proofs\n"
    )


def _leaves(fact: str, node: str, forward: str) -> str:
    """The predicate that the step leaves the node in its direction; a fact of a node with itself does so both ways."""
    return f"CASE WHEN {forward} THEN startNode({fact}) = {node} ELSE endNode({fact}) = {node} END"


def _filtered(d: Dialect, i: int) -> str:
    return (
        f"WITH start, n{i}, from{i}, ways, last, before, [f IN w.filters[{i - 1}] | {_condition(d, f'n{i}')}] AS held\n"
        f"WHERE none(h IN held WHERE h IS NULL)\n"
    )


def _condition(d: Dialect, node: str) -> str:
    """An expression: one fact that meets the filter `f` at the node, or null."""
    around = d.around(node)
    return (
        f"head(COLLECT {{ {around.clause}MATCH ({around.node}){d.fact('c', 'both')}{d.node('v')}"
        f" WHERE {d.name(d.one('v'))} IN f.values AND {d.relation('c')} = f.relation AND {_leaves('c', around.node, 'f.forward')}"
        f" AND {d.sees_fact('c')} AND {d.sees_node('v')} RETURN c LIMIT 1 }})"
    )


def _cut(lists: str) -> str:
    return f"reduce(all = [], p IN {lists}[..{PROOFS}] | all + p)[..{PROOFS}]"


def _reached(d: Dialect, row: Row, walk: Walk) -> list[Reached]:
    found = Gathered(d, row)
    return [
        Reached(d.entity(a["entity"]), a["ways"], tuple(_proof(d, found, a, refs, walk) for refs in a["proofs"])) for a in row["answers"]
    ]


def _proof(d: Dialect, found: Gathered, answer: Row, refs: Sequence[str], walk: Walk) -> Path:
    """Undo the layout of `_hop`: after each step's fact stand the facts that meet its filters."""
    if not walk.steps:
        return Path(d.entity(answer["entity"]), d.entity(answer["entity"]), ())
    chain: list[str] = []
    conditions: list[str] = []
    rest = list(refs)
    for i in range(1, len(walk.steps) + 1):
        chain.append(rest.pop(0))
        held = sum(f.step == i for f in walk.filters)
        conditions += rest[:held]
        del rest[:held]
    return found.path(found.leaves(chain[0], walk.steps[0].direction), chain, conditions)
