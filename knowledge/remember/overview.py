"""How writing is: the database, the journal and its work, what namespaces hold, and whether a memory is there and unchanged."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Literal
from uuid import UUID

from sqlalchemy import func, select

from knowledge.database.connection import Database
from knowledge.errors import DatabaseError
from knowledge.journal.journal import Journal
from knowledge.journal.tables import events, leases, work
from knowledge.registry.registry import Registry
from knowledge.remember import commit_cypher as cypher
from knowledge.remember import queue
from knowledge.remember.inbox import Inbox, proposal_of
from knowledge.remember.proposal import Proposal
from knowledge.scope import Principal

Found = Literal["unchanged", "changed", "archived", "missing", "not written", "unknown"]


@dataclass(frozen=True)
class Health:
    """`database`: `well`, or why it is away. `journal`: the engine that keeps it. `work`: how many proposals stand where. `oldest`: seconds that the oldest accepted one has waited.

    `workers`: how many hold a namespace at this moment.
    """

    database: str
    journal: str
    events: int
    work: Mapping[str, int]
    oldest: float
    workers: int

    @property
    def well(self) -> bool:
        return self.database == "well" and not self.work.get("dead")

    def as_json(self) -> dict[str, object]:
        return {**self.__dict__, "well": self.well}


@dataclass(frozen=True)
class Overview:
    """What one principal may look at. Nothing here writes."""

    journal: Journal
    registry: Callable[[], Registry]
    database: Callable[[], Database]
    principal: Principal

    def health(self) -> Health:
        """Raises JournalError where the journal cannot be read; a database that is away is told."""
        at = self.journal.clock().timestamp()
        with self.journal.reading() as connection:
            number = connection.execute(select(func.count()).select_from(events)).scalar_one()
            busy = connection.execute(select(func.count()).select_from(leases).where(leases.c.until > at)).scalar_one()
            oldest = connection.execute(
                select(func.min(events.c.at)).join(work, work.c.seq == events.c.seq).where(work.c.status == "accepted")
            ).scalar()
            by_status = queue.by_status(connection)
        waited = at - _seconds(oldest) if oldest else 0.0
        return Health(self._database_health(), self.journal.engine, int(number), by_status, round(max(0.0, waited), 3), int(busy))

    def stats(self) -> list[dict[str, object]]:
        """Per namespace that the principal may know of: what it holds with what is promised, and its limits."""
        return [
            {
                "namespace": contract.id, "episodes": held.episodes, "facts": held.facts, "bytes": held.bytes,
                "limits": {name: limit for name, limit in contract.size_limit.__dict__.items() if limit is not None},
            }
            for contract, held in self._inbox.visible()
        ]  # fmt: skip

    def verify(self, receipt: str) -> Found:
        """Whether the memory of a receipt is in the database as it was sent. DatabaseError where the database is away."""
        found = self._inbox.receipt(receipt)
        if found is None:
            return "unknown"
        if found.status != "applied":
            return "not written"
        with self.journal.reading() as connection:
            payload = connection.execute(select(work.c.payload).where(work.c.receipt == receipt)).scalar_one()
            proposal = proposal_of(connection, payload)
        if proposal and not proposal.remembers:
            return self._archived(proposal)
        rows = self.database().read(cypher.STORED, {"uuid": str(UUID(receipt))})
        if not rows or rows[0]["past"]:
            return "archived" if rows else "missing"
        sent = proposal and [proposal.name, proposal.episode_body, proposal.source, proposal.source_description, proposal.group_id]
        return "unchanged" if rows[0]["stored"] == sent else "changed"

    def _archived(self, proposal: Proposal) -> Found:
        wanted = {told.episode for told in proposal.archived}
        past = {row["episode"] for row in self.database().read(cypher.ARCHIVED, {"episodes": sorted(wanted)})}
        return "unchanged" if past == wanted else "changed"

    @property
    def _inbox(self) -> Inbox:
        return Inbox(self.journal, self.registry, self.principal)

    def _database_health(self) -> str:
        """`well`, or why not."""
        try:
            self.database().read("RETURN 1 AS one")
        except DatabaseError as error:
            return f"away: {error}"
        return "well"


def _seconds(at: object) -> float:
    return datetime.fromisoformat(str(at)).timestamp()
