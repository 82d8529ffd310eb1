"""What a namespace holds by the journal's own count: what was applied, and what is promised and not yet applied."""

from collections.abc import Collection
from dataclasses import replace

from sqlalchemy import Connection, bindparam, func, select, union_all

from knowledge.journal.tables import counters, work
from knowledge.remember.guard import Holdings
from knowledge.remember.proposal import Proposal

TWINS: Collection[str] = ("review", "accepted", "applied")
_ALIKE = select(work.c.content, work.c.receipt, work.c.status).where(
    work.c.namespace == bindparam("namespace"), work.c.content.in_(bindparam("contents", expanding=True))
)
_PROMISED = select(
    func.count().label("episodes"),
    func.coalesce(func.sum(work.c.facts), 0).label("facts"),
    func.coalesce(func.sum(work.c.bytes), 0).label("bytes"),
).where(work.c.namespace == bindparam("namespace"), work.c.status == "accepted")
_APPLIED = select(counters.c.episodes, counters.c.facts, counters.c.bytes).where(counters.c.namespace == bindparam("namespace"))
_BOTH = union_all(_PROMISED, _APPLIED).subquery()
_HELD = select(func.sum(_BOTH.c.episodes), func.sum(_BOTH.c.facts), func.sum(_BOTH.c.bytes))


class Ledger:
    """The holdings that one transaction works with: each namespace is counted once, and what is promised on the way is added."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._counted: dict[str, Holdings] = {}
        self._twins: dict[tuple[str, str], str] = {}

    def prepare(self, proposals: Collection[Proposal]) -> None:
        """Look for memories with the same content, in one statement for each namespace: so an index leads to them, however many it holds."""
        contents: dict[str, set[str]] = {}
        for proposal in proposals:
            contents.setdefault(proposal.group_id, set()).add(proposal.content)
        for namespace, wanted in contents.items():
            found = self._connection.execute(_ALIKE, {"namespace": namespace, "contents": list(wanted)})
            self._twins.update({(namespace, row.content): row.receipt for row in found if row.status in TWINS})

    def of(self, proposal: Proposal) -> Holdings:
        """What the namespace of the proposal holds, and its twin there."""
        return replace(self.held(proposal.group_id), twin=self._twins.get((proposal.group_id, proposal.content), ""))

    def held(self, namespace: str) -> Holdings:
        """What a namespace holds."""
        if namespace not in self._counted:
            self._counted[namespace] = self._count(namespace)
        return self._counted[namespace]

    def promise(self, proposal: Proposal, receipt: str, *, counts: bool) -> None:
        """`counts`: whether it will be applied unless something happens; what waits for approval takes no room yet."""
        held = self.of(proposal)
        self._twins[proposal.group_id, proposal.content] = receipt
        if counts:
            self._counted[proposal.group_id] = Holdings(
                held.episodes + proposal.remembers, held.facts + proposal.relations, held.bytes + proposal.size
            )

    def _count(self, namespace: str) -> Holdings:
        """Both in one statement: what was applied, and what was promised on top of it."""
        found = self._connection.execute(_HELD, {"namespace": namespace}).one()
        return Holdings(int(found[0]), int(found[1]), int(found[2]))
