"""From accepted to applied: leased, checked again, resolved, written in one transaction, seen to be there, settled.

Killed anywhere it goes on where it stood: what is resolved is written with the same ids and times, and what is written is not written again.
"""

import logging
import threading
import uuid
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import cast

from knowledge.database import ddl
from knowledge.database.connection import Database
from knowledge.errors import DatabaseError, StatementError
from knowledge.journal.journal import Entry, Journal, Writing, bodies
from knowledge.loading.same_key import join
from knowledge.registry.contract import Contract, SizeLimit
from knowledge.registry.registry import Registry
from knowledge.remember import commit_cypher as cypher
from knowledge.remember import queue
from knowledge.remember.authority import lapsed
from knowledge.remember.changes import keyed
from knowledge.remember.commit import Committed, commit_all
from knowledge.remember.points import Hook, nowhere
from knowledge.remember.proposal import Proposal, Provenance
from knowledge.remember.queue import Begun, Item, Lease
from knowledge.remember.receipts import receipt_of
from knowledge.remember.resolved import Resolved
from knowledge.remember.second_look import SecondLook, hold_back
from knowledge.remember.take_back import TakeBack

BATCH = 500
IDLE_SECONDS = 1.0
POINTS = ("leasing", "leased", "stopped", "held back", "placed", "resolving", "resolved", "ready", "committed", "joined", "verified", "counted", "settling", "settled",
          "releasing", "released")  # fmt: skip
REDACTED = "its text was redacted"
Told = tuple[Proposal, Provenance]
_LOG = logging.getLogger(__name__)


@dataclass
class Worker:
    """One per thread. `at` is called at every point between two steps that a crash may separate."""

    journal: Journal
    registry: Callable[[], Registry]
    database: Callable[[], Database]
    at: Hook = nowhere
    batch: int = BATCH
    lease_seconds: float = queue.LEASE_SECONDS
    id: str = field(default_factory=lambda: uuid.uuid4().hex)
    _ready: bool = False

    def run(self, stop: threading.Event) -> None:
        """Work until told to stop; what goes wrong is logged and tried again."""
        while not stop.is_set():
            try:
                if self.once():
                    continue
            except Exception:
                _LOG.exception("the worker goes on after this")
            stop.wait(IDLE_SECONDS)

    def drain(self) -> int:
        """Do all that is due now; how many proposals were settled."""
        done = 0
        while settled := self.once():
            done += settled
        return done

    def once(self) -> int:
        """One batch of one namespace: how many of its proposals were settled.

        Three waits for the disk where all goes well: leased, resolved, settled and released together. Between the first two the database
        is asked what is near, with nothing of the journal locked and nobody else writing into the namespace.
        """
        with self.journal.writing() as writing:
            queue.expire(writing)
            held = queue.lease(writing, self.id, self.lease_seconds)
            if held is None:
                return 0
            due = queue.waiting(writing.connection, held.namespace, self.batch, writing.at.timestamp())
            self.at("leasing")
        try:
            self.at("leased")
            near = SecondLook(self.journal, self.registry, self.database).near(held.namespace, due)
            with self.journal.writing() as writing:
                if not queue.still_held(writing, held):
                    return 0
                resolved, settled = self._resolve(writing, held, due, near)
            self.at("resolved")
            return self._work(held, resolved, settled)
        finally:
            with self.journal.writing() as writing:
                queue.release(writing.connection, held)
                self.at("releasing")
            self.at("released")

    def _work(self, held: Lease, resolved: Sequence[Resolved], stopped: int) -> int:
        if not resolved:
            return stopped or TakeBack(self.journal, self.database, self.at).once(held)
        try:
            self._prepare()
            self.at("ready")
            committed = commit_all(self.database(), self._contract(held.namespace), resolved, self.at)
            self.at("committed")
            join(self.database(), keyed(resolved))
            self.at("joined")
            missing = self._unseen([item for item in resolved if item.receipt not in committed.refused])
        except Exception as error:
            if isinstance(error, DatabaseError) and not isinstance(error, StatementError):
                raise
            return stopped + self._failed(held, resolved, f"{type(error).__name__}: {error}")
        self.at("verified")
        return stopped + self._settle(held, resolved, committed, missing)

    def _prepare(self) -> None:
        if not self._ready:
            ddl.ensure(self.database(), "memory")
            self._ready = True

    def _contract(self, namespace: str) -> Contract:
        """One that was taken out of the registry meanwhile sets no limits to what had its place already."""
        return self.registry().find(namespace) or Contract(namespace, "", "", (), SizeLimit(), "self_service")

    def _resolve(self, writing: Writing, held: Lease, due: Sequence[Item], near: Mapping[str, str]) -> tuple[list[Resolved], int]:
        """What is to be written now, in order, and how many of what was due are settled without: stopped, held back, or withdrawn meanwhile."""
        if earlier := queue.begun(writing, held.namespace):
            items = [begun.item for begun in earlier]
            told, over = _told(writing, items), lapsed(writing.connection, items, writing.at.timestamp())
            return [_again(begun, told[begun.item.receipt], over.get(begun.item.receipt, "")) for begun in earlier], 0
        waiting = queue.still_waiting(writing.connection, [item.receipt for item in due])
        told, stopped = _told(writing, waiting), lapsed(writing.connection, waiting, writing.at.timestamp())
        stopped |= {item.receipt: why for item in waiting if (why := self._stopped(item, told.get(item.receipt)))}
        self._stop(writing, [item for item in waiting if item.receipt in stopped], stopped)
        self.at("stopped")
        going = [item for item in waiting if item.receipt not in stopped]
        hold_back(writing, [item for item in going if item.receipt in near], near)
        self.at("held back")
        written = [item for item in going if item.receipt not in near]
        return self._begin(writing, written, told), len(due) - len(written)

    def _begin(self, writing: Writing, items: Sequence[Item], told: Mapping[str, Told]) -> list[Resolved]:
        """The order of writing is an event of each."""
        single = {item.namespace: self._contract(item.namespace).single_valued for item in items}
        entries = [
            Entry("resolved", item.receipt, item.namespace, item.principal, {"single_valued": sorted(single[item.namespace])}, item.payload)
            for item in items
        ]
        events = writing.append(entries)
        self.at("placed")
        begun = {item.receipt: {"resolved": event.event_id, "placed": event.seq} for item, event in zip(items, events, strict=True)}
        queue.settle(writing.connection, begun)
        self.at("resolving")
        return [
            Resolved(event.event_id, event.seq, item.receipt, item.principal, *told[item.receipt], writing.at, single[item.namespace])
            for item, event in zip(items, events, strict=True)
        ]

    def _stopped(self, item: Item, told: Told | None) -> str:
        """Why an accepted proposal can no longer be written; empty where it can."""
        contract = self.registry().find(item.namespace)
        if told is None:
            return REDACTED
        if contract is None:
            return f"{item.namespace} is no longer registered"
        named = told[0].named
        fits = not told[0].remembers or (named and named.type in contract.allowed_types)
        return "" if fits else f"{item.namespace} no longer takes this type"

    def _stop(self, writing: Writing, items: Sequence[Item], why: Mapping[str, str]) -> None:
        queue.settle(writing.connection, {item.receipt: {"status": "rejected", "why": why[item.receipt]} for item in items})
        writing.append([Entry("stopped", item.receipt, item.namespace, item.principal, {"why": why[item.receipt]}) for item in items])

    def _unseen(self, items: Sequence[Resolved]) -> set[str]:
        """The receipts whose episode cannot be read back as it was sent, or which left in sight what they archive."""
        rows = self.database().read(cypher.SEEN, {"receipts": [item.episode for item in items if item.proposal.remembers]})
        seen = {row["receipt"]: row["content"] for row in rows}
        archived = [told.episode for item in items for told in item.proposal.archived]
        past = {row["episode"] for row in self.database().read(cypher.ARCHIVED, {"episodes": archived})} if archived else set()
        return {item.receipt for item in items if not _there(item, seen, past)}

    def _settle(self, held: Lease, items: Sequence[Resolved], committed: Committed, missing: set[str]) -> int:
        with self.journal.writing() as writing:
            if not queue.still_held(writing, held):
                return 0
            refused = {receipt: {"status": "rejected", "why": why} for receipt, why in committed.refused.items()}
            there = [item for item in items if item.receipt not in refused and item.receipt not in missing]
            queue.settle(writing.connection, refused)
            queue.applied(writing.connection, [item.receipt for item in there])
            queue.tells(writing.connection, {receipt_of(told.episode): "" for item in there for told in item.proposal.archived})
            queue.count(writing.connection, held.namespace, committed.holdings)
            self.at("counted")
            kinds = {receipt: "refused" for receipt in refused} | {item.receipt: "applied" for item in there}
            writing.append(
                [
                    Entry(kinds[item.receipt], item.receipt, held.namespace, item.principal, committed.place(item))
                    for item in items
                    if item.receipt in kinds
                ]
            )
            self._put_off(writing, held, [item for item in items if item.receipt in missing], "it was written and cannot be read back")
            queue.release(writing.connection, held)
            self.at("settling")
        self.at("settled")
        return len(kinds)

    def _failed(self, held: Lease, items: Sequence[Resolved], why: str) -> int:
        with self.journal.writing() as writing:
            self._put_off(writing, held, items, why)
        return 0

    def _put_off(self, writing: Writing, held: Lease, items: Sequence[Resolved], why: str) -> None:
        kinds = ["failed" if queue.failed(writing, item.receipt, why) else "dead" for item in items]
        writing.append([Entry(kind, item.receipt, held.namespace, item.principal) for kind, item in zip(kinds, items, strict=True)])


def _there(item: Resolved, seen: Mapping[str, object], past: Collection[str]) -> bool:
    written = not item.proposal.remembers or seen.get(item.episode) == item.proposal.content
    return written and all(told.episode in past for told in item.proposal.archived)


def _told(writing: Writing, items: Sequence[Item]) -> dict[str, Told]:
    """What each item says, by receipt; nothing for what was redacted."""
    found = cast(Mapping[str, Mapping[str, Mapping[str, str]]], bodies(writing.connection, [item.payload for item in items]))
    there = [(item, found[item.payload]) for item in items if item.payload in found]
    return {item.receipt: (Proposal.model_validate(body["proposal"]), Provenance(**body["provenance"])) for item, body in there}


def _again(begun: Begun, told: Told, over: str) -> Resolved:
    item, single = begun.item, frozenset(cast(Iterable[str], begun.about.get("single_valued", ())))
    return Resolved(item.resolved, item.placed, item.receipt, item.principal, *told, datetime.fromisoformat(begun.at), single, over)
