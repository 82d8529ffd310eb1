"""Run by the tests as a process of its own that kills itself: submits, approves and works, and prints each receipt once it has it.

Run again with the same folder it goes on as its caller would: sends everything again, and waits until nothing is left to do.
"""

import os
import signal
import sys
import time
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from knowledge.database.connection import Database
from knowledge.journal.journal import now
from knowledge.remember import inbox, queue
from knowledge.remember.approvals import Approvals
from knowledge.remember.points import Hook
from knowledge.remember.proposal import Proposal
from knowledge.remember.redaction import Redaction
from knowledge.remember.undo import Undo
from knowledge.remember.worker import Worker
from knowledge.scope import Principal
from tests.knowledge.remember.world import BOT, OWNER, PERSON, Office, lesson

PATIENCE = 30.0
UNDONE, REDACTED = (3, 8), (0, 2)


def archiving(of: Proposal) -> Proposal:
    """Takes what one of the scenario told out of sight."""
    told = {"op": "archive_episode", "episode": str(uuid.UUID(receipt_for(of)))}
    return Proposal.read({"name": f"no more: {of.name}", "episode_body": "", "group_id": of.group_id, "operations": [told]})


def receipt_for(proposal: Proposal) -> str:
    return uuid.uuid5(uuid.NAMESPACE_OID, proposal.name).hex


WAIT, RETRY = (
    lesson("Wait until it answers.", namespace="guide", valid_at="2024-01-06"),
    lesson("Retry with jitter.", valid_at="2024-01-07"),
)
SCENARIO: Sequence[tuple[Principal, Proposal]] = (
    (BOT, lesson("Read the log before a restart.", valid_at="2024-01-01")),
    (BOT, lesson("Start the server, then load.", namespace="guide", valid_at="2024-01-02")),
    (
        OWNER,
        lesson(
            "Ada has led Alpha since 2020.", namespace="alpha", valid_at="2024-01-03",
            operations=[
                {"op": "add_entity", "name": "Ada", "kind": "person", "summary": "An engineer.", "properties": {"role": "engineer"}},
                {"op": "add_relation", "subject": "Ada", "relation": "leads", "object": "Alpha", "valid_from": "2020"},
            ],
        ),
    ),
    (
        OWNER,
        lesson(
            "Ada became head and now leads Beta.", namespace="alpha", valid_at="2024-01-04",
            operations=[
                {"op": "update_property", "entity": "Ada", "property": "role", "value": "head", "expected": "engineer"},
                {"op": "add_relation", "subject": "Ada", "relation": "leads", "object": "Beta", "valid_from": "2023"},
            ],
        ),
    ),
    (
        OWNER,
        lesson(
            "Nobody has no role.", namespace="alpha", valid_at="2024-01-05",
            operations=[{"op": "update_property", "entity": "Nobody", "property": "role", "value": "none"}],
        ),
    ),
    (BOT, WAIT),
    (BOT, RETRY),
    (BOT, archiving(WAIT)),
    (BOT, archiving(RETRY)),
)  # fmt: skip


@dataclass
class KillAt:
    """Kills this process when it passes a point for the nth time."""

    point: str
    left: int

    def __call__(self, point: str) -> None:
        self.left -= point == self.point
        if point == self.point and self.left == 0:
            os.kill(os.getpid(), signal.SIGKILL)


def always(receipt: str) -> str:
    return receipt


def work(database: Database, office: Office, at: Hook) -> None:
    for place, (who, proposal) in enumerate(SCENARIO):
        inbox.receipt_id = partial(always, receipt_of(place))
        receipt = office.inbox(who, at=at).receipt(inbox.receipt_id())
        if receipt is None or receipt.status not in ("erasing", "redacted"):
            receipt = office.inbox(who, at=at).submit(proposal)
        print(receipt.id, receipt.namespace, flush=True)
    approvals = Approvals(office.journal, office.registry, PERSON, at)
    for waiting in approvals.waiting():
        approvals.approve([waiting.receipt])
    worker = Worker(office.journal, office.registry, lambda: database, at, batch=2, lease_seconds=0.3)
    settle(office, worker)
    for place in UNDONE:
        Undo(office.journal, office.registry, PERSON, at).undo(receipt_of(place))
    settle(office, worker)
    for place in REDACTED:
        assert Redaction(office.journal, office.registry, PERSON, at).redact(receipt_of(place)).done
    settle(office, worker)


def receipt_of(place: int) -> str:
    return receipt_for(SCENARIO[place][1])


def settle(office: Office, worker: Worker) -> None:
    """A namespace that a killed worker had leased is free again when the lease is over."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        worker.drain()
        with office.journal.reading() as connection:
            if not queue.by_status(connection).keys() & set(queue.DUE):
                return
        time.sleep(0.05)
    raise TimeoutError("something is still to be done")


if __name__ == "__main__":
    uri, user, password, folder, journal, point, passing = sys.argv[1:]
    with Database.connect(uri, user, password) as database:
        work(database, Office(Path(folder), now, url=journal), KillAt(point, int(passing)))
    print("done", flush=True)
