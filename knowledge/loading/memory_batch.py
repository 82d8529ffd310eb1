"""One batch of rows in one transaction of the memory shape: lock, entities, facts, evidence, version, checkpoint."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import cast

from neo4j import ManagedTransaction

from knowledge.identity import entity_uuid
from knowledge.loading import memory_cypher as cypher
from knowledge.loading import memory_entities, memory_facts
from knowledge.loading.commit import Commit
from knowledge.loading.memo import Memo
from knowledge.loading.memory_facts import CreatedFact, Ends, FactChanges
from knowledge.loading.memory_mentions import MENTIONED, Mention, mentions, merged, uuid_of
from knowledge.loading.memory_read import entity_states, known_facts
from knowledge.loading.rows import EntityRow, FactRow, Row
from knowledge.loading.writer import Checkpoint, Written
from knowledge.scope import EVERYONE
from knowledge.search.vectors import entity_text


@dataclass(frozen=True)
class IdentifiedRows:
    """The rows of a batch, and its facts once more with their identities."""

    rows: Sequence[Row]
    facts: Sequence[tuple[str, FactRow]]


@dataclass(frozen=True)
class Batch:
    """What one transaction is about. `missing`: mentioned entities that are not surely there; `relations`: types not surely there."""

    namespace: str
    content: IdentifiedRows
    missing: Sequence[Mention]
    relations: Sequence[str]
    names: Mapping[str, str]
    checkpoint: Checkpoint


class BatchTransaction:
    """The statements of one batch."""

    def __init__(self, commit: Commit, transaction: ManagedTransaction, batch: Batch, memo: Memo[str]) -> None:
        self._commit = commit
        self._transaction = transaction
        self._batch = batch
        self._memo = memo
        self.alone = memo.complete(commit.version)

    def write(self) -> Written:
        """Everything of the batch; the version moves only where something changed."""
        written, changed, last = self.change()
        written.version = self._commit.close(self._batch.content.rows, self._batch.checkpoint, changed, last)
        return written

    def change(self) -> tuple[Written, bool, datetime]:
        """Write without closing: what was done, whether anything changed, and the latest time that was given to a belief."""
        written = Written()
        entities = self._entities(written)
        facts = self._facts(written)
        self._outcomes(written, entities.outcomes, facts.outcomes)
        return written, bool(written.entities or entities.states or facts), max(facts.last, self._commit.now)

    def _entities(self, written: Written) -> memory_entities.EntityChanges:
        rows = [row for row in self._batch.content.rows if isinstance(row, EntityRow)]
        self._mention(self._batch.missing, written)
        if not rows:
            return memory_entities.EntityChanges()
        uuids = {entity_uuid(self._batch.namespace, row.visibility_group, row.key) for row in rows}
        changes = memory_entities.changes(self._batch.namespace, rows, entity_states(self._transaction, sorted(uuids)))
        if changes.superseded:
            self._commit.rows(cypher.SUPERSEDE, uuids=sorted(changes.superseded))
        states = [{"state": state.written(), **state.dates()} for state in changes.states.values()]
        if states:
            texts = {state.uuid: entity_text(state.name, state.summary) for state in changes.states.values()}
            self._create(cypher.DECLARED, states, texts, written)
        return changes

    def _facts(self, written: Written) -> FactChanges:
        if not self._batch.content.facts:
            return FactChanges()
        hidden = self._hidden_ends([row for _, row in self._batch.content.facts if row.visibility_group != EVERYONE], written)
        placed = [(fact, row, self._ends(row, hidden)) for fact, row in self._batch.content.facts]
        asked = dict.fromkeys(fact for fact, _, _ in placed if not self.alone or fact in self._memo)
        known = known_facts(self._transaction, asked) if asked else {}
        changes = memory_facts.changes(placed, known, self._commit.now)
        self._apply(changes)
        written.facts = sum(outcome == "created" for outcome in changes.outcomes)
        return changes

    def _apply(self, changes: FactChanges) -> None:
        fresh = changes.created
        self._commit.many(cypher.CLOSE, [{"uuid": u, "known_to": t} for u, t in changes.closed.items() if u not in fresh])
        self._create_facts([{**row, "known_to": changes.closed.get(uuid)} for uuid, row in fresh.items()])
        self._commit.many(cypher.ADD_EVIDENCE, [observation.parameters() for observation in changes.evidence.values()])
        self._commit.many(cypher.BELIEVE, [{"uuid": u, "count": n, "confidence": c} for u, (n, c) in changes.believed.items()])
        if self._batch.relations and changes:
            self._commit.rows(cypher.RELATION_TYPES, names=self._batch.relations)

    def _create_facts(self, rows: Sequence[CreatedFact]) -> None:
        """What most facts of a batch share is sent once."""
        if not rows:
            return
        usual = {**memory_facts.USUAL, "source": rows[0]["edge"]["source"]}
        sparse = [{**row, "edge": {k: v for k, v in row["edge"].items() if k not in usual or usual[k] != v}} for row in rows]
        self._commit.rows(cypher.CREATE_FACTS, rows=sparse, usual=usual)

    def _hidden_ends(self, rows: Sequence[FactRow], written: Written) -> dict[str, str]:
        """A fact of a visibility group stands on the group's own entity of that key, else on the public one, else on a new one of the group."""
        if not rows:
            return {}
        wanted = merged(m for row in rows for m in mentions(self._batch.namespace, row, self._batch.names))
        public = {m.uuid: uuid_of(self._batch.namespace, EVERYONE, m.key) for m in wanted}
        there = {str(row["uuid"]) for row in self._commit.rows(cypher.EXISTING, uuids=[*public, *public.values()])}
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
        created = self._commit.rows(statement, rows=rows, mentioned=MENTIONED)[0]["created"]
        written.entities.update({uuid: texts[uuid] for uuid in cast(list[str], created)})

    def _outcomes(self, written: Written, entities: Sequence[str], facts: Sequence[str]) -> None:
        """Back into file order."""
        queues = {EntityRow: iter(entities), FactRow: iter(facts)}
        written.outcomes = [next(queues[type(row)]) for row in self._batch.content.rows]
