"""A memory is archived through the guarded path: out of sight, not gone, and back again when that is undone."""

import pytest

from knowledge.database.connection import Database
from knowledge.errors import DataError
from knowledge.remember.approvals import Approvals
from knowledge.remember.overview import Overview
from knowledge.remember.proposal import Proposal
from knowledge.remember.verdict import Receipt
from knowledge.scope import Principal
from tests.knowledge.remember.test_replay import counters, drain, hashes, leads, live, redact, remember, replayed, status, undo
from tests.knowledge.remember.world import BOT, OWNER, PERSON, Office, lesson


def archiving(receipt: Receipt, *, namespace: str = "alpha", facts: str = "end", key: str = "") -> Proposal:
    told = {"op": "archive_episode", "episode": episode_of(receipt), "facts": facts}
    return Proposal.read({"name": "out of date", "episode_body": "", "group_id": namespace, "operations": [told], "idempotency_key": key})


def archive(office: Office, database: Database, receipt: Receipt, who: Principal = OWNER, **given: str) -> Receipt:
    made = office.inbox(who).submit(archiving(receipt, **given))
    drain(office, database)
    return made


def episode_of(receipt: Receipt) -> str:
    one = receipt.id
    return f"{one[:8]}-{one[8:12]}-{one[12:16]}-{one[16:20]}-{one[20:]}"


def in_sight(database: Database) -> list[str]:
    return [row["body"] for row in database.read("MATCH (e:Episodic) RETURN e.content AS body ORDER BY body")]


def test_what_is_archived_is_out_of_sight_with_what_only_it_told(office: Office, memory: Database) -> None:
    first = remember(office, memory, "Ada leads Alpha.", leads("Ada", "Alpha", "2020"))
    remember(office, memory, "Bo built Beta.", [{"op": "add_relation", "subject": "Bo", "relation": "built", "object": "Beta"}])
    made = archive(office, memory, first)
    assert status(office, made) == "applied" and status(office, first) == "applied"
    assert in_sight(memory) == ["Bo built Beta."] and [fact for fact, _, _ in live(memory)] == ["Bo Beta"]
    assert counters(memory) == (1, 1)
    overview = Overview(office.journal, office.registry, lambda: memory, PERSON)
    assert (overview.verify(first.id), overview.verify(made.id)) == ("archived", "unchanged")
    assert replayed(office, memory) == replayed(office, memory)


def test_undoing_brings_back_the_memory_and_its_facts(office: Office, memory: Database) -> None:
    first = remember(office, memory, "Ada leads Alpha.", leads("Ada", "Alpha", "2020"))
    before = live(memory), in_sight(memory), counters(memory)
    made = archive(office, memory, first)
    assert live(memory) == [] and counters(memory) == (0, 0)
    assert undo(office, memory, made) and status(office, made) == "undone"
    assert (live(memory), in_sight(memory), counters(memory)) == before
    once = hashes(memory)
    assert replayed(office, memory) == once
    assert archive(office, memory, first).repeated, "the same again is the same; another key asks anew"
    again = archive(office, memory, first, key="once more")
    assert again.id != made.id and status(office, again) == "applied" and live(memory) == []
    assert undo(office, memory, again) and (live(memory), in_sight(memory), counters(memory)) == before


def test_a_fact_that_another_tells_stands_and_is_surer_again_when_the_archived_is_back(office: Office, memory: Database) -> None:
    first = remember(office, memory, "Ada leads Alpha.", leads("Ada", "Alpha", "2020"))
    remember(office, memory, "Ada does lead Alpha.", leads("Ada", "Alpha", "2020"))
    made = archive(office, memory, first)
    assert live(memory) == [("Ada Alpha", 9999, 1)]
    assert undo(office, memory, made) and live(memory) == [("Ada Alpha", 9999, 2)]
    assert replayed(office, memory) == hashes(memory)


def test_a_fact_comes_back_with_the_archived_also_when_the_other_who_told_it_was_undone_meanwhile(office: Office, memory: Database) -> None:
    first = remember(office, memory, "Ada leads Alpha.", leads("Ada", "Alpha", "2020"))
    second = remember(office, memory, "Ada does lead Alpha.", leads("Ada", "Alpha", "2020"))
    made = archive(office, memory, first)
    assert undo(office, memory, second) and live(memory) == []
    assert undo(office, memory, made) and live(memory) == [("Ada Alpha", 9999, 1)] and counters(memory) == (1, 1)
    assert replayed(office, memory) == hashes(memory)


def test_archiving_who_ended_a_fact_lets_it_go_on_and_undoing_ends_it_again(office: Office, memory: Database) -> None:
    remember(office, memory, "Ada leads Alpha.", leads("Ada", "Alpha", "2020"))
    second = remember(office, memory, "Ada leads Beta.", leads("Ada", "Beta", "2023"))
    before = live(memory), counters(memory)
    made = archive(office, memory, second)
    assert live(memory) == [("Ada Alpha", 9999, 1)] and counters(memory) == (1, 1)
    assert undo(office, memory, made) and (live(memory), counters(memory)) == before
    assert replayed(office, memory) == hashes(memory)


def test_facts_can_be_kept_when_the_same_is_said_elsewhere(office: Office, memory: Database) -> None:
    first = remember(office, memory, "Ada leads Alpha.", leads("Ada", "Alpha", "2020"))
    made = archive(office, memory, first, facts="keep")
    assert in_sight(memory) == [] and [fact for fact, _, _ in live(memory)] == ["Ada Alpha"] and counters(memory) == (0, 1)
    assert undo(office, memory, made) and counters(memory) == (1, 1)


def test_a_memory_is_replaced_by_one_of_a_better_name_in_one_commit(office: Office, memory: Database) -> None:
    first = remember(office, memory, "Ada leads Alpha.", leads("Ada", "Alpha", "2020"))
    facts = leads("Ada", "Alpha", "2020")
    better = lesson(
        "Ada leads Alpha.",
        namespace="alpha",
        name="Fact: Alpha - who leads it",
        operations=[*facts, {"op": "archive_episode", "episode": episode_of(first)}],
        idempotency_key="rename",
    )
    before = live(memory), counters(memory)
    made = office.inbox(OWNER).submit(better)
    assert made.status == "accepted", made
    drain(office, memory)
    assert status(office, made) == "applied" and (live(memory), counters(memory)) == before
    assert memory.read("MATCH (e:Episodic) RETURN e.name AS name") == [{"name": "Fact: Alpha - who leads it"}]
    assert undo(office, memory, made) and (live(memory), counters(memory)) == before
    assert replayed(office, memory) == hashes(memory)


def test_what_is_not_there_cannot_be_archived(office: Office, memory: Database) -> None:
    first = remember(office, memory, "Ada leads Alpha.", leads("Ada", "Alpha", "2020"))
    archive(office, memory, first)
    once_more = office.inbox(OWNER).submit(archiving(first, facts="keep"))
    elsewhere = office.inbox(PERSON).submit(archiving(first, namespace="lessons"))
    drain(office, memory)
    for receipt in (once_more, elsewhere):
        found = office.inbox(PERSON).receipt(receipt.id)
        assert found and found.status == "rejected" and "no live memory" in found.why
    assert counters(memory) == (0, 0)


def test_only_who_decides_archives_what_others_wrote(office: Office, memory: Database) -> None:
    first = remember(office, memory, "Retry a deadlock with jitter.")
    made = office.inbox(BOT).submit(archiving(first, namespace="lessons"))
    assert made.status == "review" and made.verdict.code == "approval"
    [decision] = Approvals(office.journal, office.registry, PERSON).approve([made.id])
    assert decision.done
    drain(office, memory)
    assert status(office, made) == "applied" and in_sight(memory) == []


def test_a_full_namespace_can_be_cleaned(office: Office, memory: Database) -> None:
    told = [remember(office, memory, f"Ada leads {n}.", leads("Ada", str(n), f"20{n}")) for n in (10, 11, 12)]
    assert office.inbox(OWNER).submit(lesson("One more.", namespace="alpha")).verdict.code == "capacity"
    assert status(office, archive(office, memory, told[0])) == "applied"
    assert office.inbox(OWNER).submit(lesson("One more.", namespace="alpha")).status == "accepted"


def test_what_was_undone_does_not_come_back_with_what_was_archived(office: Office, memory: Database) -> None:
    first = remember(office, memory, "Ada leads Alpha.", leads("Ada", "Alpha", "2020"))
    made = archive(office, memory, first)
    assert undo(office, memory, first) and undo(office, memory, made)
    assert in_sight(memory) == [] and live(memory) == [] and counters(memory) == (0, 0)
    assert replayed(office, memory) == hashes(memory)


def test_an_archived_memory_can_be_redacted(office: Office, memory: Database) -> None:
    first = remember(office, memory, "Ada leads Alpha.", leads("Ada", "Alpha", "2020"))
    archive(office, memory, first)
    assert redact(office, memory, first)
    assert memory.read("MATCH (n) WHERE any(k IN keys(n) WHERE toStringOrNull(n[k]) CONTAINS 'Ada leads') RETURN count(n) AS n") == [
        {"n": 0}
    ]
    assert replayed(office, memory) == hashes(memory)


def test_nothing_is_remembered_or_archived_by_an_empty_text_alone() -> None:
    with pytest.raises(DataError, match="episode_body is empty"):
        lesson("", name="Lesson: a - b")
    with pytest.raises(DataError, match="episode_body is empty"):
        lesson("", name="Lesson: a - b", operations=leads("Ada", "Alpha", "2020"))


def test_what_is_archived_may_be_told_again_and_brought_back_it_may_not(office: Office, memory: Database) -> None:
    first = remember(office, memory, "Ada leads Alpha.", leads("Ada", "Alpha", "2020"))
    made = archive(office, memory, first)
    told = lesson("Ada leads Alpha.", namespace="alpha", operations=leads("Ada", "Alpha", "2020"))
    assert office.inbox(OWNER).preview([told])[0].outcome == "accept"
    assert undo(office, memory, made)
    assert office.inbox(OWNER).preview([told])[0].code == "duplicate"
