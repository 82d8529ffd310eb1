"""Who wrote what: of an entity, a fact, an episode or a receipt, from the kg and the journal; and what was decided, from the journal."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, cast

from sqlalchemy import select

from knowledge.database.connection import Database
from knowledge.journal.journal import Event, Journal, as_event, bodies
from knowledge.journal.tables import events
from knowledge.remember import provenance_cypher as cypher
from knowledge.scope import EVERY_NAMESPACE, Principal

Kind = Literal["refusal", "approval", "delegation", "write", "load", "removal"]
KINDS: Mapping[Kind, Sequence[str]] = {
    "refusal": ("submitted", "rejected", "stopped", "refused", "expired", "dead"),
    "approval": ("approved", "amended", "rerouted", "registry_approved"),
    "delegation": ("delegated", "revoked"),
    "write": ("applied",),
    "load": ("load_ended", "baseline", "snapshot", "snapshot_removed"),
    "removal": ("undo_asked", "undone", "redacted", "erased"),
}
REFUSED = ("reject", "invalid")


@dataclass(frozen=True)
class Origin:
    """One statement of something: by whom, when, for whom, with what. `name` and `source` are empty where the text was redacted."""

    receipt: str
    principal: str
    namespace: str
    submitted: str
    applied: str
    agent_id: str = ""
    on_behalf_of: str = ""
    tool: str = ""
    run_id: str = ""
    name: str = ""
    source: str = ""
    decided_by: tuple[str, ...] = ()


@dataclass(frozen=True)
class Audit:
    """What one principal may know of who did what: texts of the namespaces that it may read, events of those that it may know of."""

    journal: Journal
    principal: Principal

    def provenance(self, id_: str, database: Callable[[], Database]) -> list[Origin]:
        """Of a receipt, or of what has this uuid in the kg; oldest first, nothing for what is unknown or hidden."""
        own = self._events([id_.replace("-", "")])
        receipts = [id_.replace("-", "")] if own else [str(row["receipt"]) for row in database().read(cypher.RECEIPTS, {"id": id_})]
        told: dict[str, list[Event]] = {}
        for event in self._events(receipts):
            told.setdefault(event.receipt, []).append(event)
        return [self._origin(found) for found in told.values() if self._may_read(found[-1].namespace)]

    def decisions(self, namespace: str = "", kind: Kind | None = None) -> list[Event]:
        """Refusals, approvals, delegations, writes, loads and removals, in order."""
        kinds = KINDS[kind] if kind else [name for names in KINDS.values() for name in names]
        chosen = select(events).where(events.c.kind.in_(kinds)).order_by(events.c.seq)
        chosen = chosen.where(events.c.namespace == namespace) if namespace else chosen
        with self.journal.reading() as connection:
            found = [as_event(row._asdict()) for row in connection.execute(chosen)]
        return [one for one in found if self._may_know(one.namespace) and (one.kind != "submitted" or one.about.get("outcome") in REFUSED)]

    @property
    def _everything(self) -> bool:
        return self.principal.kind == "person" and EVERY_NAMESPACE in self.principal.writes

    def _may_read(self, namespace: str) -> bool:
        return self._everything or namespace in self.principal.scope.namespaces

    def _may_know(self, namespace: str) -> bool:
        return self._everything or self.principal.knows(namespace)

    def _events(self, receipts: Sequence[str]) -> list[Event]:
        with self.journal.reading() as connection:
            rows = connection.execute(select(events).where(events.c.receipt.in_(receipts)).order_by(events.c.seq))
            return [as_event(row._asdict()) for row in rows]

    def _origin(self, told: Sequence[Event]) -> Origin:
        first = told[0]
        with self.journal.reading() as connection:
            found = bodies(connection, [event.payload for event in told if event.payload])
        latest = [found[event.payload] for event in told if event.payload in found]
        said = dict(_proposals(latest))
        claims = {name: str(first.about.get(name, "")) for name in ("agent_id", "on_behalf_of", "tool", "run_id")}
        applied = next((event.at for event in told if event.kind == "applied"), "")
        decided = tuple(event.principal for event in told if event.kind in KINDS["approval"])
        return Origin(first.receipt, first.principal, told[-1].namespace, first.at, applied, **claims, **said, decided_by=decided)


def _proposals(found: Sequence[object]) -> Iterator[tuple[Literal["name", "source"], str]]:
    for body in found:
        proposal = cast(Mapping[str, str], body.get("proposal", {})) if isinstance(body, Mapping) else {}
        if "name" in proposal:
            yield "name", proposal["name"]
            yield "source", proposal.get("source_description", "")
