"""The frame of every batch: the namespace's lock and clock at its start, the version and the checkpoint at its end."""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

from neo4j import ManagedTransaction

from knowledge.clocks import OPEN_END, OPEN_START
from knowledge.loading import commit_cypher as cypher
from knowledge.loading.properties import instant, iso
from knowledge.loading.rows import Row
from knowledge.loading.writer import Checkpoint
from knowledge.scope import PUBLIC

Clock = Callable[[], datetime]
_TICK = timedelta(microseconds=1)


class Commit:
    """Holds the lock of the namespace until the transaction ends, so that its loaders take turns.

    `now` is later than every earlier commit of the namespace. `shared` are parameters of every statement. `counted`: what the namespace held
    by its own counters when it was locked, None where it never counted.
    """

    def __init__(self, transaction: ManagedTransaction, namespace: str, clock: Clock) -> None:
        self._transaction = transaction
        self.shared: dict[str, object] = {"namespace": namespace, "open_start": iso(OPEN_START), "open_end": iso(OPEN_END)}
        locked = self.rows(cypher.LOCK)[0]
        self.version = int(str(locked["version"]))
        self.counted = {name: locked[name] for name in ("episodes", "facts", "bytes")}
        self.now = max(clock(), instant(str(locked["last_commit"])) + _TICK)
        self.shared["now"] = iso(self.now)

    def advance(self, last: datetime) -> datetime:
        """What follows in this transaction is believed later than `last`, the latest time that was given so far; returns that new now."""
        self.now = max(self.now, last) + _TICK
        self.shared["now"] = iso(self.now)
        return self.now

    def rows(self, statement: str, **parameters: object) -> list[dict[str, object]]:
        """Run one statement in the transaction."""
        return self._transaction.run(statement, self.shared, **parameters).data()

    def many(self, statement: str, rows: Sequence[object]) -> list[dict[str, object]]:
        """Run a statement that unwinds `$rows`, unless there are none."""
        return self.rows(statement, rows=rows) if rows else []

    def close(self, rows: Sequence[Row], checkpoint: Checkpoint, changed: bool, last: datetime | None = None) -> int:
        """The version, a new one where something changed; the checkpoint, and the event that told of the batch. The namespace knows which access levels and visibility
        groups it holds."""
        kept = {
            "load": checkpoint.load,
            "position": checkpoint.rows,
            "levels": sorted({row.access_level or PUBLIC for row in rows}),
            "groups": sorted({row.visibility_group for row in rows}),
            "last": iso(last or self.now),
        }
        version = int(str(self.rows(cypher.COMMIT if changed else cypher.CHECKPOINT, **kept)[0]["version"]))
        if checkpoint.event:
            self.rows(cypher.AUDIT, event=checkpoint.event, version=version)
        return version
