"""Taking one episode out of what is believed, with the facts that only it told; and bringing it back. Nothing is deleted.

A fact is believed as the last of those told it who stand; so whatever is taken back or brought back, in whatever order, it is settled anew.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from uuid import UUID, uuid5

from neo4j import ManagedTransaction

from knowledge.loading import memory_cypher
from knowledge.loading.commit import Commit
from knowledge.loading.memory_facts import KnownFact
from knowledge.loading.memory_read import known_facts
from knowledge.remember import retiring_cypher as cypher


@dataclass(frozen=True)
class Retired:
    """What is live no longer."""

    episodes: int = 0
    facts: int = 0
    bytes: int = 0


def retire(
    transaction: ManagedTransaction, commit: Commit, episode: str, event: str, mark: Mapping[str, str], *, facts: bool = True
) -> Retired:
    """A fact that another source tells as well stands on that; one that this source had ended goes on as it was told before.

    `mark`: what the episode keeps of why. `facts` False: what only it told stays believed.
    """
    gone = commit.rows(cypher.EPISODE, episode=episode, mark=mark)
    known = _told_by(transaction, commit, episode)
    left = {fact: _without(state, episode) for fact, state in known.items()}
    ending = {fact: state for fact, state in left.items() if facts or _end(state) == _end(known[fact])}
    kept = [one.parameters() for fact in ending for one in known[fact].observations]
    commit.many(memory_cypher.ADD_EVIDENCE, kept)
    commit.rows(cypher.EVIDENCE, episode=episode, event=event, facts=list(ending))
    ended = sum(bool(state.live) - _settle(commit, fact, state, event) for fact, state in ending.items())
    return Retired(len(gone), ended, sum(int(str(row["bytes"])) for row in gone))


def restore(transaction: ManagedTransaction, commit: Commit, episode: str, receipt: str) -> None:
    """Bring back an episode that this receipt archived, unless it was undone meanwhile, and what it told."""
    for row in commit.rows(cypher.RESTORE, episode=episode, receipt=receipt):
        event = str(row["event"])
        commit.rows(cypher.EVIDENCE_BACK, episode=episode, event=event)
        for fact, state in _told_by(transaction, commit, episode).items():
            _settle(commit, fact, state, event)


def _told_by(transaction: ManagedTransaction, commit: Commit, episode: str) -> dict[str, KnownFact]:
    facts = [str(row["fact"]) for row in commit.rows(cypher.TOLD, episode=episode)]
    return known_facts(transaction, facts) if facts else {}


def _without(state: KnownFact, source: str) -> KnownFact:
    return replace(state, observations=[one for one in state.observations if one.source != source])


def _end(state: KnownFact) -> str:
    """The end that is believed; empty where nobody stands for the fact."""
    return state.observations[-1].valid_to if state.observations else ""


def _settle(commit: Commit, fact: str, state: KnownFact, event: str) -> int:
    """Make the live version what the observations that stand tell; how many are live then."""
    end = _end(state)
    if state.live and end == state.live_valid_to:
        count, confidence = state.belief()
        commit.rows(cypher.BELIEVE, uuid=state.live, count=count, confidence=confidence)
        return 1
    if state.live:
        commit.rows(cypher.FACT, uuid=state.live, event=event)
    return _go_on(commit, fact, state, end) if end else 0


def _go_on(commit: Commit, fact: str, state: KnownFact, end: str) -> int:
    """The latest version with this end, once more."""
    count, confidence = replace(state, live_valid_to=end).belief()
    uuid = str(uuid5(UUID(fact), str(state.versions + 1)))
    return len(commit.rows(cypher.REOPEN, fact=fact, end=end, uuid=uuid, count=count, confidence=confidence))
