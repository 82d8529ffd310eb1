"""Taking one episode out of what is believed, with the facts that only it told; and bringing it back. Nothing is deleted."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod
from uuid import UUID, uuid5

from knowledge.loading.commit import Commit
from knowledge.remember import retiring_cypher as cypher

Found = Mapping[str, object]


@dataclass(frozen=True)
class Retired:
    """What is live no longer: less than nothing where something went on instead."""

    episodes: int = 0
    facts: int = 0
    bytes: int = 0


def retire(commit: Commit, episode: str, event: str, mark: Mapping[str, str], *, facts: bool = True) -> Retired:
    """A fact that another source tells as well stands on that; one that this source had ended goes on as it was told before.

    `mark`: what the episode keeps of why. `facts` False: what only it told stays believed.
    """
    gone = commit.rows(cypher.EPISODE, episode=episode, mark=mark)
    ended = _end_facts(commit, episode, event, keep=not facts)
    return Retired(len(gone), ended, sum(int(str(row["bytes"])) for row in gone))


def restore(commit: Commit, episode: str, receipt: str) -> None:
    """Bring back an episode that this receipt archived, unless it was undone meanwhile, and what it told."""
    for row in commit.rows(cypher.RESTORE, episode=episode, receipt=receipt):
        about = {"episode": episode, "event": row["event"]}
        told = commit.rows(cypher.TAKEN, **about)
        commit.rows(cypher.EVIDENCE_BACK, **about)
        for fact in told:
            _bring_back(commit, fact, str(row["event"]))


def _end_facts(commit: Commit, episode: str, event: str, *, keep: bool) -> int:
    told = [row for row in commit.rows(cypher.TOLD, episode=episode) if not keep or _same(row, _left(row, episode))]
    commit.rows(cypher.EVIDENCE, episode=episode, event=event, facts=[row["fact"] for row in told])
    return sum(_end(commit, row, episode, event) for row in told)


def _left(row: Found, episode: str) -> list[Found]:
    return [one for one in _list(row["evidence"]) if one["source"] != episode]


def _same(row: Found, evidence: Sequence[Found]) -> list[Found]:
    return [one for one in evidence if one["valid_to"] == row["valid_to"]]


def _end(commit: Commit, row: Found, episode: str, event: str) -> int:
    left = _left(row, episode)
    if same := _same(row, left):
        commit.rows(cypher.BELIEVE, uuid=row["uuid"], **_belief(same))
    elif row["evidence"] or row["source"] == episode:
        commit.rows(cypher.FACT, uuid=row["uuid"], event=event)
        return 1 - _go_on(commit, row, left, event)
    return 0


def _go_on(commit: Commit, row: Found, left: Sequence[Found], event: str) -> int:
    """The latest earlier version that a remaining source stands for; how many there are."""
    ends = {str(one["valid_to"]) for one in left}
    earlier = [version for version in _list(row["versions"]) if version["valid_to"] in ends]
    if not earlier:
        return 0
    last = max(earlier, key=lambda version: str(version["known_from"]))
    _reopen(commit, row, last, _belief([one for one in left if one["valid_to"] == last["valid_to"]]), event)
    return 1


def _bring_back(commit: Commit, fact: Found, event: str) -> None:
    """The version that the archiving ended, in place of the one that went on without it; else its evidence counts again.

    Where others who told the fact are gone since, it stands on that evidence alone.
    """
    versions, evidence = _list(fact["versions"]), _list(fact["evidence"])
    ended = next((version for version in versions if version["ended_by"] == event), None)
    live = next((version for version in versions if version["live"]), None)
    if ended and (live is None or live["reopened_by"] == event):
        if live:
            commit.rows(cypher.FACT, uuid=live["uuid"], event=event)
        same = _same(ended, evidence)
        _reopen(commit, fact, ended, _belief(same) if same else {"count": ended["count"], "confidence": ended["confidence"]}, "")
    elif live and (same := _same(live, evidence)):
        commit.rows(cypher.BELIEVE, uuid=live["uuid"], **_belief(same))
    elif not live and (stands := next((version for version in reversed(versions) if _same(version, evidence)), None)):
        _reopen(commit, fact, stands, _belief(_same(stands, evidence)), "")


def _reopen(commit: Commit, fact: Found, version: Found, belief: Mapping[str, object], event: str) -> None:
    uuid = str(uuid5(UUID(str(fact["fact"])), str(len(_list(fact["versions"])) + 1)))
    commit.rows(cypher.REOPEN, of=version["uuid"], uuid=uuid, event=event, **belief)


def _belief(evidence: Sequence[Found]) -> dict[str, object]:
    best: dict[str, float] = {}
    for one in evidence:
        best[str(one["source"])] = max(float(str(one["confidence"])), best.get(str(one["source"]), 0.0))
    return {"count": len(evidence), "confidence": round(1.0 - prod(1.0 - c for c in best.values()), 9)}


def _list(value: object) -> list[Found]:
    return value if isinstance(value, list) else []
