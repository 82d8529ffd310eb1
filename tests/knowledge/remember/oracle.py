"""What a namespace believes after a history, said by brute force: no Cypher, no versions, only who has told what and who was taken back.

A fact is what the last of those tells who were not taken back. Dates are years; OPEN has no end.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import prod

from knowledge.remember.operations import AddRelation, ArchiveEpisode, InvalidateRelation
from knowledge.remember.proposal import Proposal

OPEN = 9999
Fact = tuple[str, str, str, int]
Believed = dict[Fact, tuple[int, int, float]]
Now = dict[Fact, tuple[int, float]]


class Refused(Exception):
    """What is proposed cannot be done."""


@dataclass
class Tell:
    """One source saying of a fact when it ends. `by` took it back."""

    source: str
    place: str
    end: int
    confidence: float
    by: str = ""


@dataclass
class Episode:
    """`archived`, `undone`: what took it out of sight."""

    size: int
    archived: str = ""
    undone: bool = False

    @property
    def live(self) -> bool:
        return not self.archived and not self.undone


@dataclass
class World:
    """One namespace. `again`: what was written once, written anew after something was redacted; what finds nothing to stand on falls away."""

    single_valued: frozenset[str]
    keys: dict[str, str]
    again: bool = False
    tells: dict[Fact, list[Tell]] = field(default_factory=dict)
    episodes: dict[str, Episode] = field(default_factory=dict)

    def believed(self) -> Believed:
        """End, count and confidence of each fact that anyone stands for."""
        return {fact: belief for fact, told in self.tells.items() if (belief := _belief(told))}

    def write(self, source: str, proposal: Proposal) -> None:
        """Refused where one of its operations cannot be done; then none is."""
        said = list(self._said(source, proposal))
        if proposal.remembers:
            self.episodes[source] = Episode(proposal.size)
        for fact, tell in said:
            told = self.tells.setdefault(fact, [])
            if not any((one.source, one.place, one.end) == (tell.source, tell.place, tell.end) for one in told):
                told.append(tell)
        for operation in proposal.archived:
            self._retire(operation.episode, source, keep=operation.facts == "keep")
            if (episode := self.episodes.get(operation.episode)) and episode.live:
                episode.archived = source

    def undo(self, source: str, archived: Sequence[str]) -> None:
        """What it had archived comes back, then what it told goes."""
        for one in archived:
            episode = self.episodes.get(one)
            if episode and episode.archived == source and not episode.undone:
                episode.archived = ""
                for told in self.tells.values():
                    for tell in told:
                        tell.by = "" if (tell.source, tell.by) == (one, source) else tell.by
        self._retire(source, f"undo of {source}")
        if source in self.episodes:
            self.episodes[source].undone = True

    def _retire(self, source: str, by: str, *, keep: bool = False) -> None:
        for told in self.tells.values():
            before, after = _belief(told), _belief([tell for tell in told if tell.source != source])
            if keep and (before and before[0]) != (after and after[0]):
                continue
            for tell in told:
                if tell.source == source and not tell.by:
                    tell.by = by

    def _said(self, source: str, proposal: Proposal) -> Iterator[tuple[Fact, Tell]]:
        now = {fact: (belief[0], belief[2]) for fact, belief in self.believed().items()}
        for place, operation in enumerate(proposal.operations, start=1):
            try:
                for fact, tell in self._of(source, str(place), operation, now):
                    now[fact] = tell.end, tell.confidence
                    yield fact, tell
            except Refused:
                if not self.again:
                    raise

    def _of(self, source: str, place: str, operation: object, now: Now) -> list[tuple[Fact, Tell]]:
        if isinstance(operation, AddRelation):
            return self._added(source, place, operation, now)
        if isinstance(operation, InvalidateRelation):
            return [self._ended(source, operation, now)]
        if isinstance(operation, ArchiveEpisode) and not (operation.episode in self.episodes and self.episodes[operation.episode].live):
            raise Refused
        return []

    def _added(self, source: str, place: str, told: AddRelation, now: Now) -> list[tuple[Fact, Tell]]:
        start, end = int(told.valid_from or 1), int(told.valid_to) + 1 if told.valid_to else OPEN
        subject, relation, object_ = self.keys[told.subject], told.relation, self.keys[told.object]
        rivals = {fact: until for fact, (until, _) in now.items() if fact[:2] == (subject, relation) and fact[2] != object_}
        rivals = rivals if relation in self.single_valued else {}
        ended = [fact for fact, until in rivals.items() if fact[3] < start < until]
        later = [fact[3] for fact in rivals if start < fact[3] < end]
        said = [(fact, Tell(source, "", start, now[fact][1])) for fact in ended]
        return [*said, ((subject, relation, object_, start), Tell(source, place, min([end, *later]), told.confidence))]

    def _ended(self, source: str, told: InvalidateRelation, now: Now) -> tuple[Fact, Tell]:
        wanted = (self.keys[told.subject], told.relation, self.keys[told.object])
        open_ = [fact for fact, (until, _) in now.items() if fact[:3] == wanted and until == OPEN]
        last, end = max(open_, key=lambda fact: fact[3], default=None), int(told.valid_to) + 1
        if last is None or end <= last[3]:
            raise Refused
        return last, Tell(source, "", end, now[last][1])


def _belief(told: Sequence[Tell]) -> tuple[int, int, float] | None:
    standing = [tell for tell in told if not tell.by]
    if not standing:
        return None
    same = [tell for tell in standing if tell.end == standing[-1].end]
    best = {source: max(tell.confidence for tell in same if tell.source == source) for source in {tell.source for tell in same}}
    return standing[-1].end, len(same), round(1.0 - prod(1.0 - sure for sure in best.values()), 9)
