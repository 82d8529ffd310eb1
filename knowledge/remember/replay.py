"""From the journal alone to the same kg."""

from collections import Counter
from collections.abc import Mapping
from functools import partial

from neo4j import ManagedTransaction

from knowledge.database import ddl
from knowledge.database.connection import Database
from knowledge.errors import StoreError
from knowledge.journal.journal import Journal
from knowledge.remember import commit_cypher as cypher
from knowledge.remember.commit import SECONDS, commit_again
from knowledge.remember.history import Written, history
from knowledge.remember.undo_commit import undo_in


def replay(journal: Journal, database: Database) -> Mapping[str, int]:
    """Write all that was ever applied, and take back what was undone, in order: how many commits by namespace.

    StoreError unless the database is empty.
    """
    if database.read(cypher.ANYTHING):
        raise StoreError("the journal is replayed into an empty database alone; use another GAVEL_DATA_DIR, or `gavel db reset`")
    ddl.ensure(database, "memory")
    with journal.reading() as connection:
        commits = history(connection)
    for commit in commits:
        database.transact(partial(write_again, commit=commit), seconds=SECONDS)
    return Counter(commit.namespace for commit in commits)


def write_again(transaction: ManagedTransaction, commit: Written) -> None:
    """One commit in a transaction."""
    if commit.memories:
        commit_again(transaction, commit.namespace, commit.memories)
    if commit.undoing:
        undo_in(transaction, commit.namespace, commit.undoing)
