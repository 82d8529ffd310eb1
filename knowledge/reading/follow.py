"""Walks of fixed relation paths: several in one statement, counted hop by hop so that hubs cost edges, not paths."""

from collections.abc import Sequence
from typing import Any

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
    if not walks:
        return []
    parts, parameters = [], {"limit": limit}
    for number, walk in enumerate(walks):
        compiled = WalkCompiler(session.dialect, walk, f"w{number}")
        parts.append(f"{compiled.frontier()}{compiled.answers(number)}")
        parameters |= compiled.parameters
    found: list[list[Reached]] = [[] for _ in walks]
    for row in session.send("\nUNION ALL\n".join(parts), parameters):
        found[row["walk"]] = _reached(session.dialect, row, walks[row["walk"]])
    return found


class WalkCompiler:
    """One walk as Cypher. `prefix` keeps its parameters apart from those of other walks in the statement."""

    def __init__(self, dialect: Dialect, walk: Walk, prefix: str) -> None:
        if len(walk.steps) > MOST_STEPS:
            raise ConfigError(f"a walk of {len(walk.steps)} steps is too long; use at most {MOST_STEPS}")
        self._dialect, self._walk, self._prefix = dialect, walk, prefix
        self.parameters: dict[str, Any] = {f"{prefix}_starts": dialect.keys(walk.starts)}

    @property
    def end(self) -> str:
        """The variable of the last node."""
        return f"n{len(self._walk.steps)}"

    def frontier(self) -> str:
        """Clauses that end with a row per (start, last node): variables `start`, `end`, `ways` and `proofs`, a list of lists of facts."""
        first = f"{self._dialect.starts('n0', f'${self._prefix}_starts')}\nWITH n0 AS start, n0, 1 AS ways, [[]] AS proofs\n"
        return first + "".join(self._hop(i) for i in range(1, len(self._walk.steps) + 1))

    def answers(self, number: int) -> str:
        """Clauses that rank the frontier and return one row with everything that the answers need."""
        d = self._dialect
        return (
            f"WITH {self.end} AS answer, sum(ways) AS ways, {_cut('collect(proofs)')} AS proofs\n"
            f"ORDER BY ways DESC, {d.name('answer')} LIMIT $limit\n"
            "WITH collect({node: answer, ways: ways, proofs: proofs}) AS found\n"
            "CALL (found) { UNWIND found AS a UNWIND a.proofs AS p UNWIND p AS f RETURN collect(DISTINCT f) AS facts }\n"
            f"{gathered(d, 'facts')}"
            f"RETURN {number} AS walk, fact_rows, entity_rows,"
            f" [a IN found | {{entity: {d.entity_fields('a.node')}, ways: a.ways,"
            " proofs: [p IN a.proofs | [f IN p | elementId(f)]]}] AS answers"
        )

    def _hop(self, i: int) -> str:
        step, d = self._walk.steps[i - 1], self._dialect
        self.parameters[f"{self._prefix}_r{i}"] = step.relation
        conditions = [f"{d.relation('r')} = ${self._prefix}_r{i}", d.sees_fact("r"), d.sees_node(f"n{i}")]
        if not self._walk.keep_start:
            conditions.append(f"n{i} <> start")
        if i - 1 in self._walk.back and i > 1:
            conditions.append(f"n{i} <> n{i - 2}")
        came_from = f", n{i - 1}" if i in self._walk.back else ""
        return (
            f"MATCH (n{i - 1}){d.fact('r', step.direction)}{d.node(f'n{i}')} WHERE {' AND '.join(conditions)}\n"
            f"WITH start, n{i}{came_from}, sum(ways) AS ways, collect(r)[..{PROOFS}] AS last, collect(proofs)[..{PROOFS}] AS before\n"
            f"{self._filters(i, came_from)}"
            f"WITH start, n{i}{came_from}, ways, {_extended(self._held(i))} AS proofs\n"
        )

    def _held(self, i: int) -> list[str]:
        return [f"held{k}" for k, f in enumerate(self._walk.filters) if f.step == i]

    def _filters(self, i: int, came_from: str) -> str:
        clauses = []
        for k, wanted in enumerate(self._walk.filters):
            if wanted.step == i:
                clauses.append(f"{self._condition(i, k)} AS held{k}")
                self.parameters[f"{self._prefix}_f{k}"] = wanted.relation
                self.parameters[f"{self._prefix}_v{k}"] = list(wanted.values)
        if not clauses:
            return ""
        where = " AND ".join(f"size({held}) > 0" for held in self._held(i))
        return f"WITH start, n{i}{came_from}, ways, last, before, {', '.join(clauses)} WHERE {where}\n"

    def _condition(self, i: int, k: int) -> str:
        d = self._dialect
        return (
            f"COLLECT {{ MATCH (n{i}){d.fact('c', self._walk.filters[k].direction)}{d.node('v')}"
            f" WHERE {d.name('v')} IN ${self._prefix}_v{k} AND {d.relation('c')} = ${self._prefix}_f{k}"
            f" AND {d.sees_fact('c')} AND {d.sees_node('v')} RETURN c LIMIT 1 }}"
        )


def _cut(lists: str) -> str:
    return f"reduce(all = [], p IN {lists}[..{PROOFS}] | all + p)[..{PROOFS}]"


def _extended(held: Sequence[str]) -> str:
    """Every proof of a predecessor, with the fact that leads on from it and the facts that meet the filters."""
    tail = "".join(f" + {name}" for name in held)
    return f"reduce(all = [], j IN range(0, size(last) - 1) | all + [p IN before[j] | p + last[j]{tail}])[..{PROOFS}]"


def _reached(dialect: Dialect, row: Row, walk: Walk) -> list[Reached]:
    gathered_row = Gathered(dialect, row)
    return [
        Reached(dialect.entity(a["entity"]), a["ways"], tuple(_proof(gathered_row, a["entity"]["ref"], refs, walk) for refs in a["proofs"]))
        for a in row["answers"]
    ]


def _proof(found: Gathered, end: str, refs: Sequence[str], walk: Walk) -> Path:
    """Undo the layout of `WalkCompiler`: after each step's fact stand the facts that meet its filters."""
    chain: list[str] = []
    conditions: list[str] = []
    rest = list(refs)
    for i in range(1, len(walk.steps) + 1):
        chain.append(rest.pop(0))
        held = sum(f.step == i for f in walk.filters)
        conditions += rest[:held]
        del rest[:held]
    start = found.leaves(chain[0], walk.steps[0].direction) if chain else end
    return found.path(start, chain, conditions)
