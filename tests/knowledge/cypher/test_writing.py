"""What is written is what was read: the tree of the written text is the tree of the text, our names for things apart."""

import re

import pytest

from knowledge.cypher.clauses import parsed
from knowledge.cypher.refusal import Refused
from knowledge.cypher.syntax import Query
from knowledge.cypher.writing_query import Writer
from tests.knowledge.cypher.worlds import rows


def written(query: Query) -> tuple[str, dict[str, str]]:
    writer = Writer()
    return writer.query(query), {name: text for text, name in writer.texts.items()}


@pytest.mark.parametrize("text", [case["text"] for case in rows("benign.jsonl")])
def test_writing_a_statement_twice_changes_nothing_more(text: str) -> None:
    once, texts = written(parsed(text))
    for name, value in texts.items():
        once = re.sub(rf"\${name}\b", lambda _, value=value: quoted(value), once)
    again, _ = written(parsed(re.sub(r"`[vp]_", "`", once)))
    assert again == written(parsed(text))[0]


def quoted(value: str) -> str:
    return "'" + value.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n").replace("\t", "\\t") + "'"


def test_no_text_of_a_statement_stands_in_what_is_sent() -> None:
    sent, texts = written(parsed("MATCH (n:A {x: 'MARKER'}) WHERE n.y = \"MARKER\" AND n.z IN ['OTHER'] RETURN 'MARKER' AS m"))
    assert "MARKER" not in sent and "OTHER" not in sent
    assert sorted(texts.values()) == ["MARKER", "OTHER"]


@pytest.mark.parametrize("name", ["a`b", "x`) DETACH DELETE n //", "\\u0060", "空 格"])
def test_names_are_quoted_whole(name: str) -> None:
    tick = name.replace("`", "``").replace("\\u", "\\\\u")
    sent, _ = written(parsed(f"MATCH (n:`{tick}`) RETURN n.`{tick}` AS x"))
    assert sent.count("`") % 2 == 0
    assert written(parsed(re.sub(r"`[vp]_", "`", sent)))[0] == sent


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("MATCH (n:A)\nDELETE n", 2, 1),
        ("MATCH (n:A) RETURN frob(n)", 1, 20),
        ("MATCH (n:A) RETURN n;\n RETURN 1", 2, 2),
        ("RETURN 'a' 'b'", 1, 12),
    ],
)
def test_a_refusal_names_the_place(text: str, line: int, column: int) -> None:
    with pytest.raises(Refused) as refused:
        parsed(text)
    place = refused.value.located(text)
    assert (place.line, place.column) == (line, column)
