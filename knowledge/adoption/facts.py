"""What Graphiti's edges say, as facts with four clocks: several edges of one fact are its versions, and their episodes its evidence."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import groupby, pairwise
from uuid import UUID, uuid5

from knowledge.clocks import OPEN_END, OPEN_START
from knowledge.identity import adopted_key, fact_id, fold
from knowledge.loading.memory_facts import USUAL, Observation
from knowledge.loading.properties import instant, iso

_TICK = timedelta(microseconds=1)


@dataclass(frozen=True)
class Edge:
    """An edge as Graphiti wrote it. `expired`: since when its end is known."""

    uuid: str
    namespace: str
    subject: str
    relation: str
    object: str
    text: str
    created: datetime
    start: datetime
    end: datetime
    expired: datetime | None
    episodes: Sequence[str]

    @property
    def fact(self) -> str:
        """The id of the fact: equal for edges that say the same from the same time on."""
        return fact_id(self.namespace, "", adopted_key(self.subject), self.relation, adopted_key(self.object), iso(self.start))


@dataclass(frozen=True)
class Belief:
    """One version: what was believed of an edge from `known_from` to `known_to`. `of` is the edge, `uuid` its own or a new one."""

    of: Edge
    uuid: str
    known_from: datetime
    known_to: datetime
    end: datetime


def beliefs(edges: Sequence[Edge]) -> list[Belief]:
    """The versions of one fact, in order. An end that was learned later was open until then, as Graphiti has it."""
    ordered = sorted(edges, key=lambda edge: (edge.created, edge.uuid))
    if len(ordered) == 1:
        return list(_learned(ordered[0]))
    starts = [ordered[0].created]
    for edge in ordered[1:]:
        starts.append(max(edge.created, starts[-1] + _TICK))
    ends = [later for _, later in pairwise(starts)] + [OPEN_END]
    return [Belief(edge, edge.uuid, start, end, edge.end) for edge, start, end in zip(ordered, starts, ends, strict=True)]


def _learned(edge: Edge) -> Iterator[Belief]:
    learned = edge.expired
    if learned and edge.end < OPEN_END and learned > edge.created:
        yield Belief(edge, str(uuid5(UUID(edge.fact), "before " + edge.uuid)), edge.created, learned, OPEN_END)
        yield Belief(edge, edge.uuid, learned, OPEN_END, edge.end)
    else:
        yield Belief(edge, edge.uuid, edge.created, OPEN_END, edge.end)


@dataclass(frozen=True)
class AdoptedFacts:
    """What is written for some edges: versions on edges that are there, versions that need an edge of their own, and evidence."""

    there: Sequence[Mapping[str, object]]
    earlier: Sequence[Mapping[str, object]]
    evidence: Sequence[Mapping[str, object]]


def adopted(edges: Iterable[Edge]) -> AdoptedFacts:
    """Evidence is kept apart only where a fact has more than one source; a single one stands on the edge."""
    there: list[Mapping[str, object]] = []
    earlier: list[Mapping[str, object]] = []
    evidence: list[Mapping[str, object]] = []
    for _, group in groupby(sorted(edges, key=lambda edge: edge.fact), key=lambda edge: edge.fact):
        told = list(group)
        sources = {episode: edge for edge in reversed(told) for episode in reversed(edge.episodes)}
        for belief in beliefs(told):
            row = _row(belief, len(sources))
            (there if belief.uuid == belief.of.uuid else earlier).append(row)
        if len(sources) > 1:
            end = beliefs(told)[-1].end
            evidence += [_evidence(edge, episode, end) for episode, edge in sources.items()]
    return AdoptedFacts(there, earlier, evidence)


def _row(belief: Belief, sources: int) -> dict[str, object]:
    edge = belief.of
    said = {
        **USUAL, "fact_id": edge.fact, "from_key": adopted_key(edge.subject), "to_key": adopted_key(edge.object),
        "search_text": fold(edge.text), "source": edge.episodes[0] if edge.episodes else "", "observation_count": max(1, sources),
    }  # fmt: skip
    times = {"known_from": belief.known_from, "known_to": belief.known_to, "valid_from": edge.start, "valid_to": belief.end}
    return {"uuid": belief.uuid, "of": edge.uuid, "said": said, **{name: iso(time) for name, time in times.items()}}


def _evidence(edge: Edge, episode: str, end: datetime) -> dict[str, object]:
    seen = Observation(edge.fact, episode, "", iso(end), 1.0, "public", iso(edge.created))
    said = {"group_id": edge.namespace, "episode_uuid": episode}
    return {**seen.parameters(), "said": {**_said(seen), **said}}


def _said(seen: Observation) -> Mapping[str, object]:
    said = seen.parameters()["said"]
    assert isinstance(said, Mapping)
    return said


def start_of(text: str | None) -> datetime:
    """A stored date, or the open start."""
    return _utc(text) if text else OPEN_START


def end_of(text: str | None) -> datetime:
    """A stored date, or the open end."""
    return _utc(text) if text else OPEN_END


def _utc(text: str) -> datetime:
    """Equal instants are equal texts, in whatever zone they were written: `2024-01-01T00:00+01:00[Europe/Paris]`."""
    return instant(text.partition("[")[0])
