"""JSON Lines and LangChain GraphDocuments."""

import json
from pathlib import Path

import pytest
from langchain_core.documents import Document
from langchain_core.load import dumpd
from langchain_neo4j.graphs.graph_document import GraphDocument, Node, Relationship

from knowledge.errors import DataError
from knowledge.loading.files import InputFile
from knowledge.loading.parsed import Parsed
from knowledge.loading.rows import EntityRow, FactRow


def read(path: Path, content: str) -> list[Parsed]:
    path.write_text(content, encoding="utf-8")
    return list(InputFile.of(path).rows())


def errors(parsed: list[Parsed]) -> list[tuple[int, str]]:
    return [(p.origin.line, p.error) for p in parsed if p.row is None]


def test_an_entity_row_carries_kind_aliases_summary_properties_and_access(tmp_path: Path) -> None:
    row = {
        "type": "entity",
        "name": "华为",
        "key": "huawei",
        "kind": "company",
        "aliases": ["Huawei", "HUAWEI"],
        "summary": "Maker of phones.",
        "properties": {"staff": 207000, "listed": False},
        "city": "深圳",
        "access_level": "internal",
        "visibility_group": "finance",
    }
    [parsed] = read(tmp_path / "a.jsonl", json.dumps(row))
    found = parsed.row
    assert isinstance(found, EntityRow)
    assert (found.key, found.name, found.kind, found.aliases) == ("huawei", "华为", "company", ("Huawei", "HUAWEI"))
    assert found.properties == {"staff": 207000, "listed": False, "city": "深圳"}
    assert (found.access_level, found.visibility_group) == ("internal", "finance")


def test_a_row_without_a_type_is_told_by_its_fields(tmp_path: Path) -> None:
    rows = read(tmp_path / "a.jsonl", '{"name": "Ann"}\n\n{"subject": "Ann", "relation": "born_in", "object": 1969, "valid_from": 1969}\n')
    assert isinstance(rows[0].row, EntityRow)
    assert isinstance(rows[1].row, FactRow)
    assert rows[1].row.object == "1969"
    assert rows[1].origin.line == 3


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{", "this is no JSON"),
        ("[" * 100_000, "this is no JSON"),
        ("7", "a row must be a JSON object, not int"),
        ("{}", "neither an entity (name) nor a fact"),
        ('{"type": "thing", "name": "x"}', "type is 'thing'; write entity or fact"),
        ('{"type": "fact", "subject": "x", "relation": "y"}', "object is empty"),
        ('{"name": {"first": "x"}}', "name must be text or a number, not dict"),
        ('{"name": "\\ud800"}', "half a surrogate pair"),
        ('{"name": "a\\u0000b"}', "NUL"),
        ('{"name": "a", "confidence": NaN}', "NaN is no JSON number"),
        ('{"name": "a", "size": 1e999}', "too large for a number"),
        ('{"name": "a", "properties": [1]}', "properties must be an object"),
    ],
)
def test_a_bad_row_is_named_by_line_and_the_next_one_is_read(tmp_path: Path, line: str, reason: str) -> None:
    rows = read(tmp_path / "a.jsonl", f'{{"name": "a"}}\n{line}\n{{"name": "b"}}\n')
    [(number, error)] = errors(rows)
    assert number == 2
    assert reason in error
    assert len(rows) == 3


def document() -> GraphDocument:
    ann = Node(id="Ann", type="Person", properties={"description": "A baker.", "born": "1969"})
    acme = Node(id="Acme", type="Company")
    works = Relationship(source=ann, target=acme, type="WORKS_FOR", properties={"valid_from": "2001", "shift": "night"})
    return GraphDocument(
        nodes=[ann, acme], relationships=[works], source=Document("Ann works for Acme.", metadata={"source": "letter.txt"})
    )


@pytest.mark.parametrize("form", ["dump", "single", "lines", "with a serialised source"])
def test_graph_documents_are_read_in_each_form_in_which_langchain_writes_them(tmp_path: Path, form: str) -> None:
    plain = document().model_dump(mode="json")
    written = {
        "dump": json.dumps([plain, plain], indent=1),
        "with a serialised source": json.dumps([plain | {"source": dumpd(document().source)}]),
        "single": json.dumps(plain),
        "lines": json.dumps(plain),
    }[form]
    rows = read(tmp_path / ("a.jsonl" if form == "lines" else "a.json"), written)
    assert errors(rows) == []
    entity, _, fact = (p.row for p in rows[:3])
    assert isinstance(entity, EntityRow)
    assert (entity.key, entity.kind, entity.summary, entity.properties) == ("Ann", "Person", "A baker.", {"born": "1969"})
    assert isinstance(fact, FactRow)
    assert (fact.subject, fact.relation, fact.object, fact.object_kind) == ("Ann", "WORKS_FOR", "Acme", "Company")
    assert (fact.origin.source, fact.period.start.year, fact.properties) == ("letter.txt", 2001, {"shift": "night"})


def test_a_graph_document_that_langchain_could_not_write_is_refused_with_the_way_to_write_it(tmp_path: Path) -> None:
    [(_, error)] = errors(read(tmp_path / "a.json", json.dumps(dumpd(document()))))
    assert "use model_dump_json()" in error


def test_documents_of_a_list_are_named_by_the_line_on_which_they_begin(tmp_path: Path) -> None:
    text = '[\n{"nodes": [{"id": "a"}]},\n{"nodes": [{"id": ""}, {"id": "b"}], "relationships": [{"type": "x"}]}\n]'
    rows = read(tmp_path / "a.json", text)
    assert [p.origin.line for p in rows] == [2, 3, 3, 3]
    assert errors(rows) == [
        (3, "node 1 of the document: name is empty; every row needs one"),
        (3, "relationship 1 of the document: source must be a JSON object, not NoneType"),
    ]


@pytest.mark.parametrize(
    ("text", "line"),
    [('[{"name": "a"},\n{"name": }]', 2), ('[{"name": "a"}\n', 2), ('{"name": "a"}\n\nx', 3), ("", 1), ('[{"name": "a"}] x', 1)],
)
def test_what_is_no_json_is_named_by_line_after_what_was_read_before(tmp_path: Path, text: str, line: int) -> None:
    rows = read(tmp_path / "a.json", text)
    assert [number for number, _ in errors(rows)] == [line]
    assert sum(p.row is not None for p in rows) == (1 if text else 0)


def test_an_empty_list_has_no_rows(tmp_path: Path) -> None:
    assert read(tmp_path / "a.json", " [ ] ") == []


def test_a_file_that_is_no_utf8_is_refused_by_line(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(b'[\n{"name": "M\xfcller"}]')
    with pytest.raises(DataError, match=r"a\.json:2"):
        list(InputFile.of(path).rows())
