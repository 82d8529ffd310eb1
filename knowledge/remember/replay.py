"""From the journal, and snapshots that it vouches for, to the same kg."""

import functools
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from neo4j import ManagedTransaction

from knowledge.database import ddl
from knowledge.database.connection import Database
from knowledge.errors import StoreError
from knowledge.journal.journal import Journal
from knowledge.loading.same_key import join_namespace
from knowledge.remember import commit_cypher as cypher
from knowledge.remember.commit import SECONDS, commit_again
from knowledge.remember.ground import Ground, grounds
from knowledge.remember.history import Written, history
from knowledge.remember.snapshot import restore
from knowledge.remember.snapshot_cypher import ADVANCE
from knowledge.remember.undo_commit import undo_in


def replay(journal: Journal, database: Database, snapshots: Sequence[Path] = (), *, partial: bool = False) -> Mapping[str, int]:
    """Restore the last snapshot of each namespace, write all that was applied after it, and take back what was undone, in order: how many
    commits by namespace.

    `snapshots`: files that stand elsewhere than where they were taken. `partial`: go on without what was loaded from files and is in no
    snapshot. StoreError unless the database is empty, and where something would be left out that `partial` does not allow.
    """
    if database.read(cypher.ANYTHING):
        raise StoreError("the journal is replayed into an empty database alone; use another GAVEL_DATA_DIR, or `gavel db reset`")
    with journal.reading() as connection:
        found = {ground.namespace: ground for ground in grounds(connection, snapshots)}
        commits = [commit for commit in history(connection) if commit.version > found[commit.namespace].version]
    if not partial:
        _check(found.values())
    ddl.ensure(database, "memory")
    for ground in found.values():
        if ground.file:
            restore(database, ground.file)
    for commit in commits:
        database.transact(functools.partial(write_again, commit=commit), seconds=SECONDS)
    for ground in found.values():
        database.write(ADVANCE, {"namespace": ground.namespace, "version": ground.last})
        join_namespace(database, ground.namespace)
    return {namespace: sum(commit.namespace == namespace for commit in commits) for namespace in found}


def _check(found: Iterable[Ground]) -> None:
    """What is left out would be missed later, when nobody knows any more."""
    if lacking := [f"{ground.namespace}: {ground.lacking}" for ground in found if ground.lacking]:
        raise StoreError(
            f"{'; '.join(lacking)}. Take one where the data still is (`gavel journal snapshot`), name its file with --snapshot, "
            "or replay what the journal alone can tell with --partial, and load the files again"
        )


def write_again(transaction: ManagedTransaction, commit: Written) -> None:
    """One commit in a transaction."""
    if commit.memories:
        commit_again(transaction, commit.namespace, commit.memories)
    if commit.undoing:
        undo_in(transaction, commit.namespace, commit.undoing)
