from knowledge.wording.question import View, nominal, parse_question


def view(text: str, mention: str) -> View:
    question = parse_question(text)
    start = question.words.index(mention)
    return View(question.words, start, start + 1, question.starts)


def test_words_are_folded_and_clauses_begin_after_commas() -> None:
    question = parse_question("In Köln, who rules? !!!")
    assert question.words == ("in", "koln", "who", "rules")
    assert question.starts == frozenset({2})
    assert question.symbols == ("!!!",)


def test_long_text_is_cut() -> None:
    question = parse_question("word " * 500)
    assert len(question.words) == 64
    assert max(j - i for i, j in question.spans()) == 16


def test_the_noun_phrase_of_a_possessive_is_read_first_and_its_verb_last() -> None:
    seen = view("where does zeno's boss live", "zeno")
    assert [seen.words[x] for x in seen.orders()[0]] == ["s", "boss", "does", "where", "live"]


def test_a_verb_after_what_belongs_to_the_mention_comes_last() -> None:
    seen = view("which prizes did the boss of zeno win", "zeno")
    assert [[seen.words[x] for x in order] for order in seen.orders()] == [["of", "boss", "the", "did", "prizes", "which", "win"]]


def test_a_relative_clause_about_the_mention_is_read_first() -> None:
    seen = view("who runs the firms that zeno has sold", "zeno")
    assert [seen.words[x] for x in seen.orders()[0]] == ["has", "sold", "that", "firms", "the", "runs", "who"]


def test_words_after_the_mention_can_be_read_first_or_last() -> None:
    seen = view("which zeno ships sail", "zeno")
    assert [[seen.words[x] for x in order] for order in seen.orders()] == [["ships", "sail", "which"], ["which", "ships", "sail"]]


def test_what_is_shared_stands_beside_the_sharing_word() -> None:
    assert view("who has the same boss as zeno", "zeno").shared_words() == ["boss"]
    assert view("who has the same boss as zeno", "zeno").shares
    assert not view("who has a boss", "who").shares


def test_how_many_counts() -> None:
    assert parse_question("How many ships sail?").counts
    assert not parse_question("How do ships sail?").counts


def test_unknown_words_may_be_nouns() -> None:
    assert nominal("qwrtzp")
    assert nominal("ship")
    assert not nominal("happily")
