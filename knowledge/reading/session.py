"""One scope, one meter, one database: how every statement of a reader is sent, and how its rows become records."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Self

from knowledge.access.access import Access, Witness
from knowledge.database.connection import Database, Row
from knowledge.errors import StatementError
from knowledge.reading.dialect import Dialect, Fields
from knowledge.reading.meter import Meter
from knowledge.reading.returned import ids_in
from knowledge.records import Direction, Entity, Fact, Path
from knowledge.scope import Scope

_NO_INDEX = "There is no such fulltext schema index"


@dataclass(frozen=True)
class Session:
    """What the modules of this package read with. `tool`: the method of the reader that is at work."""

    database: Database
    dialect: Dialect
    scope: Scope
    meter: Meter
    now: Callable[[], datetime]
    witness: Witness
    tool: str

    def of(self, tool: str) -> Self:
        """The same in the hands of another method."""
        return replace(self, tool=tool)

    def send(self, statement: str, parameters: Mapping[str, object] | None = None) -> list[Row]:
        """Charge the meter, then send one statement with the scope's parameters. Where Gavel has made no index, words find nothing.

        The witness is told before the rows are handed over. AuditError where it cannot keep what must be kept.
        """
        language = "CYPHER 25 " if self.database.capability.cypher25 else ""
        text = f"{language}{statement}"
        seconds = self.meter.charge(text)
        bound = {**(parameters or {}), **self.dialect.scope(self.scope, self.now())}
        try:
            rows = self.database.read(text, bound, seconds=seconds, tag=self.meter.tag)
        except StatementError as error:
            if _NO_INDEX in str(error):
                return []
            raise
        self.tell(text, ids_in(self.dialect, rows), len(rows))
        return rows

    def tell(self, statement: str, ids: Iterable[str], rows: int) -> None:
        """Let the witness know what is about to be handed over."""
        who = (self.meter.principal, self.meter.tag)
        self.witness.note(Access.of(self.now(), who, self.tool, self.scope, statement, ids, rows))


def gathered(dialect: Dialect, facts: str) -> str:
    """Clauses that turn the list variable `facts` of relationships (one row) into `fact_rows` and `entity_rows`, each thing once."""
    return (
        f"CALL ({facts}) {{ UNWIND {facts} AS f WITH DISTINCT f RETURN collect({dialect.fact_fields('f')}) AS fact_rows }}\n"
        f"CALL ({facts}) {{ UNWIND {facts} AS f UNWIND [startNode(f), endNode(f)] AS e WITH DISTINCT e"
        f" RETURN collect({dialect.entity_fields('e')}) AS entity_rows }}\n"
    )


class Gathered:
    """The entities and facts of one row. Facts go by the database's own reference, entities by each of their ids."""

    def __init__(self, dialect: Dialect, row: Row) -> None:
        self._by_ref: dict[str, Entity] = {fields["ref"]: dialect.entity(fields) for fields in row["entity_rows"]}
        self.entities = {entity.id: entity for entity in self._by_ref.values()}
        for fields in row["entity_rows"]:
            self.entities |= dict.fromkeys(fields.get("also", ()), self._by_ref[fields["ref"]])
        self._ends: dict[str, tuple[str, str]] = {}
        self.facts: dict[str, Fact] = {}
        for fields in row["fact_rows"]:
            self._add(dialect, fields)

    def _add(self, dialect: Dialect, fields: Fields) -> None:
        subject, object_ = self._by_ref[fields["subject"]], self._by_ref[fields["object"]]
        self._ends[fields["ref"]] = (subject.id, object_.id)
        self.facts[fields["ref"]] = dialect.record(fields, subject, object_)

    def leaves(self, fact: str, direction: Direction) -> str:
        """The entity that a step over this fact leaves."""
        return self._ends[fact][direction == "in"]

    def path(self, start: str, chain: Sequence[str], conditions: Sequence[str] = ()) -> Path:
        """The path that leaves the entity `start` over the facts of `chain`."""
        here = start = self.entities[start].id
        for ref in chain:
            subject, object_ = self._ends[ref]
            here = object_ if here == subject else subject
        return Path(
            self.entities[start], self.entities[here], tuple(self.facts[r] for r in chain), tuple(self.facts[r] for r in conditions)
        )
