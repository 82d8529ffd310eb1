"""An owner lets another act in a namespace: for a time, for so many writes, until it is revoked."""

import uuid
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy import Connection, bindparam, insert, select, update

from knowledge.errors import ScopeError
from knowledge.journal.journal import Entry, Journal
from knowledge.journal.tables import delegations
from knowledge.registry.registry import Registry
from knowledge.remember.ownership import may_decide
from knowledge.remember.principals import known_ids, revoked_ids
from knowledge.scope import Principal

LONGEST = timedelta(days=365)
MOST_USES = 100_000
_USABLE = (
    select(delegations)
    .where(
        delegations.c.actor == bindparam("by"), delegations.c.revoked == 0, delegations.c.until > bindparam("at"), delegations.c.uses > 0
    )
    .order_by(delegations.c.until.desc())
)


@dataclass
class Delegated:
    """A delegation that holds now. `uses` are left."""

    id: str
    owner: str
    actor: str
    namespace: str
    uses: int
    until: float

    def use(self, connection: Connection) -> bool:
        """Take one use; False when it was the last."""
        self.uses -= 1
        connection.execute(update(delegations).where(delegations.c.id == self.id).values(uses=self.uses))
        return self.uses > 0


def delegations_of(connection: Connection, actor: str, at: float) -> dict[str, Delegated]:
    """Those that the actor may still use, by namespace: of several the one that ends first."""
    found = connection.execute(_USABLE, {"by": actor, "at": at}).all()
    gone = revoked_ids(connection) if found else frozenset()
    return {
        row.namespace: Delegated(row.id, row.owner, row.actor, row.namespace, row.uses, row.until) for row in found if row.owner not in gone
    }


def holds(connection: Connection, id_: str, at: float) -> bool:
    """Whether a delegation that was used may still be written on: it goes with the owner who gave it."""
    row = connection.execute(select(delegations).where(delegations.c.id == id_)).first()
    return row is not None and not row.revoked and row.until > at and row.owner not in revoked_ids(connection)


@dataclass(frozen=True)
class Delegations:
    """What one principal may delegate and revoke."""

    journal: Journal
    registry: Callable[[], Registry]
    principal: Principal

    def grant(self, actor: str, namespace: str, *, uses: int, duration: timedelta) -> str:
        """The id of the delegation. ScopeError where this principal may not decide about the namespace, or would delegate to itself."""
        contract = self.registry().find(namespace)
        if contract is None or not may_decide(self.principal, contract, self.registry()):
            raise ScopeError(f"{self.principal.id} may not delegate {namespace}; its owner may, or a person with a grant for it")
        if contract.write_policy == "explicit_approval_required":
            raise ScopeError(f"every write to {namespace} needs the approval of a person, so it cannot be delegated")
        if actor == self.principal.id:
            raise ScopeError("nobody delegates to themselves; name another principal")
        if not 0 < uses <= MOST_USES or not timedelta(0) < duration <= LONGEST:
            raise ScopeError(f"a delegation has 1 to {MOST_USES} uses and lasts at most {LONGEST.days} days")
        with self.journal.writing() as writing:
            known = known_ids(writing.connection)
            if known is not None and actor not in known:
                raise ScopeError(f"{actor[:64]!r} is no principal; `gavel principal add` makes it one")
            made = Delegated(uuid.uuid4().hex, self.principal.id, actor, namespace, uses, (writing.at + duration).timestamp())
            writing.connection.execute(insert(delegations).values(**made.__dict__))
            about = {"delegation": made.id, "actor": actor, "uses": uses, "until": (writing.at + duration).isoformat()}
            writing.append([Entry("delegated", namespace=namespace, principal=self.principal.id, about=about)])
        return made.id

    def revoke(self, id_: str) -> None:
        """From now on nothing is written on it, also what was accepted and is not applied yet. ScopeError where there is none to revoke."""
        with self.journal.writing() as writing:
            row = writing.connection.execute(select(delegations).where(delegations.c.id == id_)).first()
            contract = self.registry().find(row.namespace) if row else None
            if row is None or contract is None or not may_decide(self.principal, contract, self.registry()):
                raise ScopeError(f"there is no delegation {id_} that {self.principal.id} may revoke")
            writing.connection.execute(
                update(delegations).where(delegations.c.id == id_, delegations.c.revoked == 0).values(revoked=writing.at.timestamp())
            )
            writing.append([Entry("revoked", namespace=row.namespace, principal=self.principal.id, about={"delegation": id_})])
