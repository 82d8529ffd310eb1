"""What comes in is judged once, kept before anyone is told, and never taken twice."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy import event, select

from knowledge.errors import JournalError
from knowledge.journal.journal import Journal
from knowledge.journal.tables import payloads
from knowledge.remember.proposal import Provenance
from tests.knowledge.remember.world import ALPHA, BOT, OWNER, Office, lesson, principal

Statement = tuple[str, tuple[object, ...]]


@contextmanager
def statements(journal: Journal) -> Iterator[list[Statement]]:
    seen: list[Statement] = []

    def note(_connection: object, _cursor: object, text: str, given: tuple[object, ...], *_rest: object) -> None:
        seen.append((text, given))

    event.listen(journal._engine, "before_cursor_execute", note)
    try:
        yield seen
    finally:
        event.remove(journal._engine, "before_cursor_execute", note)


def test_the_same_submission_has_one_receipt(office: Office) -> None:
    first = office.inbox().submit(lesson())
    again = office.inbox().submit(lesson())
    assert (again.id, again.repeated, again.status) == (first.id, True, "accepted")
    assert len(office.journal.events(kind="submitted")) == 1
    twice = office.inbox().submit_many([lesson("another one, sent twice")] * 2)
    assert twice[0].id == twice[1].id and twice[1].repeated


def test_a_key_belongs_to_one_caller_and_one_payload(office: Office) -> None:
    first = office.inbox().submit(lesson("first text of this key", idempotency_key="k"))
    other = office.inbox().submit(lesson("another text of this key", idempotency_key="k"))
    assert (other.verdict.code, other.status) == ("key", "invalid") and first.id in other.verdict.message
    stranger = office.inbox(principal("eve")).submit(lesson("another text of this key", idempotency_key="k"))
    assert stranger.status == "accepted" and stranger.id != first.id


def test_the_same_content_of_another_date_is_another_observation(office: Office) -> None:
    dated = [office.inbox().submit(lesson(valid_at=date)) for date in ("2024", "2025", "2024")]
    assert [receipt.status for receipt in dated] == ["accepted"] * 3 and dated[0].id == dated[2].id != dated[1].id


def test_the_same_content_under_another_name_is_a_duplicate(office: Office) -> None:
    first = office.inbox().submit(lesson())
    twin = office.inbox(OWNER).submit(lesson(name="Pattern: Retry - jitter"))
    assert twin.verdict.code == "duplicate" and first.id in twin.verdict.message


def test_a_refusal_is_recorded_without_the_text(office: Office) -> None:
    refused = office.inbox(provenance=Provenance(agent_id="scribe", tool="add_memory")).submit(
        lesson("my secret text", namespace="nowhere")
    )
    assert refused.status == "rejected" and office.inbox().receipt(refused.id) == refused
    [event] = office.journal.events(receipt=refused.id)
    assert event.about == {"outcome": "reject", "code": "unknown_namespace", "agent_id": "scribe", "tool": "add_memory"}
    with office.journal.reading() as connection:
        assert "my secret text" not in str(connection.execute(select(payloads)).all()).replace("Lesson: Neo4j - my secret text", "")


def test_a_receipt_is_shown_to_its_owner_and_to_who_may_read_the_namespace(office: Office) -> None:
    receipt = office.inbox(OWNER).submit(lesson(namespace="alpha"))
    assert office.inbox(principal("bot")).receipt(receipt.id) == receipt
    assert office.inbox(principal("eve", reads=frozenset({"lessons"}))).receipt(receipt.id) is None
    assert office.inbox().receipt("no such") is None


def test_at_the_limit_exactly_one_of_many_threads_gets_in(office: Office) -> None:
    office.inbox(OWNER).submit_many([lesson(f"filling up, number {i}", namespace="alpha") for i in range(ALPHA.size_limit.episodes - 1)])
    start, outcomes = threading.Barrier(8), []

    def one(number: int) -> None:
        start.wait()
        outcomes.append(office.inbox(OWNER).submit(lesson(f"the last place, number {number}", namespace="alpha")).status)

    threads = [threading.Thread(target=one, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == ["accepted"] + ["rejected"] * 7


def test_a_journal_that_cannot_be_written_accepts_nothing(tmp_path: Path) -> None:
    (tmp_path / "journal.sqlite").mkdir()
    with pytest.raises(JournalError, match="cannot be opened"):
        Journal.in_folder(tmp_path)


def test_the_file_of_a_journal_is_for_its_owner_alone(tmp_path: Path) -> None:
    Journal.in_folder(tmp_path).close()
    assert (tmp_path / "journal.sqlite").stat().st_mode & 0o077 == 0


def test_work_of_many_is_kept_in_the_order_of_its_coming(office: Office) -> None:
    receipts = office.inbox(BOT).submit_many([lesson(f"number {i} in this order") for i in range(20)])
    assert [event.receipt for event in office.journal.events(kind="submitted")] == [receipt.id for receipt in receipts]


def test_an_index_leads_a_submission_to_what_it_asks_for_however_much_is_held(tmp_path: Path) -> None:
    office = Office(tmp_path)
    with statements(office.journal) as seen:
        assert [made.status for made in office.inbox().submit_many([lesson(), lesson(namespace="guide")])] == ["accepted", "review"]
    asked = [one for one in seen if one[0].startswith("SELECT") and "FROM work" in one[0]]
    with office.journal.reading() as connection:
        plans = [str(row[-1]) for text, given in asked for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {text}", given)]
    held = [plan for plan in plans if " work " in f"{plan} "]
    assert len(held) == 4 and all(plan.startswith("SEARCH") and "namespace=?" in plan for plan in held)


def test_a_submission_is_one_transaction_of_few_statements(tmp_path: Path) -> None:
    office = Office(tmp_path)
    office.inbox().submit(lesson("The first one makes the head of the chain."))
    with statements(office.journal) as seen:
        office.inbox().submit(lesson())
    assert [text for text, _ in seen if text.startswith("BEGIN")] == ["BEGIN IMMEDIATE"] and len(seen) <= 12
