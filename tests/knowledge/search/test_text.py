"""Lucene queries from what users write, and the fusion of rankings."""

import pytest

from knowledge.search.fusion import fused
from knowledge.search.text import any_phrase, any_word, like_words, phrase


def test_a_phrase_escapes_quote_and_backslash() -> None:
    assert phrase('a "b" \\c') == '"a \\"b\\" \\\\c"'


def test_phrases_without_a_word_are_left_out() -> None:
    assert any_phrase(["tom hanks", "!!!", "tom hanks"]) == '"tom hanks"'
    assert any_phrase(["???"]) == ""


@pytest.mark.parametrize(
    "text", ["AND", "a OR b", "NOT this", "name:secret", "x*", "y~2", "z^9", "[a TO b]", "(a)", "a && b || !c", "+a -b", "a/b\\c"]
)
def test_no_operator_survives_in_a_query_of_words(text: str) -> None:
    query = any_word(text)
    assert not set(query.replace(" OR ", " ")) & set('+-&|!(){}[]^"~*?:\\/')
    assert all(word == word.lower() for word in query.split(" OR "))


def test_a_text_without_words_makes_no_query() -> None:
    assert (any_word("…!"), like_words("…!")) == ("", "")


def test_longer_words_may_be_misspelt_or_incomplete() -> None:
    assert (
        like_words("the Goldfinger of Bond") == "the^2 OR goldfinger^2 OR goldfinger~2 OR goldfinger* OR of^2 OR bond^2 OR bond~1 OR bond*"
    )


def test_runs_of_chinese_are_left_to_the_analyzer() -> None:
    assert like_words("华为技术有限公司") == "华为技术有限公司^2"


def test_fusion_is_the_sum_of_reciprocal_ranks() -> None:
    assert fused([["a", "b"], ["b", "c"]]) == [
        ("b", pytest.approx(1 / 62 + 1 / 61)),
        ("a", pytest.approx(1 / 61)),
        ("c", pytest.approx(1 / 62)),
    ]


def test_fusion_keeps_the_order_of_first_appearance_among_equals() -> None:
    assert [item for item, _ in fused([["x"], ["y"]])] == ["x", "y"]
