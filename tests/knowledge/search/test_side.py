"""The side index: names, words, resemblance and vectors, on disk and in step."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from knowledge.errors import StoreError
from knowledge.search.segments import segments
from knowledge.search.side import SideIndex, SideNode

NODES = [
    SideNode("r1", "i1", "Person", "Ada Müller", ("Countess",), "Ada Müller. wrote programs"),
    SideNode("r2", "i2", "Company", "华为技术有限公司", (), "华为技术有限公司"),
    SideNode("r3", "i3", "Person", "ada muller", (), "ada muller"),
]


@pytest.fixture
def side(tmp_path: Path) -> SideIndex:
    index = SideIndex(tmp_path / "side" / "graph.sqlite")
    index.replace(NODES, "1")
    return index


def test_names_and_aliases_are_found_folded(side: SideIndex) -> None:
    assert {(folded, place.ref) for folded, place in side.called(["ada muller", "countess", "nobody"])} == {
        ("ada muller", "r1"), ("ada muller", "r3"), ("countess", "r1"),
    }  # fmt: skip


def test_words_rank_and_labels_narrow(side: SideIndex) -> None:
    assert side.with_words("programs of Müller", [], [], 5)[0].ref == "r1"
    assert [p.ref for p in side.with_words("华为的竞争对手", [], [], 5)] == ["r2"]
    assert side.with_words("muller", [], ["Company"], 5) == []


@pytest.mark.parametrize("text", ['"', "a OR b", "NEAR(", "*", "terms:x", "(", "-", ""])
def test_nothing_in_a_text_is_read_as_a_query(side: SideIndex, text: str) -> None:
    assert side.with_words(text, [], [], 5) == []


def test_misspelt_names_resemble(side: SideIndex) -> None:
    assert side.alike("Ada Mueller", [], 2)[0].score > 0.9
    assert side.alike("!!!", [], 2) == []


def test_vectors_are_searched_exactly_and_survive_a_new_version(side: SideIndex) -> None:
    vectors = np.eye(3, dtype=np.float32)
    assert [i for i, _ in side.lacking("m")] == ["i1", "i2", "i3"]
    side.keep_vectors("m", ["i1", "i2", "i3"], vectors)
    assert (side.has_vectors("m"), side.has_vectors("other"), list(side.lacking("m"))) == (True, False, [])
    assert [(p.ref, p.score) for p in side.nearest(vectors[1], "m", [], [], 2)] == [("r2", 1.0), ("r1", 0.5)]
    assert [p.ref for p in side.nearest(vectors[1], "m", [], ["Person"], 5)] == ["r1", "r3"]
    side.replace([SideNode("r9", "i2", "Company", "New name", (), "New name")], "2")
    assert [p.ref for p in side.nearest(vectors[1], "m", [], [], 5)] == ["r9"]
    assert side.nearest(vectors[1], "other", [], [], 5) == []


def test_it_is_on_disk_for_its_owner_only(tmp_path: Path, side: SideIndex) -> None:
    path = tmp_path / "side" / "graph.sqlite"
    assert path.stat().st_mode & 0o077 == 0
    side.close()
    again = SideIndex(path)
    assert (again.version, [p.name for p in again.places(["i3", "none"])]) == ("1", ["ada muller"])
    again.close()


def test_runs_of_chinese_become_overlapping_pairs() -> None:
    assert segments("华为公司 and Müller's 中") == ["华为", "为公", "公司", "and", "muller", "s", "中"]


def test_a_namespace_is_searched_by_itself(tmp_path: Path) -> None:
    side = SideIndex(tmp_path / "side.sqlite")
    side.replace([SideNode(f"r{n}", f"i{n}", "", "Ada", (), "Ada", "team2" if n else "team") for n in range(9)], "1")
    side.keep_vectors("m", [f"i{n}" for n in range(9)], np.ones((9, 1), dtype=np.float32))
    assert [p.ref for p in side.with_words("ada", ["team"], [], 1)] == ["r0"]
    assert [p.ref for p in side.alike("ada", ["team"], 1)] == ["r0"]
    assert [p.ref for p in side.nearest(np.ones(1, dtype=np.float32), "m", ["team"], [], 1)] == ["r0"]


def test_an_index_in_an_older_layout_is_made_anew_and_keeps_its_vectors(tmp_path: Path) -> None:
    path = tmp_path / "side.sqlite"
    with closing(sqlite3.connect(path)) as older:
        older.executescript("CREATE TABLE node (place INTEGER); CREATE TABLE state (name TEXT, value TEXT);"
                            "CREATE TABLE vector (id TEXT, model TEXT, value BLOB, PRIMARY KEY (id, model));"
                            "INSERT INTO state VALUES ('version', '1'); INSERT INTO vector VALUES ('i1', 'm', x'0000803f')")  # fmt: skip
    side = SideIndex(path)
    assert (side.version, side.has_vectors("m")) == ("", True)
    side.replace(NODES, "2")
    assert side.called(["countess"])


@pytest.mark.parametrize("damage", ["garbage", "noise", "cut"])
def test_a_damaged_file_is_made_anew(damage: str, tmp_path: Path) -> None:
    path = tmp_path / "side.sqlite"
    first = SideIndex(path)
    first.replace(NODES, "1")
    first.close()
    whole = path.read_bytes()
    path.write_bytes({"garbage": b"garbage", "noise": bytes(range(256)) * 100, "cut": whole[:50]}[damage])
    again = SideIndex(path)
    assert again.version == ""
    again.replace(NODES, "1")
    assert len(again) == 3
    assert path.stat().st_mode & 0o077 == 0


def test_a_file_that_breaks_while_it_is_used_is_named(side: SideIndex, tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "side" / "graph.sqlite")) as other:
        other.execute("DROP TABLE called")
    with pytest.raises(StoreError, match=r"graph\.sqlite cannot be used \(no such table: called\).*it is made anew"):
        side.called(["ada muller"])


@pytest.mark.parametrize("place", ["/proc/nowhere/side.sqlite", "folder", "file/side.sqlite"])
def test_a_place_that_cannot_be_written_is_no_reason_to_give_up(place: str, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").touch()
    side = SideIndex(tmp_path / place)
    side.replace(NODES, "1")
    assert len(side) == 3


def test_opening_and_reading_wait_for_nobody_who_fills_the_index(side: SideIndex, tmp_path: Path) -> None:
    path = tmp_path / "side" / "graph.sqlite"

    def slowly() -> Iterator[SideNode]:
        yield NODES[0]
        other = SideIndex(path)
        assert (other.version, len(other)) == ("1", 3)
        other.close()
        yield from NODES[1:]

    side.replace(slowly(), "2")
    assert side.version == "2"


def test_what_another_process_writes_is_seen(side: SideIndex, tmp_path: Path) -> None:
    assert [place.ref for place in side.alike("ada muler", [], 5)][:1] in (["r1"], ["r3"])
    side.keep_vectors("m", ["i1"], np.eye(2, dtype=np.float32)[:1])
    assert [place.ref for place in side.nearest(np.eye(2, dtype=np.float32)[0], "m", [], [], 5)] == ["r1"]
    other = SideIndex(tmp_path / "side" / "graph.sqlite")
    other.replace([SideNode("r9", "i9", "Person", "Zoe")], "2")
    other.keep_vectors("m", ["i9"], np.eye(2, dtype=np.float32)[1:])
    other.close()
    assert side.alike("ada muler", [], 5) == []
    assert [place.ref for place in side.alike("zoee", [], 5)] == ["r9"]
    assert [place.ref for place in side.nearest(np.eye(2, dtype=np.float32)[0], "m", [], [], 5)] == ["r9"]
