"""Whatever is done to the file behind the journal's back is found, and named."""

from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from knowledge.journal.journal import Entry, Journal
from knowledge.journal.verify import verify
from tests.knowledge.remember.world import Office, lesson

COLUMNS = ("event_id", "at", "kind", "receipt", "namespace", "principal", "about", "payload", "previous", "hash")


@pytest.fixture(autouse=True)
def six_events(office: Office) -> None:
    office.inbox().submit_many([lesson(f"number {i} of the lessons") for i in range(6)])
    assert verify(office.journal) == []


def tampered(office: Office, *statements: str) -> dict[int, str]:
    """What is said of each event once the statements have run on the tables themselves."""
    engine = create_engine(office.journal.url)
    with engine.begin() as connection:
        for statement in statements:
            assert connection.execute(text(statement.replace(":", "\\:"))).rowcount
    engine.dispose()
    return {fault.seq: fault.what for fault in reversed(verify(office.journal))}


@pytest.mark.parametrize("column", COLUMNS)
def test_a_changed_field_is_found(office: Office, column: str) -> None:
    value = '\'{"code": "other"}\'' if column == "about" else f"'x' || substr({column}, 2)"
    assert 3 in tampered(office, f"UPDATE events SET {column} = {value} WHERE seq = 3")


def test_a_changed_field_with_its_hash_made_anew_breaks_the_chain(office: Office) -> None:
    assert "does not follow" in tampered(office, f"UPDATE events SET hash = '{'0' * 64}' WHERE seq = 3")[4]


def test_a_removed_event_is_found(office: Office) -> None:
    assert tampered(office, "DELETE FROM events WHERE seq = 3")[4] == "event 3 is missing before it"


def test_a_removed_event_is_found_where_the_later_ones_moved_up(office: Office) -> None:
    moved = "UPDATE events SET seq = seq - 1 WHERE seq > 3"
    assert {3, 4, 5, 6} <= set(tampered(office, "DELETE FROM events WHERE seq = 3", moved, "UPDATE head SET seq = seq - 1"))


def test_events_in_another_order_are_found(office: Office) -> None:
    swap = [f"UPDATE events SET seq = {new} WHERE seq = {old}" for old, new in ((3, 99), (4, 3), (99, 4))]
    assert {3, 4} <= set(tampered(office, *swap))


def test_a_tail_that_was_cut_off_is_found(office: Office) -> None:
    assert "cut off: events 5 to 6 are missing" in tampered(office, "DELETE FROM events WHERE seq > 4")[6]


def test_a_tail_that_was_cut_off_is_found_after_more_was_written(office: Office) -> None:
    tampered(office, "DELETE FROM events WHERE seq > 4")
    with office.journal.writing() as writing:
        writing.append([Entry("expired")])
    assert "events 5 to 6 are missing" in {fault.seq: fault.what for fault in verify(office.journal)}[7]


def test_a_tail_that_was_cut_off_together_with_the_record_of_the_end_is_found(office: Office) -> None:
    told = tampered(
        office, "DELETE FROM events WHERE seq > 4", "UPDATE head SET (seq, hash) = (SELECT seq, hash FROM events WHERE seq = 4)"
    )
    assert "is not where it was" in told[5] and "is not where it was" in told[6]
    tampered(office, "DELETE FROM work WHERE seq > 4")
    assert {"a key leads", "no event te"} <= {fault.what[:11] for fault in verify(office.journal)}


def test_a_cut_is_found_by_what_the_database_knows(office: Office) -> None:
    [*_, last] = office.journal.events()
    assert verify(office.journal, [last.event_id]) == []
    assert "knows of event" in verify(office.journal, ["another"])[0].what


def test_a_record_of_the_end_that_is_gone_is_missed(office: Office) -> None:
    assert "record of the last event is gone" in tampered(office, "DELETE FROM head")[6]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ("UPDATE payloads SET body = replace(body, 'number 2', 'number 7')", "was changed"),
        ("UPDATE payloads SET salt = 'another'", "was changed"),
        ("UPDATE payloads SET body = NULL", "is gone, and no event redacted it"),
        ("DELETE FROM payloads", "is gone, and no event redacted it"),
    ],
)
def test_a_text_that_is_not_what_was_promised_is_found(office: Office, change: str, told: str) -> None:
    [third] = [event for event in office.journal.events() if event.seq == 3]
    faults = tampered(office, f"{change} WHERE hash = '{third.payload}'")
    assert list(faults) == [3] and told in faults[3]


def test_a_text_whose_redaction_was_recorded_is_no_fault(office: Office) -> None:
    [third] = [event for event in office.journal.events() if event.seq == 3]
    with office.journal.writing() as writing:
        writing.append([Entry("redacted", about={"payloads": [third.payload]})])
    assert tampered(office, f"UPDATE payloads SET body = NULL, salt = NULL WHERE hash = '{third.payload}'") == {}


def test_an_empty_journal_has_no_fault(tmp_path: Path) -> None:
    journal = Journal.in_folder(tmp_path / "empty")
    assert verify(journal) == []
    journal.close()
