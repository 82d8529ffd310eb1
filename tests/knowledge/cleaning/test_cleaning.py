"""A cluttered memory of 97 episodes is audited, planned, cleaned through the guarded path, and put back as it was."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from knowledge.adoption.adopt import Adoption
from knowledge.cleaning.audit import Audit, audit, planned
from knowledge.cleaning.cleaner import Cleaner, Outcome, counts
from knowledge.cleaning.faults import Inspector
from knowledge.cleaning.memories import Memories
from knowledge.cleaning.plan import Archive, Delegate, Keep, Merge, Move, Plan, new, read, write
from knowledge.database.connection import Database
from knowledge.errors import ConfigError, DataError, ScopeError
from knowledge.loading.canonical import believed_hash, canonical_hash
from knowledge.registry.contract import SizeLimit
from knowledge.registry.file import read_registry
from knowledge.remember.approvals import Approvals
from knowledge.remember.delegations import Delegations
from knowledge.remember.proposal import Proposal, Provenance
from knowledge.remember.replay import replay
from knowledge.remember.undo import Undo
from knowledge.remember.worker import Worker
from knowledge.scope import EVERY_NAMESPACE, Scope
from tests.knowledge.cleaning.cluttered import SPACE, clutter, notes
from tests.knowledge.remember.world import Office, principal

REGISTRY = read_registry(Path(__file__).parents[3] / "docs" / "NAMESPACE_REGISTRY.yaml")
SPACES = frozenset(REGISTRY.contracts)
SWEEPER = principal("sweeper", reads=SPACES, writes=SPACES)
ANN = principal("ann", "person", reads=SPACES, writes=frozenset({EVERY_NAMESPACE}))
NOW = datetime(2026, 11, 30, tzinfo=UTC)


@pytest.fixture
def office(tmp_path: Path) -> Iterator[Office]:
    made = Office(tmp_path, contracts=REGISTRY.contracts)
    made.clock.pass_(days=300)  # type: ignore[attr-defined]
    yield made
    made.journal.close()


@pytest.fixture
def cluttered(database: Database) -> Database:
    clutter(database)
    return database


def look(database: Database) -> Audit:
    return audit(Memories(database, Scope(SPACES)), Inspector(REGISTRY, sorted(SPACES), NOW))


def cleaner(office: Office, database: Database, plan: Plan, receipts: dict[str, list[str]] | None = None) -> Cleaner:
    worker = Worker(office.journal, office.registry, lambda: database)
    return Cleaner(
        plan,
        Memories(database, Scope(SPACES)),
        office.inbox(SWEEPER, provenance=Provenance(run_id=plan.id)),
        worker.drain,
        receipts if receipts is not None else {},
    )


def clean(office: Office, made: Cleaner) -> list[Outcome]:
    """Until nothing moves: the sweeper proposes, Ann approves."""
    delegations, approvals = Delegations(office.journal, office.registry, SWEEPER), Approvals(office.journal, office.registry, ANN)
    while True:
        outcomes = made.clean(delegations)
        waiting = [one.receipt for one in approvals.waiting()]
        if not waiting:
            return outcomes
        approvals.approve(waiting)
        made.apply()


def decided(audit: Audit) -> Plan:
    """As a person edits it: what has no name is archived, two get a name, the near copies and what no type fits go."""
    renamed = {
        "Lesson about retries": ("technical_patterns", "Lesson: Retries - limit them"),
        "draft": (SPACE, "Getting Started: Guide - first draft"),
    }
    actions = []
    for action in planned(audit):
        if isinstance(action, Keep) and action.name in renamed:
            to, name = renamed[action.name]
            actions.append(Move.model_validate({**action.model_dump(by_alias=True), "do": "move", "to": to, "rename": name}))
        elif isinstance(action, Keep) or (isinstance(action, Move) and "nearly the same" in action.why):
            about = {"memory": action.memory, "from": action.from_, "name": action.name, "why": action.why}
            actions.append(Archive.model_validate(about))
        else:
            actions.append(action)
    return new(actions)


def held(database: Database) -> dict[str, int]:
    rows = database.read("MATCH (e:Episodic) RETURN e.group_id AS space, count(*) AS n ORDER BY space")
    return {row["space"]: row["n"] for row in rows}


def test_the_audit_finds_every_kind_of_fault_in_a_database_that_it_only_reads(cluttered: Database) -> None:
    found = look(cluttered)
    assert len(notes()) == 97 and found.held == {SPACE: 97}
    assert found.counts() == {
        "misplaced": 26 + 10 + 9 + 6 + 5 + 9, "duplicated": 14 + 3, "unnamed": 15, "unowned": 0, "over_limit": 1, "orphaned": 2, "stale": 0,
    }  # fmt: skip
    assert {fault.to for fault in found.faults if fault.kind == "misplaced"} == {
        "technical_patterns", "session_reflections", "graphiti_reference_docs", ""
    }  # fmt: skip
    assert sorted(fault.name for fault in found.faults if fault.kind == "orphaned") == ["Alone", "Nobody said Something"]
    assert not cluttered.read("MATCH (n) WHERE any(label IN labels(n) WHERE label STARTS WITH 'Gavel') RETURN n")


def test_of_a_namespace_that_is_too_full_the_plan_names_as_many_as_must_go(cluttered: Database) -> None:
    actions = planned(look(cluttered))
    leaving = [one for one in actions if isinstance(one, Merge | Archive) or (isinstance(one, Move) and one.to != SPACE)]
    named = [one for one in actions if isinstance(one, Keep) and f"{SPACE} is over its limit" in one.why]
    assert 97 - len(leaving) - len(named) == REGISTRY.contracts[SPACE].size_limit.episodes


def test_cleaned_it_fits_its_contract_and_undone_it_is_as_before(cluttered: Database, office: Office) -> None:
    Adoption(cluttered, lambda: NOW).adopt("ann")
    before = {space: believed_hash(cluttered, space) for space in SPACES}
    plan = decided(look(cluttered))
    made = cleaner(office, cluttered, plan)
    would = made.preview()
    assert {space: believed_hash(cluttered, space) for space in SPACES} == before and not made.inbox.journal.events(kind="submitted")
    assert counts(would) == {"would": len(plan.actions)}, [one for one in would if one.state != "would"]
    outcomes = clean(office, made)
    assert counts(outcomes) == {"done": len(plan.actions)}, [one for one in outcomes if one.state != "done"]
    assert held(cluttered) == {SPACE: 13, "graphiti_reference_docs": 9, "session_reflections": 10, "technical_patterns": 30}
    left = look(cluttered).counts()
    assert {kind: n for kind, n in left.items() if n} == {"orphaned": 2 + _lone(cluttered)}
    after = {space: believed_hash(cluttered, space) for space in SPACES}
    assert all(after[space] != before[space] for space in SPACES)
    assert counts(clean(office, made)) == {"done": len(plan.actions)} and after == {
        space: believed_hash(cluttered, space) for space in SPACES
    }
    undone = replace(made, inbox=office.inbox(ANN, provenance=Provenance(run_id=plan.id))).undo(Undo(office.journal, office.registry, ANN))
    assert counts(undone) == {"undone": len(plan.actions)}
    assert believed_hash(cluttered, SPACE) == before[SPACE] and held(cluttered) == {SPACE: 97}


def _lone(database: Database) -> int:
    """Entities whose only memory was archived."""
    rows = database.read(
        "MATCH (n:Entity) WHERE n.group_id = $space AND n.name <> 'Alone' AND NOT EXISTS { (n)-[r:RELATES_TO]-() WHERE r.known_to.year = 9999 } "
        "AND NOT EXISTS { (:Episodic)-[:MENTIONS]->(n) } RETURN count(*) AS n",
        {"space": SPACE},
    )
    return int(rows[0]["n"])


def test_facts_move_with_the_memory_that_tells_them(cluttered: Database, office: Office) -> None:
    Adoption(cluttered, lambda: NOW).adopt("ann")
    clean(office, cleaner(office, cluttered, decided(look(cluttered))))
    live = "MATCH (a)-[r:RELATES_TO]->(b) WHERE r.known_to.year = 9999 RETURN r.group_id AS space, r.fact AS fact, toString(r.valid_from) AS since ORDER BY fact"
    found = {row["fact"]: (row["space"], row["since"][:10]) for row in cluttered.read(live)}
    assert found == {
        "Agents repeat Lessons": ("session_reflections", "2025-05-05"),
        "Batching speeds up Neo4j": ("technical_patterns", "0001-01-01"),
        "Begin Immediate prevents Deadlock": ("technical_patterns", "0001-01-01"),
        "Jitter prevents Deadlock": ("technical_patterns", "0001-01-01"),
        "Nobody said Something": (SPACE, "0001-01-01"),
    }, "what only archived memories told has ended"


def test_an_agent_proposes_and_nothing_happens_until_a_person_approves(cluttered: Database, office: Office) -> None:
    Adoption(cluttered, lambda: NOW).adopt("ann")
    plan = new([action for action in decided(look(cluttered)).actions if isinstance(action, Move)][:3])
    made = cleaner(office, cluttered, plan)
    for _ in range(2):
        outcomes = made.clean(Delegations(office.journal, office.registry, SWEEPER))
        assert {one.state for one in outcomes} == {"waits"} and all("waits for approval" in one.said[0] for one in outcomes)
    assert held(cluttered)[SPACE] == 97
    Approvals(office.journal, office.registry, ANN).reject(
        [one.receipt for one in Approvals(office.journal, office.registry, ANN).waiting()], "no"
    )
    outcomes = made.clean(Delegations(office.journal, office.registry, SWEEPER))
    assert {one.state for one in outcomes} == {"refused"} and held(cluttered)[SPACE] == 97


def test_what_is_gone_or_refused_is_told_and_holds_up_nothing_else(cluttered: Database, office: Office) -> None:
    Adoption(cluttered, lambda: NOW).adopt("ann")
    moves = [action for action in planned(look(cluttered)) if isinstance(action, Move) and action.to == "technical_patterns"]
    first, second, third = moves[:3]
    cluttered.write("MATCH (e:Episodic {uuid: $u}) DETACH DELETE e", {"u": first.memory})
    elsewhere = second.model_copy(update={"to": "no_such_place"})
    outcomes = clean(office, cleaner(office, cluttered, new([first, elsewhere, third])))
    assert [one.state for one in outcomes] == ["refused", "refused", "done"]
    assert "no live memory" in outcomes[0].said[0] and "not registered" in outcomes[1].said[0]


def test_a_lost_record_of_the_run_does_nothing_twice(cluttered: Database, office: Office) -> None:
    Adoption(cluttered, lambda: NOW).adopt("ann")
    plan = new([action for action in planned(look(cluttered)) if isinstance(action, Move) and action.to == "technical_patterns"][:2])
    clean(office, cleaner(office, cluttered, plan))
    after, events = canonical_hash(cluttered, "technical_patterns"), len(office.journal.events(kind="submitted"))
    clean(office, cleaner(office, cluttered, plan))
    assert canonical_hash(cluttered, "technical_patterns") == after and len(office.journal.events(kind="submitted")) == events


def test_an_owner_lets_another_clean(cluttered: Database, office: Office) -> None:
    action = Delegate(namespace="technical_patterns", to="helper", uses=5, hours=2)
    made = cleaner(office, cluttered, new([action]))
    assert made.preview()[0].said == ["helper may write into technical_patterns 5 times in 2 hours"]
    assert made.clean(Delegations(office.journal, office.registry, SWEEPER))[0].state == "refused", "an agent decides about nothing"
    made = cleaner(office, cluttered, new([action]))
    outcome = made.clean(Delegations(office.journal, office.registry, ANN))[0]
    assert outcome.state == "done" and made.clean(Delegations(office.journal, office.registry, ANN))[0].receipts == outcome.receipts


def test_a_replay_tells_the_cleaning_of_what_was_remembered(database: Database, office: Office) -> None:
    told = [("Pattern: A - b", "graphiti_meta_knowledge"), ("Procedure: C - d", "graphiti_meta_knowledge")]
    office.contracts = {**REGISTRY.contracts, SPACE: replace(REGISTRY.contracts[SPACE], allowed_types=("Pattern", "Procedure"))}
    for name, space in told:
        office.inbox(SWEEPER).submit(Proposal.read({"name": name, "episode_body": f"the body of {name}", "group_id": space}))
    approvals = Approvals(office.journal, office.registry, ANN)
    approvals.approve([one.receipt for one in approvals.waiting()])
    Worker(office.journal, office.registry, lambda: database).drain()
    office.contracts = REGISTRY.contracts
    outcomes = clean(office, cleaner(office, database, new(planned(look(database)))))
    assert [one.state for one in outcomes] == ["done"]
    before = {space: canonical_hash(database, space) for space in SPACES}
    database.write("MATCH (n) WHERE NOT n:GavelSchema DETACH DELETE n")
    replay(office.journal, database)
    assert {space: canonical_hash(database, space) for space in SPACES} == before


def test_a_plan_is_a_file_that_is_read_as_it_was_written_and_never_overwritten(cluttered: Database, tmp_path: Path) -> None:
    plan, file = decided(look(cluttered)), tmp_path / "plan.yaml"
    write(plan, file)
    assert read(file) == plan
    with pytest.raises(ConfigError, match="there already"):
        write(plan, file)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("id: abcdefgh\nactions:\n- do: burn\n  memory: x\n  from: y\n", "action 1.*'burn'"),
        (
            "id: abcdefgh\nactions:\n- {do: keep, memory: x, from: y}\n- {do: move, memory: z, from: y}\n",
            "action 2 move to: Field required",
        ),
        (
            "id: abcdefgh\nactions:\n- {do: keep, memory: x, from: y}\n- {do: archive, memory: x, from: y}\n",
            "action 2 is about x once more",
        ),
        (
            "id: abcdefgh\nactions:\n- {do: archive, memory: x, from: y}\n- {do: merge, memory: z, from: y, into: x}\n",
            "action 2 merges into x",
        ),
        ("- 1\n", "holds no plan"),
        ("id: [", "cannot be read"),
        ("id: a/../b\n", "id: "),
    ],
)
def test_a_plan_that_cannot_be_used_says_where(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "plan.yaml"
    file.write_text(text)
    with pytest.raises(ConfigError, match=message):
        read(file)


def test_nobody_audits_what_they_may_not_read(cluttered: Database) -> None:
    nothing = Memories(cluttered, Scope(frozenset({"technical_patterns"})))
    assert audit(nothing, Inspector(REGISTRY, ["technical_patterns"], NOW)).held == {}
    with pytest.raises(ScopeError, match="no namespace 'graphiti_meta_knowledge' that you may read"):
        audit(nothing, Inspector(REGISTRY, ["technical_patterns"], NOW), [SPACE])


def test_what_is_older_than_its_namespace_keeps_it_is_archived_with_its_copies(cluttered: Database) -> None:
    kept = {**REGISTRY.contracts, SPACE: replace(REGISTRY.contracts[SPACE], retention_days=30)}
    registry = replace(REGISTRY, contracts=kept)
    found = audit(Memories(cluttered, Scope(SPACES)), Inspector(registry, sorted(SPACES), NOW))
    assert found.counts()["stale"] == 97
    plan = planned(found)
    assert {action.do for action in plan} == {"archive"} and len(plan) == 97


def test_a_namespace_that_nobody_owns_or_that_is_an_agents_is_told(cluttered: Database) -> None:
    cluttered.write("MATCH (n) WHERE n.group_id = $space SET n.group_id = 'claude_desktop_memories'", {"space": SPACE})
    seen = Memories(cluttered, Scope(frozenset({"claude_desktop_memories"})))
    unowned = [fault.why for fault in audit(seen, Inspector(REGISTRY, sorted(SPACES), NOW)).faults if fault.kind == "unowned"]
    assert len(unowned) == 1 and "claude" in unowned[0]
    owned = {
        **REGISTRY.contracts,
        "claude_desktop_memories": replace(REGISTRY.contracts[SPACE], id="claude_desktop_memories", owner="mara"),
    }
    inspector = Inspector(replace(REGISTRY, contracts=owned), sorted(SPACES), NOW, frozenset({"ann"}))
    assert [f.why for f in audit(seen, inspector).faults if f.kind == "unowned"] == ["its owner mara is no principal"]


def test_a_memory_is_not_merged_into_one_that_is_not_there(office: Office, cluttered: Database) -> None:
    memory = look(cluttered).memories[0]
    about = {"memory": memory.uuid, "from": memory.namespace, "into": "nowhere"}
    made = cleaner(office, cluttered, new([Merge.model_validate(about)]))
    for outcomes in (made.preview(), clean(office, made)):
        assert [(one.state, list(one.receipts)) for one in outcomes] == [("refused", [])] and "no live memory nowhere" in outcomes[0].said[
            0
        ]
    assert memory.uuid in {one.uuid for one in look(cluttered).memories}


@pytest.mark.parametrize("operation", ["add_relation", "invalidate_relation"])
def test_a_fact_whose_source_is_gone_is_told_again_or_ended_by_a_memory(cluttered: Database, office: Office, operation: str) -> None:
    Adoption(cluttered, lambda: NOW).adopt("ann")
    said = {"op": operation, "subject": "Nobody", "relation": "said", "object": "Something"}
    told = {"name": "Procedure: Nobody - what was said", "episode_body": "It was looked up.", "group_id": SPACE, "operations": [said]}
    office.contracts = {**REGISTRY.contracts, SPACE: replace(REGISTRY.contracts[SPACE], size_limit=SizeLimit())}
    office.inbox(SWEEPER).submit(Proposal.read(told))
    approvals = Approvals(office.journal, office.registry, ANN)
    assert approvals.approve([one.receipt for one in approvals.waiting()])[0].done
    assert Worker(office.journal, office.registry, lambda: cluttered).drain() == 1
    orphaned = {fault.name: fault.why for fault in look(cluttered).faults if fault.kind == "orphaned"}
    assert orphaned == {"Alone": "no fact and no memory tells of this entity"}


def test_receipts_that_the_plan_never_proposed_are_not_undone(office: Office, cluttered: Database) -> None:
    Adoption(cluttered, lambda: NOW).adopt("ann")
    plan = decided(look(cluttered))
    taking = next(action for action in plan.actions if isinstance(action, Move))
    told = {
        "name": "Pattern: Files - not of this plan",
        "episode_body": "It stays.",
        "group_id": "technical_patterns",
        "source_description": "a run",
    }
    foreign = office.inbox(SWEEPER).submit(Proposal.read(told))
    made = cleaner(office, cluttered, plan, {taking.memory: [foreign.id]})
    made.apply()
    with pytest.raises(DataError, match=f"the plan never proposed {foreign.id}"):
        made.undo(Undo(office.journal, office.registry, ANN))
    assert made.inbox.receipt(foreign.id).status == "applied"  # type: ignore[union-attr]


def test_what_was_begun_by_another_is_not_told_as_done_to_who_may_not_see_it(office: Office, cluttered: Database) -> None:
    Adoption(cluttered, lambda: NOW).adopt("ann")
    plan = decided(look(cluttered))
    made = cleaner(office, cluttered, plan)
    clean(office, made)
    stranger = principal("stranger", reads=frozenset(), writes=frozenset())
    provenance = Provenance(run_id=plan.id)
    seen = replace(made, inbox=office.inbox(stranger, provenance=provenance), memories=Memories(cluttered, Scope(frozenset())))
    outcomes = seen.clean(Delegations(office.journal, office.registry, stranger))
    taken = [outcome for outcome in outcomes if not isinstance(outcome.action, Keep | Delegate)]
    assert taken and {outcome.state for outcome in taken} == {"refused"}
    assert all("not for you to know" in outcome.said[0] for outcome in taken)
