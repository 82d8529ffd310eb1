"""Removing the text of a memory for good: at once from the journal, in the worker's turn from the kg. The event and the hash stay."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from sqlalchemy import Connection, Row, delete, select, update

from knowledge.journal.journal import Entry, Journal, Writing, bodies
from knowledge.journal.tables import events, keys, payloads, work
from knowledge.registry.registry import Registry
from knowledge.remember.approvals import Decision
from knowledge.remember.ownership import may_decide
from knowledge.remember.points import Hook, nowhere
from knowledge.remember.snapshot import Snapshot, discard, live
from knowledge.scope import Principal

POINTS = ("redacting", "cleared", "redaction told", "redacted", "purged")
LEAST_TEXT = 8
BUSY = ("undoing", "erasing")


@dataclass(frozen=True)
class Redaction:
    """What one principal may remove: what was proposed to namespaces that it may decide about, whatever became of it."""

    journal: Journal
    registry: Callable[[], Registry]
    principal: Principal
    at: Hook = nowhere

    def texts(self, receipt: str) -> list[str]:
        """The texts that must not be left anywhere else, such as in traces of runs; none for what this principal may not redact."""
        with self.journal.reading() as connection:
            if self._refusal(connection, receipt):
                return []
            found = bodies(connection, _payloads(connection, receipt))
        return sorted({text for body in found.values() for text in _texts(body) if len(text) >= LEAST_TEXT})

    def redact(self, receipt: str) -> Decision:
        """Done twice, it changes nothing more. What is being written at this moment is refused: ask again."""
        with self.journal.writing() as writing:
            decision = self._redact(writing, receipt)
        self.at("redacted")
        if decision.done and not self.journal.purge():
            decision = replace(
                decision, message=f"{decision.message}; another process reads the journal, so redact again when it has ended"
            )
        self.at("purged")
        return decision

    def _redact(self, writing: Writing, receipt: str) -> Decision:
        connection = writing.connection
        if refusal := self._refusal(connection, receipt):
            return Decision(receipt, False, refusal)
        row = connection.execute(select(work).where(work.c.receipt == receipt)).first()
        if connection.execute(select(events.c.seq).where(events.c.receipt == receipt, events.c.kind == "redacted")).first():
            return Decision(receipt, True, "it was redacted already")
        if row and (row.status in BUSY or (row.status == "accepted" and row.resolved)):
            return Decision(receipt, False, "it is being written at this moment; ask again when that is done")
        holding = self._snapshots(connection, receipt)
        if far := discard(writing, holding, self.principal.id):
            places = ", ".join(f"{one.file} on {one.host}" for one in far)
            why = f"a snapshot may hold it: {places}; redact it there, or `gavel journal forget` the file once it is gone"
            return Decision(receipt, False, why)
        self._clear(writing, receipt, row)
        told = f", and {len(holding)} snapshots that may have held it; take a new one" if holding else ""
        return Decision(receipt, True, f"its text is removed{told}")

    def _snapshots(self, connection: Connection, receipt: str) -> list[Snapshot]:
        """Those of its namespaces that were not finished before it came in. They go first, so that what is redacted is in none."""
        told = connection.execute(select(events.c.seq, events.c.namespace).where(events.c.receipt == receipt)).all()
        first, spaces = min(row.seq for row in told), sorted({row.namespace for row in told})
        return [one for space in spaces for one in live(connection, space) if not one.seq or one.seq > first]

    def _clear(self, writing: Writing, receipt: str, row: "Row[tuple[object, ...]] | None") -> None:
        connection = writing.connection
        self.at("redacting")
        hashes = _payloads(connection, receipt)
        about = {"payloads": hashes, "operations": any(_has_operations(body) for body in bodies(connection, hashes).values())}
        connection.execute(update(payloads).where(payloads.c.hash.in_(hashes)).values(body=None, salt=None))
        if row:
            status = "erasing" if row.resolved else "redacted"
            values = {"status": status, "why": "", "content": "", "attempts": 0, "not_before": 0.0}
            connection.execute(update(work).where(work.c.receipt == receipt).values(**values))
        connection.execute(delete(keys).where(keys.c.receipt == receipt))
        self.at("cleared")
        writing.append([Entry("redacted", receipt, _namespace(connection, receipt), self.principal.id, about)])
        self.at("redaction told")

    def _refusal(self, connection: Connection, receipt: str) -> str:
        namespace, registry = _namespace(connection, receipt), self.registry()
        contract = registry.find(namespace)
        may = may_decide(self.principal, contract, registry) if contract else self._may_everywhere(namespace)
        known = connection.execute(select(events.c.seq).where(events.c.receipt == receipt, events.c.kind == "submitted")).first()
        return "" if known and may else f"there is nothing with this receipt that {self.principal.id} may redact"

    def _may_everywhere(self, namespace: str) -> bool:
        """What was sent to a namespace that nobody knows is a person's to remove."""
        return self.principal.kind == "person" and self.principal.may_write(namespace)


def _namespace(connection: Connection, receipt: str) -> str:
    """Where it is now: it may have been sent elsewhere."""
    latest = select(events.c.namespace).where(events.c.receipt == receipt).order_by(events.c.seq.desc()).limit(1)
    return str(connection.execute(latest).scalar() or "")


def _payloads(connection: Connection, receipt: str) -> list[str]:
    chosen = select(events.c.payload).where(events.c.receipt == receipt, events.c.payload != "").distinct().order_by(events.c.payload)
    return [str(row.payload) for row in connection.execute(chosen)]


def _has_operations(body: object) -> bool:
    proposal = body.get("proposal", {}) if isinstance(body, Mapping) else {}
    return bool(proposal.get("operations"))


def _texts(body: object) -> Iterator[str]:
    """Its name, and every longer text in it, as it is and as JSON would hold it."""
    proposal = body.get("proposal", {}) if isinstance(body, Mapping) else {}
    told = [proposal.get("name", ""), proposal.get("episode_body", "")]
    told += [operation.get(part, "") for operation in proposal.get("operations", ()) for part in ("text", "summary")]
    for text in told:
        yield from (text, json.dumps(text)[1:-1], json.dumps(text, ensure_ascii=False)[1:-1])
