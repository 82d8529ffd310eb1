"""Adopting and releasing on the record: the journal tells who did it and what it holds from then on."""

from collections.abc import Callable
from dataclasses import dataclass

from knowledge.adoption.adopt import Adoption, Found, Progress, survey
from knowledge.database.connection import Database
from knowledge.errors import ScopeError
from knowledge.journal.journal import Entry, Journal
from knowledge.remember import baseline, queue
from knowledge.remember import commit_cypher as cypher
from knowledge.remember.ground import RELEASED
from knowledge.remember.guard import Holdings
from knowledge.scope import EVERY_NAMESPACE, Principal

OPEN_END = "9999-12-31T00:00:00Z"


@dataclass(frozen=True)
class Governing:
    """For a person who may write everywhere: it passes by the guard."""

    journal: Journal
    database: Callable[[], Database]
    principal: Principal

    def survey(self) -> list[Found]:
        """What adopting would govern. ScopeError for whoever may not, StoreError where it cannot be adopted."""
        self._check()
        return survey(self.database())

    def adopt(self, progress: Progress) -> list[Found]:
        """Done again after an interruption, it goes on where it stood. What is adopted is a baseline of the journal."""
        self._check()
        database = self.database()
        found = Adoption(database, self.journal.clock, progress).adopt(self.principal.id)
        held = {one.namespace: _held(database, one.namespace) for one in found}
        with self.journal.writing() as writing:
            for namespace, holdings in held.items():
                queue.count(writing.connection, namespace, holdings)
            told = [{"entities": one.entities, "episodes": one.episodes, "facts": one.facts} for one in found]
            writing.append([Entry("adopted", "", one.namespace, self.principal.id, about) for one, about in zip(found, told, strict=True)])
        baseline.record(self.journal, database, self.principal.id)
        return found

    def release(self, progress: Progress) -> None:
        """As it was before it was adopted. StoreError where memories were written since."""
        self._check()
        database = self.database()
        spaces = [
            str(row["namespace"]) for row in database.read("MATCH (n:GavelNamespace) RETURN n.group_id AS namespace ORDER BY namespace")
        ]
        Adoption(database, self.journal.clock, progress).release()
        with self.journal.writing() as writing:
            for namespace in spaces:
                queue.count(writing.connection, namespace, Holdings())
            writing.append([Entry(RELEASED, "", namespace, self.principal.id) for namespace in spaces])

    def _check(self) -> None:
        if self.principal.kind != "person" or EVERY_NAMESPACE not in self.principal.writes:
            raise ScopeError("a memory is adopted and released by a person who may write everywhere")


def _held(database: Database, namespace: str) -> Holdings:
    [row] = database.read(cypher.COUNT, {"namespace": namespace, "open_end": OPEN_END}, seconds=60)
    return Holdings(row["episodes"], row["facts"], row["bytes"])
