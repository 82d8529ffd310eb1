"""Follow-ups become questions that stand alone; what already stands alone is left as it is."""

import pytest

from knowledge.wording.frame_follow import complete
from knowledge.wording.frame_model import Turn

KESTREL = Turn("Who directed Kestrel Nine?", ("Kestrel Nine",), ("Tarquin Oleander",))
FIRST_FILM = Turn("Which film did Tarquin Oleander direct first?", ("Tarquin Oleander",), ("Hollow Lantern",))
FILMS = Turn("Which films did Ysolde Prane write?", ("Ysolde Prane",), ("Hollow Lantern", "Kestrel Nine"))
PAIR = Turn("Compare Brindlecorp and Nembus Labs", ("Brindlecorp", "Nembus Labs"))
FOUNDED = Turn("Who founded Brindlecorp?", ("Brindlecorp",), ("Ysolde Prane",))
ABOUT = Turn("Tell me about Brindlecorp", ("Brindlecorp",))
MIST = Turn("《雾港》的导演是谁？", ("雾港",), ("林砚舟",))
LIN = Turn("林砚舟导演了哪些电影？", ("林砚舟",), ("雾港", "纸上星河"))
TWO = Turn("比较星澜科技和云栖智能", ("星澜科技", "云栖智能"))


@pytest.mark.parametrize(
    ("question", "turn", "expected"),
    [
        ("and who wrote it?", KESTREL, "who wrote Kestrel Nine?"),
        ("when was he born?", KESTREL, "when was Tarquin Oleander born?"),
        ("what else did he direct?", KESTREL, "what else did Tarquin Oleander direct?"),
        ("Is it older than Hollow Lantern?", KESTREL, "Is Kestrel Nine older than Hollow Lantern?"),
        ("What about Velmora Rising?", KESTREL, "Who directed Velmora Rising?"),
        ("what about velmora rising?", KESTREL, "Who directed velmora rising?"),
        ("What about its composer?", KESTREL, "what is the composer of Kestrel Nine?"),
        ("and the writer?", KESTREL, "what is the writer of Kestrel Nine?"),
        ("When was it released?", FIRST_FILM, "When was Hollow Lantern released?"),
        ("Who directed them?", FILMS, "Who directed Hollow Lantern or Kestrel Nine?"),
        ("Do their investors compete?", PAIR, "Do Brindlecorp and Nembus Labs's investors compete?"),
        ("and Nembus Labs?", FOUNDED, "Who founded Nembus Labs?"),
        ("where is that company headquartered?", ABOUT, "where is Brindlecorp headquartered?"),
        ("那它的编剧呢？", MIST, "雾港的编剧是什么?"),
        ("编剧呢？", MIST, "雾港的编剧是什么?"),
        ("那它是哪一年上映的？", MIST, "雾港是哪一年上映的?"),
        ("他还导演了哪些电影？", MIST, "林砚舟还导演了哪些电影?"),
        ("那苏挽晴呢？", LIN, "苏挽晴导演了哪些电影?"),
        ("这些电影的编剧是谁？", LIN, "雾港或纸上星河的编剧是谁?"),
        ("他们的投资方呢", TWO, "星澜科技和云栖智能的投资方是什么?"),
        ("它们之间有竞争吗？", TWO, "星澜科技和云栖智能之间有竞争吗?"),
    ],
)
def test_a_follow_up_is_completed_from_the_turn_before(question, turn, expected):
    assert complete(question, [turn]) == expected


@pytest.mark.parametrize(
    "question",
    [
        "Who directed Velmora Rising?",
        "Who directed Velmora Rising and when was it released?",
        "谁导演了《纸上星河》？",
        "",
        "???",
        "介绍一下星澜科技",
    ],
)
def test_a_question_that_stands_alone_is_left_as_it_is(question):
    assert complete(question, [KESTREL, MIST]) == question
    assert complete(question, []) == question


def test_a_known_name_swaps_the_mention_and_an_unknown_noun_asks_a_role():
    assert complete("那会计呢？", [LIN], names=["会计"]) == "会计导演了哪些电影?"
    assert complete("那会计呢？", [LIN]) == "林砚舟的会计是什么?"


def test_the_last_turn_that_names_something_counts():
    assert complete("who wrote it?", [KESTREL, Turn("thanks")]) == "who wrote Kestrel Nine?"


KINDS = {"Brindlecorp": "firm", "Ysolde Prane": "person", "星澜科技": "firm", "林砚舟": "person", "Kestrel Nine": "film"}
NOUNS = {"company": ("firm",), "film": ("film",), "person": ("person",), "公司": ("firm",), "电影": ("film",)}
HEAD = Turn("Who runs Brindlecorp?", ("Brindlecorp",), ("Ysolde Prane",), KINDS)
MAKER = Turn("Who made Kestrel Nine?", ("Kestrel Nine",), ("Brindlecorp",), KINDS)
FOUNDER = Turn("谁创办了星澜科技？", ("星澜科技",), ("林砚舟",), KINDS)
WORKS = Turn("林砚舟创办了哪家公司？", ("林砚舟",), ("星澜科技",), KINDS)


@pytest.mark.parametrize(
    ("question", "turn", "expected"),
    [
        ("What does the company make?", HEAD, "What does Brindlecorp make?"),
        ("Where is that company based?", MAKER, "Where is Brindlecorp based?"),
        ("When was that film released?", MAKER, "When was Kestrel Nine released?"),
        ("Who is the person who runs it?", MAKER, "Who is the person who runs Kestrel Nine?"),
        ("这家公司投资了谁？", FOUNDER, "星澜科技投资了谁?"),
        ("那家公司的总部在哪座城市？", WORKS, "星澜科技的总部在哪座城市?"),
        ("这家公司还有哪些产品？", WORKS, "星澜科技还有哪些产品?"),
        ("Are they related?", FILMS, "Are Hollow Lantern and Kestrel Nine related?"),
    ],
)
def test_a_noun_points_at_what_is_of_its_kind(question, turn, expected):
    assert complete(question, [turn], kinds=lambda noun: NOUNS.get(noun, ())) == expected
