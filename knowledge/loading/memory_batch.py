"""One batch of rows in one transaction of the memory shape: lock, entities, facts, evidence, version, checkpoint."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from neo4j import ManagedTransaction

from knowledge.clocks import OPEN_END, OPEN_START
from knowledge.identity import entity_uuid
from knowledge.loading import memory_cypher as cypher
from knowledge.loading import memory_entities, memory_facts
from knowledge.loading.memory_facts import CreatedFact, Ends, FactChanges
from knowledge.loading.memory_mentions import MENTIONED, Mention, mentions, merged, uuid_of
from knowledge.loading.memory_read import entity_states, instant, known_facts
from knowledge.loading.properties import iso
from knowledge.loading.rows import EntityRow, FactRow, Row
from knowledge.loading.writer import Checkpoint, Written
from knowledge.scope import EVERYONE, PUBLIC
from knowledge.search.vectors import entity_text

Clock = Callable[[], datetime]
_TICK = timedelta(microseconds=1)
_OPEN = {"open_start": iso(OPEN_START), "open_end": iso(OPEN_END)}


@dataclass(frozen=True)
class Batch:
    """What one transaction is about. `missing`: mentioned entities that are not surely there; `relations`: types not surely there."""

    namespace: str
    rows: Sequence[Row]
    missing: Sequence[Mention]
    relations: Sequence[str]
    names: Mapping[str, str]
    checkpoint: Checkpoint


class BatchTransaction:
    """The statements of one batch. `now` is later than every earlier commit of the namespace, whose lock is held until the end."""

    def __init__(self, transaction: ManagedTransaction, batch: Batch, clock: Clock) -> None:
        self._transaction = transaction
        self._batch = batch
        self._shared: dict[str, object] = {"namespace": batch.namespace, **_OPEN}
        locked = self._rows(cypher.LOCK)[0]
        self._version = int(str(locked["version"]))
        self._now = max(clock(), instant(str(locked["last_commit"])) + _TICK)
        self._shared["now"] = iso(self._now)

    def write(self) -> Written:
        """Everything of the batch; the version moves only where something changed."""
        written = Written(version=self._version)
        entities = self._entities(written)
        facts = self._facts(written)
        self._outcomes(written, entities.outcomes, facts.outcomes)
        changed = bool(written.entities or entities.states or facts)
        written.version = self._commit(max(facts.last, self._now), changed)
        return written

    def _commit(self, last: datetime, changed: bool) -> int:
        """The version, a new one where something changed; and the checkpoint. The namespace knows which access levels and visibility
        groups it holds."""
        checkpoint = self._batch.checkpoint
        kept = {
            "load": checkpoint.load,
            "position": checkpoint.rows,
            "levels": sorted({row.access_level or PUBLIC for row in self._batch.rows}),
            "groups": sorted({row.visibility_group for row in self._batch.rows}),
            "last": iso(last),
        }
        return int(str(self._rows(cypher.COMMIT if changed else cypher.CHECKPOINT, **kept)[0]["version"]))

    def _entities(self, written: Written) -> memory_entities.EntityChanges:
        rows = [row for row in self._batch.rows if isinstance(row, EntityRow)]
        self._mention(self._batch.missing, written)
        if not rows:
            return memory_entities.EntityChanges()
        uuids = {entity_uuid(self._batch.namespace, row.visibility_group, row.key) for row in rows}
        changes = memory_entities.changes(self._batch.namespace, rows, entity_states(self._transaction, sorted(uuids)))
        if changes.superseded:
            self._rows(cypher.SUPERSEDE, uuids=sorted(changes.superseded))
        states = [{"state": state.written(), **state.dates()} for state in changes.states.values()]
        if states:
            texts = {state.uuid: entity_text(state.name, state.summary) for state in changes.states.values()}
            self._create(cypher.DECLARED, states, texts, written)
        return changes

    def _facts(self, written: Written) -> FactChanges:
        rows = [row for row in self._batch.rows if isinstance(row, FactRow)]
        if not rows:
            return FactChanges()
        hidden = self._hidden_ends([row for row in rows if row.visibility_group != EVERYONE], written)
        placed = [(memory_facts.identity(self._batch.namespace, row), row, self._ends(row, hidden)) for row in rows]
        known = known_facts(self._transaction, dict.fromkeys(fact for fact, _, _ in placed))
        changes = memory_facts.changes(placed, known, self._now)
        self._apply(changes)
        written.facts = sum(outcome == "created" for outcome in changes.outcomes)
        return changes

    def _apply(self, changes: FactChanges) -> None:
        fresh = changes.created
        self._many(cypher.CLOSE, [{"uuid": u, "known_to": t} for u, t in changes.closed.items() if u not in fresh])
        self._create_facts([{**row, "known_to": changes.closed.get(uuid)} for uuid, row in fresh.items()])
        self._many(cypher.ADD_EVIDENCE, [observation.parameters() for observation in changes.evidence.values()])
        self._many(cypher.BELIEVE, [{"uuid": u, "count": n, "confidence": c} for u, (n, c) in changes.believed.items()])
        if self._batch.relations and changes:
            self._rows(cypher.RELATION_TYPES, names=self._batch.relations)

    def _create_facts(self, rows: Sequence[CreatedFact]) -> None:
        """What most facts of a batch share is sent once."""
        if not rows:
            return
        usual = {**memory_facts.USUAL, "source": rows[0]["edge"]["source"]}
        sparse = [{**row, "edge": {k: v for k, v in row["edge"].items() if k not in usual or usual[k] != v}} for row in rows]
        self._rows(cypher.CREATE_FACTS, rows=sparse, usual=usual)

    def _hidden_ends(self, rows: Sequence[FactRow], written: Written) -> dict[str, str]:
        """A fact of a visibility group stands on the group's own entity of that key, else on the public one, else on a new one of the group."""
        if not rows:
            return {}
        wanted = merged(m for row in rows for m in mentions(self._batch.namespace, row, self._batch.names))
        public = {m.uuid: uuid_of(self._batch.namespace, EVERYONE, m.key) for m in wanted}
        there = {str(row["uuid"]) for row in self._rows(cypher.EXISTING, uuids=[*public, *public.values()])}
        stands = {own: own if own in there or other not in there else other for own, other in public.items()}
        self._mention([m for m in wanted if stands[m.uuid] == m.uuid], written)
        return stands

    def _ends(self, row: FactRow, hidden: Mapping[str, str]) -> Ends:
        namespace, names = self._batch.namespace, self._batch.names
        subject = uuid_of(namespace, row.visibility_group, row.subject)
        object_ = uuid_of(namespace, row.visibility_group, row.object)
        names_read = names.get(row.subject, row.subject), names.get(row.object, row.object)
        return Ends(hidden.get(subject, subject), hidden.get(object_, object_), *names_read)

    def _mention(self, found: Sequence[Mention], written: Written) -> None:
        if found:
            texts = {mention.uuid: entity_text(mention.name, "") for mention in found}
            self._create(cypher.MENTIONED, [mention.parameters() for mention in found], texts, written)

    def _create(self, statement: str, rows: Sequence[Mapping[str, object]], texts: Mapping[str, str], written: Written) -> None:
        created = self._transaction.run(statement, self._shared, rows=rows, mentioned=MENTIONED).single(strict=True)["created"]
        written.entities.update({uuid: texts[uuid] for uuid in created})

    def _many(self, statement: str, rows: Sequence[Mapping[str, object]]) -> None:
        if rows:
            self._rows(statement, rows=rows)

    def _rows(self, statement: str, **parameters: object) -> list[dict[str, object]]:
        return self._transaction.run(statement, self._shared, **parameters).data()

    def _outcomes(self, written: Written, entities: Sequence[str], facts: Sequence[str]) -> None:
        """Back into file order."""
        queues = {EntityRow: iter(entities), FactRow: iter(facts)}
        written.outcomes = [next(queues[type(row)]) for row in self._batch.rows]
