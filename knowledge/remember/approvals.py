"""The queue of what waits for a decision, and the decisions: each by someone other than the proposer, each on exactly what was shown."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast

from sqlalchemy import Row, Select, func, select, update

from knowledge.errors import ScopeError
from knowledge.journal.journal import Entry, Journal, Writing, bodies
from knowledge.journal.tables import events, work
from knowledge.registry.contract import Contract
from knowledge.registry.registry import Registry
from knowledge.remember import queue
from knowledge.remember.guard import Guard, over_limit
from knowledge.remember.holdings import Ledger
from knowledge.remember.inbox import DAY, REVIEW_DAYS
from knowledge.remember.ownership import may_decide
from knowledge.remember.points import Hook, nowhere
from knowledge.remember.principals import known_ids
from knowledge.remember.proposal import Proposal
from knowledge.remember.verdict import Verdict
from knowledge.scope import Principal

MOST_LISTED = 200
POINTS = ("deciding", "accepted", "approved", "decided")
Body = Mapping[str, Mapping[str, object]]


@dataclass(frozen=True)
class Waiting:
    """A proposal in the queue. `payload` names exactly what was shown: a decision holds for that and nothing else."""

    receipt: str
    namespace: str
    principal: str
    proposal: Proposal
    verdict: Verdict
    payload: str
    submitted: str
    expires: float
    amended_by: str = ""
    why: str = ""

    def as_json(self) -> dict[str, object]:
        return {
            "receipt": self.receipt, "namespace": self.namespace, "principal": self.principal, "payload": self.payload,
            "submitted": self.submitted, "expires": self.expires, "amended_by": self.amended_by, "why": self.why, "verdict": self.verdict.as_json(),
            "proposal": self.proposal.model_dump(mode="json"),
        }  # fmt: skip


@dataclass(frozen=True)
class Decision:
    """What came of deciding about one receipt. `done` False: nothing was changed, `message` says why."""

    receipt: str
    done: bool
    message: str

    def as_json(self) -> dict[str, object]:
        return {"receipt": self.receipt, "done": self.done, "message": self.message}


@dataclass(frozen=True)
class Approvals:
    """What one principal may decide about."""

    journal: Journal
    registry: Callable[[], Registry]
    principal: Principal
    at: Hook = nowhere

    def waiting(self, namespace: str = "", *, limit: int = MOST_LISTED) -> list[Waiting]:
        """What this principal may decide, oldest first; what has expired is closed on the way."""
        with self.journal.writing() as writing:
            queue.expire(writing)
            found = writing.connection.execute(_open(namespace)).all()
            return self._shown(writing, [row for row in found if self._refusal(row) == ""][:limit])

    def own(self) -> int:
        """How many of this principal's own proposals wait for another."""
        with self.journal.reading() as connection:
            mine = select(func.count()).select_from(work).where(work.c.status == "review", work.c.principal == self.principal.id)
            return int(connection.execute(mine).scalar_one())

    def approve(self, receipts: Sequence[str], *, shown: Mapping[str, str] | None = None) -> list[Decision]:
        """Accept them, as far as there is room. `shown`: the payloads that were looked at, by receipt; one that has changed is not approved."""
        with self.journal.writing() as writing:
            self.at("deciding")
            decisions = [self._approve(writing, receipt, (shown or {}).get(receipt, "")) for receipt in receipts]
        self.at("decided")
        return decisions

    def reject(self, receipts: Sequence[str], why: str) -> list[Decision]:
        """Refuse them for good; the proposer reads why."""
        with self.journal.writing() as writing:
            return [self._reject(writing, receipt, why) for receipt in receipts]

    def amend(self, receipt: str, changes: Mapping[str, object]) -> Decision:
        """Change what is proposed. The amended payload needs the approval of someone who neither proposed nor amended it."""
        return self._anew(receipt, changes, "amended")

    def reroute(self, receipt: str, namespace: str) -> Decision:
        """Propose it to another namespace instead, in the proposer's name; who may decide there decides."""
        return self._anew(receipt, {"group_id": namespace}, "rerouted")

    def _approve(self, writing: Writing, receipt: str, shown: str) -> Decision:
        row = self._row(writing, receipt)
        if refusal := self._refusal(row):
            return Decision(receipt, False, refusal)
        assert row is not None
        if shown and shown != row.payload:
            return Decision(receipt, False, "it was amended after it was shown; look at it again")
        proposal, _ = self._told(writing, row)
        if over := over_limit(proposal, self._contract(row.namespace), Ledger(writing.connection).of(proposal)):
            return Decision(receipt, False, f"{row.namespace} is full: {over}")
        self._set(writing, receipt, {"status": "accepted", "expires": 0.0})
        self.at("accepted")
        writing.append([Entry("approved", receipt, row.namespace, self.principal.id, payload=row.payload)])
        self.at("approved")
        return Decision(receipt, True, "approved; it will be written")

    def _reject(self, writing: Writing, receipt: str, why: str) -> Decision:
        row = self._row(writing, receipt)
        if refusal := self._refusal(row):
            return Decision(receipt, False, refusal)
        assert row is not None
        [payload] = writing.keep([{"why": why}])
        self._set(writing, receipt, {"status": "rejected", "why": why})
        writing.append([Entry("rejected", receipt, row.namespace, self.principal.id, payload=payload)])
        return Decision(receipt, True, "rejected")

    def _anew(self, receipt: str, changes: Mapping[str, object], kind: str) -> Decision:
        with self.journal.writing() as writing:
            row = self._row(writing, receipt)
            if refusal := self._refusal(row, amending=True):
                return Decision(receipt, False, refusal)
            assert row is not None
            proposal, body = self._told(writing, row)
            changed = Proposal.read({**proposal.model_dump(mode="json"), **changes})
            guard = Guard(self.registry(), self.principal, known=known_ids(writing.connection))
            verdict = guard.judge(changed, replace(Ledger(writing.connection).of(changed), twin=""))
            if not verdict.stands:
                return Decision(receipt, False, verdict.message)
            [payload] = writing.keep([{**body, "proposal": changed.model_dump(mode="json")}])
            expires = writing.at.timestamp() + REVIEW_DAYS * DAY
            self._set(
                writing, receipt,
                {"payload": payload, "content": changed.content, "namespace": changed.group_id, "facts": changed.relations, "bytes": changed.size,
                 "amended_by": self.principal.id if kind == "amended" else row.amended_by, "expires": expires, "delegation": ""},
            )  # fmt: skip
            writing.append([Entry(kind, receipt, changed.group_id, self.principal.id, {"from": row.namespace}, payload)])
        return Decision(receipt, True, f"{kind}; it waits for approval in {changed.group_id}")

    def _refusal(self, row: "Row[tuple[object, ...]] | None", *, amending: bool = False) -> str:
        """Why this principal may not decide about it; empty where it may. Nobody hears of what they may not know."""
        contract = self.registry().find(row.namespace) if row else None
        if (
            row is None
            or contract is None
            or not (may_decide(self.principal, contract, self.registry()) or row.principal == self.principal.id)
        ):
            return f"there is nothing with this receipt that {self.principal.id} may decide"
        if row.status != "review":
            return f"it is {row.status} already"
        if row.principal == self.principal.id:
            return "nobody decides about their own proposal; another must"
        if row.amended_by == self.principal.id and not amending:
            return "nobody approves what they amended; another must"
        return ""

    def _row(self, writing: Writing, receipt: str) -> "Row[tuple[object, ...]] | None":
        queue.expire(writing)
        return writing.connection.execute(select(work).where(work.c.receipt == receipt)).first()

    def _set(self, writing: Writing, receipt: str, values: Mapping[str, object]) -> None:
        writing.connection.execute(update(work).where(work.c.receipt == receipt).values(**values))

    def _contract(self, namespace: str) -> Contract:
        return cast(Contract, self.registry().find(namespace))

    def _told(self, writing: Writing, row: "Row[tuple[object, ...]]") -> tuple[Proposal, Body]:
        body = cast(Body, bodies(writing.connection, [row.payload]).get(row.payload))
        if body is None:
            raise ScopeError("its text was redacted, so there is nothing to decide about")
        return Proposal.model_validate(body["proposal"]), body

    def _shown(self, writing: Writing, rows: "Sequence[Row[tuple[object, ...]]]") -> list[Waiting]:
        found = cast(Mapping[str, Body], bodies(writing.connection, [row.payload for row in rows]))
        return [
            Waiting(
                row.receipt, row.namespace, row.principal, Proposal.model_validate(found[row.payload]["proposal"]),
                Verdict.read(found[row.payload]["verdict"]),
                row.payload, str(row.at), row.expires, row.amended_by, row.why,
            )
            for row in rows
            if row.payload in found
        ]  # fmt: skip


def _open(namespace: str) -> "Select[tuple[object, ...]]":
    chosen = select(work, events.c.at).join(events, events.c.seq == work.c.seq).where(work.c.status == "review").order_by(work.c.seq)
    return chosen.where(work.c.namespace == namespace) if namespace else chosen
