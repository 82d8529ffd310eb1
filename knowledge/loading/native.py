"""Writes batches of rows into the native shape: a bulk import, not a guarded write. What is there already is left as it is."""

import re
from collections.abc import Iterable, Sequence
from typing import cast

from neo4j import ManagedTransaction

from knowledge.database import ddl
from knowledge.database.connection import Database
from knowledge.loading import native_cypher as cypher
from knowledge.loading.commit import Clock, Commit
from knowledge.loading.memo import Memo
from knowledge.loading.native_batch import NativeBatch, NativeTransaction, batch_of
from knowledge.loading.native_nodes import NO_KIND, EdgeKey, Kinds, NodeKey
from knowledge.loading.rows import EntityRow, FactRow, Row
from knowledge.loading.writer import Checkpoint, Written
from knowledge.profile.profile import GraphProfile
from knowledge.scope import EVERYONE, PUBLIC

_OURS = re.compile("Gavel[A-Z].*", re.DOTALL)


class NativeWriter:
    """One per load. `declared` are its entity rows, wherever they stand: they tell the kinds of what facts name before them.

    `profile` tells the kinds of subjects and objects where no row does. Entities that an earlier load left without a kind keep that node.
    """

    def __init__(
        self, database: Database, namespace: str, clock: Clock, profile: GraphProfile | None, declared: Iterable[EntityRow] = ()
    ) -> None:
        self._database = database
        self._namespace = namespace
        self._clock = clock
        self._kinds = Kinds(profile)
        self._labels = set(ddl.named_labels(database))
        self._older = sorted(self._labels - {NO_KIND})
        self._present: set[NodeKey] = set()
        self._memo: Memo[EdgeKey] = Memo()
        for row in declared:
            self._kinds.declare(row)

    def refusal(self, row: Row) -> str:
        """A native graph has no access levels: writing a restricted row into it would publish it. Our own labels are no kinds."""
        kinds = {row.kind} if isinstance(row, EntityRow) else {row.subject_kind, row.object_kind}
        if ours := sorted(kind for kind in kinds if _OURS.fullmatch(kind)):
            return f"{ours[0]} is a label that Gavel keeps its own records under; name the kind otherwise"
        if row.access_level in ("", PUBLIC) and row.visibility_group == EVERYONE:
            return ""
        return "the native shape keeps no access levels or visibility groups; load restricted rows with --shape memory"

    def prepare(self, rows: Sequence[Row]) -> NativeBatch:
        """The nodes and relationships that the rows are about."""
        unknown = {key for row in rows if self._older and isinstance(row, FactRow) for key in self._kinds.unknown(row)}
        for label in self._older if unknown else ():
            for row in self._database.read(cypher.named(label), {"names": sorted(unknown)}):
                self._kinds.find(row["name"], label)
        return batch_of(rows, self._kinds)

    def skip(self, batch: NativeBatch) -> None:
        """Preparing it has told what there is to know."""

    def write(self, batch: NativeBatch, checkpoint: Checkpoint) -> Written:
        """One transaction: all of the batch and its checkpoint, or nothing."""
        for label in batch.labels - self._labels:
            ddl.create_name_constraint(self._database, label)
            self._labels.add(label)

        def work(transaction: ManagedTransaction) -> tuple[Written, bool]:
            native = NativeTransaction(Commit(transaction, self._namespace, self._clock), batch, self._present, self._memo)
            return native.write(checkpoint), native.alone

        written, alone = cast(tuple[Written, bool], self._database.transact(work))
        self._present.update(batch.declared, batch.mentioned)
        self._memo.add(batch.edges, alone, written.version)
        return written
