"""Taking a memory back in the kg: belief ends, nothing is deleted. One transaction under the namespace's lock, done once."""

from uuid import UUID

from neo4j import ManagedTransaction

from knowledge.loading.commit import Commit
from knowledge.remember import commit_cypher, retiring_cypher
from knowledge.remember.guard import Holdings
from knowledge.remember.history import Undoing
from knowledge.remember.points import Hook, nowhere
from knowledge.remember.retiring import restore, retire

POINTS = ("undo locked", "restored", "facts closed", "undo audited")


def undo_in(transaction: ManagedTransaction, namespace: str, undoing: Undoing, at: Hook = nowhere) -> tuple[int, Holdings]:
    """The version of the namespace that took it back, and what it holds since. Done before, it changes nothing."""
    commit = Commit(transaction, namespace, lambda: undoing.at)
    at("undo locked")
    for done in commit.rows(commit_cypher.DONE, events=[undoing.event]):
        return int(str(done["version"])), _held(commit)
    episode = str(UUID(undoing.receipt))
    for archived in undoing.restores:
        restore(transaction, commit, archived, undoing.receipt)
        commit.advance(commit.now)
    at("restored")
    retire(transaction, commit, episode, undoing.event, {"undone_by": undoing.event})
    commit.rows(retiring_cypher.UNDONE_PAST, episode=episode, event=undoing.event)
    at("facts closed")
    audit = {"event_id": undoing.event, "kind": "undone", "episode": episode, "principal": undoing.principal}
    commit.rows(commit_cypher.AUDIT, rows=[audit], version=commit.version + 1)
    at("undo audited")
    held = _held(commit, anew=True)
    commit.rows(commit_cypher.CLOSE, seq=undoing.seq, last=commit.now.isoformat(), **held.as_counters())
    return commit.version + 1, held


def _held(commit: Commit, *, anew: bool = False) -> Holdings:
    row = commit.rows(commit_cypher.COUNT)[0] if anew else commit.counted
    return Holdings(int(str(row["episodes"])), int(str(row["facts"])), int(str(row["bytes"])))
