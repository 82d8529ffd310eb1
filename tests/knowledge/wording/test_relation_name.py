import pytest

from knowledge.wording.relation_name import acts, is_active_verb, parse
from knowledge.wording.wordnet import wordnet


@pytest.mark.parametrize(
    ("name", "words", "owner"),
    [
        ("repaired_by", ("repaired", "by"), ()),
        ("GUARDS", ("guards",), ()),
        ("hasKeel", ("has", "keel"), ()),
        ("port of call", ("port", "of", "call"), ()),
        ("fleet.ship.pilot", ("pilot",), ("ship",)),
        ("/sea/harbour/pier_length", ("pier", "length"), ("harbour",)),
        ("__store__shelf__tin", ("tin",), ("shelf",)),
    ],
)
def test_names_fall_into_words_and_owner(name: str, words: tuple[str, ...], owner: tuple[str, ...]) -> None:
    parsed = parse(name)
    assert (parsed.words, parsed.owner) == (words, owner)


def test_a_name_without_words_is_its_own_word() -> None:
    assert parse("→").words == ("→",)


def test_the_head_stands_before_of_or_last() -> None:
    assert parse("port_of_call").head == 0
    assert parse("steel_keel").head == 1


@pytest.mark.parametrize(
    ("name", "acting"), [("employs", True), ("sails_for", True), ("repaired_by", False), ("captain", False), ("has_keels", False)]
)
def test_grammar_says_who_acts(name: str, acting: bool) -> None:
    assert acts(parse(name), wordnet()) is acting


def test_only_the_verb_of_a_name_acts() -> None:
    assert is_active_verb(parse("owns"), "owns", wordnet())
    assert not is_active_verb(parse("owns"), "keel", wordnet())


def test_the_grammar_of_a_name_is_told_by_its_last_word() -> None:
    assert parse("guarded_by").passive and not parse("guarded_by").prepositional
    assert parse("moored_at").prepositional and not parse("moored_at").passive
