"""Writes batches of rows into the memory shape, each in one transaction under the namespace's lock."""

from collections.abc import Iterable, Sequence
from typing import cast

from neo4j import ManagedTransaction

from knowledge.database.connection import Database
from knowledge.identity import entity_uuid
from knowledge.loading import memory_facts
from knowledge.loading.commit import Clock, Commit
from knowledge.loading.memo import Memo
from knowledge.loading.memory_batch import Batch, BatchTransaction, IdentifiedRows
from knowledge.loading.memory_mentions import Mention, mentions, merged
from knowledge.loading.rows import EntityRow, FactRow, Row
from knowledge.loading.same_key import join
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
        self._memo: Memo[str] = Memo()

    def refusal(self, row: Row) -> str:
        """Nothing that a file can say is refused."""
        return ""

    def prepare(self, rows: Sequence[Row]) -> IdentifiedRows:
        """The rows with the identities of their facts."""
        facts = [(memory_facts.identity(self._namespace, row), row) for row in rows if isinstance(row, FactRow)]
        return IdentifiedRows(rows, facts)

    def skip(self, batch: IdentifiedRows) -> None:
        """Sentences of later facts use the names of declared entities instead of their keys. Killed after its commit, a batch was not joined."""
        self._learn(batch)
        self._join(batch)

    def write(self, batch: IdentifiedRows, checkpoint: Checkpoint) -> Written:
        """One transaction: all of the batch and its checkpoint, or nothing."""
        self._learn(batch)
        missing = self._missing(row for _, row in batch.facts)
        relations = sorted({row.relation for _, row in batch.facts} - self._relations)
        whole = Batch(self._namespace, batch, missing, relations, self._names, checkpoint)

        def work(transaction: ManagedTransaction) -> tuple[Written, bool]:
            memory = BatchTransaction(Commit(transaction, self._namespace, self._clock), transaction, whole, self._memo)
            return memory.write(), memory.alone

        written, alone = cast(tuple[Written, bool], self._database.transact(work))
        self._memo.add((fact for fact, _ in batch.facts), alone, written.version)
        self._present.update(mention.memo for mention in missing if mention.access_level == PUBLIC)
        self._relations.update(relations)
        self._join(batch)
        return written

    def _learn(self, batch: IdentifiedRows) -> None:
        self._names.update({row.key: row.name for row in _keyed(batch)})

    def _join(self, batch: IdentifiedRows) -> None:
        join(self._database, sorted({entity_uuid(self._namespace, row.visibility_group, row.key) for row in _keyed(batch)}))

    def _missing(self, facts: Iterable[FactRow]) -> list[Mention]:
        """The ends of public facts that may be missing; ends of hidden facts are settled in the transaction."""
        public = (row for row in facts if row.visibility_group == EVERYONE)
        return merged(mention for row in public for mention in mentions(self._namespace, row, self._names, self._present))


def _keyed(batch: IdentifiedRows) -> list[EntityRow]:
    """The entities to which a key was given."""
    return [row for row in batch.rows if isinstance(row, EntityRow) and row.key != row.name]
