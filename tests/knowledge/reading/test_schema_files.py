"""Schemas survive on disk, and nothing wrong there does harm."""

from collections.abc import Callable
from pathlib import Path

import pytest

from knowledge.profile.profile import GraphProfile
from knowledge.reading.kg import Kg
from knowledge.reading.schema_files import SchemaFiles
from knowledge.records import GraphSchema, RelationSchema, Step
from knowledge.scope import Scope
from tests.knowledge.reading.test_reader import Counting
from tests.knowledge.reading.world import NOW, Edge, Node, World

SCHEMA = GraphSchema(
    "team:1", 3, 2, (RelationSchema("knows", 2, 2, 1, "kind0", "kind0", ("Ada", "艾达"), ("Ben",)),), ("kind0",),
    {Step("known_by", "in"): Step("knows", "out")}, frozenset({(Step("knows", "out"), Step("knows", "in"))}), (("Person", 3),),
)  # fmt: skip


def test_a_schema_is_read_back_equal(tmp_path: Path) -> None:
    SchemaFiles(tmp_path).save("a", SCHEMA)
    assert SchemaFiles(tmp_path).load("a") == SCHEMA


def test_only_its_owner_may_read_it(tmp_path: Path) -> None:
    SchemaFiles(tmp_path).save("a", SCHEMA)
    assert (tmp_path / "schemas" / "a.json").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("content", ["", "{", "[]", '{"rules": "other"}', '{"facts": []}'])
def test_a_damaged_file_counts_as_missing(tmp_path: Path, content: str) -> None:
    files = SchemaFiles(tmp_path)
    files.save("a", SCHEMA)
    (tmp_path / "schemas" / "a.json").write_text(content)
    assert files.load("a") is None


def test_a_file_that_other_rules_made_counts_as_missing(tmp_path: Path) -> None:
    earlier = SchemaFiles(tmp_path)
    earlier._rules = "other"
    earlier.save("a", SCHEMA)
    assert earlier.load("a") == SCHEMA
    assert SchemaFiles(tmp_path).load("a") is None


def test_a_folder_that_is_no_folder_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "schemas").write_text("a file")
    SchemaFiles(tmp_path).save("a", SCHEMA)
    assert SchemaFiles(tmp_path).load("a") is None


def test_old_files_make_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("knowledge.reading.schema_files.MOST_FILES", 2)
    for name in "abcd":
        SchemaFiles(tmp_path).save(name, SCHEMA)
    assert len(list((tmp_path / "schemas").iterdir())) == 2


def test_a_new_process_only_asks_for_the_version(new_world: Callable[..., World], tmp_path: Path) -> None:
    world = new_world()
    ada, ben = Node("Ada"), Node("Ben")
    world.write([ada, ben], [Edge(ada, "knows", ben)])

    def counted(names: frozenset[str]) -> tuple[GraphSchema, int]:
        meter = Counting()
        return Kg(world.database, GraphProfile(), folder=tmp_path, now=lambda: NOW).reader(Scope(names), meter).schema(), meter.sent

    first, statements = counted(frozenset({"team"}))
    assert (first.facts, statements) == (1, 3)
    assert counted(frozenset({"team"})) == (first, 1)
    assert counted(frozenset({"other"}))[0].facts == 0
    world.write([Node("Clo")], [])
    assert counted(frozenset({"team"}))[0].entities == 3


def test_another_graph_with_equal_counts_has_a_file_of_its_own(tmp_path: Path) -> None:
    SchemaFiles(tmp_path, "one").save("a", SCHEMA)
    assert SchemaFiles(tmp_path, "one").load("a") == SCHEMA
    assert SchemaFiles(tmp_path, "two").load("a") is None


def test_nothing_is_left_of_a_schema_that_could_not_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    SchemaFiles(tmp_path).save("a", SCHEMA)
    assert list((tmp_path / "schemas").iterdir()) == []
