"""Entities that are declared with the same key are linked, whichever way they come into which namespace."""

from pathlib import Path

from knowledge.database import ddl
from knowledge.database.connection import Database
from knowledge.database.embedded import Running
from knowledge.loading.loader import load
from tests.knowledge.loading.test_interruptions import kill_after, start
from tests.knowledge.loading.test_memory import write

ADA = {"name": "Ada", "key": "p1", "kind": "person"}
ADA_LOVELACE = {"name": "Ada Lovelace", "key": "p1"}


def linked(database: Database) -> list[set[str]]:
    rows = database.read("MATCH (a:Entity)-[:GAVEL_SAME_KEY]->(b:Entity) RETURN a.group_id AS a, b.group_id AS b")
    return sorted(({row["a"], row["b"]} for row in rows), key=sorted)


def test_each_namespace_is_linked_to_each_other_once(memory: Database, tmp_path: Path) -> None:
    for namespace in ("one", "two", "three", "one"):
        load(memory, [write(tmp_path / f"{namespace}.jsonl", ADA)], namespace)
    assert linked(memory) == [{"one", "three"}, {"one", "two"}, {"three", "two"}]


def test_a_name_is_no_key(memory: Database, tmp_path: Path) -> None:
    for namespace in ("one", "two"):
        load(memory, [write(tmp_path / f"{namespace}.jsonl", {"name": "Ada"}, {"name": "Bo", "key": "Bo"})], namespace)
    assert linked(memory) == []


def test_what_was_only_mentioned_is_linked_when_it_is_declared(memory: Database, tmp_path: Path) -> None:
    load(memory, [write(tmp_path / "one.jsonl", ADA)], "one")
    load(memory, [write(tmp_path / "two.jsonl", {"subject": "p1", "relation": "wrote", "object": "Notes"})], "two")
    assert linked(memory) == []
    load(memory, [write(tmp_path / "more.jsonl", ADA_LOVELACE)], "two")
    assert linked(memory) == [{"one", "two"}]


def test_a_database_from_before_is_linked_when_it_is_opened(memory: Database, tmp_path: Path) -> None:
    for namespace in ("one", "two"):
        load(memory, [write(tmp_path / f"{namespace}.jsonl", ADA)], namespace)
    memory.write("MATCH ()-[r:GAVEL_SAME_KEY]->() DELETE r")
    memory.write("MATCH (s:GavelSchema) SET s.version = 5")
    ddl.ensure(memory, "memory")
    assert linked(memory) == [{"one", "two"}]


def test_a_batch_that_was_committed_and_not_linked_is_linked_when_the_load_goes_on(
    memory: Database, server: Running, tmp_path: Path
) -> None:
    load(memory, [write(tmp_path / "one.jsonl", ADA)], "one")
    file = write(tmp_path / "two.jsonl", ADA_LOVELACE, *({"name": f"Thing {i}"} for i in range(2_500)))
    kill_after(start(server, file), 1)
    memory.write("MATCH ()-[r:GAVEL_SAME_KEY]->() DELETE r")
    assert load(memory, [file], "ns").resumed >= 1_000
    assert linked(memory) == [{"ns", "one"}]
