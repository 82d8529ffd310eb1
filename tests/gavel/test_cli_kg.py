"""The commands over a database: load, look, ask, and what they say when something is missing. The tests build on each other."""

import json
from pathlib import Path

import pytest

from gavel.asking import RESULT_KEYS
from knowledge.profile.importer import read_profile
from tests.gavel.conftest import Gavel

WORLD = Path(__file__).parents[2] / "gavel" / "world"
FILES = (str(WORLD / "entities.jsonl"), str(WORLD / "facts.jsonl"))
QUESTION = "Who founded Anthropic?"


def test_a_question_to_an_empty_kg_says_how_to_load(gavel: Gavel) -> None:
    told = gavel("ask", QUESTION)
    assert told.code == 0
    assert "`gavel demo` loads the sample world" in told.err


def test_the_doctor_finds_an_empty_database_well_but_empty(gavel: Gavel) -> None:
    told = gavel("doctor", "--format", "json")
    found = {finding["check"]: finding for finding in json.loads(told.out)}
    assert told.code == 0
    assert found["schema"]["state"] == "warning"
    assert "gavel demo" in found["schema"]["advice"]
    assert "one local person" in found["principal"]["found"]


def test_a_load_reports_what_it_did(gavel: Gavel) -> None:
    told = gavel("load", *FILES, "--namespace", "world", "--format", "json")
    report = json.loads(told.out)
    assert (told.code, report["read"], report["created"], report["rejected"]) == (0, 612, 612, 0)


def test_loading_again_changes_nothing(gavel: Gavel) -> None:
    told = gavel("load", *FILES, "--namespace", "world")
    assert told.code == 0
    assert "already known  612" in told.out
    assert "new entities" not in told.out


def test_a_bad_row_is_named_by_file_and_line(gavel: Gavel, tmp_path: Path) -> None:
    (tmp_path / "bad.tsv").write_text("Alder\tmade_by\tBoreal\nonly one cell\n")
    told = gavel("load", "bad.tsv", "--namespace", "bad")
    assert told.code == 1
    assert "bad.tsv:2:" in told.err


def test_a_namespace_id_with_a_space_is_refused_before_anything_happens(gavel: Gavel) -> None:
    told = gavel("load", *FILES, "--namespace", "my world")
    assert (told.code, told.out) == (1, "")
    assert "A-Z a-z 0-9 _ -" in told.err


def test_the_schema_counts_the_facts_of_each_relation(gavel: Gavel) -> None:
    relations = {relation["name"]: relation for relation in json.loads(gavel("schema", "--format", "json").out)["relations"]}
    assert relations["founded"]["facts"] == 47


def test_the_profile_draft_can_be_used_as_a_profile(gavel: Gavel, tmp_path: Path) -> None:
    (tmp_path / "draft.yaml").write_text(gavel("schema", "--profile").out)
    assert "founded" in read_profile(tmp_path / "draft.yaml").relations


def test_an_answer_in_json_has_exactly_the_keys_of_a_result(gavel: Gavel) -> None:
    told = gavel("ask", QUESTION, "--format", "json")
    result = json.loads(told.out)
    assert tuple(result) == RESULT_KEYS
    assert {answer["name"] for answer in result["answers"]} == {"Dario Amodei", "Daniela Amodei", "Jared Kaplan"}
    assert result["spent"]["queries"] <= 6


def test_an_answer_in_text_shows_its_proof_and_cost(gavel: Gavel) -> None:
    told = gavel("ask", QUESTION, "--namespace", "world")
    assert "Dario Amodei ──founded──▶ Anthropic" in told.out
    assert "Stopped     answered" in told.out
    assert "\x1b" not in told.out


def test_bytes_that_are_no_text_are_asked_all_the_same(gavel: Gavel) -> None:
    told = gavel("ask", "caf\udcff\udcfe?", "--format", "json")
    assert told.code == 0
    assert json.loads(told.out)["stop_reason"] in ("not_found", "out_of_scope")


def test_a_trace_lists_the_statements_of_the_run(gavel: Gavel) -> None:
    told = gavel("ask", QUESTION, "--trace")
    assert "intake" in told.out and "link" in told.out
    assert "→" in told.out
    assert told.out.count("MATCH") >= 2
    assert "group_id IN $" in told.out


def test_a_trace_beside_json_leaves_standard_output_one_document(gavel: Gavel) -> None:
    told = gavel("ask", QUESTION, "--trace", "--format", "json")
    assert json.loads(told.out)["stop_reason"] == "answered"
    assert "intake" in told.err and "MATCH" in told.err


def test_a_limit_ends_the_run_with_its_name(gavel: Gavel) -> None:
    assert json.loads(gavel("ask", QUESTION, "--max-queries", "1", "--format", "json").out)["stop_reason"] == "queries"


def test_a_namespace_that_does_not_exist_is_refused_by_name(gavel: Gavel) -> None:
    told = gavel("ask", QUESTION, "--namespace", "elsewhere")
    assert told.code == 1
    assert "namespace elsewhere may not be read; readable: world" in told.err


def test_a_date_that_is_none_is_refused_with_the_forms_that_are(gavel: Gavel) -> None:
    told = gavel("ask", QUESTION, "--as-of", "yesterday")
    assert told.code == 2
    assert "2019-05-07" in told.err


def test_a_request_to_write_is_answered_with_what_can_be_done(gavel: Gavel) -> None:
    result = json.loads(gavel("ask", "Please remember that Alder was founded by Boreal.", "--format", "json").out)
    assert result["stop_reason"] == "out_of_scope"
    assert result["answer"]


def test_the_doctor_finds_a_loaded_database_healthy(gavel: Gavel) -> None:
    told = gavel("doctor")
    assert told.code == 0
    assert "✗" not in told.out


def test_the_doctor_notices_a_profile_that_describes_what_is_not_there(gavel: Gavel, empty_kg: Path) -> None:
    (empty_kg / "profile.yaml").write_text("relations: {founded: {}, owns_pets: {}}")
    told = gavel("doctor")
    assert told.code == 0
    assert "! profile drift" in told.out
    assert "not in the kg: owns_pets" in told.out


def test_the_doctor_fails_where_the_profile_cannot_be_read(gavel: Gavel, empty_kg: Path) -> None:
    (empty_kg / "profile.yaml").write_text("relations: [")
    told = gavel("doctor")
    assert told.code == 1
    assert "✗ profile" in told.out


def test_looking_after_the_server_is_refused_where_another_one_is_in_use(gavel: Gavel, environment: pytest.MonkeyPatch) -> None:
    environment.setenv("GAVEL_NEO4J_URI", "bolt://localhost:1")
    told = gavel("db", "stop")
    assert told.code == 2
    assert "GAVEL_NEO4J_URI" in told.err


def test_relations_and_kinds_of_the_schema_cannot_steer_the_terminal(gavel: Gavel, tmp_path: Path) -> None:
    hostile = {"subject": "A", "relation": "\x1b[31mred\nfacts 9", "object": "B", "subject_kind": "\x1b]0;x\x07\u202ekind\nkind"}
    (tmp_path / "a.jsonl").write_text(json.dumps(hostile) + "\n")
    assert gavel("load", str(tmp_path / "a.jsonl"), "--namespace", "hostile").code == 0
    for options in ([], ["--profile"], ["--format", "json"]):
        told = gavel("schema", "--namespace", "hostile", *options)
        assert told.code == 0
        assert not set("\x1b\x07\u202e") & set(told.out)
        assert not any(line.startswith(("facts 9", "kind")) for line in told.out.splitlines())
    assert json.loads(told.out)["relations"][0]["name"] == hostile["relation"]
