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
from knowledge.remember.guard import Holdings
from knowledge.remember.history import Written
from knowledge.remember.points import Hook, nowhere
from knowledge.remember.replay import write_again

POINTS = ("erase locked", "episode erased", "namespace emptied", "namespace rebuilt", "erasure audited")


@dataclass(frozen=True)
class Erasing:
    """`event` redacted it. `operations`: whether it told of entities or facts; then everything else of its namespace is written anew."""

    event: str
    seq: int
    receipt: str
    principal: str
    at: datetime
    operations: bool


def erase_in(
    transaction: ManagedTransaction, namespace: str, erasing: Erasing, rest: Sequence[Written], at: Hook = nowhere
) -> tuple[int, Holdings]:
    """`rest`: the commits of the namespace without it. StoreError where that is not all that the namespace holds."""
    commit = Commit(transaction, namespace, lambda: erasing.at)
    at("erase locked")
    for done in commit.rows(commit_cypher.DONE, events=[erasing.event]):
        return int(str(done["version"])), _held(commit)
    commit.rows(cypher.EPISODE, episode=str(UUID(erasing.receipt)), receipt=erasing.receipt)
    at("episode erased")
    if erasing.operations:
        _rebuild(transaction, commit, rest, at)
    last = Commit(transaction, namespace, lambda: erasing.at)
    audit = {"event_id": erasing.event, "kind": "redacted", "receipt": erasing.receipt, "principal": erasing.principal}
    last.rows(commit_cypher.AUDIT, rows=[audit], version=last.version + 1)
    at("erasure audited")
    held = _held(last)
    last.rows(commit_cypher.CLOSE, seq=erasing.seq, last=last.now.isoformat(), **held.as_counters())
    return last.version + 1, held


def _rebuild(transaction: ManagedTransaction, commit: Commit, rest: Sequence[Written], at: Hook) -> None:
    """What others told of the same things cannot be told apart in the kg; the journal can."""
    if not commit.rows(cypher.ONLY_GUARDED)[0]["guarded"]:
        raise StoreError("files were loaded into this namespace, so that it cannot be written anew from the journal")
    events = [memory.event for commit in rest for memory in commit.memories] + [commit.undoing.event for commit in rest if commit.undoing]
    for statement in cypher.EMPTY:
        commit.rows(statement, events=events)
    at("namespace emptied")
    for written in rest:
        write_again(transaction, written)
    at("namespace rebuilt")


def _held(commit: Commit) -> Holdings:
    row = commit.rows(commit_cypher.COUNT)[0]
    return Holdings(int(str(row["episodes"])), int(str(row["facts"])), int(str(row["bytes"])))
