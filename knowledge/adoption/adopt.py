"""Adopting and releasing a memory of Graphiti: only what is Gavel's own is added, and releasing takes exactly that away."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from knowledge.adoption import cypher, elements
from knowledge.adoption.facts import Edge, adopted, end_of, start_of
from knowledge.clocks import OPEN_END, OPEN_START
from knowledge.database import ddl
from knowledge.database.connection import Database
from knowledge.errors import StoreError
from knowledge.identity import NAMESPACE_PATTERN
from knowledge.loading.properties import iso

PAGE = 500
SECONDS = 120.0
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
    for statement in (cypher.NAMELESS, cypher.TWICE):
        for row in database.read(statement, seconds=SECONDS):
            told = f"share a uuid, such as {row['example']}" if "example" in row else "have no uuid or no group_id"
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
        indexes = self.database.read(cypher.UUID_INDEXES)
        kept = [f"{row['label']} {row['name']}" for row in indexes]
        begun = self.database.write(cypher.BEGIN, {"now": iso(self.clock()), "by": by, "indexes": kept})
        if begun[0]["state"] == "releasing":
            raise StoreError("this database is being released; finish that with `gavel adopt --undo`")
        for row in indexes:
            self.database.schema(f"DROP INDEX {ddl.quoted(str(row['name']))} IF EXISTS")
        ddl.build(self.database, "memory")
        self._entities(sum(one.entities for one in found))
        self._episodes(sum(one.episodes for one in found))
        self._facts(sum(one.facts for one in found))
        self._write(cypher.NAMESPACES, namespaces=[one.namespace for one in found], now=iso(self.clock()))
        self._write(cypher.STATE, state="adopted")
        ddl.mark(self.database, "memory")
        return found

    def release(self) -> None:
        """As it was before. StoreError where it was not adopted, or where memories were written since: they would be lost."""
        record = self.database.read(cypher.RECORD)
        if not record:
            raise StoreError("this database was not adopted, so there is nothing to release")
        if since := self.database.read(cypher.WRITTEN_SINCE):
            names = ", ".join(str(row["namespace"]) for row in since)
            raise StoreError(f"memories were written into {names} since it was adopted, and releasing would lose what Gavel knows of them")
        self._write(cypher.STATE, state="releasing")
        self._write(cypher.UNMARK)
        for what in ("CONSTRAINTS", "INDEXES"):
            for row in self.database.read(cypher.OURS.format(what=what)):
                self.database.schema(f"DROP {what[:-1] if what == 'CONSTRAINTS' else 'INDEX'} {ddl.quoted(str(row['name']))} IF EXISTS")
        self._give_back()
        for index in record[0]["indexes"]:
            label, name = str(index).split(" ", 1)
            pattern = "()-[n:RELATES_TO]-()" if label == "RELATES_TO" else f"(n:{label})"
            self.database.schema(f"CREATE INDEX {ddl.quoted(name)} IF NOT EXISTS FOR {pattern} ON (n.uuid)")
        self._write(cypher.FORGET)

    def _entities(self, total: int) -> None:
        done = 0
        for rows in self._pages(cypher.ENTITIES, "uuid"):
            fresh = [elements.entity(row, self.clock()) for row in rows if not _adopted(row)]
            self._write(cypher.WRITE_ENTITIES, rows=fresh)
            self.progress(done := done + len(rows), total, "adopting entities")

    def _episodes(self, total: int) -> None:
        done = 0
        for rows in self._pages(cypher.EPISODES, "uuid"):
            self._write(cypher.WRITE_EPISODES, rows=[elements.episode(row, self.clock()) for row in rows if not _adopted(row)])
            self.progress(done := done + len(rows), total, "adopting memories")

    def _facts(self, total: int) -> None:
        """A page holds all edges of its subjects, so that edges of one fact meet."""
        done = 0
        for rows in self._pages(cypher.FACTS, "subject"):
            there = [row for row in rows if row["uuid"] and not _belief(row)]
            told = adopted(_edge(row, self.clock()) for row in there)
            before = {row["uuid"]: elements.kept("fact", _has(row)) for row in there}
            fresh = {row["uuid"] for row in there if not _adopted(row)}
            self._write(cypher.WRITE_FACTS, rows=[{**row, "before": before[row["uuid"]]} for row in told.there if row["uuid"] in fresh])
            self._write(cypher.EARLIER_BELIEFS, rows=told.earlier)
            self._write(cypher.EVIDENCE, rows=told.evidence)
            self.progress(done := done + len(there), total, "adopting facts")

    def _give_back(self) -> None:
        while self._write(cypher.FORGET_BELIEFS, page=PAGE)[0]["n"] or self._write(cypher.FORGET_NODES, page=PAGE)[0]["n"]:
            pass
        done = 0
        for read, write in ((cypher.ADOPTED_NODES, cypher.RESTORE_NODES), (cypher.ADOPTED_FACTS, cypher.RESTORE_FACTS)):
            while rows := self.database.read(read, {"page": PAGE}, seconds=SECONDS):
                self._write(write, rows=[{"at": row["at"], "before": elements.given_back(row["what"], row["has"])} for row in rows])
                self.progress(done := done + len(rows), 0, "releasing")

    def _pages(self, statement: str, key: str) -> Iterator[Sequence[Row]]:
        after = ""
        while rows := self.database.read(statement, {"after": after, "page": PAGE}, seconds=SECONDS):
            yield rows
            after = str(rows[-1][key])

    def _write(self, statement: str, **parameters: object) -> list[dict[str, object]]:
        shared = {"open_start": iso(OPEN_START), "open_end": iso(OPEN_END)}
        return self.database.write(statement, {**shared, **parameters}, seconds=SECONDS)


def _has(row: Row) -> Row:
    has = row["has"]
    return has if isinstance(has, Mapping) else {}


def _adopted(row: Row) -> bool:
    return elements.ADOPTED in _has(row)


def _belief(row: Row) -> bool:
    """An edge that an interrupted adoption made."""
    return "adopted_belief" in _has(row)


def _edge(row: Row, now: datetime) -> Edge:
    told = {name: str(row[name] or "") for name in ("uuid", "namespace", "subject", "relation", "object", "text")}
    created = start_of(str(row["created"] or iso(now)))
    start, end = start_of(_text(row["valid_at"])), end_of(_text(row["invalid_at"]))
    expired = start_of(_text(row["expired"])) if row["expired"] else None
    episodes = row["episodes"]
    return Edge(**told, created=created, start=start, end=end, expired=expired, episodes=episodes if isinstance(episodes, list) else [])


def _text(value: object) -> str | None:
    return str(value) if value else None
