"""Writes batches of rows into the memory shape, each in one transaction under the namespace's lock."""

from collections.abc import Iterable, Sequence
from typing import cast

from neo4j import ManagedTransaction

from knowledge.database.connection import Database
from knowledge.loading.commit import Clock
from knowledge.loading.memory_batch import Batch, BatchTransaction
from knowledge.loading.memory_mentions import Mention, mentions, merged
from knowledge.loading.rows import EntityRow, FactRow, Row
from knowledge.loading.writer import Checkpoint, Written
from knowledge.scope import EVERYONE, PUBLIC


class MemoryWriter:
    """One per load. Remembers which entities and relation types are surely there, and which names declared entities have."""

    def __init__(self, database: Database, namespace: str, clock: Clock) -> None:
        self._database = database
        self._namespace = namespace
        self._clock = clock
        self._names: dict[str, str] = {}
        self._present: set[str] = set()
        self._relations: set[str] = set()

    def refusal(self, row: Row) -> str:
        """Nothing that a file can say is refused."""
        return ""

    def prepare(self, rows: Sequence[Row]) -> Sequence[Row]:
        """What is left to do is done under the lock."""
        return rows

    def skip(self, batch: Sequence[Row]) -> None:
        """Sentences of later facts use the names of declared entities instead of their keys."""
        self._names.update({row.key: row.name for row in batch if isinstance(row, EntityRow) and row.key != row.name})

    def write(self, batch: Sequence[Row], checkpoint: Checkpoint) -> Written:
        """One transaction: all of the batch and its checkpoint, or nothing."""
        self.skip(batch)
        facts = [row for row in batch if isinstance(row, FactRow)]
        missing = self._missing(facts)
        relations = sorted({row.relation for row in facts} - self._relations)
        whole = Batch(self._namespace, batch, missing, relations, self._names, checkpoint)

        def work(transaction: ManagedTransaction) -> Written:
            return BatchTransaction(transaction, whole, self._clock).write()

        written = cast(Written, self._database.transact(work))
        self._present.update(mention.memo for mention in missing if mention.access_level == PUBLIC)
        self._relations.update(relations)
        return written

    def _missing(self, facts: Iterable[FactRow]) -> list[Mention]:
        """The ends of public facts that may be missing; ends of hidden facts are settled in the transaction."""
        public = (row for row in facts if row.visibility_group == EVERYONE)
        return merged(mention for row in public for mention in mentions(self._namespace, row, self._names, self._present))
