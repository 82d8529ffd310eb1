"""Where proposals come in: judged, and promised in the journal before anyone is told. The capability that writing tools are given."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, cast

from sqlalchemy import Connection, bindparam, insert, select

from knowledge.identity import NAMESPACE_PATTERN
from knowledge.journal.journal import Entry, Journal, Writing, body_of
from knowledge.journal.tables import keys, work
from knowledge.registry.contract import Contract
from knowledge.registry.registry import Registry
from knowledge.remember.delegations import Delegated, delegations_of
from knowledge.remember.guard import Guard, Holdings
from knowledge.remember.holdings import Ledger
from knowledge.remember.ownership import may_decide
from knowledge.remember.points import Hook, nowhere
from knowledge.remember.principals import known_ids
from knowledge.remember.proposal import UNCLAIMED, Proposal, Provenance
from knowledge.remember.receipts import receipt_id, receipts
from knowledge.remember.verdict import Receipt, Status, Verdict
from knowledge.scope import Principal

REVIEW_DAYS = 14
WRITER: Final = "writer"
DOOR = "door"
DAY = 86_400.0
POINTS = ("submitting", "judged", "kept", "appended", "queued", "keyed", "promised")
_KNOWN_KEYS = select(keys).where(keys.c.key.in_(bindparam("wanted", expanding=True)))
_QUEUE, _NOTE_KEYS = insert(work), insert(keys)
_STATUS: Mapping[str, Status] = {"accept": "accepted", "review": "review", "reject": "rejected", "invalid": "invalid"}


@dataclass(frozen=True)
class Inbox:
    """What one principal may submit. `provenance`: claims about who acts for whom, recorded with everything that comes in.

    `holder`: the agent that was handed it, or DOOR where a person or program came by themselves.
    """

    journal: Journal
    registry: Callable[[], Registry]
    principal: Principal
    provenance: Provenance = UNCLAIMED
    holder: str = DOOR
    at: Hook = nowhere

    def submit(self, proposal: Proposal, *, priority: int = 0) -> Receipt:
        """Durable when it returns: the receipt of an accepted proposal is kept, whatever happens next. JournalError where it cannot be."""
        return self.submit_many([proposal], priority=priority)[0]

    def submit_many(self, proposals: Sequence[Proposal], *, priority: int = 0) -> list[Receipt]:
        """All in one transaction and in this order; each has a verdict of its own."""
        if self.holder not in (WRITER, DOOR):
            return [self._forged(proposal) for proposal in proposals]
        with self.journal.writing() as writing:
            desk = _Desk(self, writing, proposals, priority)
            self.at("submitting")
            made = [desk.take(proposal) for proposal in proposals]
            self.at("judged")
            desk.write()
        self.at("promised")
        return made

    def preview(self, proposals: Sequence[Proposal]) -> list[Verdict]:
        """What the guard would say of each now, the earlier ones promised. Nothing is kept."""
        with self.journal.reading() as connection:
            at = self.journal.clock().timestamp()
            delegated = frozenset(delegations_of(connection, self.principal.id, at))
            guard, ledger = Guard(self.registry(), self.principal, delegated, known_ids(connection)), Ledger(connection)
            ledger.prepare(proposals)
            return [self._preview(guard, ledger, proposal) for proposal in proposals]

    def visible(self) -> list[tuple[Contract, Holdings]]:
        """The namespaces that the principal may know of, with what each holds."""
        contracts = [contract for contract in self.registry().all() if self.principal.knows(contract.id)]
        with self.journal.reading() as connection:
            ledger = Ledger(connection)
            return [(contract, ledger.held(contract.id)) for contract in contracts]

    def receipt(self, id_: str) -> Receipt | None:
        """What holds now of a receipt of this principal, or of one in a namespace that it may read or decide about; None for any other."""
        with self.journal.reading() as connection:
            found = receipts(connection, [id_])
        visible = [one for one in found if one.principal == self.principal.id or self._concerns(one.receipt.namespace)]
        return visible[0].receipt if visible else None

    def _preview(self, guard: Guard, ledger: Ledger, proposal: Proposal) -> Verdict:
        verdict = guard.judge(proposal, ledger.of(proposal))
        if verdict.outcome == "accept":
            ledger.promise(proposal, "", counts=True)
        return verdict

    def _concerns(self, namespace: str) -> bool:
        """A namespace that nothing was written to yet is none that can be read, but someone decides what comes first."""
        contract = self.registry().find(namespace)
        decides = contract is not None and may_decide(self.principal, contract, self.registry())
        return decides or namespace in self.principal.scope.namespaces

    def _forged(self, proposal: Proposal) -> Receipt:
        verdict = Verdict("reject", "forged", f"{self.holder} may not write; only the writer does")
        made = Receipt(receipt_id(), "rejected", proposal.group_id, verdict)
        with self.journal.writing() as writing:
            [payload] = writing.keep(
                [{"proposal": {"name": proposal.name}, "provenance": self.provenance.as_json(), "verdict": verdict.as_json()}]
            )
            about = {"outcome": "reject", "code": "forged", "holder": self.holder, **self.provenance.as_json()}
            writing.append([Entry("submitted", made.id, _safe(proposal.group_id), self.principal.id, about, payload)])
        return made


class _Desk:
    """One transaction of submissions."""

    def __init__(self, inbox: Inbox, writing: Writing, proposals: Sequence[Proposal], priority: int) -> None:
        self._inbox, self._writing, self._priority = inbox, writing, priority
        self._principal = inbox.principal
        self._delegated = delegations_of(writing.connection, self._principal.id, writing.at.timestamp())
        self._guard = Guard(inbox.registry(), self._principal, frozenset(self._delegated), known_ids(writing.connection))
        self._ledger = Ledger(writing.connection)
        self._ledger.prepare(proposals)
        self._known = _known(writing.connection, [proposal.key(self._principal.id) for proposal in proposals])
        self._bodies: list[object] = []
        self._submitted: list[tuple[Proposal, Receipt, str]] = []

    def take(self, proposal: Proposal) -> Receipt:
        key = proposal.key(self._principal.id)
        if key in self._known:
            return self._again(proposal, *self._known[key])
        verdict = self._guard.judge(proposal, self._ledger.of(proposal))
        delegation = self._use(proposal.group_id, verdict)
        receipt = Receipt(receipt_id(), _STATUS[verdict.outcome], proposal.group_id, verdict)
        if verdict.stands:
            self._ledger.promise(proposal, receipt.id, counts=verdict.outcome == "accept")
            self._known[key] = receipt, proposal.fingerprint
        told = proposal.model_dump(mode="json") if verdict.stands else {"name": proposal.name}
        self._bodies.append({"proposal": told, "provenance": self._inbox.provenance.as_json(), "verdict": verdict.as_json()})
        self._submitted.append((proposal, receipt, delegation))
        return receipt

    def write(self) -> None:
        """Events for all, work and keys for what stands."""
        payloads = self._writing.keep(self._bodies)
        self._inbox.at("kept")
        about = self._inbox.provenance.as_json()
        entries = [
            Entry("submitted", receipt.id, _safe(proposal.group_id), self._principal.id,
                  {"outcome": receipt.verdict.outcome, "code": receipt.verdict.code, **about}, payload)
            for (proposal, receipt, _), payload in zip(self._submitted, payloads, strict=True)
        ]  # fmt: skip
        events = self._writing.append(entries)
        self._inbox.at("appended")
        rows = [
            self._row(proposal, receipt, delegation, event.seq, payload)
            for (proposal, receipt, delegation), event, payload in zip(self._submitted, events, payloads, strict=True)
            if receipt.verdict.stands
        ]
        if rows:
            self._writing.connection.execute(_QUEUE, [{k: v for k, v in row.items() if k not in ("key", "fingerprint")} for row in rows])
            self._inbox.at("queued")
            self._writing.connection.execute(
                _NOTE_KEYS, [{"key": row["key"], "receipt": row["receipt"], "payload": row["fingerprint"]} for row in rows]
            )
            self._inbox.at("keyed")

    def _row(self, proposal: Proposal, receipt: Receipt, delegation: str, seq: int, payload: str) -> dict[str, object]:
        expires = self._writing.at.timestamp() + REVIEW_DAYS * DAY if receipt.status == "review" else 0.0
        return {
            "receipt": receipt.id, "seq": seq, "namespace": proposal.group_id, "status": receipt.status, "principal": self._principal.id,
            "payload": payload, "content": proposal.content, "facts": proposal.relations, "bytes": proposal.size, "delegation": delegation,
            "priority": self._priority, "expires": expires, "key": proposal.key(self._principal.id), "fingerprint": proposal.fingerprint,
        }  # fmt: skip

    def _again(self, proposal: Proposal, earlier: Receipt, fingerprint: str) -> Receipt:
        if proposal.fingerprint != fingerprint:
            message = f"this idempotency key was used for another payload: receipt {earlier.id}; use another key"
            return Receipt(earlier.id, "invalid", proposal.group_id, Verdict("invalid", "key", message))
        return Receipt(earlier.id, earlier.status, earlier.namespace, earlier.verdict, earlier.why, repeated=True)

    def _use(self, namespace: str, verdict: Verdict) -> str:
        """The delegation that lets this through, one use less; empty where none was needed."""
        if verdict.code != "delegation":
            return ""
        delegated: Delegated = self._delegated[namespace]
        if delegated.use(self._writing.connection):
            return delegated.id
        del self._delegated[namespace]
        self._guard = replace(self._guard, delegated=frozenset(self._delegated))
        return delegated.id


def _known(connection: Connection, wanted: Sequence[str]) -> dict[str, tuple[Receipt, str]]:
    rows = connection.execute(_KNOWN_KEYS, {"wanted": wanted}).all()
    found = {one.receipt.id: one.receipt for one in receipts(connection, [row.receipt for row in rows])}
    return {row.key: (found[row.receipt], row.payload) for row in rows}


def _safe(namespace: str) -> str:
    """An unknown namespace may be any text; the journal's column holds ids."""
    return namespace if NAMESPACE_PATTERN.fullmatch(namespace) else ""


def proposal_of(connection: Connection, payload: str) -> Proposal | None:
    """The proposal that is kept under a payload's hash; None where it was redacted."""
    body = cast(Mapping[str, object] | None, body_of(connection, payload))
    return Proposal.model_validate(body["proposal"]) if body else None
