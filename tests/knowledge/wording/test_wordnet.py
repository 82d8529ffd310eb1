import pytest

from knowledge.wording.gender import word_sex
from knowledge.wording.wordnet import wordnet


@pytest.mark.parametrize(
    ("form", "lemma", "pos"),
    [("wives", "wife", "n"), ("children", "child", "n"), ("starred", "star", "v"), ("swimming", "swim", "v"), ("wrote", "write", "v")],
)
def test_inflected_forms_find_their_lemma(form: str, lemma: str, pos: str) -> None:
    assert (lemma, pos) in wordnet().lemmas(form)


def test_the_shares_of_all_readings_add_up_to_one() -> None:
    assert sum(r.share for r in wordnet().readings("fish")) == pytest.approx(1)


def test_an_unknown_word_has_no_reading() -> None:
    assert wordnet().readings("qwrtzp") == []
    assert wordnet().senses("qwrtzp", "n") == ()
    assert wordnet().field_of("qwrtzp", "n") == ""


def test_verbs_lead_to_their_agents() -> None:
    net = wordnet()
    derived = {word for sense in net.senses("teach", "v") for word, _ in net.derived(sense, "teach")}
    assert "teacher" in derived


def test_senses_know_what_is_above_below_and_against_them() -> None:
    net = wordnet()
    parent = net.senses("parent", "n")[0]
    assert "relative" in {w for s in net.ancestors(parent, 4) for w in net.synset(s).words}
    assert {"mother", "father"} <= {w for s in net.descendants(parent) for w in net.synset(s).words}
    assert [word for word, _ in net.opposites(parent, "parent")] == ["child"]


def test_the_first_sense_dominates() -> None:
    net = wordnet()
    first, *rest = net.senses("dog", "n")
    assert net.dominance("dog", first) == 1
    assert all(net.dominance("dog", sense) < 0.5 for sense in rest)


@pytest.mark.parametrize(("word", "sex"), [("aunt", "female"), ("sons", "male"), ("cousin", None), ("heiress", "female"), ("table", None)])
def test_words_say_male_or_female(word: str, sex: str | None) -> None:
    assert word_sex(word) == sex
