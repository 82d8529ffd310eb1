"""What was loaded from files comes back by snapshots that the journal vouches for; a replay leaves nothing out in silence."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from knowledge.database.connection import Database
from knowledge.errors import ConfigError, JournalError, StoreError
from knowledge.journal.journal import Entry
from knowledge.journal.verify import verify
from knowledge.loading.canonical import believed_hash, canonical_hash
from knowledge.loading.loader import load
from knowledge.loading.log import LoadLog
from knowledge.registry.contract import SizeLimit
from knowledge.remember.baseline import drifted, record
from knowledge.remember.redaction import Redaction
from knowledge.remember.replay import replay
from knowledge.remember.snapshot import changed, forget, live, take
from knowledge.search.index import announce
from tests.knowledge.loading.test_interruptions import empty, triples
from tests.knowledge.loading.test_log import Failing
from tests.knowledge.remember.test_archive import archive
from tests.knowledge.remember.test_replay import (
    SECRET,
    drain,
    hashes,
    leads,
    leftover,
    redact,
    remember,
    replayed,
    secret_operations,
    status,
    undo,
)
from tests.knowledge.remember.world import ALPHA, CONTRACTS, PERSON, Office, lesson

ROWS = (
    {"name": "Ada", "kind": "person", "aliases": ["Augusta"], "summary": "An engineer.", "properties": {"born": 1815}},
    {"name": "Ada", "kind": "person", "aliases": ["Augusta"], "summary": "A head.", "properties": {"born": 1815}},
    {"subject": "Ada", "relation": "wrote", "object": "Notes", "valid_from": "1843-08", "confidence": 0.5, "access_level": "restricted"},
    {"subject": "Ada", "relation": "met", "object": "Ben", "visibility_group": "board", "valid_from": "1833", "valid_to": "1834"},
)


@pytest.fixture(autouse=True)
def unlimited(office: Office) -> None:
    office.contracts = {**CONTRACTS, "alpha": replace(ALPHA, size_limit=SizeLimit())}


def files(folder: Path, rows: int = 40) -> Path:
    file = folder / "rows.jsonl"
    lines = [*map(json.dumps, ROWS), *(json.dumps({"subject": f"p{i}", "relation": "knows", "object": f"p{i // 2}"}) for i in range(rows))]
    file.write_text("\n".join(lines))
    return file


def snapshot(office: Office, database: Database, name: str = "alpha.snapshot") -> Path:
    take(office.journal, database, "alpha", office.folder / name, "ann")
    return office.folder / name


@pytest.mark.parametrize("rows", [40, pytest.param(2500, marks=pytest.mark.full)])
def test_load_baseline_remember_undo_snapshot_and_a_replay_into_an_empty_database_are_equal(
    office: Office, memory: Database, tmp_path: Path, rows: int
) -> None:
    load(memory, [files(tmp_path, rows)], "alpha")
    [known] = [one for one in record(office.journal, memory, "ann") if one.namespace == "alpha"]
    assert known.content == canonical_hash(memory, "alpha") and known.counts["facts"] == rows + 2
    remember(office, memory, "Ada leads Alpha.", leads("Ada", "Alpha", "2020"))
    second = remember(office, memory, "Ada leads Beta.", leads("Ada", "Beta", "2023"))
    load(memory, [triples(tmp_path / "more.tsv", 30)], "alpha", log=LoadLog(office.journal, "ann"))
    assert undo(office, memory, second)
    file = snapshot(office, memory)
    third = remember(office, memory, "Ada leads Gamma.", leads("Ada", "Gamma", "2025"))
    before = hashes(memory)
    assert replayed(office, memory) == before and drifted(office.journal, memory) == []
    assert undo(office, memory, third)
    remember(office, memory, "Ada leads Delta.", leads("Ada", "Delta", "2026"))
    after = hashes(memory)
    assert after != before and replayed(office, memory) == after
    assert verify(office.journal) == [] == changed(office.journal) and file.stat().st_mode & 0o077 == 0


def test_without_a_snapshot_a_replay_refuses_to_leave_out_what_was_loaded(office: Office, memory: Database, tmp_path: Path) -> None:
    load(memory, [files(tmp_path)], "alpha", log=LoadLog(office.journal, "ann"))
    remember(office, memory, "Ada leads Alpha.", leads("Ada", "Alpha", "2020"))
    empty(memory)
    with pytest.raises(StoreError, match=r"alpha: 1 batches of files .* were loaded, and no snapshot"):
        replay(office.journal, memory)
    assert memory.read("MATCH (n) WHERE NOT n:GavelSchema RETURN n") == []
    assert replay(office.journal, memory, partial=True)["alpha"] == 1
    assert memory.read("MATCH ()-[r:RELATES_TO]->() RETURN r.name AS name") == [{"name": "leads"}]


def test_what_a_baseline_recorded_is_not_left_out(office: Office, memory: Database, tmp_path: Path) -> None:
    load(memory, [files(tmp_path)], "alpha")
    record(office.journal, memory, "ann")
    file = snapshot(office, memory)
    before = hashes(memory)
    assert replayed(office, memory) == before
    file.rename(tmp_path / "moved")
    empty(memory)
    with pytest.raises(StoreError, match="what the baseline of event 1 recorded"):
        replay(office.journal, memory)
    replay(office.journal, memory, [tmp_path / "moved"])
    assert hashes(memory) == before


def test_a_baseline_of_what_the_journal_told_asks_for_no_snapshot(office: Office, memory: Database) -> None:
    remember(office, memory, "Ada leads Alpha.", leads("Ada", "Alpha", "2020"))
    assert [one.fresh for _ in range(2) for one in record(office.journal, memory, "ann")] == [True, False]
    assert len(office.journal.events(kind="baseline")) == 1
    before = hashes(memory)
    assert replayed(office, memory) == before


def test_what_was_there_before_the_journal_is_missed_without_a_baseline_too(office: Office, memory: Database, tmp_path: Path) -> None:
    load(memory, [files(tmp_path)], "alpha")
    remember(office, memory, "Ada leads Alpha.", leads("Ada", "Alpha", "2020"))
    empty(memory)
    with pytest.raises(StoreError, match="held something before the first event"):
        replay(office.journal, memory)


def test_new_vectors_after_a_snapshot_are_nothing_that_is_missed(office: Office, memory: Database, tmp_path: Path) -> None:
    load(memory, [files(tmp_path)], "alpha")
    record(office.journal, memory, "ann")
    snapshot(office, memory)
    announce(memory)
    remember(office, memory, "Ada leads Alpha.", leads("Ada", "Alpha", "2020"))
    before = hashes(memory)
    assert replayed(office, memory) == before


def test_a_batch_that_is_in_no_snapshot_is_missed_and_one_that_was_never_written_is_not(
    office: Office, memory: Database, tmp_path: Path
) -> None:
    with pytest.raises(KeyboardInterrupt):
        load(memory, [triples(tmp_path / "never.tsv", 10)], "alpha", log=Failing(office.journal, "ann"))
    load(memory, [files(tmp_path)], "alpha", log=LoadLog(office.journal, "ann"))
    snapshot(office, memory)
    before = hashes(memory)
    assert replayed(office, memory) == before
    load(memory, [triples(tmp_path / "later.tsv", 10)], "alpha", log=LoadLog(office.journal, "ann"))
    empty(memory)
    with pytest.raises(StoreError, match="1 batches"):
        replay(office.journal, memory)


def test_a_changed_snapshot_is_named_and_no_replay_begins_at_it(office: Office, memory: Database, tmp_path: Path) -> None:
    load(memory, [files(tmp_path)], "alpha", log=LoadLog(office.journal, "ann"))
    file = snapshot(office, memory)
    file.write_text(file.read_text().replace("A head.", "A poet."))
    [fault] = changed(office.journal)
    assert "was changed after it was taken" in fault.what and str(file) in fault.what
    empty(memory)
    with pytest.raises(StoreError, match="no snapshot at hand"):
        replay(office.journal, memory)


def test_a_database_that_was_changed_behind_a_baseline_is_found(office: Office, memory: Database, tmp_path: Path) -> None:
    load(memory, [files(tmp_path)], "alpha")
    record(office.journal, memory, "ann")
    assert drifted(office.journal, memory) == []
    memory.write("MATCH (n:Entity {name: 'Ada'}) SET n.summary = 'A poet.'")
    [fault] = drifted(office.journal, memory)
    assert fault.seq == 1 and "alpha does not hold what this baseline recorded" in fault.what


def test_a_snapshot_overwrites_nothing_and_is_taken_of_what_there_is(office: Office, memory: Database, tmp_path: Path) -> None:
    load(memory, [files(tmp_path)], "alpha")
    file = snapshot(office, memory)
    with pytest.raises(ConfigError, match="is there already"):
        snapshot(office, memory)
    with pytest.raises(ConfigError, match="cannot be written"):
        snapshot(office, memory, "no folder/alpha.snapshot")
    with pytest.raises(StoreError, match="holds no namespace 'beta'"):
        take(office.journal, memory, "beta", tmp_path / "beta.snapshot", "ann")
    assert [found for found in tmp_path.iterdir() if found.suffix in (".snapshot", ".part")] == [file]
    with office.journal.reading() as connection:
        assert [one.file for one in live(connection)] == [file]


def test_a_forgotten_snapshot_is_gone_and_one_that_nobody_knows_is_named(office: Office, memory: Database, tmp_path: Path) -> None:
    load(memory, [files(tmp_path)], "alpha", log=LoadLog(office.journal, "ann"))
    file = snapshot(office, memory)
    forget(office.journal, file, "ann")
    assert not file.exists()
    with pytest.raises(ConfigError, match="is known"):
        forget(office.journal, file, "ann")
    empty(memory)
    with pytest.raises(StoreError, match="no snapshot at hand"):
        replay(office.journal, memory)


def test_a_snapshot_on_a_disk_that_hosts_share_is_removed_from_any_of_them(
    office: Office, memory: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    receipt = remember(office, memory, SECRET, secret_operations())
    monkeypatch.setattr("platform.node", lambda: "another")
    file = snapshot(office, memory)
    monkeypatch.undo()
    assert redact(office, memory, receipt) and not file.exists()


def test_a_native_graph_is_copied_by_a_dump(office: Office, database: Database, tmp_path: Path) -> None:
    load(database, [triples(tmp_path / "a.tsv", 10)], "alpha", "native", log=LoadLog(office.journal, "ann"))
    with pytest.raises(StoreError, match="gavel db dump"):
        snapshot(office, database)
    [known] = record(office.journal, database, "ann")
    assert known.shape == "native" and known.counts["facts"] == 10 and drifted(office.journal, database) == []


def test_a_redacted_memory_is_in_no_snapshot(office: Office, memory: Database) -> None:
    remember(office, memory, "Ada leads Alpha.", leads("Ada", "Alpha", "2020"))
    before = hashes(memory)
    earlier = snapshot(office, memory, "earlier.snapshot")
    receipt = remember(office, memory, SECRET, secret_operations(), name="Lesson: swordfish - password")
    later = snapshot(office, memory, "later.snapshot")
    assert "swordfish" in later.read_text()
    decision = Redaction(office.journal, office.registry, PERSON).redact(receipt.id)
    assert decision.done and "1 snapshots" in decision.message
    with pytest.raises(JournalError, match="is being removed for good"):
        snapshot(office, memory, "meanwhile.snapshot")
    drain(office, memory)
    assert status(office, receipt) == "redacted" and leftover(office, memory) == []
    assert earlier.exists() and not later.exists() and verify(office.journal) == [] == changed(office.journal)
    assert replayed(office, memory) == before
    snapshot(office, memory, "new.snapshot")
    assert replayed(office, memory) == before


def test_a_snapshot_from_before_lets_a_memory_be_taken_out_from_among_loaded_files(
    office: Office, memory: Database, tmp_path: Path
) -> None:
    load(memory, [files(tmp_path)], "alpha", log=LoadLog(office.journal, "ann"))
    remember(office, memory, "Ada leads Alpha.", leads("Ada", "Alpha", "2020"))
    snapshot(office, memory)
    remember(office, memory, "Ada leads Beta.", leads("Ada", "Beta", "2023"))
    before = hashes(memory)
    receipt = remember(office, memory, SECRET, secret_operations(), name="Lesson: swordfish - password")
    assert redact(office, memory, receipt) and status(office, receipt) == "redacted"
    assert leftover(office, memory) == [] and hashes(memory) == before
    audited = [row["id"] for row in memory.read("MATCH (a:GavelAudit) RETURN a.event_id AS id")]
    assert verify(office.journal, audited) == [] and len(audited) == 5
    remember(office, memory, "Ada leads Gamma.", leads("Ada", "Gamma", "2025"))
    after = hashes(memory)
    assert replayed(office, memory) == after


def test_files_that_were_loaded_after_the_memory_keep_it_erasing(office: Office, memory: Database, tmp_path: Path) -> None:
    receipt = remember(office, memory, SECRET, secret_operations())
    load(memory, [files(tmp_path)], "alpha", log=LoadLog(office.journal, "ann"))
    snapshot(office, memory)
    assert redact(office, memory, receipt) and status(office, receipt) == "erasing"
    assert "no snapshot from before this memory" in office.inbox(PERSON).receipt(receipt.id).why


def test_a_snapshot_that_is_read_while_a_memory_is_redacted_is_dropped(office: Office, memory: Database) -> None:
    receipt = remember(office, memory, SECRET, secret_operations())

    def meanwhile(point: str) -> None:
        assert Redaction(office.journal, office.registry, PERSON).redact(receipt.id).done

    with pytest.raises(JournalError, match="removed for good meanwhile"):
        take(office.journal, memory, "alpha", office.folder / "alpha.snapshot", "ann", meanwhile)
    drain(office, memory)
    assert leftover(office, memory) == []


def test_what_is_redacted_elsewhere_while_it_is_read_drops_no_snapshot(office: Office, memory: Database) -> None:
    remember(office, memory, "Ada leads Alpha.", leads("Ada", "Alpha", "2020"))
    elsewhere = office.inbox().submit(lesson(SECRET))

    def meanwhile(point: str) -> None:
        assert Redaction(office.journal, office.registry, PERSON).redact(elsewhere.id).done

    take(office.journal, memory, "alpha", office.folder / "alpha.snapshot", "ann", meanwhile)
    assert (office.folder / "alpha.snapshot").exists()


def test_what_is_left_of_a_snapshot_whose_process_was_killed_is_removed_too(office: Office, memory: Database) -> None:
    receipt = remember(office, memory, SECRET, secret_operations())
    snapshot(office, memory)
    (office.folder / "alpha.snapshot").rename(office.folder / "alpha.snapshot.part")
    assert redact(office, memory, receipt) and leftover(office, memory) == []


def test_a_snapshot_of_another_host_must_be_removed_there_first(office: Office, memory: Database) -> None:
    receipt = remember(office, memory, SECRET, secret_operations())
    near = snapshot(office, memory)
    with office.journal.writing() as writing:
        about = {"file": str(Path("far.snapshot").absolute()), "host": "elsewhere"}
        [far] = writing.append([Entry("snapshot_begun", namespace="alpha", about=about)])
    decision = Redaction(office.journal, office.registry, PERSON).redact(receipt.id)
    assert not decision.done and "far.snapshot on elsewhere" in decision.message and not near.exists()
    [forgotten] = forget(office.journal, Path("far.snapshot"), "ann")
    assert forgotten.begun == far.event_id
    assert redact(office, memory, receipt) and status(office, receipt) == "redacted"
    with office.journal.reading() as connection:
        assert live(connection) == []


def test_a_file_that_took_the_place_of_a_snapshot_is_left_alone(office: Office, memory: Database) -> None:
    receipt = remember(office, memory, SECRET, secret_operations())
    file = snapshot(office, memory)
    file.write_text("my own notes")
    assert redact(office, memory, receipt) and file.read_text() == "my own notes"


def test_what_was_archived_before_a_snapshot_comes_back_after_a_replay_of_it(office: Office, memory: Database, tmp_path: Path) -> None:
    load(memory, [files(tmp_path)], "alpha", log=LoadLog(office.journal, "ann"))
    first = remember(office, memory, "Ada leads Alpha.", leads("Ada", "Alpha", "2020"))
    believed = believed_hash(memory, "alpha")
    made = archive(office, memory, first)
    snapshot(office, memory)
    before = hashes(memory)
    assert replayed(office, memory) == before
    assert undo(office, memory, made) and believed_hash(memory, "alpha") == believed
    after = hashes(memory)
    assert replayed(office, memory) == after
