"""The worker's part in undoing and redacting: in its turn, when nothing of the namespace is half written."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import cast

from neo4j import ManagedTransaction
from sqlalchemy import Connection, select

from knowledge.database.connection import Database
from knowledge.errors import StatementError, StoreError
from knowledge.journal.journal import Entry, Event, Journal
from knowledge.journal.tables import work
from knowledge.loading.same_key import join_namespace
from knowledge.remember import queue
from knowledge.remember.commit import SECONDS
from knowledge.remember.erase_commit import Erasing, erase_in
from knowledge.remember.ground import ground_of
from knowledge.remember.guard import Holdings
from knowledge.remember.history import history, resolved_by, undoing
from knowledge.remember.inbox import proposal_of
from knowledge.remember.points import Hook
from knowledge.remember.queue import Lease
from knowledge.remember.receipts import receipt_of
from knowledge.remember.undo_commit import undo_in

POINTS = ("taking back", "taken back", "recounted", "settling back", "settled back")
Done = tuple[int, Holdings]


@dataclass(frozen=True)
class TakeBack:
    """Takes back one memory of a leased namespace at a time."""

    journal: Journal
    database: Callable[[], Database]
    at: Hook

    def once(self, held: Lease) -> int:
        """How many were settled: one, or none where nothing was asked for or the lease was lost."""
        with self.journal.writing() as writing:
            asked = queue.asked_back(writing, held.namespace) if queue.still_held(writing, held) else None
            if asked and queue.half_written(writing, held.namespace):
                queue.put_off(writing, asked.receipt, "it waits for something that is half written")
                asked = None
        if asked is None:
            return 0
        self.at("taking back")
        try:
            done = cast(Done, self.database().transact(partial(self._do, asked=asked), seconds=SECONDS))
            if asked.kind != "undo_asked":
                join_namespace(self.database(), held.namespace)
        except (StatementError, StoreError) as error:
            with self.journal.writing() as writing:
                queue.put_off(writing, asked.receipt, str(error))
            return 0
        self.at("taken back")
        return self._settle(held, asked, done)

    def _do(self, transaction: ManagedTransaction, asked: Event) -> Done:
        if asked.kind == "undo_asked":
            return undo_in(transaction, asked.namespace, undoing(asked), self.at)
        with self.journal.reading() as connection:
            rest = history(connection, asked.namespace) if asked.about["operations"] else []
            ground = ground_of(connection, asked.namespace)
            resolved = resolved_by(connection, asked.receipt)
        at, operations = datetime.fromisoformat(asked.at), bool(asked.about["operations"])
        erasing = Erasing(asked.event_id, asked.seq, asked.receipt, asked.principal, at, operations, resolved)
        return erase_in(transaction, asked.namespace, erasing, rest, ground, self.at)

    def _settle(self, held: Lease, asked: Event, done: Done) -> int:
        version, holdings = done
        status, kind = ("undone", "undone") if asked.kind == "undo_asked" else ("redacted", "erased")
        with self.journal.writing() as writing:
            if not queue.still_held(writing, held):
                return 0
            queue.count(writing.connection, held.namespace, holdings)
            self.at("recounted")
            queue.settle(writing.connection, {asked.receipt: {"status": status, "why": ""}})
            queue.tells(writing.connection, _told_again(writing.connection, asked))
            writing.append([Entry(kind, asked.receipt, held.namespace, asked.principal, {"event": asked.event_id, "version": version})])
            self.at("settling back")
        self.at("settled back")
        return 1


def _told_again(connection: Connection, asked: Event) -> dict[str, str]:
    """What the memories tell that come back with this undoing."""
    [row] = connection.execute(select(work.c.payload).where(work.c.receipt == asked.receipt))
    undone = proposal_of(connection, row.payload) if asked.kind == "undo_asked" else None
    archived = [receipt_of(told.episode) for told in undone.archived] if undone else []
    rows = connection.execute(select(work.c.receipt, work.c.payload).where(work.c.receipt.in_(archived)))
    return {row.receipt: told.content for row in rows if (told := proposal_of(connection, row.payload))}
