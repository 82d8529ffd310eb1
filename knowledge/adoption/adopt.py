"""Adopting and releasing a memory of Graphiti: only what is Gavel's own is added, and releasing takes exactly that away."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, cast

from neo4j import ManagedTransaction

from knowledge.adoption import cypher, elements, fitness
from knowledge.adoption.facts import Edge, adopted, end_of, start_of
from knowledge.clocks import OPEN_END, OPEN_START
from knowledge.database import ddl
from knowledge.database.connection import Database
from knowledge.errors import StoreError
from knowledge.identity import NAMESPACE_PATTERN
from knowledge.loading.properties import iso

PAGE = 500
PASSES = 5
SECONDS = 120.0
State = Literal["adopting", "releasing"]
Row = Mapping[str, object]
Progress = Callable[[int, int, str], None]
Clock = Callable[[], datetime]


@dataclass(frozen=True)
class Found:
    """What one group id holds."""

    namespace: str
    entities: int
    episodes: int
    facts: int


def survey(database: Database) -> list[Found]:
    """What adopting would govern, by namespace. StoreError says why it cannot be adopted."""
    if ddl.stored(database):
        raise StoreError("this database is Gavel's already; there is nothing to adopt")
    fitness.check(database, begun=bool(database.read(cypher.RECORD)))
    for row in database.read(cypher.TWICE, seconds=SECONDS):
        told = f"share a uuid, such as {row['example']}"
        raise StoreError(f"{row['n']} {row['what']} {told}; mend them with the program that wrote them, then adopt")
    groups = [str(row["namespace"]) for row in database.read(cypher.GROUPS, seconds=SECONDS)]
    if not groups:
        raise StoreError("this database holds no memory of Graphiti (no Entity or Episodic with a group_id)")
    if unfit := [group for group in groups if not NAMESPACE_PATTERN.fullmatch(group)]:
        raise StoreError(
            f"the group_id {unfit[0]!r} is no namespace id (1 to 64 of A-Z a-z 0-9 _ -); give its memories another group_id, then adopt"
        )
    return [Found(**row) for row in database.read(cypher.COUNTED, {"namespaces": groups}, seconds=SECONDS)]


@dataclass(frozen=True)
class Adoption:
    """One database. Interrupted, either way is begun again where it stood."""

    database: Database
    clock: Clock
    progress: Progress = lambda done, total, label: None

    def adopt(self, by: str) -> list[Found]:
        """What is governed from now on. StoreError where it cannot be, or while a release is under way."""
        found = survey(self.database)
        begun = self._begin(by)
        self._constrain()
        for _ in range(PASSES):
            self._entities(begun, sum(one.entities for one in found))
            self._episodes(begun, sum(one.episodes for one in found))
            self._facts(begun, sum(one.facts for one in found))
            found = survey(self.database)
            if not self.database.read(cypher.LEFT, seconds=SECONDS)[0]["n"]:
                break
        else:
            raise StoreError("this database is being written to all the while; stop what writes to it, then adopt again")
        self._write("adopting", cypher.NAMESPACES, namespaces=[one.namespace for one in found], now=iso(begun))
        self._write("adopting", cypher.FINISH, version=ddl.SCHEMA_VERSION)
        return found

    def _begin(self, by: str) -> datetime:
        """When the adoption was begun, now or before it was interrupted."""
        kept = [f"{row['label']} {row['name']}" for row in self.database.read(cypher.UUID_INDEXES)]

        def begin(transaction: ManagedTransaction) -> list[dict[str, object]]:
            transaction.run(cypher.FIRST_IN_LINE).consume()
            return transaction.run(cypher.BEGIN, {"now": iso(self.clock()), "by": by, "indexes": kept}).data()

        [row] = self.database.transact(begin, seconds=SECONDS)
        if row["state"] == "releasing":
            raise StoreError("this database is being released; finish that with `gavel adopt --undo`")
        return start_of(row["at"])

    def _constrain(self) -> None:
        """Graphiti makes an index again where it finds none: then it goes once more."""
        for _ in range(PASSES):
            for row in self.database.read(cypher.UUID_INDEXES):
                self.database.schema(f"DROP INDEX {ddl.quoted(str(row['name']))} IF EXISTS")
            ddl.build(self.database, "memory")
            if not self.database.read(cypher.UUID_INDEXES):
                return
        raise StoreError("another program makes its indexes again all the while; stop it, then adopt again")

    def release(self) -> None:
        """As it was before. StoreError where it was not adopted, or where memories were written since: they would be lost."""
        record = self.database.read(cypher.RECORD)
        if not record:
            raise StoreError("this database was not adopted, so there is nothing to release")
        if since := self.database.read(cypher.WRITTEN_SINCE):
            names = ", ".join(str(row["namespace"]) for row in since)
            raise StoreError(f"memories were written into {names} since it was adopted, and releasing would lose what Gavel knows of them")
        self.database.write(cypher.STATE, {"state": "releasing"})
        self._write("releasing", cypher.UNMARK)
        for what in ("CONSTRAINTS", "INDEXES"):
            for row in self.database.read(cypher.OURS.format(what=what)):
                self.database.schema(f"DROP {what[:-1] if what == 'CONSTRAINTS' else 'INDEX'} {ddl.quoted(str(row['name']))} IF EXISTS")
        self._give_back()
        for index in record[0]["indexes"]:
            label, name = str(index).split(" ", 1)
            pattern = "()-[n:RELATES_TO]-()" if label == "RELATES_TO" else f"(n:{label})"
            self.database.schema(f"CREATE INDEX {ddl.quoted(name)} IF NOT EXISTS FOR {pattern} ON (n.uuid)")
        self._write("releasing", cypher.FORGET)

    def _entities(self, begun: datetime, total: int) -> None:
        done = 0
        for rows in self._pages(cypher.ENTITIES, "uuid"):
            self._write("adopting", cypher.WRITE_ENTITIES, rows=[elements.entity(row, begun) for row in rows])
            self.progress(done := done + len(rows), total, "adopting entities")

    def _episodes(self, begun: datetime, total: int) -> None:
        done = 0
        for rows in self._pages(cypher.EPISODES, "uuid"):
            self._write("adopting", cypher.WRITE_EPISODES, rows=[elements.episode(row, begun) for row in rows])
            self.progress(done := done + len(rows), total, "adopting memories")

    def _facts(self, begun: datetime, total: int) -> None:
        """A page holds all edges of its subjects, so that edges of one fact meet, those that came since an interruption too."""
        self._all("adopting", cypher.FORGET_BELIEFS)
        done = 0
        for rows in self._pages(cypher.FACTS, "subject"):
            there = [row for row in rows if row["uuid"] and not row["belief"]]
            told = adopted(_edge(row, begun) for row in there)
            self._write("adopting", cypher.KEEP_FACTS, rows=told.there)
            self._write("adopting", cypher.WRITE_FACTS, rows=told.there)
            self._write("adopting", cypher.EARLIER_BELIEFS, rows=told.earlier)
            self._write("adopting", cypher.EVIDENCE, rows=told.evidence)
            self.progress(done := done + len(there), total, "adopting facts")

    def _give_back(self) -> None:
        for gone in (cypher.FORGET_BELIEFS, cypher.FORGET_NODES, cypher.RESTORE_ENTITIES, cypher.RESTORE_EPISODES, cypher.RESTORE_FACTS):
            self._all("releasing", gone)

    def _all(self, state: State, statement: str) -> None:
        done = 0
        while n := int(str(self._write(state, statement, page=PAGE)[0]["n"])):
            self.progress(done := done + n, 0, "releasing" if state == "releasing" else "beginning again")

    def _pages(self, statement: str, key: str) -> Iterator[Sequence[Row]]:
        after = ""
        while rows := self.database.read(statement, {"after": after, "page": PAGE}, seconds=SECONDS):
            yield rows
            after = str(rows[-1][key])

    def _write(self, state: State, statement: str, **parameters: object) -> list[dict[str, object]]:
        """One step while the database is in `state`, one process at a time. StoreError where another process has ended or turned it."""
        given = {"open_start": iso(OPEN_START), "open_end": iso(OPEN_END), **parameters}

        def step(transaction: ManagedTransaction) -> list[dict[str, object]]:
            transaction.run(cypher.TURN).consume()
            if [row["state"] for row in transaction.run(cypher.RECORD).data()] != [state]:
                raise StoreError(
                    "another process ended what this one did to this database; look with `gavel adopt --dry-run` how it stands"
                )
            return transaction.run(statement, given).data()

        return cast(list[dict[str, object]], self.database.transact(step, seconds=SECONDS))


def _edge(row: Row, now: datetime) -> Edge:
    told = {name: str(row[name] or "") for name in ("uuid", "namespace", "subject", "relation", "object", "text")}
    created = start_of(str(row["created"] or iso(now)))
    start, end = start_of(_text(row["valid_at"])), end_of(_text(row["invalid_at"]))
    expired = start_of(_text(row["expired"])) if row["expired"] else None
    episodes = [str(one) for one in row["episodes"]] if isinstance(row["episodes"], list) else []
    return Edge(**told, created=created, start=start, end=end, expired=expired, episodes=episodes)


def _text(value: object) -> str | None:
    return str(value) if value else None
