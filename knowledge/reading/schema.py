"""The schema of what a scope sees: counted in the database, induced in Python, kept until the kg changes."""

import threading
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from time import monotonic

from knowledge.database.connection import Row
from knowledge.identity import digest
from knowledge.profile.profile import GraphProfile
from knowledge.reading.induce import SAMPLES, Census, declared_kinds, induce
from knowledge.reading.properties import properties
from knowledge.reading.schema_files import SchemaFiles
from knowledge.reading.session import Session
from knowledge.records import GraphSchema, Step

STALE_SECONDS = 10.0
MOST_KEPT = 64
NEARLY_ALL = 0.9
MANY = 0.15
MOST_LABELS = 3


@dataclass
class _Kept:
    checked: float
    schema: GraphSchema


@dataclass
class SchemaCache:
    """Schemas by scope. One is trusted for `STALE_SECONDS`; then the kg version is read again (one statement), and the schema with it
    (two more, three for a native graph) only if the version has changed. A commit is therefore seen at most ten seconds late. With `files` a new process starts
    from what an earlier one counted.
    """

    files: SchemaFiles | None = None
    clock: Callable[[], float] = monotonic
    _kept: dict[str, _Kept] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def schema(self, session: Session, profile: GraphProfile) -> GraphSchema:
        """The schema of the session's scope; counts and dates are those of the day."""
        key = f"{session.scope.fingerprint} {session.dialect.joining} {session.now().date()}"
        with self._lock:
            kept = self._kept.get(key)
        if kept and self.clock() - kept.checked < STALE_SECONDS:
            return kept.schema
        checked = self.clock()
        version = _version(session)
        schema = kept.schema if kept and kept.schema.version == version else self._counted(session, profile, key, version)
        with self._lock:
            self._kept.pop(key, None)
            self._kept[key] = _Kept(checked, schema)
            while len(self._kept) > MOST_KEPT:
                del self._kept[next(iter(self._kept))]
        return schema

    def _counted(self, session: Session, profile: GraphProfile, key: str, version: str) -> GraphSchema:
        place = digest(key, version, profile.model_dump_json())
        schema = self.files.load(place) if self.files else None
        if schema is None:
            counted, telling = _census(session)
            schema = induce(counted, version=version, declared={**telling, **declared_kinds(profile)})
            if profile.shape == "native":
                schema = replace(schema, properties=properties(session, [label for label, _ in schema.labels]))
            if self.files:
                self.files.save(place, schema)
        return schema


def _version(session: Session) -> str:
    rows = session.send(session.dialect.version())
    return " ".join(f"{row['namespace']}:{row['version']}" for row in sorted(rows, key=lambda r: str(r["namespace"])))


def _census(session: Session) -> tuple[Census, dict[Step, tuple[str, ...]]]:
    """Two statements: entities grouped by the slots that they fill, and facts grouped by what leads back. Also what labels tell of slots."""
    d = session.dialect
    seen = (
        f"MATCH {d.node('a')}{d.fact('r', 'out')}{d.node('b')} WHERE {d.sees_fact('r')} AND {d.sees_node('a')} AND {d.sees_node('b')}\n"
        f"WITH a, b, r, {d.relation('r')} AS relation "
    )
    entities = f"count(DISTINCT {d.identity('n')})" if d.joining else "count(*)"
    filled = session.send(
        f"CALL () {{ {seen}WITH relation, collect(DISTINCT a) AS subjects, collect(DISTINCT b) AS objects ORDER BY relation\n"
        "UNWIND [{slot: 'out ' + relation, members: subjects}, {slot: 'in ' + relation, members: objects}] AS side\n"
        f"UNWIND side.members AS n WITH {d.grouped('n')}, collect(DISTINCT side.slot) AS slots\n"
        f"WITH slots, {d.label('n')} AS label, count(*) AS entities, collect(n) AS members, {SAMPLES} AS most\n"
        "WITH slots, label, entities, CASE WHEN entities <= most THEN members"
        " ELSE [i IN range(0, most - 1) | members[i * entities / most]] END AS some\n"
        f"RETURN slots, label, entities, [n IN some | {d.name('n')}] AS names\n"
        f"UNION ALL MATCH {d.node('n')} WHERE {d.sees_node('n')} RETURN [] AS slots, {d.label('n')} AS label, {entities} AS entities,"
        " null AS names }\n"
        "RETURN slots, label, entities, names"
    )
    facts = session.send(
        f"{seen}WITH a, b, relation, count(r) AS facts\n"
        f"OPTIONAL MATCH (b){d.fact('q', 'out')}(a) WHERE {d.sees_fact('q')}\n"
        f"WITH a, b, relation, facts, collect(DISTINCT {d.relation('q')}) AS backs\n"
        "RETURN relation, backs, sum(facts) AS facts, count(*) AS pairs"
    )
    return census(filled, facts), telling_labels(filled)


def census(filled: Sequence[Row], facts: Sequence[Row]) -> Census:
    """The counts that `induce` wants, from rows {slots, label, entities, names} and {relation, backs, facts, pairs}.

    `label` is a list of at most one. A row without names counts all entities of a label.
    """
    labels = [(next(iter(row["label"]), ""), row["entities"]) for row in filled if row["names"] is None]
    signatures: Counter[frozenset[Step]] = Counter()
    groups: dict[Step, list[tuple[int, Sequence[str]]]] = defaultdict(list)
    for row in filled:
        if row["names"] is None:
            continue
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
    named = tuple(sorted((label, entities) for label, entities in labels if label))
    return Census(dict(signatures), dict(totals), dict(pairs), dict(inverse), samples, named, sum(entities for _, entities in labels))


def telling_labels(filled: Sequence[Row]) -> dict[Step, tuple[str, ...]]:
    """The labels that nearly all members of a slot have, each of them many; a label of most slots tells nothing and is left out."""
    counts: dict[Step, Counter[str]] = defaultdict(Counter)
    for row in filled:
        if row["names"] is not None:
            for slot in map(_slot, row["slots"]):
                counts[slot][next(iter(row["label"]), "")] += row["entities"]
    told = {slot: named for slot, labels in counts.items() if (named := _telling(labels))}
    slots_of = Counter(label for named in told.values() for label in named)
    common = {label for label, slots in slots_of.items() if slots > len(counts) / 2 and len(counts) > 2}
    return {slot: named for slot, named in told.items() if not common & set(named)}


def _telling(labels: Counter[str]) -> tuple[str, ...]:
    """The one label of nearly all members, or the few that share the slot; a label of a few strays is no kind of the slot."""
    total = labels.total()
    many = [(label, entities) for label, entities in labels.most_common(MOST_LABELS) if label and entities >= MANY * total]
    if many and many[0][1] >= NEARLY_ALL * total:
        return (many[0][0],)
    return tuple(label for label, _ in many) if sum(entities for _, entities in many) >= NEARLY_ALL * total else ()


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
