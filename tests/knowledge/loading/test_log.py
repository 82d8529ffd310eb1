"""A load is told to the journal batch by batch, before each is written: what the journal promises and what the database holds agree."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from knowledge.database.connection import Database
from knowledge.database.embedded import Running
from knowledge.journal.journal import Event, Journal
from knowledge.journal.verify import verify
from knowledge.loading.canonical import canonical_hash
from knowledge.loading.lines import content_hash
from knowledge.loading.loader import load
from knowledge.loading.log import BatchTold, LoadLog, OpenLoad
from knowledge.profile.profile import Shape
from knowledge.progress import Step
from tests.knowledge.loading.test_interruptions import empty, kill_after, start, triples


@pytest.fixture
def journal(journal_url: str) -> Iterator[Journal]:
    made = Journal(journal_url)
    yield made
    made.close()


def told(journal: Journal) -> list[Event]:
    return journal.events(kind="loaded")


def audited(database: Database) -> set[str]:
    return {row["id"] for row in database.read("MATCH (a:GavelAudit {kind: 'loaded'}) RETURN a.event_id AS id")}


def check(journal: Journal, database: Database, rows: int) -> None:
    """Every row was told of once, and what was told of is there."""
    spans = sorted((int(str(event.about["from"])), int(str(event.about["to"]))) for event in told(journal))
    covered = [row for first, last in spans for row in range(first, last + 1)]
    assert covered == list(range(1, rows + 1))
    assert audited(database) == {event.event_id for event in told(journal)} and verify(journal, audited(database)) == []


@pytest.mark.parametrize("shape", ["memory", "native"])
def test_every_batch_is_an_event_that_identifies_what_was_loaded(
    database: Database, journal: Journal, tmp_path: Path, shape: Shape
) -> None:
    files = [triples(tmp_path / "a.tsv", 1200), triples(tmp_path / "b.tsv", 30)]
    report = load(database, files, "ns", shape, log=LoadLog(journal, "ann"))
    check(journal, database, 1230)
    assert [(event.principal, event.namespace, event.about["rows"], event.about["file"]) for event in told(journal)] == [
        ("ann", "ns", rows, content_hash(files[file])) for rows, file in ((1000, 0), (200, 0), (30, 1))
    ]
    assert {event.about["kept"] for event in told(journal)} == {"hash"} and len({event.about["digest"] for event in told(journal)}) == 3
    [ended] = journal.events(kind="load_ended")
    assert (ended.about["facts"], ended.about["version"], ended.receipt) == (report.facts, report.version, told(journal)[0].receipt)
    assert "person" not in str(journal.events())


def test_a_row_that_is_rejected_is_counted_and_one_that_differs_changes_the_digest(
    memory: Database, journal: Journal, tmp_path: Path
) -> None:
    digests = []
    for name, text in (("a.tsv", "Ada\tknows\tBen\nAda\n"), ("b.tsv", "Ada\tknows\tCleo\nAda\n")):
        (tmp_path / name).write_text(text)
        load(memory, [tmp_path / name], "ns", on_error="skip", rejects=tmp_path / "rejects", log=LoadLog(journal, "ann"))
        last = told(journal)[-1].about
        assert (last["from"], last["to"], last["rows"], last["rejected"]) == (1, 2, 1, 1)
        digests.append(last["digest"])
    assert len(set(digests)) == 2


@dataclass(frozen=True)
class Failing(LoadLog):
    """Ends the load right after the journal was told of the nth batch."""

    nth: int = 1

    def open(self, load: str, namespace: str, shape: str) -> OpenLoad:
        whole, opened, left = self, super().open(load, namespace, shape), [self.nth]

        class Ending(OpenLoad):
            def batch(self, told: BatchTold) -> str:
                event = opened.batch(told)
                left[0] -= 1
                if not left[0]:
                    raise KeyboardInterrupt
                return event

        return Ending(whole, load, namespace, shape, None)


@pytest.mark.parametrize("nth", [1, 2, 3])
def test_a_batch_that_was_told_of_and_not_written_is_written_under_the_same_event(
    memory: Database, journal: Journal, tmp_path: Path, nth: int
) -> None:
    file = triples(tmp_path / "a.tsv", 2500)
    load(memory, [file], "ns")
    expected = canonical_hash(memory, "ns")
    empty(memory)
    with pytest.raises(KeyboardInterrupt):
        load(memory, [file], "ns", log=Failing(journal, "ann", nth))
    assert len(told(journal)) == nth and len(audited(memory)) == nth - 1
    load(memory, [file], "ns", log=LoadLog(journal, "ann"))
    check(journal, memory, 2500)
    assert canonical_hash(memory, "ns") == expected


@pytest.mark.parametrize("nth", [1, 3])
def test_a_batch_that_was_written_is_not_told_of_again(memory: Database, journal: Journal, tmp_path: Path, nth: int) -> None:
    file = triples(tmp_path / "a.tsv", 2500)

    def stop(step: Step) -> None:
        if step.items >= min(nth * 1000, 2500):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        load(memory, [file], "ns", progress=stop, log=LoadLog(journal, "ann"))
    load(memory, [file], "ns", log=LoadLog(journal, "ann"))
    check(journal, memory, 2500)
    assert len(journal.events(kind="load_ended")) == 1


def test_a_file_that_is_loaded_again_is_told_of_again_and_changes_nothing(memory: Database, journal: Journal, tmp_path: Path) -> None:
    file = triples(tmp_path / "a.tsv", 40)
    reports = [load(memory, [file], "ns", log=LoadLog(journal, "ann")) for _ in range(2)]
    assert reports[0].version == reports[1].version and len(told(journal)) == 2 and len(journal.events(kind="load_ended")) == 2


@pytest.mark.parametrize("batches", [1, pytest.param(2, marks=pytest.mark.full)])
def test_a_load_that_is_killed_and_run_again_agrees_with_the_journal(
    memory: Database, server: Running, journal: Journal, journal_url: str, tmp_path: Path, batches: int
) -> None:
    file = triples(tmp_path / "a.tsv", 3500)
    kill_after(start(server, file, "memory", journal_url), batches)
    load(memory, [file], "ns", log=LoadLog(journal, "ann"))
    check(journal, memory, 3500)
