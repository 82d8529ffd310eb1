"""Erasing a redacted memory from the kg: afterwards it is as if it had never been written. One transaction, done once."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from neo4j import ManagedTransaction

from knowledge.errors import StoreError
from knowledge.loading.commit import Commit
from knowledge.remember import commit_cypher
from knowledge.remember import erase_cypher as cypher
from knowledge.remember.ground import Ground
from knowledge.remember.guard import Holdings
from knowledge.remember.history import Written
from knowledge.remember.points import Hook, nowhere
from knowledge.remember.replay import write_again
from knowledge.remember.snapshot import restore_content

POINTS = ("erase locked", "episode erased", "namespace emptied", "namespace rebuilt", "erasure audited")


@dataclass(frozen=True)
class Erasing:
    """`event` redacted it, `resolved` are those that had it written.

    `operations`: whether it told of entities or facts; then everything else of its namespace is written anew.
    """

    event: str
    seq: int
    receipt: str
    principal: str
    at: datetime
    operations: bool
    resolved: Sequence[str]


def erase_in(
    transaction: ManagedTransaction, namespace: str, erasing: Erasing, rest: Sequence[Written], ground: Ground, at: Hook = nowhere
) -> tuple[int, Holdings]:
    """`rest`: the commits of the namespace without it, `ground` where they begin. StoreError where that is not all that the namespace holds."""
    commit = Commit(transaction, namespace, lambda: erasing.at)
    at("erase locked")
    for done in commit.rows(commit_cypher.DONE, events=[erasing.event]):
        return int(str(done["version"])), _held(commit)
    commit.rows(cypher.EPISODE, episode=str(UUID(erasing.receipt)), resolved=erasing.resolved)
    at("episode erased")
    if erasing.operations:
        _rebuild(transaction, commit, rest, ground, at)
    last = Commit(transaction, namespace, lambda: erasing.at)
    audit = {"event_id": erasing.event, "kind": "redacted", "receipt": erasing.receipt, "principal": erasing.principal}
    last.rows(commit_cypher.AUDIT, rows=[audit], version=last.version + 1)
    at("erasure audited")
    held = _held(last)
    last.rows(commit_cypher.CLOSE, seq=erasing.seq, last=last.now.isoformat(), **held.as_counters())
    return last.version + 1, held


def _rebuild(transaction: ManagedTransaction, commit: Commit, rest: Sequence[Written], ground: Ground, at: Hook) -> None:
    """What others told of the same things cannot be told apart in the kg; the journal can, and a snapshot from before it can."""
    guarded = commit.rows(cypher.ONLY_GUARDED)[0]["guarded"]
    if not guarded and (ground.lacking or ground.file is None):
        raise StoreError(
            "files were loaded into this namespace, and no snapshot from before this memory holds them all, so that it cannot be written anew"
        )
    base, rest = (None, rest) if guarded else (ground.file, [written for written in rest if written.version > ground.version])
    events = [memory.event for commit in rest for memory in commit.memories] + [commit.undoing.event for commit in rest if commit.undoing]
    for statement in cypher.EMPTY:
        commit.rows(statement, events=events)
    at("namespace emptied")
    if base:
        restore_content(transaction, base)
    for written in rest:
        write_again(transaction, written)
    at("namespace rebuilt")


def _held(commit: Commit) -> Holdings:
    row = commit.rows(commit_cypher.COUNT)[0]
    return Holdings(int(str(row["episodes"])), int(str(row["facts"])), int(str(row["bytes"])))
