"""Loading into the memory shape, against a real Neo4j."""

import json
from pathlib import Path

import pytest

from knowledge.database import ddl
from knowledge.database.connection import Database, Row
from knowledge.errors import DataError, StoreError
from knowledge.loading.canonical import canonical_hash
from knowledge.loading.loader import load
from knowledge.loading.report import LoadReport

OPEN_START, OPEN_END = "0001-01-01T00:00:00Z", "9999-12-31T00:00:00Z"


def write(path: Path, *rows: str | dict[str, object]) -> Path:
    path.write_text("".join((row if isinstance(row, str) else json.dumps(row)) + "\n" for row in rows), encoding="utf-8")
    return path


def facts(database: Database) -> list[Row]:
    return database.read(
        "MATCH (a)-[r:RELATES_TO]->(b) RETURN r {.*, subject: a.name, object: b.name, valid_from: toString(r.valid_from), "
        "valid_to: toString(r.valid_to), known_to: toString(r.known_to), valid_at: toString(r.valid_at), "
        "invalid_at: toString(r.invalid_at)} AS fact ORDER BY r.known_from, r.name, r.to_key"
    )


def entity(database: Database, key: str) -> Row:
    return database.read("MATCH (n:Entity {key: $key}) RETURN properties(n) AS n", {"key": key})[0]["n"]


def version(database: Database, namespace: str = "ns") -> int:
    return int(database.read("MATCH (n:GavelNamespace {group_id: $ns}) RETURN n.version AS v", {"ns": namespace})[0]["v"])


def adds_up(report: LoadReport) -> bool:
    parts = (report.created, report.known, report.supported, report.revised, report.duplicates, report.rejected, report.resumed)
    return report.read == sum(parts)


def test_triples_become_entities_and_facts_with_every_property_of_the_memory_shape(memory: Database, tmp_path: Path) -> None:
    report = load(memory, [write(tmp_path / "a.tsv", "Zoë Müller\tworks_for\tAcme\t2001\t2005-06\tregister\t0.8")], "ns")
    assert (report.created, report.entities, report.facts, report.version, adds_up(report)) == (1, 2, 1, 1, True)
    fact = facts(memory)[0]["fact"]
    assert fact["fact"] == "Zoë Müller works for Acme"
    assert fact["search_text"] == "zoe muller works for acme"
    assert (fact["name"], fact["from_key"], fact["to_key"]) == ("works_for", "Zoë Müller", "Acme")
    assert (fact["valid_from"], fact["valid_from_precision"]) == ("2001-01-01T00:00:00Z", "year")
    assert (fact["valid_to"], fact["valid_to_precision"]) == ("2005-07-01T00:00:00Z", "month")
    assert (fact["valid_at"], fact["invalid_at"]) == (fact["valid_from"], fact["valid_to"])
    assert (fact["known_to"], fact["episodes"], fact["uuid"]) == (OPEN_END, [], fact["fact_id"])
    assert (fact["source"], fact["confidence"], fact["observation_count"]) == ("register", 0.8, 1)
    assert (fact["group_id"], fact["access_level"], fact["visibility_group"]) == ("ns", "public", "")
    assert fact["known_from"] == fact["created_at"]
    zoe = entity(memory, "Zoë Müller")
    assert (zoe["name"], zoe["folded_name"], zoe["search_text"]) == ("Zoë Müller", "zoe muller", "zoe muller")
    assert (zoe["kind"], zoe["summary"], zoe["aliases"], zoe["group_id"]) == ("", "", [], "ns")


def test_open_dates_are_written_and_never_null(memory: Database, tmp_path: Path) -> None:
    load(memory, [write(tmp_path / "a.tsv", "a\tr\tb", "a\tr\tc\t-0044\t2001")], "ns")
    undated, early = (row["fact"] for row in facts(memory))
    assert (undated["valid_from"], undated["valid_to"]) == (OPEN_START, OPEN_END)
    assert undated["valid_at"] is None
    assert undated["invalid_at"] is None
    assert (early["valid_from"], early["valid_from_text"]) == (OPEN_START, "-0044")
    clocks = "[x.valid_from, x.valid_to, x.known_from, x.known_to, x.valid_from_precision, x.valid_to_precision]"
    nodes = memory.read(f"MATCH (x:Entity) RETURN all(c IN {clocks} WHERE c IS NOT NULL) AS dated")
    edges = memory.read(f"MATCH ()-[x:RELATES_TO]->() RETURN all(c IN {clocks} WHERE c IS NOT NULL) AS dated")
    assert [row["dated"] for row in nodes + edges] == [True] * 5


def test_dates_before_the_year_one_are_counted(memory: Database, tmp_path: Path) -> None:
    assert load(memory, [write(tmp_path / "a.tsv", "a\tr\tb\t-0044\t-0027", "a\tr\tc\t0000")], "ns").early_dates == 3


def test_loading_twice_changes_nothing(memory: Database, tmp_path: Path) -> None:
    file = write(
        tmp_path / "a.jsonl",
        {"name": "Acme", "kind": "company", "aliases": ["ACME Inc."], "properties": {"staff": 3}},
        {"subject": "Ann", "relation": "works_for", "object": "Acme", "valid_from": "2001"},
        {"subject": "Ann", "relation": "works_for", "object": "Acme", "valid_from": "2001", "valid_to": "2004", "source": "letter"},
        {"name": "Acme", "kind": "firm"},
    )
    load(memory, [file], "ns")
    everything = "MATCH (n) OPTIONAL MATCH (n)-[r]->() RETURN collect(properties(n)) AS n, collect(properties(r)) AS r"
    before, content = canonical_hash(memory, "ns"), memory.read(everything)
    report = load(memory, [file], "ns")
    assert (report.known, report.created, report.revised, report.entities, report.facts) == (4, 0, 0, 0, 0)
    assert canonical_hash(memory, "ns") == before
    assert memory.read(everything) == content


def test_distinct_names_never_collapse(memory: Database, tmp_path: Path) -> None:
    names = ["Müller", "Muller", "muller", "MULLER", "Möller", " Müller", "華為", "华为", "Ｍüller", "!!!", "?"]
    report = load(memory, [write(tmp_path / "a.tsv", *(f"{name}\tis\tname" for name in names))], "ns")
    assert report.entities == len(names) + 1
    stored = memory.read("MATCH (n:Entity) WHERE n.name <> 'name' RETURN n.name AS name")
    assert {row["name"] for row in stored} == set(names)


def test_a_repeated_row_is_a_duplicate_and_adds_no_evidence(memory: Database, tmp_path: Path) -> None:
    report = load(memory, [write(tmp_path / "a.tsv", "a\tr\tb", "a\tr\tb", "a\tr\tc", "a\tr\tb")], "ns")
    assert (report.created, report.duplicates, report.facts, adds_up(report)) == (2, 2, 2, True)
    assert all(row["fact"]["observation_count"] == 1 for row in facts(memory))


def test_another_source_supports_a_fact_and_raises_its_confidence_once_per_source(memory: Database, tmp_path: Path) -> None:
    header = "subject\trelation\tobject\tsource\tplace\tconfidence"
    rows = ["a\tr\tb\tbook\tp. 1\t0.5", "a\tr\tb\tletter\t\t0.5", "a\tr\tb\tbook\tp. 9\t0.4"]
    report = load(memory, [write(tmp_path / "a.tsv", header, *rows)], "ns")
    assert (report.created, report.supported, report.facts, adds_up(report)) == (1, 2, 1, True)
    [fact] = facts(memory)
    assert (fact["fact"]["observation_count"], fact["fact"]["confidence"], fact["fact"]["source"]) == (3, 0.75, "book")
    assert memory.read("MATCH (e:GavelEvidence) RETURN count(e) AS n")[0]["n"] == 3


def test_another_end_date_closes_the_version_and_opens_a_new_one(memory: Database, tmp_path: Path) -> None:
    load(memory, [write(tmp_path / "a.tsv", "a\tr\tb\t2001")], "ns")
    report = load(memory, [write(tmp_path / "b.tsv", "a\tr\tb\t2001\t2004")], "ns")
    assert (report.revised, report.facts, report.version) == (1, 0, 2)
    old, new = (row["fact"] for row in facts(memory))
    assert old["fact_id"] == new["fact_id"]
    assert old["uuid"] != new["uuid"]
    assert (old["valid_to"], new["valid_to"]) == (OPEN_END, "2005-01-01T00:00:00Z")
    assert new["known_to"] == OPEN_END
    assert memory.read("MATCH ()-[r {uuid: $u}]->() RETURN r.known_to AS t", {"u": old["uuid"]})[0]["t"] == new["known_from"]


def test_an_earlier_file_loaded_again_does_not_take_back_what_came_later(memory: Database, tmp_path: Path) -> None:
    first = write(tmp_path / "a.tsv", "a\tr\tb\t2001")
    load(memory, [first], "ns")
    load(memory, [write(tmp_path / "b.tsv", "a\tr\tb\t2001\t2004")], "ns")
    before = canonical_hash(memory, "ns")
    assert load(memory, [first], "ns").known == 1
    assert canonical_hash(memory, "ns") == before


def test_two_ends_in_one_file_leave_the_later_row_believed(memory: Database, tmp_path: Path) -> None:
    file = write(tmp_path / "a.tsv", "a\tr\tb\t2001\t2003", "a\tr\tb\t2001\t2004", "a\tr\tb\t2001\t2005")
    assert load(memory, [file], "ns").revised == 2
    live = [row["fact"]["valid_to"] for row in facts(memory) if row["fact"]["known_to"] == OPEN_END]
    assert (len(facts(memory)), live) == (3, ["2006-01-01T00:00:00Z"])


def test_an_entity_row_fills_what_facts_only_mentioned(memory: Database, tmp_path: Path) -> None:
    load(memory, [write(tmp_path / "a.tsv", "Q1\tmakes\tPhones")], "ns")
    row = {"name": "华为", "key": "Q1", "kind": "company", "aliases": ["Huawei"], "summary": "Maker of phones.", "properties": {"staff": 2}}
    report = load(memory, [write(tmp_path / "b.jsonl", row)], "ns")
    assert (report.created, report.entities, adds_up(report)) == (1, 0, True)
    node = entity(memory, "Q1")
    assert (node["name"], node["kind"], node["aliases"], node["folded_aliases"]) == ("华为", "company", ["Huawei"], ["huawei"])
    assert node["search_text"] == "华为 | huawei | maker of phones"
    assert json.loads(node["properties"]) == {"staff": 2}
    assert memory.read("MATCH (v:GavelEntityVersion) RETURN count(v) AS n")[0]["n"] == 0


def test_overwriting_what_an_entity_row_declared_keeps_the_earlier_state(memory: Database, tmp_path: Path) -> None:
    load(memory, [write(tmp_path / "a.jsonl", {"name": "Acme", "kind": "company", "aliases": ["A"]})], "ns")
    report = load(memory, [write(tmp_path / "b.jsonl", {"name": "Acme", "kind": "fund", "aliases": ["B"]})], "ns")
    assert report.revised == 1
    node = entity(memory, "Acme")
    assert (node["kind"], node["aliases"], node["observation_count"]) == ("fund", ["A", "B"], 2)
    [row] = memory.read("MATCH (v:GavelEntityVersion) RETURN v.kind AS kind, v.entity_uuid AS uuid, v.known_to AS until")
    assert (row["kind"], row["uuid"], row["until"]) == ("company", node["uuid"], node["known_from"])


def test_facts_of_keyed_entities_are_told_with_their_names(memory: Database, tmp_path: Path) -> None:
    rows = [{"name": "Ann", "key": "p1"}, {"name": "Bob", "key": "p2"}, {"subject": "p1", "relation": "is_friend_of", "object": "p2"}]
    load(memory, [write(tmp_path / "a.jsonl", *rows)], "ns")
    assert facts(memory)[0]["fact"]["fact"] == "Ann is friend of Bob"


def test_a_fact_of_a_visibility_group_stands_on_the_public_entity_where_there_is_one(memory: Database, tmp_path: Path) -> None:
    public = {"subject": "Acme", "relation": "makes", "object": "soap"}
    hidden = {"subject": "Acme", "relation": "buys", "object": "Zeta", "visibility_group": "finance", "access_level": "internal"}
    report = load(memory, [write(tmp_path / "a.jsonl", public, hidden, hidden)], "ns")
    assert (report.entities, report.facts, report.duplicates) == (3, 2, 1)
    assert entity(memory, "Acme")["visibility_group"] == ""
    assert (entity(memory, "Zeta")["visibility_group"], entity(memory, "Zeta")["access_level"]) == ("finance", "internal")
    load(memory, [write(tmp_path / "b.jsonl", {"subject": "Zeta", "relation": "makes", "object": "soap"})], "ns")
    groups = memory.read("MATCH (n:Entity {key: 'Zeta'}) RETURN n.visibility_group AS g ORDER BY g")
    assert [row["g"] for row in groups] == ["", "finance"]


def test_what_a_restricted_fact_mentions_is_restricted_until_a_public_fact_names_it(memory: Database, tmp_path: Path) -> None:
    load(memory, [write(tmp_path / "a.jsonl", {"subject": "A", "relation": "r", "object": "B", "access_level": "secret"})], "ns")
    assert entity(memory, "A")["access_level"] == "secret"
    load(memory, [write(tmp_path / "b.jsonl", {"subject": "A", "relation": "r", "object": "C"})], "ns")
    assert (entity(memory, "A")["access_level"], entity(memory, "B")["access_level"]) == ("public", "secret")


def test_text_of_a_restricted_entity_never_shows_at_another_level(memory: Database, tmp_path: Path) -> None:
    secret = {"name": "A", "kind": "spy", "summary": "Secret.", "aliases": ["X"], "access_level": "secret"}
    load(memory, [write(tmp_path / "a.jsonl", secret)], "ns")
    load(memory, [write(tmp_path / "b.jsonl", {"name": "A", "summary": "Also told."})], "ns")
    assert (entity(memory, "A")["access_level"], entity(memory, "A")["aliases"]) == ("secret", ["X"])
    load(memory, [write(tmp_path / "c.jsonl", {"name": "A", "access_level": "public"})], "ns")
    node = entity(memory, "A")
    assert (node["access_level"], node["kind"], node["summary"], node["aliases"]) == ("public", "", "", [])


def test_a_public_row_opens_a_public_version_of_a_restricted_fact_and_hides_its_text(memory: Database, tmp_path: Path) -> None:
    fact = {"subject": "A", "relation": "r", "object": "B"}
    load(memory, [write(tmp_path / "a.jsonl", {**fact, "fact": "The secret wording.", "access_level": "secret"})], "ns")
    load(memory, [write(tmp_path / "b.jsonl", {**fact, "access_level": "public"})], "ns")
    old, new = (row["fact"] for row in facts(memory))
    assert (old["access_level"], new["access_level"], new["fact"], new["observation_count"]) == ("secret", "public", "A r B", 1)
    assert old["known_to"] != OPEN_END


def test_namespaces_are_apart(memory: Database, tmp_path: Path) -> None:
    file = write(tmp_path / "a.tsv", "a\tr\tb")
    load(memory, [file], "one")
    report = load(memory, [file], "two")
    assert (report.entities, report.facts) == (2, 1)
    assert (version(memory, "one"), version(memory, "two")) == (1, 1)


@pytest.mark.parametrize("name", ["", "a b", "x" * 65, "a/b", "名"])
def test_a_namespace_that_graphiti_would_refuse_is_refused(memory: Database, tmp_path: Path, name: str) -> None:
    with pytest.raises(DataError, match="is no namespace id"):
        load(memory, [write(tmp_path / "a.tsv", "a\tr\tb")], name)


def test_a_bad_row_stops_the_load_by_file_and_line(memory: Database, tmp_path: Path) -> None:
    file = write(tmp_path / "a.tsv", "a\tr\tb", "broken")
    with pytest.raises(DataError, match=r"a\.tsv:2: 1 columns") as caught:
        load(memory, [file], "ns")
    assert (caught.value.line, caught.value.file) == (2, str(file))


def test_skipped_rows_go_to_the_rejects_file_with_line_and_reason(memory: Database, tmp_path: Path) -> None:
    rejects = tmp_path / "out" / "rejects.jsonl"
    file = write(tmp_path / "a.tsv", "a\tr\tb", "broken", "a\tr\tc\t2010\t2009", "a\tr\td")
    report = load(memory, [file], "ns", on_error="skip", rejects=rejects)
    assert (report.created, report.rejected, report.rejects, adds_up(report)) == (2, 2, str(rejects), True)
    rows = [json.loads(line) for line in rejects.read_text().splitlines()]
    assert [(row["line"], row["row"]) for row in rows] == [(2, "broken"), (3, "a\tr\tc\t2010\t2009")]
    assert rows[1]["reason"].startswith("valid_from 2010 is later")


def test_without_rejected_rows_no_rejects_file_is_made(memory: Database, tmp_path: Path) -> None:
    report = load(memory, [write(tmp_path / "a.tsv", "a\tr\tb")], "ns", on_error="skip", rejects=tmp_path / "r.jsonl")
    assert (report.rejects, (tmp_path / "r.jsonl").exists()) == ("", False)


def test_names_with_the_longest_allowed_bytes_fit_the_constraints(memory: Database, tmp_path: Path) -> None:
    subject, relation, object_ = "名" * 666, "r" * 500, "ü" * 1000
    row = {"subject": subject, "relation": relation, "object": object_, "visibility_group": "g" * 2000}
    report = load(memory, [write(tmp_path / "a.jsonl", {**row, "visibility_group": ""}, row)], "n" * 64)
    assert report.facts == 2


def test_a_batch_of_the_largest_rows_fits_a_message(memory: Database, tmp_path: Path) -> None:
    rows = [{"name": f"n{i}", "summary": "字" * 60_000} for i in range(40)]
    assert load(memory, [write(tmp_path / "a.jsonl", *rows)], "ns").entities == 40


def test_progress_tells_rate_and_time_left(memory: Database, tmp_path: Path) -> None:
    steps = []
    load(memory, [write(tmp_path / "a.tsv", *(f"a\tr\t{i}" for i in range(2500)))], "ns", progress=steps.append)
    assert [step.items for step in steps if step.label == "load"] == [1000, 2000, 2500]
    assert steps[0].rate > 0
    assert steps[0].left is not None
    assert steps[0].left > 0
    assert (steps[2].done, steps[2].left) == (steps[2].total, 0)


def test_a_database_with_foreign_data_is_refused_and_left_alone(database: Database, tmp_path: Path) -> None:
    database.write("CREATE (:Movie {title: 'x'})")
    with pytest.raises(StoreError, match="holds data that Gavel did not load"):
        load(database, [write(tmp_path / "a.tsv", "a\tr\tb")], "ns")
    assert database.read("MATCH (n) RETURN count(n) AS n")[0]["n"] == 1
    assert database.read("SHOW CONSTRAINTS YIELD name") == []


def test_a_database_of_a_newer_schema_is_refused(database: Database, tmp_path: Path) -> None:
    ddl.ensure(database, "memory")
    database.write("MATCH (s:GavelSchema) SET s.version = 99")
    with pytest.raises(StoreError, match="made by a newer Gavel"):
        load(database, [write(tmp_path / "a.tsv", "a\tr\tb")], "ns")
