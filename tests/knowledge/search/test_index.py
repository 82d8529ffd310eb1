"""Vectors of a memory: built where they are missing, resumed, rebuilt, and counted."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from knowledge.database import ddl
from knowledge.database.connection import Database
from knowledge.embedding.embedder import Vectors
from knowledge.errors import StoreError
from knowledge.loading import loader
from knowledge.loading.canonical import canonical_hash
from knowledge.loading.loader import load
from knowledge.progress import Step
from knowledge.search import index

DIMENSIONS = 16


class Letters:
    """An embedder without a model: counts letters. `fails_after` texts it raises."""

    dimensions = DIMENSIONS

    def __init__(self, model: str = "letters", fails_after: int | None = None) -> None:
        self.model = model
        self.left = fails_after
        self.texts: list[str] = []

    def embed(self, texts: Sequence[str]) -> Vectors:
        if self.left is not None:
            self.left -= len(texts)
            if self.left < 0:
                raise RuntimeError("the embedder broke")
        self.texts += texts
        rows = np.ones((len(texts), DIMENSIONS), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for letter in text:
                row[ord(letter) % DIMENSIONS] += 1
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def write(path: Path, facts: int) -> Path:
    path.write_text("".join(f"person {i}\tlikes\tfood {i % 7}\n" for i in range(facts)))
    return path


def counts(database: Database, model: str = "letters") -> dict[str, tuple[int, int]]:
    return {e.element: (e.embedded, e.total) for e in index.status(database, model).elements}


def version(database: Database) -> int:
    return int(database.read("MATCH (n:GavelNamespace) RETURN n.version AS v")[0]["v"])


def test_a_small_load_embeds_entities_relation_types_and_facts(database: Database, tmp_path: Path) -> None:
    report = load(database, [write(tmp_path / "a.tsv", 20)], "ns", embedder=Letters())
    assert counts(database) == {"entity": (27, 27), "relation": (1, 1), "fact": (20, 20)}
    assert (report.vectors, report.facts_without_vectors, report.version) == (48, 0, version(database))
    assert index.status(database, "letters").complete
    [row] = database.read("MATCH (n:Entity {key: 'person 1'}) RETURN n.gavel_vec AS v, n.gavel_vec_model AS m")
    assert row["m"] == "letters"
    np.testing.assert_allclose(row["v"], Letters().embed(["person 1"])[0], atol=1e-6)


def test_the_vector_index_finds_entities_and_facts(database: Database, tmp_path: Path) -> None:
    load(database, [write(tmp_path / "a.tsv", 20)], "ns", embedder=Letters())
    vector = Letters().embed(["person 11"])[0].tolist()
    name = ddl.vector_index("entity", "letters")
    rows = database.read("CALL db.index.vector.queryNodes($i, 1, $v) YIELD node, score RETURN node.name AS name", {"i": name, "v": vector})
    assert rows == [{"name": "person 11"}]
    vector = Letters().embed(["person 3 likes food 3"])[0].tolist()
    name = ddl.vector_index("fact", "letters")
    rows = database.read(
        "CALL db.index.vector.queryRelationships($i, 1, $v) YIELD relationship AS r RETURN r.fact AS fact", {"i": name, "v": vector}
    )
    assert rows == [{"fact": "person 3 likes food 3"}]


def test_a_second_load_embeds_nothing_and_leaves_the_version_alone(database: Database, tmp_path: Path) -> None:
    file = write(tmp_path / "a.tsv", 20)
    load(database, [file], "ns", embedder=Letters())
    before, at = canonical_hash(database, "ns"), version(database)
    report = load(database, [file], "ns", embedder=(second := Letters()))
    assert (report.vectors, second.texts, version(database)) == (0, [], at)
    assert canonical_hash(database, "ns") == before


def test_vectors_are_no_part_of_the_canonical_hash(database: Database, tmp_path: Path) -> None:
    load(database, [write(tmp_path / "a.tsv", 5)], "ns")
    before = canonical_hash(database, "ns")
    index.build(database, Letters())
    assert canonical_hash(database, "ns") == before


def test_many_facts_are_left_for_the_index_build(database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loader, "FACTS_EMBEDDED_AT_ONCE", 19)
    report = load(database, [write(tmp_path / "a.tsv", 20)], "ns", embedder=Letters())
    assert report.facts_without_vectors == 20
    assert counts(database) == {"entity": (27, 27), "relation": (1, 1), "fact": (0, 20)}
    assert not index.status(database, "letters").complete
    steps: list[Step] = []
    built = index.build(database, Letters(), progress=steps.append)
    assert (built.vectors, built.texts) == (20, 20)
    assert counts(database)["fact"] == (20, 20)
    assert steps[0].total == 20


def test_equal_texts_are_embedded_once(database: Database, tmp_path: Path) -> None:
    file = write(tmp_path / "a.tsv", 5)
    load(database, [file], "one")
    load(database, [file], "two")
    built = index.build(database, Letters(), elements=("entity",))
    assert (built.texts, built.vectors) == (10, 20)


def test_an_interrupted_build_goes_on_where_it_stopped(database: Database, tmp_path: Path) -> None:
    load(database, [write(tmp_path / "a.tsv", 1500)], "ns")
    with pytest.raises(RuntimeError, match="broke"):
        index.build(database, Letters(fails_after=1200), elements=("fact",))
    assert counts(database)["fact"] == (1000, 1500)
    assert index.build(database, Letters(), elements=("fact",)).vectors == 500


def test_a_broken_embedder_stops_the_load_and_the_next_one_completes_it(database: Database, tmp_path: Path) -> None:
    file = write(tmp_path / "a.tsv", 1500)
    with pytest.raises(RuntimeError, match="broke"):
        load(database, [file], "ns", embedder=Letters(fails_after=100))
    report = load(database, [file], "ns", embedder=Letters())
    assert report.known + report.resumed + report.created == 1500
    assert all(embedded == total for embedded, total in counts(database).values())


def test_another_model_replaces_vectors_and_index(database: Database, tmp_path: Path) -> None:
    load(database, [write(tmp_path / "a.tsv", 5)], "ns", embedder=Letters())
    assert counts(database, "other") == {"entity": (0, 10), "relation": (0, 1), "fact": (0, 5)}
    index.build(database, Letters("other"))
    assert counts(database, "other")["entity"] == (10, 10)
    assert counts(database)["entity"] == (0, 10)
    names = [i.name for i in index.status(database, "other").indexes if i.type == "VECTOR"]
    assert sorted(names) == [ddl.vector_index("entity", "other"), ddl.vector_index("fact", "other")]


def test_a_rebuild_embeds_everything_again(database: Database, tmp_path: Path) -> None:
    load(database, [write(tmp_path / "a.tsv", 5)], "ns", embedder=Letters())
    assert index.rebuild(database, Letters()).vectors == 16
    assert index.status(database, "letters").complete


def test_an_entity_whose_text_changes_lacks_its_vector_until_the_next_build(database: Database, tmp_path: Path) -> None:
    load(database, [write(tmp_path / "a.tsv", 5)], "ns", embedder=Letters())
    declared = tmp_path / "b.jsonl"
    declared.write_text('{"name": "person 1", "summary": "Likes food."}\n{"name": "person 2", "kind": "person"}\n')
    load(database, [declared], "ns")
    assert counts(database)["entity"] == (9, 10)
    index.build(database, embedder := Letters())
    assert embedder.texts == ["person 1. Likes food."]


def test_vectors_are_not_put_into_a_database_that_gavel_did_not_load(database: Database) -> None:
    database.write("CREATE (:Entity {uuid: 'a', group_id: 'theirs', name: 'Alder'})")
    with pytest.raises(StoreError, match="this database is none"):
        index.build(database, Letters())
    assert set(database.read("MATCH (n) RETURN keys(n) AS k")[0]["k"]) == {"uuid", "group_id", "name"}
