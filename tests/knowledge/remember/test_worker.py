"""From accepted to applied, against a real database."""

from dataclasses import replace
from pathlib import Path

import pytest

from knowledge.database.connection import Database
from knowledge.loading.loader import load
from knowledge.registry.contract import SizeLimit
from knowledge.remember.worker import Worker
from tests.knowledge.remember.world import ALPHA, BOT, OWNER, Office, lesson


def worker(office: Office, database: Database) -> Worker:
    return Worker(office.journal, office.registry, lambda: database)


def test_an_accepted_memory_is_written_once_and_its_receipt_says_so(office: Office, database: Database) -> None:
    inbox = office.inbox()
    receipt = inbox.submit(lesson())
    assert (receipt.status, receipt.verdict.outcome) == ("accepted", "accept")
    assert worker(office, database).drain() == 1
    assert inbox.receipt(receipt.id).status == "applied"
    again = inbox.submit(lesson())
    assert again.repeated and again.id == receipt.id and again.status == "applied"
    assert worker(office, database).drain() == 0
    rows = database.read("MATCH (e:Episodic) RETURN e.uuid AS uuid, e.name AS name, e.content AS body, e.type AS type, e.principal AS who")
    assert [(row["type"], row["who"]) for row in rows] == [("Lesson", "bot")]
    assert rows[0]["body"] == lesson().episode_body and rows[0]["uuid"].replace("-", "") == receipt.id
    kinds = [event.kind for event in office.journal.events(receipt=receipt.id)]
    assert kinds == ["submitted", "resolved", "applied"]


def test_operations_become_entities_and_dated_facts_with_their_source(office: Office, database: Database) -> None:
    inbox = office.inbox(OWNER)
    told = [
        {"op": "add_entity", "name": "Ada", "kind": "person", "properties": {"role": "engineer"}},
        {"op": "add_relation", "subject": "Ada", "relation": "leads", "object": "Alpha", "valid_from": "2020"},
    ]
    receipt = inbox.submit(lesson("Ada has led Alpha since 2020.", namespace="alpha", operations=told))
    assert worker(office, database).drain() == 1, inbox.receipt(receipt.id)
    later = [{"op": "add_relation", "subject": "Ben", "relation": "leads", "object": "Alpha", "valid_from": "2023"}]
    inbox.submit(lesson("Ben leads Alpha.", namespace="alpha", operations=later))
    worker(office, database).drain()
    facts = database.read("MATCH (a)-[r:RELATES_TO]->(b) RETURN a.name AS a, b.name AS b, r.episodes AS episodes, r.receipt AS receipt")
    assert {(f["a"], f["b"], len(f["episodes"])) for f in facts} == {("Ada", "Alpha", 1), ("Ben", "Alpha", 1)}
    mentioned = database.read("MATCH (e:Episodic)-[:MENTIONS]->(n) WITH e, collect(n.name) AS names RETURN names ORDER BY e.created_at")
    assert [sorted(row["names"]) for row in mentioned] == [["Ada", "Alpha"], ["Alpha", "Ben"]]


def test_a_conflict_stops_the_whole_proposal_and_nothing_else(office: Office, database: Database) -> None:
    inbox = office.inbox(OWNER)
    bad = inbox.submit(
        lesson("x" * 30, namespace="alpha", operations=[{"op": "update_property", "entity": "Nobody", "property": "a", "value": 1}])
    )
    good = inbox.submit(lesson("y" * 30, namespace="alpha"))
    worker(office, database).drain()
    assert inbox.receipt(bad.id).status == "rejected" and "Nobody is not recorded" in inbox.receipt(bad.id).why
    assert inbox.receipt(good.id).status == "applied"
    assert database.read("MATCH (e:Episodic) RETURN count(*) AS n") == [{"n": 1}]


def test_capacity_is_checked_in_the_commit_whatever_was_promised(office: Office, database: Database) -> None:
    inbox = office.inbox(OWNER)
    receipts = [inbox.submit(lesson(f"number {i} of the lessons", namespace="alpha")) for i in range(4)]
    assert [r.status for r in receipts] == ["accepted"] * 3 + ["rejected"]
    assert receipts[3].verdict.suggestion == "lessons"
    office.contracts = {**office.contracts, "alpha": replace(ALPHA, size_limit=SizeLimit(episodes=2))}
    worker(office, database).drain()
    assert [inbox.receipt(r.id).status for r in receipts[:3]] == ["applied", "applied", "rejected"]
    assert database.read("MATCH (e:Episodic) RETURN count(*) AS n") == [{"n": 2}]
    assert office.inbox(BOT).submit(lesson("one more lesson", namespace="alpha")).verdict.code == "capacity"


def test_several_memories_of_one_batch_may_tell_and_end_the_same_fact(office: Office, memory: Database) -> None:
    office.contracts = {**office.contracts, "alpha": replace(ALPHA, size_limit=SizeLimit(episodes=10))}
    told = {"op": "add_relation", "subject": "Ada", "relation": "knows", "object": "Ben", "valid_from": "2020"}
    proposals = [
        lesson(f"Ada knows Ben, told for the time {i}.", namespace="alpha", operations=[told | ({"valid_to": until} if until else {})])
        for i, until in enumerate(("", "", "2024", "2025", "2026"))
    ]
    receipts = office.inbox(OWNER).submit_many(proposals)
    assert worker(office, memory).drain() == 5
    assert {office.inbox(OWNER).receipt(receipt.id).status for receipt in receipts} == {"applied"}
    versions = memory.read(
        "MATCH ()-[r:RELATES_TO]->() RETURN r.valid_to.year AS until, r.known_from < r.known_to AS was ORDER BY r.known_from"
    )
    assert [(row["until"], row["was"]) for row in versions] == [(9999, True), (2025, True), (2026, True), (2027, True)]


def test_what_was_written_is_told_as_written_although_its_namespace_is_gone(office: Office, memory: Database) -> None:
    def gone(point: str) -> None:
        if point == "committed":
            office.contracts = {}
            raise KeyboardInterrupt

    receipt = office.inbox().submit(lesson())
    with pytest.raises(KeyboardInterrupt):
        Worker(office.journal, office.registry, lambda: memory, gone, lease_seconds=0.0).once()
    worker(office, memory).drain()
    assert office.inbox().receipt(receipt.id).status == "applied"


def test_what_was_loaded_in_between_counts_against_the_limits(office: Office, database: Database, tmp_path: Path) -> None:
    relation = {"op": "add_relation", "subject": "Ada", "relation": "knows", "object": "Ben"}
    office.inbox(OWNER).submit(lesson("Ada knows Ben.", namespace="alpha", operations=[relation]))
    Worker(office.journal, office.registry, lambda: database).drain()
    (tmp_path / "more.tsv").write_text("".join(f"a{i}\tknows\tb{i}\n" for i in range(4)))
    load(database, [tmp_path / "more.tsv"], "alpha")
    made = office.inbox(OWNER).submit(lesson("Ada knows Cid.", namespace="alpha", operations=[{**relation, "object": "Cid"}]))
    Worker(office.journal, office.registry, lambda: database).drain()
    found = office.inbox(OWNER).receipt(made.id)
    assert found and found.status == "rejected" and "5 of 5 facts" in found.why
