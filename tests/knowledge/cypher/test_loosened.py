"""Statements that found nothing are loosened word for word, and nothing else in them changes."""

import pytest

from knowledge.cypher.loosened import fewer_filters, respelt, texts_in


def test_texts_are_found_wherever_they_stand() -> None:
    statement = "MATCH (a:Ship {name: 'osprey'})-->(p) WHERE p.name = \"usa\" AND a.note <> '' RETURN 'x' // 'no'"
    assert texts_in(statement) == ["osprey", "usa", "x"]


def test_a_text_is_spelt_anew_and_the_rest_stays() -> None:
    known = {"usa": "United States", "o'neill": "O'Neill"}
    made = respelt("MATCH (a {name: 'usa'}), (b {name: \"o'neill\"}) RETURN a, 'usa' AS u", lambda text: known.get(text, ""))
    assert made is not None
    assert made.text == "MATCH (a {name: 'United States'}), (b {name: 'O\\'Neill'}) RETURN a, 'United States' AS u"
    assert "'usa' read as 'United States'" in made.change
    assert respelt("MATCH (a) RETURN a", lambda text: "x") is None
    assert respelt("MATCH (a {name: 'usa'}) RETURN a", lambda text: "usa") is None


@pytest.mark.parametrize(
    ("statement", "fewer"),
    [
        ("MATCH (a) WHERE a.x > 1 AND a.y < 2 RETURN a", ["MATCH (a) WHERE a.x > 1 RETURN a", "MATCH (a) RETURN a"]),
        ("MATCH (a) WHERE a.x > 1 RETURN a ORDER BY a.x", ["MATCH (a) RETURN a ORDER BY a.x"]),
        ("MATCH (a) WHERE (a.x > 1 AND a.z = 2) RETURN a", ["MATCH (a) RETURN a"]),
        ("MATCH (a) WHERE a.n = ' AND ' AND a.y = 1 RETURN a", ["MATCH (a) WHERE a.n = ' AND ' RETURN a", "MATCH (a) RETURN a"]),
        ("MATCH (a) WHERE CASE WHEN a.x AND a.y THEN true ELSE false END AND a.z RETURN a",
         ["MATCH (a) WHERE CASE WHEN a.x AND a.y THEN true ELSE false END RETURN a", "MATCH (a) RETURN a"]),
        ("MATCH (a)-->(b) WITH a, count(b) AS n WHERE n > 3 RETURN a", ["MATCH (a)-->(b) WITH a, count(b) AS n RETURN a"]),
        ("MATCH (a) RETURN a", []),
        ("MATCH (a WHERE 'unfinished", []),
    ],
)  # fmt: skip
def test_the_last_condition_goes_first(statement: str, fewer: list[str]) -> None:
    assert [one.text for one in fewer_filters(statement)] == fewer
