"""Text for a model: every line can be cited, and the allowance is kept."""

from knowledge.records import Entity, Fact, Path
from tools.cited import cut, entity_line, estimated_tokens, fact_line, path_line

ADA, BOB, CITY = Entity("e1", "Ada", "person", aliases=("Countess",), summary="wrote programs"), Entity("e2", "Bob"), Entity("e3", "Bath")
KNOWS = Fact("f1", ADA, "knows", BOB, "Ada knows Bob", "1840", "1852", source="letters")
LIVES = Fact("f2", BOB, "lives_in", CITY, "Bob moved to Bath.")


def test_a_short_list_is_kept_whole() -> None:
    assert cut(["one", "two"], empty="nothing") == "one\ntwo"


def test_no_line_gives_the_empty_text() -> None:
    assert cut([], empty="nothing") == "nothing"


def test_what_exceeds_the_allowance_is_left_out_and_counted() -> None:
    text = cut([f"line {i} " + "x" * 40 for i in range(100)], empty="", allowance=100)
    assert text.endswith("more left out: ask for less, or more narrowly)")
    assert estimated_tokens(text) < 130


def test_one_line_is_shown_however_long() -> None:
    assert cut(["x" * 10_000], empty="", allowance=10).startswith("xxx")


def test_other_scripts_cost_a_token_a_character() -> None:
    assert (estimated_tokens("abcdefgh"), estimated_tokens("华为技术")) == (2, 4)


def test_an_entity_shows_id_kind_aliases_and_summary() -> None:
    assert entity_line(ADA) == "[e1] Ada (person) also: Countess. wrote programs"


def test_a_fact_shows_dates_and_source_and_not_the_triple_twice() -> None:
    assert fact_line(KNOWS) == "[f1] Ada -knows-> Bob (1840 – 1852; letters)"


def test_a_fact_shows_a_sentence_that_says_more() -> None:
    assert fact_line(LIVES) == "[f2] Bob -lives_in-> Bath: Bob moved to Bath."


def test_a_path_shows_its_arrows_in_walking_order() -> None:
    assert path_line(Path(CITY, ADA, (LIVES, KNOWS))) == "Bath <-lives_in- Bob <-knows- Ada [f2, f1]"


def test_a_path_shows_the_conditions_that_held() -> None:
    assert path_line(Path(ADA, BOB, (KNOWS,), (LIVES,))) == "Ada -knows-> Bob where Bob -lives_in-> Bath [f1, f2]"
