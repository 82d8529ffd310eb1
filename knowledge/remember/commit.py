"""One Neo4j transaction for a run of resolved proposals of one namespace: checked once more, written, counted, and audited."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import cast
from uuid import NAMESPACE_OID, uuid5

from neo4j import ManagedTransaction

from knowledge.database.connection import Database
from knowledge.identity import entity_uuid
from knowledge.loading import memory_facts
from knowledge.loading.commit import Commit
from knowledge.loading.memo import Memo
from knowledge.loading.memory_batch import Batch, BatchTransaction, IdentifiedRows
from knowledge.loading.memory_mentions import mentions, merged
from knowledge.loading.memory_read import entity_states
from knowledge.loading.rows import EntityRow, FactRow, Row
from knowledge.loading.writer import Checkpoint
from knowledge.registry.contract import Contract, SizeLimit
from knowledge.remember import commit_cypher as cypher
from knowledge.remember.changes import Believed, Conflict, live_facts, look_up, names_in, rows_of
from knowledge.remember.guard import Holdings, over_limit
from knowledge.remember.operations import AddRelation, InvalidateRelation
from knowledge.remember.points import Hook, nowhere
from knowledge.remember.resolved import Resolved
from knowledge.remember.retiring import retire
from knowledge.scope import EVERYONE

SECONDS = 60.0
POINTS = ("locked", "episodes", "changed", "linked", "archived", "audited", "closed")


@dataclass
class Committed:
    """`refused`: why, by receipt, for what cannot be written any more; everything else is. `holdings` are the namespace's own, live.

    `versions`: of the namespace, by receipt: in this order things were written, whatever order they were settled in.
    """

    refused: dict[str, str] = field(default_factory=dict)
    holdings: Holdings = field(default_factory=Holdings)
    versions: dict[str, int] = field(default_factory=dict)

    def place(self, item: Resolved) -> dict[str, object]:
        """What an event says of where it was written."""
        return {"event": item.event, "version": self.versions[item.receipt]}


def commit_all(database: Database, contract: Contract, items: Sequence[Resolved], at: Hook = nowhere) -> Committed:
    """All of them in order, in one transaction. What is there already, from an earlier attempt, is left alone."""

    def work(transaction: ManagedTransaction) -> Committed:
        return _Transaction(transaction, contract, items, at).run()

    return cast(Committed, database.transact(work, seconds=SECONDS))


def commit_again(transaction: ManagedTransaction, namespace: str, items: Sequence[Resolved]) -> Committed:
    """What was committed once, written anew where it is no longer there. No limit refuses it, and no conflict."""
    unlimited = Contract(namespace, "", "", (), SizeLimit(), "self_service")
    return _Transaction(transaction, unlimited, items, nowhere, again=True).run()


class _Transaction:
    def __init__(
        self, transaction: ManagedTransaction, contract: Contract, items: Sequence[Resolved], at: Hook, *, again: bool = False
    ) -> None:
        self._at, self._again = at, again
        self._transaction, self._contract, self._items = transaction, contract, items
        self._commit = Commit(transaction, contract.id, lambda: items[0].at)
        self._last: datetime = self._commit.now
        self._result = Committed(holdings=self._counted())

    def run(self) -> Committed:
        self._at("locked")
        found = [] if self._again else self._commit.rows(cypher.DONE, events=[item.event for item in self._items])
        done = {row["event"]: row for row in found}
        earlier = [(item.receipt, done[item.event]) for item in self._items if item.event in done]
        self._result.refused |= {receipt: str(row["why"]) for receipt, row in earlier if row["why"]}
        self._result.versions |= {receipt: int(str(row["version"])) for receipt, row in earlier}
        fresh = [item for item in self._items if item.event not in done]
        fitting = [item for item in fresh if self._fits(item)]
        for run in _runs(fitting):
            self._write(run)
        if fresh:
            self._close(fresh)
        return self._result

    def _counted(self) -> Holdings:
        """From the namespace's own counters; counted anew where something else has written into it."""
        row = self._commit.counted
        if None in row.values():
            row = self._commit.rows(cypher.COUNT)[0]
        return Holdings(int(str(row["episodes"])), int(str(row["facts"])), int(str(row["bytes"])))

    def _fits(self, item: Resolved) -> bool:
        held = self._result.holdings
        over = over_limit(item.proposal, self._contract, held)
        if why := item.lapsed or (over and f"{self._contract.id} has become full: {over}"):
            self._result.refused[item.receipt] = why
            return False
        proposal = item.proposal
        self._result.holdings = Holdings(held.episodes + proposal.remembers, held.facts + proposal.relations, held.bytes + proposal.size)
        return True

    def _write(self, run: Sequence[Resolved]) -> None:
        """Items of a run do not stand on each other. One with a conflict is refused whole, and takes no room."""
        believed = self._believed(run) if any(item.proposal.operations for item in run) else Believed()
        rows: dict[str, list[Row]] = {}
        for item in run:
            try:
                rows[item.receipt] = rows_of(item, believed, again=self._again)
            except Conflict as conflict:
                self._refuse(item, str(conflict))
        written = [item for item in run if item.receipt in rows]
        self._commit.many(cypher.EPISODES, [item.written() for item in written if item.proposal.remembers])
        self._at("episodes")
        if whole := [row for item in written for row in rows[item.receipt]]:
            self._change(whole, sum(item.proposal.relations for item in written))
            self._at("changed")
            self._link(written, rows)
            self._at("linked")
            self._last = self._commit.advance(self._last)
        for item in written:
            self._archive(item)

    def _archive(self, item: Resolved) -> None:
        """Taken out of sight after what the same item adds, so that what it tells again goes on."""
        for told in item.proposal.archived:
            gone = retire(self._transaction, self._commit, told.episode, item.event, {"archived_by": item.event}, facts=told.facts == "end")
            held = self._result.holdings
            self._result.holdings = Holdings(held.episodes - gone.episodes, held.facts - gone.facts, held.bytes - gone.bytes)
            self._at("archived")
            self._last = self._commit.advance(self._last)

    def _refuse(self, item: Resolved, why: str) -> None:
        self._result.refused[item.receipt] = why
        held, proposal = self._result.holdings, item.proposal
        self._result.holdings = Holdings(held.episodes - proposal.remembers, held.facts - proposal.relations, held.bytes - proposal.size)

    def _believed(self, run: Sequence[Resolved]) -> Believed:
        told = [(item, operation) for item in run for operation in item.proposal.operations]
        operations = [operation for _, operation in told]
        names = names_in(operations)
        found = Believed(look_up(self._commit, names))
        uuids = {entity_uuid(self._contract.id, EVERYONE, found.key(name)) for name in names}
        found.states = entity_states(self._transaction, sorted(uuids))
        asked = [
            (found.key(o.subject), o.relation)
            for item, o in told
            if isinstance(o, InvalidateRelation) or (isinstance(o, AddRelation) and o.relation in item.single_valued)
        ]
        found.facts = live_facts(self._commit, sorted(set(asked))) if asked else ()
        archived = sorted({one.episode for item in run for one in item.proposal.archived})
        found.episodes = {str(row["episode"]) for row in self._commit.rows(cypher.LIVE_EPISODES, episodes=archived)} if archived else ()
        return found

    def _change(self, rows: Sequence[Row], expected: int) -> None:
        """`expected`: how many facts were thought to be new; one that was believed already takes no room."""
        facts = [(memory_facts.identity(self._contract.id, row), row) for row in rows if isinstance(row, FactRow)]
        names = {row.key: row.name for row in rows if isinstance(row, EntityRow)}
        missing = merged(mention for _, row in facts for mention in mentions(self._contract.id, row, names))
        relations = sorted({row.relation for _, row in facts})
        batch = Batch(self._contract.id, IdentifiedRows(rows, facts), missing, relations, names, Checkpoint("", 0))
        written, _, last = BatchTransaction(self._commit, self._transaction, batch, _nothing_known()).change()
        held = self._result.holdings
        self._result.holdings = Holdings(held.episodes, held.facts - expected + written.facts, held.bytes)
        self._last = max(self._last, last)

    def _link(self, items: Sequence[Resolved], rows: dict[str, list[Row]]) -> None:
        """Facts to the episodes that say so, and episodes to the entities that they mention."""
        told, mentioned = [], []
        for item in items:
            entities: dict[str, None] = {}
            for row in rows[item.receipt]:
                keys = (row.key,) if isinstance(row, EntityRow) else (row.subject, row.object)
                entities |= dict.fromkeys(entity_uuid(self._contract.id, EVERYONE, key) for key in keys)
                if isinstance(row, FactRow):
                    fact = memory_facts.identity(self._contract.id, row)
                    told.append({"episode": item.episode, "fact": fact, "source": item.episode, "who": item.who})
            mentioned += [{"episode": item.episode, "entity": e, "uuid": str(uuid5(NAMESPACE_OID, item.episode + e))} for e in entities]
        self._commit.many(cypher.PROVENANCE, told)
        self._commit.many(cypher.MENTIONS, mentioned)

    def _close(self, fresh: Sequence[Resolved]) -> None:
        """Refused items are audited too: tried again, they are refused again, for the same reason."""
        refused = self._result.refused
        audits = [item.audit() | ({"kind": "refused", "why": refused[item.receipt]} if item.receipt in refused else {}) for item in fresh]
        version = self._commit.version + 1
        self._commit.rows(cypher.AUDIT, rows=audits, version=version)
        self._at("audited")
        self._commit.rows(cypher.CLOSE, seq=fresh[-1].seq, last=self._last.isoformat(), **self._result.holdings.as_counters())
        self._result.versions |= {item.receipt: version for item in fresh}
        self._at("closed")


def _nothing_known() -> Memo[str]:
    """An item of the same transaction may have written before: the database is always asked."""
    memo: Memo[str] = Memo()
    memo.add((), complete=False, version=0)
    return memo


def _runs(items: Sequence[Resolved]) -> list[list[Resolved]]:
    """Those that only add an episode go together; one with operations goes alone, after what came before it."""
    runs: list[list[Resolved]] = []
    for item in items:
        if runs and not item.proposal.operations and not runs[-1][-1].proposal.operations:
            runs[-1].append(item)
        else:
            runs.append([item])
    return runs
