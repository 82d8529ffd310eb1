"""The schema of what a scope sees: counted in the database, induced in Python, kept until the kg changes."""

import threading
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from time import monotonic

from knowledge.database.connection import Row
from knowledge.profile.profile import GraphProfile
from knowledge.reading.induce import SAMPLES, Census, declared_kinds, induce
from knowledge.reading.session import Session
from knowledge.records import GraphSchema, Step

STALE_SECONDS = 10.0
MOST_KEPT = 64


@dataclass
class _Kept:
    checked: float
    schema: GraphSchema


@dataclass
class SchemaCache:
    """Schemas by scope. One is trusted for `STALE_SECONDS`; then the kg version is read again (one statement), and the schema with it
    only if the version has changed. A commit is therefore seen at most ten seconds late.
    """

    clock: Callable[[], float] = monotonic
    _kept: dict[str, _Kept] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def schema(self, session: Session, profile: GraphProfile) -> GraphSchema:
        """The schema of the session's scope; counts and dates are those of the day."""
        key = f"{session.scope.fingerprint} {session.now().date()}"
        with self._lock:
            kept = self._kept.get(key)
        if kept and self.clock() - kept.checked < STALE_SECONDS:
            return kept.schema
        checked = self.clock()
        version = _version(session)
        schema = (
            kept.schema
            if kept and kept.schema.version == version
            else induce(_census(session), version=version, declared=declared_kinds(profile))
        )
        with self._lock:
            self._kept.pop(key, None)
            self._kept[key] = _Kept(checked, schema)
            while len(self._kept) > MOST_KEPT:
                del self._kept[next(iter(self._kept))]
        return schema


def _version(session: Session) -> str:
    rows = session.send(session.dialect.version())
    return " ".join(f"{row['namespace']}:{row['version']}" for row in sorted(rows, key=lambda r: str(r["namespace"])))


def _census(session: Session) -> Census:
    """Two statements: entities grouped by the slots that they fill, and facts grouped by what leads back."""
    d = session.dialect
    slots = " + ".join(
        f"COLLECT {{ MATCH (n){d.fact('r', way)}{d.node('m')} WHERE {d.sees_fact('r')} AND {d.sees_node('m')}"
        f" RETURN DISTINCT '{way} ' + {d.relation('r')} AS slot ORDER BY slot }}"
        for way in ("out", "in")
    )
    filled = session.send(
        f"MATCH {d.node('n')} WHERE {d.sees_node('n')} WITH n, {slots} AS slots\n"
        "WITH slots, count(*) AS entities, collect(n) AS members\n"
        f"WITH slots, entities, [i IN range(0, CASE WHEN entities < {SAMPLES} THEN entities ELSE {SAMPLES} END - 1)"
        f" | members[CASE WHEN entities <= {SAMPLES} THEN i ELSE i * entities / {SAMPLES} END]] AS some\n"
        f"RETURN slots, entities, [n IN some | {d.name('n')}] AS names"
    )
    facts = session.send(
        f"MATCH {d.node('a')}{d.fact('r', 'out')}{d.node('b')}"
        f" WHERE {d.sees_fact('r')} AND {d.sees_node('a')} AND {d.sees_node('b')}\n"
        f"WITH a, b, {d.relation('r')} AS relation, count(*) AS facts\n"
        f"WITH relation, facts, COLLECT {{ MATCH (b){d.fact('q', 'out')}(a) WHERE {d.sees_fact('q')}"
        f" RETURN DISTINCT {d.relation('q')} AS back ORDER BY back }} AS backs\n"
        "RETURN relation, backs, sum(facts) AS facts, count(*) AS pairs"
    )
    return census(filled, facts)


def census(filled: Sequence[Row], facts: Sequence[Row]) -> Census:
    """The counts that `induce` wants, from rows {slots, entities, names} and {relation, backs, facts, pairs}."""
    signatures: Counter[frozenset[Step]] = Counter()
    groups: dict[Step, list[tuple[int, Sequence[str]]]] = defaultdict(list)
    for row in filled:
        slots = frozenset(_slot(text) for text in row["slots"])
        signatures[slots] += row["entities"]
        for slot in slots:
            groups[slot].append((row["entities"], row["names"]))
    totals: Counter[str] = Counter()
    pairs: Counter[str] = Counter()
    inverse: Counter[tuple[str, str]] = Counter()
    for row in facts:
        totals[row["relation"]] += row["facts"]
        pairs[row["relation"]] += row["pairs"]
        for back in row["backs"]:
            inverse[row["relation"], back] += row["pairs"]
    samples = {slot: spread(some) for slot, some in groups.items()}
    return Census(dict(signatures), dict(totals), dict(pairs), dict(inverse), samples)


def spread(groups: Sequence[tuple[int, Sequence[str]]], most: int = SAMPLES) -> list[str]:
    """Up to `most` distinct names from groups of (size, names of some members), each group by its share of the whole."""
    total = sum(size for size, _ in groups)
    if total <= most:
        return sorted({name for _, names in groups for name in names})
    chosen: dict[str, None] = {}
    for size, names in sorted(groups, key=lambda group: -group[0]):
        share = max(1, round(size * most / total))
        chosen |= dict.fromkeys(names[i * len(names) // min(share, len(names))] for i in range(min(share, len(names))))
    return sorted(list(chosen)[:most])


def _slot(text: str) -> Step:
    direction, _, relation = text.partition(" ")
    return Step(relation, "in" if direction == "in" else "out")
