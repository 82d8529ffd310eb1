"""What holds of receipts at this moment."""

import json
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from sqlalchemy import Connection, select

from knowledge.journal.journal import body_of
from knowledge.journal.tables import events, work
from knowledge.remember.verdict import Receipt, Status, Verdict


@dataclass(frozen=True)
class Held:
    """A receipt, and whose it is."""

    receipt: Receipt
    principal: str
    at: str


def receipt_id() -> str:
    """A new one."""
    return uuid.uuid4().hex


def receipt_of(episode: str) -> str:
    """Of a memory, by its uuid."""
    return episode.replace("-", "")


def receipts(connection: Connection, ids: Sequence[str]) -> list[Held]:
    """Those that exist, in the order of their submission."""
    if not ids:
        return []
    submitted = connection.execute(
        select(events).where(events.c.receipt.in_(ids), events.c.kind == "submitted").order_by(events.c.seq)
    ).all()
    working = {row.receipt: row for row in connection.execute(select(work).where(work.c.receipt.in_(ids)))}
    return [_held(connection, row._asdict(), working.get(row.receipt)) for row in submitted]


def _held(connection: Connection, submitted: Mapping[str, object], row: object) -> Held:
    body = cast(Mapping[str, Mapping[str, object]] | None, body_of(connection, str(submitted["payload"])))
    verdict = Verdict.read(body["verdict"]) if body else Verdict("accept", message="its text was redacted")
    refused: Status = "invalid" if verdict.outcome == "invalid" else "rejected"
    status = cast(Status, getattr(row, "status", refused))
    namespace = str(getattr(row, "namespace", submitted["namespace"]))
    receipt = Receipt(str(submitted["receipt"]), status, namespace, verdict, str(getattr(row, "why", "")))
    return Held(receipt, str(submitted["principal"]), str(submitted["at"]))


def submitted_in(connection: Connection, ids: Sequence[str], run: str) -> set[str]:
    """Those of the receipts that were submitted in this run."""
    found = connection.execute(select(events.c.receipt, events.c.about).where(events.c.receipt.in_(ids), events.c.kind == "submitted"))
    return {str(row.receipt) for row in found if json.loads(row.about).get("run_id") == run}
