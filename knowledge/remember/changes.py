"""From operations to rows of entities and facts, against what the kg believes; what cannot be done as proposed is a conflict."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from knowledge.clocks import OPEN_END, moment
from knowledge.errors import DataError
from knowledge.identity import ADOPTED, canonical, entity_uuid, fold
from knowledge.loading.commit import Commit
from knowledge.loading.memory_entities import EntityState
from knowledge.loading.period import Period, period
from knowledge.loading.properties import instant
from knowledge.loading.rows import EntityRow, FactRow, Origin, Row
from knowledge.remember import commit_cypher as cypher
from knowledge.remember.operations import AddEntity, AddRelation, ArchiveEpisode, InvalidateRelation, Operation, UpdateProperty
from knowledge.remember.resolved import Resolved
from knowledge.scope import EVERYONE


@dataclass(frozen=True)
class Live:
    """A fact that the kg believes, with its time."""

    subject: str
    relation: str
    object: str
    text: str
    confidence: float
    when: Period

    @property
    def identity(self) -> tuple[str, str, str, datetime]:
        return self.subject, self.relation, self.object, self.when.start

    def ending(self, origin: Origin, at: datetime, precision: str) -> FactRow:
        """The same fact, true until then."""
        when = Period(self.when.start, at, self.when.start_precision, precision, self.when.start_text)  # type: ignore[arg-type]
        return FactRow(origin, self.subject, self.relation, self.object, text=self.text, confidence=self.confidence, period=when)


@dataclass
class Believed:
    """What the kg believes of that which the operations are about. `episodes`: those that are live."""

    keys: dict[str, set[str]] = field(default_factory=dict)
    states: Mapping[str, EntityState] = field(default_factory=dict)
    facts: Sequence[Live] = ()
    episodes: Collection[str] = ()

    def key(self, name: str) -> str:
        """The key that a name stands for; the name itself where it names nothing yet, or more than one thing."""
        found = self.keys.get(name, set())
        return name if name in found or len(found) != 1 else next(iter(found))

    def after(self, rows: Sequence[Row]) -> "Believed":
        """With the facts that were told meanwhile, in place of what was believed of the same."""
        told = {(r.subject, r.relation, r.object, r.period.start): Live(r.subject, r.relation, r.object, r.text, r.confidence, r.period)
                for r in rows if isinstance(r, FactRow)}  # fmt: skip
        return replace(self, facts=[*(fact for fact in self.facts if fact.identity not in told), *told.values()]) if told else self

    def state(self, namespace: str, key: str) -> EntityState | None:
        return self.states.get(entity_uuid(namespace, EVERYONE, key))


class Conflict(DataError):
    """What an operation asks for cannot be: the message says why, and what would be possible."""


def look_up(commit: Commit, names: Sequence[str]) -> dict[str, set[str]]:
    """Keys by the exact names, or keys, that operations use."""
    wanted = [{"exact": name, "folded": fold(name)} for name in names]
    found: dict[str, set[str]] = {}
    for row in commit.rows(cypher.NAMED, names=wanted) if wanted else []:
        found.setdefault(str(row["said"]), set()).add(str(row["key"]))
    return found


def live_facts(commit: Commit, relations: Sequence[tuple[str, str]]) -> list[Live]:
    """The believed facts of a subject and a relation."""
    rows = [{"at": at, "subject": s, "relation": r, "object": None} for at, (s, r) in enumerate(relations)]
    return [_live(row) for row in commit.many(cypher.LIVE, rows)]


def names_in(operations: Sequence[Operation]) -> list[str]:
    """Every name or key that operations use for an entity."""
    used: dict[str, None] = {}
    for operation in operations:
        if isinstance(operation, AddEntity):
            used[canonical(operation.key or operation.name)] = None
        elif isinstance(operation, UpdateProperty):
            used[canonical(operation.entity)] = None
        elif not isinstance(operation, ArchiveEpisode):
            used |= {canonical(operation.subject): None, canonical(operation.object): None}
    return list(used)


def keyed(items: Sequence[Resolved]) -> list[str]:
    """The uuids of the entities to which the proposals give a key of their own."""
    told = [(item.proposal.group_id, o) for item in items for o in item.proposal.operations if isinstance(o, AddEntity) and o.key]
    return sorted({entity_uuid(namespace, EVERYONE, canonical(o.key)) for namespace, o in told})


def rows_of(item: Resolved, believed: Believed, *, again: bool = False) -> list[Row]:
    """The rows in the order of the operations. Conflict where one of them cannot be done; then none is to be.

    `again`: it was done before; what stood on something that was redacted since falls with it.
    """
    named = {canonical(o.name): canonical(o.key) for o in item.proposal.operations if isinstance(o, AddEntity) and o.key}
    rows: list[Row] = []
    for place, operation in enumerate(item.proposal.operations):
        origin = Origin(f"receipt {item.receipt}", place + 1, item.episode)
        try:
            said = list(_Rows(item, believed, named, origin, item.single_valued).of(operation))
        except Conflict:
            if not again:
                raise
            continue
        rows += said
        believed = believed.after(said)
    return rows


@dataclass(frozen=True)
class _Rows:
    item: Resolved
    believed: Believed
    named: Mapping[str, str]
    origin: Origin
    single_valued: frozenset[str]

    def of(self, operation: Operation) -> Iterator[Row]:
        if isinstance(operation, AddEntity):
            yield self._entity(operation)
        elif isinstance(operation, AddRelation):
            yield from self._relation(operation)
        elif isinstance(operation, UpdateProperty):
            yield self._property(operation)
        elif isinstance(operation, InvalidateRelation):
            yield self._invalidated(operation)
        elif operation.episode not in self.believed.episodes:
            raise Conflict(
                f"{operation.episode} is no live memory of {self.item.proposal.group_id}; it may have been archived or undone already"
            )

    def _key(self, name: str) -> str:
        return self._own(self.named.get(canonical(name)) or self.believed.key(canonical(name)))

    def _own(self, key: str) -> str:
        """The key of an adopted entity is not to be made up: it would name a node of another namespace."""
        if key.startswith(ADOPTED) and not any(key in keys for keys in self.believed.keys.values()):
            raise Conflict(f"nothing in {self.item.proposal.group_id} has the key {key!r}; use its name")
        return key

    def _entity(self, told: AddEntity) -> EntityRow:
        key = self._own(canonical(told.key)) if told.key else self._key(told.name)
        before = self.believed.state(self.item.proposal.group_id, key)
        if before and before.kind and told.kind and before.kind != told.kind:
            raise Conflict(f"{told.name} is recorded as a {before.kind}, not as a {told.kind}; leave the kind out, or give another key")
        return EntityRow(
            self.origin, key, canonical(told.name), told.kind, tuple(map(canonical, told.aliases)), told.summary, dict(told.properties)
        )

    def _relation(self, told: AddRelation) -> Iterator[Row]:
        subject, object_, when = self._key(told.subject), self._key(told.object), _period(told)
        for other in self.believed.facts:
            if (
                told.relation in self.single_valued
                and (other.subject, other.relation) == (subject, told.relation)
                and other.object != object_
            ):
                if other.when.start < when.start < other.when.end:
                    yield other.ending(self.origin, when.start, when.start_precision)
                elif when.start < other.when.start < when.end:
                    when = Period(when.start, other.when.start, when.start_precision, other.when.start_precision, when.start_text)
        yield FactRow(
            self.origin, subject, told.relation, object_, told.subject_kind, told.object_kind, canonical(told.text),
            confidence=told.confidence, place=str(self.origin.line), period=when,
        )  # fmt: skip

    def _property(self, told: UpdateProperty) -> EntityRow:
        key = self._key(told.entity)
        state = self.believed.state(self.item.proposal.group_id, key)
        if state is None:
            raise Conflict(f"{told.entity} is not recorded in {self.item.proposal.group_id}; add it with add_entity")
        has = state.properties.get(told.property)
        if told.expected is not None and has != told.expected:
            raise Conflict(f"{told.property} of {told.entity} is {has!r}, not {told.expected!r}; read it again and propose anew")
        return EntityRow(self.origin, key, state.name, properties={told.property: told.value})

    def _invalidated(self, told: InvalidateRelation) -> FactRow:
        wanted = (self._key(told.subject), told.relation, self._key(told.object))
        found = [fact for fact in self.believed.facts if (fact.subject, fact.relation, fact.object) == wanted and fact.when.end == OPEN_END]
        if not found:
            raise Conflict(f"{told.subject} {told.relation} {told.object} is not believed to hold now, so it cannot end")
        last = max(found, key=lambda fact: fact.when.start)
        end = _end(told.valid_to) or self.item.valid_at.start
        if end <= last.when.start:
            raise Conflict(
                f"{told.subject} {told.relation} {told.object} began later than {told.valid_to or end.date()}; give a later valid_to"
            )
        return last.ending(self.origin, end, moment(told.valid_to).precision if told.valid_to else self.item.valid_at.precision)


def _end(text: str) -> datetime | None:
    if not text:
        return None
    found = moment(text)
    return found.start if found.precision == "instant" else found.end


def _period(told: AddRelation) -> Period:
    try:
        return period(told.valid_from, told.valid_to)
    except DataError as error:
        raise Conflict(str(error)) from error


def _live(row: Mapping[str, object]) -> Live:
    start, end = instant(str(row["valid_from"])), instant(str(row["valid_to"]))
    when = Period(start, end, row["from_precision"], row["to_precision"], str(row["from_text"] or ""))  # type: ignore[arg-type]
    return Live(str(row["subject"]), str(row["relation"]), str(row["object"]), str(row["text"]), float(str(row["confidence"])), when)
