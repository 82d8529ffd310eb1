"""How the text of a statement is cut into tokens."""

import pytest

from knowledge.cypher.refusal import Refused
from knowledge.cypher.tokens import tokens


def texts(text: str) -> list[str]:
    return [token.text for token in tokens(text)[:-1]]


def kinds(text: str) -> list[str]:
    return [token.kind for token in tokens(text)[:-1]]


def test_comments_are_left_out_and_strings_keep_what_looks_like_them() -> None:
    assert texts("a /* b // c */ d // e\nf '// g' \"/* h */\"") == ["a", "d", "f", "// g", "/* h */"]


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        (r"'it\'s'", "it's"),
        (r"'\t\n\\'", "\t\n\\"),
        (r"'\u0041'", "A"),
        (r"'\\u0041'", r"\u0041"),
        (r"'\x'", r"\x"),
        ('"\'"', "'"),
        ("'`'", "`"),
    ],
)
def test_strings_are_read_as_the_server_reads_them(written: str, meant: str) -> None:
    assert texts(written) == [meant]
    assert kinds(written) == ["string"]


def test_an_escape_is_read_before_anything_else_and_can_close_a_string() -> None:
    assert texts("'a\\u0027 b") == ["a", "b"]
    assert texts("\\u0043REATE") == ["CREATE"]


def test_back_ticks_hold_any_name() -> None:
    assert texts("`a``b` `DELETE n //`") == ["a`b", "DELETE n //"]
    assert kinds("`MATCH`") == ["quoted"]
    assert tokens("`MATCH`")[0].word == ""


@pytest.mark.parametrize("number", ["1", "1.5", ".5", "1e3", "1.5E-3", "0x1F", "0o17", "1_000"])
def test_numbers(number: str) -> None:
    assert (kinds(number), texts(number)) == (["number"], [number])


def test_the_dots_of_a_length_are_no_decimal_point() -> None:
    assert texts("*1..3") == ["*", "1", "..", "3"]
    assert texts("*..3") == ["*", "..", "3"]


def test_parameters_and_names_of_other_scripts() -> None:
    assert kinds("$a $`b c` $1 人物 été") == ["parameter"] * 3 + ["name"] * 2


def test_places_are_those_of_the_text_that_was_given() -> None:
    assert [(token.at, token.end) for token in tokens("\\u0041 b")[:-1]] == [(0, 6), (7, 8)]


@pytest.mark.parametrize("text", ["'a", '"a', "`a", "/* a", "\\u00", "'\\uZZZZ'"])
def test_what_is_unfinished_is_refused(text: str) -> None:
    with pytest.raises(Refused) as refused:
        tokens(text)
    assert refused.value.code == "unfinished"


@pytest.mark.parametrize("text", ["（", "—", "＞", "；", "＝", "－"])
def test_look_alikes_of_symbols_are_refused(text: str) -> None:
    with pytest.raises(Refused) as refused:
        tokens(text)
    assert refused.value.code == "look_alike"
