"""Loading into the native shape, and the two shapes kept apart, against a real Neo4j."""

import json
from pathlib import Path

import pytest

from knowledge.database import ddl
from knowledge.database.connection import Database, Row
from knowledge.database.embedded import Running
from knowledge.errors import DataError, StoreError
from knowledge.loading.canonical import canonical_hash
from knowledge.loading.loader import load
from knowledge.profile.profile import GraphProfile, RelationProfile
from knowledge.profile.store import load_profile, save_profile
from tests.knowledge.loading.test_interruptions import kill_after, start, triples


def write(path: Path, *rows: str | dict[str, object]) -> Path:
    path.write_text("".join((row if isinstance(row, str) else json.dumps(row)) + "\n" for row in rows), encoding="utf-8")
    return path


def edges(database: Database) -> list[tuple[str, str, str, str, str]]:
    rows = database.read(
        "MATCH (a)-[r]->(b) RETURN labels(a)[0] AS sl, a.name AS s, type(r) AS t, b.name AS o, labels(b)[0] AS ol ORDER BY s, t, o, ol"
    )
    return [(row["sl"], row["s"], row["t"], row["o"], row["ol"]) for row in rows]


def node(database: Database, name: str) -> Row:
    return database.read("MATCH (n {name: $name}) RETURN properties(n) AS p", {"name": name})[0]["p"]


def test_plain_triples_become_things_with_typed_relationships(database: Database, tmp_path: Path) -> None:
    report = load(database, [write(tmp_path / "a.tsv", "Ann\tknows\tBob", "Bob\tworks_for\tAcme", "Ann\tknows\tBob")], "ns", "native")
    assert edges(database) == [("Thing", "Ann", "knows", "Bob", "Thing"), ("Thing", "Bob", "works_for", "Acme", "Thing")]
    assert (report.created, report.duplicates, report.entities, report.facts, report.version) == (2, 1, 3, 2, 1)
    assert node(database, "Ann") == {"name": "Ann"}
    assert database.read("MATCH ()-[r:knows]->() RETURN properties(r) AS p")[0]["p"] == {}


def test_kinds_of_rows_become_labels_and_two_kinds_of_one_name_two_nodes(database: Database, tmp_path: Path) -> None:
    header = "subject,relation,object,subject_kind,object_kind"
    rows = ["Titanic,has_tag,Titanic,movie,tag", "Titanic,has_tag,ship,movie,tag"]
    assert load(database, [write(tmp_path / "a.csv", header, *rows)], "ns", "native").entities == 3
    assert edges(database) == [("movie", "Titanic", "has_tag", "Titanic", "tag"), ("movie", "Titanic", "has_tag", "ship", "tag")]


def test_a_profile_tells_the_kinds_of_plain_triples(database: Database, tmp_path: Path) -> None:
    profile = GraphProfile(relations={"starred": RelationProfile(subject="movie", object="person")})
    load(database, [write(tmp_path / "a.tsv", "Titanic\tstarred\tAnn", "Ann\tknows\tBob")], "ns", "native", profile=profile)
    assert ("movie", "Titanic", "starred", "Ann", "person") in edges(database)


def test_entity_rows_declare_kinds_for_facts_that_name_them_by_key(database: Database, tmp_path: Path) -> None:
    entity = {"name": "Ann", "key": "p1", "kind": "person", "aliases": ["Annie"], "summary": "A baker.", "born": 1969}
    facts = [
        {
            "subject": "p1",
            "relation": "knows",
            "object": "Bob",
            "valid_from": "2001",
            "valid_to": "2003",
            "source": "diary",
            "shift": "night",
        }
    ]
    load(database, [write(tmp_path / "a.jsonl", entity, *facts)], "ns", "native")
    assert edges(database) == [("person", "Ann", "knows", "Bob", "Thing")]
    assert node(database, "Ann") == {"name": "Ann", "key": "p1", "aliases": ["Annie"], "summary": "A baker.", "born": 1969}
    [row] = database.read("MATCH ()-[r:knows]->() RETURN r {.*, valid_from: toString(r.valid_from), valid_to: toString(r.valid_to)} AS r")
    assert (row["r"]["valid_from"][:10], row["r"]["valid_to"][:10]) == ("2001-01-01", "2004-01-01")
    assert (row["r"]["source"], row["r"]["shift"], row["r"]["valid_from_precision"]) == ("diary", "night", "year")


def test_entity_rows_tell_kinds_wherever_they_stand(database: Database, tmp_path: Path) -> None:
    facts = write(tmp_path / "a.tsv", "Ann\tknows\tBob")
    entities = write(tmp_path / "b.jsonl", {"name": "Ann", "kind": "person"})
    load(database, [facts, entities], "ns", "native")
    assert edges(database) == [("person", "Ann", "knows", "Bob", "Thing")]


def test_a_later_load_finds_the_kinds_of_names_that_are_there(database: Database, tmp_path: Path) -> None:
    load(database, [write(tmp_path / "a.jsonl", {"name": "Ann", "kind": "person"}, {"name": "Acme", "kind": "company"})], "ns", "native")
    report = load(database, [write(tmp_path / "b.tsv", "Ann\tworks_for\tAcme", "Ann\tworks_for\tBeta")], "ns", "native")
    assert edges(database)[0] == ("person", "Ann", "works_for", "Acme", "company")
    assert report.entities == 1


def test_loading_a_native_graph_twice_changes_nothing(database: Database, tmp_path: Path) -> None:
    rows = [
        {"name": "Ann", "kind": "person", "age": 3},
        {"subject": "Ann", "relation": "knows", "object": "Bob", "valid_from": "2001"},
        {"subject": "Ann", "relation": "knows", "object": "Bob"},
    ]
    file = write(tmp_path / "a.jsonl", *rows)
    assert load(database, [file], "ns", "native").facts == 2
    before = canonical_hash(database, "ns")
    report = load(database, [file], "ns", "native")
    assert (report.known, report.created, report.entities, report.facts, report.version) == (3, 0, 0, 0, 1)
    assert canonical_hash(database, "ns") == before


@pytest.mark.parametrize("name", ["is `quoted`", "a-b c", "关系", "n}) DETACH DELETE n //", "🙂", "`"])
def test_any_relation_and_kind_is_a_type_and_a_label(database: Database, tmp_path: Path, name: str) -> None:
    row = {"subject": "a", "relation": name, "object": "b", "subject_kind": name}
    load(database, [write(tmp_path / "a.jsonl", row)], "ns", "native")
    assert edges(database) == [(name, "a", name, "b", "Thing")]


@pytest.mark.parametrize("restriction", [{"access_level": "secret"}, {"visibility_group": "board"}])
def test_a_restricted_row_is_not_published_in_a_native_graph(database: Database, tmp_path: Path, restriction: dict[str, str]) -> None:
    fact = {"subject": "a", "relation": "r", "object": "b"}
    file = write(tmp_path / "a.jsonl", fact, {**fact, "object": "c", **restriction})
    with pytest.raises(DataError, match=r"a\.jsonl:2: the native shape keeps no access levels"):
        load(database, [file], "ns", "native")
    report = load(database, [file], "ns", "native", on_error="skip", rejects=tmp_path / "r.jsonl")
    assert (report.rejected, len(edges(database))) == (1, 1)


def test_a_native_load_killed_half_way_and_run_again_equals_an_unbroken_one(database: Database, server: Running, tmp_path: Path) -> None:
    file = triples(tmp_path / "a.tsv", 3500)
    load(database, [file], "ns", "native")
    expected = canonical_hash(database, "ns")
    database.write("MATCH (n) WHERE NOT n:GavelSchema DETACH DELETE n")
    kill_after(start(server, file, "native"), 2)
    assert load(database, [file], "ns", "native").resumed >= 2000
    assert canonical_hash(database, "ns") == expected


def test_two_native_loaders_at_the_same_time_make_no_duplicates(database: Database, server: Running, tmp_path: Path) -> None:
    file = triples(tmp_path / "a.tsv", 2000)
    outputs = [p.communicate()[0].splitlines()[-1].split() for p in [start(server, file, "native"), start(server, file, "native")]]
    total = database.read("MATCH (a)-[r]->(b) RETURN count(r) AS n, count(DISTINCT [a.name, type(r), b.name, toString(r.valid_from)]) AS d")
    assert total[0]["n"] == total[0]["d"] == sum(int(words[1]) for words in outputs)


def test_a_memory_refuses_the_native_shape_and_the_other_way_round(database: Database, tmp_path: Path) -> None:
    file = write(tmp_path / "a.tsv", "a\tr\tb")
    load(database, [file], "ns")
    with pytest.raises(StoreError, match="holds the memory shape and cannot take the native shape"):
        load(database, [file], "ns", "native")
    database.write("MATCH (n) DETACH DELETE n")
    load(database, [file], "ns", "native")
    with pytest.raises(StoreError, match="holds the native shape and cannot take the memory shape"):
        load(database, [file], "ns")


def test_a_native_graph_holds_one_namespace(database: Database, tmp_path: Path) -> None:
    file = write(tmp_path / "a.tsv", "a\tr\tb")
    load(database, [file], "one", "native")
    with pytest.raises(StoreError, match="is the namespace 'one'"):
        load(database, [file], "two", "native")


def test_a_native_load_keeps_a_profile_and_leaves_what_its_owner_corrected(database: Database, tmp_path: Path) -> None:
    rows = [
        {"name": "Ann", "kind": "person", "summary": "x"},
        {"subject": "Ann", "relation": "knows", "object": "Bob", "valid_from": "2001"},
    ]
    load(database, [write(tmp_path / "a.jsonl", *rows)], "ns", "native", folder=tmp_path)
    graph = ddl.graph_identity(database)
    kept = load_profile(tmp_path, graph)
    assert kept is not None
    assert (kept.shape, kept.namespace, sorted(kept.labels)) == ("native", "ns", ["Thing", "person"])
    assert (kept.labels["person"].text, kept.relations["knows"].valid_from) == (("summary",), "valid_from")
    said = RelationProfile(description="who knows whom")
    save_profile(tmp_path, graph, kept.model_copy(update={"relations": {"knows": said}}))
    load(database, [write(tmp_path / "b.tsv", "Ann\tlikes\tBob")], "ns", "native", folder=tmp_path)
    kept = load_profile(tmp_path, graph)
    assert kept is not None
    assert kept.relations["knows"].description == "who knows whom"
    assert "likes" in kept.relations
