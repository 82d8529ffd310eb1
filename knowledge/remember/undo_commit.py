"""Taking a memory back in the kg: belief ends, nothing is deleted. One transaction under the namespace's lock, done once."""

from collections.abc import Mapping, Sequence
from math import prod
from uuid import UUID, uuid5

from neo4j import ManagedTransaction

from knowledge.loading.commit import Commit
from knowledge.remember import commit_cypher
from knowledge.remember import undo_cypher as cypher
from knowledge.remember.guard import Holdings
from knowledge.remember.history import Undoing
from knowledge.remember.points import Hook, nowhere

POINTS = ("undo locked", "episode closed", "facts closed", "undo audited")
Found = Mapping[str, object]


def undo_in(transaction: ManagedTransaction, namespace: str, undoing: Undoing, at: Hook = nowhere) -> tuple[int, Holdings]:
    """The version of the namespace that took it back, and what it holds since. Done before, it changes nothing."""
    commit = Commit(transaction, namespace, lambda: undoing.at)
    at("undo locked")
    for done in commit.rows(commit_cypher.DONE, events=[undoing.event]):
        return int(str(done["version"])), _held(commit)
    about = {"episode": str(UUID(undoing.receipt)), "event": undoing.event}
    commit.rows(cypher.EPISODE, **about)
    at("episode closed")
    _facts(commit, about)
    at("facts closed")
    audit = {"event_id": undoing.event, "kind": "undone", "episode": about["episode"], "principal": undoing.principal}
    commit.rows(commit_cypher.AUDIT, rows=[audit], version=commit.version + 1)
    at("undo audited")
    held = _held(commit, anew=True)
    commit.rows(commit_cypher.CLOSE, seq=undoing.seq, last=commit.now.isoformat(), **held.as_counters())
    return commit.version + 1, held


def _facts(commit: Commit, about: Mapping[str, str]) -> None:
    """A fact that another source tells as well stands on that; one that this source had ended goes on as it was told before."""
    told = commit.rows(cypher.TOLD, **about)
    commit.rows(cypher.EVIDENCE, **about)
    left = {str(row["fact"]): [e for e in _list(row["evidence"]) if e["source"] != about["episode"]] for row in told}
    for row in told:
        same = [e for e in left[str(row["fact"])] if e["valid_to"] == row["valid_to"]]
        if same:
            commit.rows(cypher.BELIEVE, uuid=row["uuid"], **_belief(same))
        elif row["evidence"] or row["source"] == about["episode"]:
            commit.rows(cypher.FACT, uuid=row["uuid"], event=about["event"])
            _reopen(commit, row, left[str(row["fact"])])


def _reopen(commit: Commit, row: Found, left: Sequence[Found]) -> None:
    """The latest earlier version that a remaining source stands for."""
    ends = {str(e["valid_to"]) for e in left}
    earlier = [version for version in _list(row["versions"]) if version["valid_to"] in ends]
    if earlier:
        last = max(earlier, key=lambda version: str(version["known_from"]))
        uuid = str(uuid5(UUID(str(row["fact"])), str(len(_list(row["versions"])) + 1)))
        commit.rows(cypher.REOPEN, of=last["uuid"], uuid=uuid, **_belief([e for e in left if e["valid_to"] == last["valid_to"]]))


def _belief(evidence: Sequence[Found]) -> dict[str, object]:
    best: dict[str, float] = {}
    for one in evidence:
        best[str(one["source"])] = max(float(str(one["confidence"])), best.get(str(one["source"]), 0.0))
    return {"count": len(evidence), "confidence": round(1.0 - prod(1.0 - c for c in best.values()), 9)}


def _held(commit: Commit, *, anew: bool = False) -> Holdings:
    row = commit.rows(commit_cypher.COUNT if anew else commit_cypher.COUNTERS)[0]
    return Holdings(int(str(row["episodes"])), int(str(row["facts"])), int(str(row["bytes"])))


def _list(value: object) -> list[Found]:
    return value if isinstance(value, list) else []
