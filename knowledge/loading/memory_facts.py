"""What a batch of fact rows changes in the memory shape, decided in memory from what the kg already believes."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from math import prod
from typing import Literal, TypedDict
from uuid import UUID, uuid5

from knowledge.clocks import OPEN_START
from knowledge.identity import canonical, digest, fact_id, fold
from knowledge.loading.properties import dated, iso, precisions, written
from knowledge.loading.rows import FactRow
from knowledge.scope import EVERYONE, PUBLIC

USUAL: Mapping[str, object] = {
    "observation_count": 1,
    "confidence": 1.0,
    "access_level": PUBLIC,
    "visibility_group": EVERYONE,
    "valid_from_precision": "instant",
    "valid_to_precision": "instant",
}
Outcome = Literal["created", "supported", "revised", "known"]
_TICK = timedelta(microseconds=1)


def identity(namespace: str, row: FactRow) -> str:
    """The fact_id of a row; it is also the uuid of the fact's first version."""
    return fact_id(namespace, row.visibility_group, row.subject, row.relation, row.object, iso(row.period.start))


@dataclass(frozen=True)
class Observation:
    """One statement of a fact by a source. Seen again, it changes nothing. `at`: since when it is believed; later ones count for more."""

    fact: str
    source: str
    place: str
    valid_to: str
    confidence: float
    access_level: str
    at: str

    @property
    def id(self) -> str:
        return digest("evidence", self.fact, self.source, self.place, self.valid_to)

    def parameters(self) -> dict[str, object]:
        """One row of the statement that keeps it."""
        said = {
            "fact_id": self.fact,
            "source": self.source,
            "place": self.place,
            "confidence": self.confidence,
            "access_level": self.access_level,
        }
        return {"id": self.id, "valid_to": self.valid_to, "known_from": self.at, "said": said}

    @property
    def seen_as(self) -> tuple[str, str, str]:
        return self.source, self.place, self.valid_to


@dataclass
class KnownFact:
    """What the kg believes of one fact: its live version, how many versions there are, and every observation that stands, the latest last."""

    live: str = ""
    live_valid_to: str = ""
    access_level: str = PUBLIC
    versions: int = 0
    observations: list[Observation] = field(default_factory=list)

    def seen(self, observation: Observation) -> bool:
        return any(known.seen_as == observation.seen_as for known in self.observations)

    def belief(self) -> tuple[int, float]:
        """Count and confidence of the observations that readers of the live version may see: 1 − ∏(1 − cᵢ) over sources, each source
        counting once with its highest confidence (DESIGN 4.2)."""
        visible = [o for o in self.observations if o.valid_to == self.live_valid_to and o.access_level in (PUBLIC, self.access_level)]
        best: dict[str, float] = {}
        for observation in visible:
            best[observation.source] = max(observation.confidence, best.get(observation.source, 0.0))
        return len(visible), round(1.0 - prod(1.0 - c for c in best.values()), 9)


class CreatedFact(TypedDict):
    """One row of the statement that creates edges: the uuids of the ends, the edge's properties, its times (None is open or now)."""

    edge: dict[str, object]
    subject: str
    object: str
    known_from: str | None
    known_to: str | None
    valid_from: str | None
    valid_to: str | None


@dataclass
class FactChanges:
    """What one transaction writes. `believed` holds the count and confidence of versions that stay live under new evidence."""

    created: dict[str, CreatedFact] = field(default_factory=dict)
    closed: dict[str, str] = field(default_factory=dict)
    evidence: dict[str, Observation] = field(default_factory=dict)
    believed: dict[str, tuple[int, float]] = field(default_factory=dict)
    outcomes: list[Outcome] = field(default_factory=list)
    last: datetime = OPEN_START

    def __bool__(self) -> bool:
        return bool(self.created or self.closed or self.evidence or self.believed)


@dataclass(frozen=True)
class Ends:
    """The uuids of a fact's two entities and the names that people read."""

    subject: str
    object: str
    subject_name: str
    object_name: str


def changes(rows: Iterable[tuple[str, FactRow, Ends]], known: Mapping[str, KnownFact], now: datetime) -> FactChanges:
    """Decide row by row, in file order. A row that differs in its end date, or that makes a hidden fact public, opens a new version."""
    facts, result = dict(known), FactChanges(last=now)
    for fact, row, ends in rows:
        state = facts.setdefault(fact, KnownFact())
        access = row.access_level or (state.access_level if state.versions else PUBLIC)
        seen = Observation(fact, row.origin.source, row.place, iso(row.period.end), row.confidence, access, iso(result.last))
        result.outcomes.append(_decide(state, seen, row, ends, result))
    return result


def _decide(state: KnownFact, seen: Observation, row: FactRow, ends: Ends, result: FactChanges) -> Outcome:
    if not state.live:
        _keep_evidence(state, seen, result)
        _open(state, seen, row, ends, result)
        return "created"
    if state.seen(seen):
        return "known"
    revealed = row.access_level == PUBLIC != state.access_level
    if seen.valid_to != state.live_valid_to or revealed:
        result.last += _TICK
        result.closed[state.live] = iso(result.last)
        seen = replace(seen, at=iso(result.last))
        _keep_evidence(state, seen, result)
        _open(state, seen, row, ends, result)
        return "revised"
    _keep_evidence(state, seen, result)
    state.observations.append(seen)
    result.believed[state.live] = state.belief()
    return "supported"


def _keep_evidence(state: KnownFact, seen: Observation, result: FactChanges) -> None:
    """The first assertion stands on the edge alone until a second observation comes."""
    if not state.versions:
        return
    for observation in (*state.observations, seen):
        result.evidence[observation.id] = observation


def _open(state: KnownFact, seen: Observation, row: FactRow, ends: Ends, result: FactChanges) -> None:
    uuid = seen.fact if not state.versions else str(uuid5(UUID(seen.fact), str(state.versions + 1)))
    state.live, state.live_valid_to, state.access_level = uuid, seen.valid_to, seen.access_level
    state.versions += 1
    state.observations.append(seen)
    count, confidence = state.belief()
    dates = dated(row.period)
    result.created[uuid] = {
        "subject": ends.subject,
        "object": ends.object,
        "known_from": iso(result.last) if result.closed else None,
        "known_to": None,
        "edge": {"uuid": uuid, "fact_id": seen.fact, "observation_count": count, "confidence": confidence, **_said(row, ends, seen)},
        "valid_from": dates["valid_from"],
        "valid_to": dates["valid_to"],
    }


def _said(row: FactRow, ends: Ends, seen: Observation) -> dict[str, object]:
    sentence = row.text or f"{ends.subject_name} {' '.join(row.relation.replace('_', ' ').split())} {ends.object_name}"
    said: dict[str, object] = {
        "name": row.relation,
        "fact": canonical(sentence),
        "search_text": fold(sentence),
        "from_key": row.subject,
        "to_key": row.object,
        "source": row.origin.source,
        "access_level": seen.access_level,
        "visibility_group": row.visibility_group,
        **precisions(row.period),
    }
    sparse = {"place": row.place, "properties": written(row.properties)}
    return said | {name: value for name, value in sparse.items() if value}
