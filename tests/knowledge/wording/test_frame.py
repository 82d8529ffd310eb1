"""Frames are read off grammar alone: kinds, operands, claims, measures, times, and back-references between clauses."""

import random
import time

import pytest

from knowledge.wording.frame import frame
from knowledge.wording.frame_model import Frame
from knowledge.wording.frame_text import clean, language_of
from tests.knowledge.wording.frame_questions import Row, misses, rows

ROWS = [row for language in ("en", "zh") for row in rows(language)]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.question[:60])
def test_kind_operands_claims_and_measures_are_read(row: Row):
    assert misses(row) == []


def _operands(found: Frame) -> list[tuple[str, str]]:
    return [(o.role, o.mention) for o in found.operands]


NAMES = [
    ("Zorblax", "Quen"),
    ("Tarn Hollow", "Ysolde Prane Group"),
    ("霁月科技", "北溟重工"),
    ("Ostrava-9", "Kirin's Gate"),
    ("苍梧", "Lumen 7"),
]
ENGLISH = "Analyse how {a} and {b} differ in {aspect}, and whether there is {relation} between their respective {role}"
CHINESE = "分析 {a} 和 {b} 在{aspect}上的差异，以及它们各自的{role}之间是否存在{relation}关系"


@pytest.mark.parametrize(("a", "b"), NAMES)
@pytest.mark.parametrize(
    ("text", "aspect", "role", "relation"),
    [
        (ENGLISH, "technical approach", "investors", "competition"),
        (ENGLISH, "pricing", "board members", "friendship"),
        (CHINESE, "技术路线", "投资方", "竞争"),
        (CHINESE, "定价策略", "供应商", "合作"),
    ],
)
def test_a_comparison_and_a_relation_between_sets_are_read_whatever_the_names(a, b, text, aspect, role, relation):
    found = frame(text.format(a=a, b=b, aspect=aspect, role=role, relation=relation))
    first, second = found.parts
    assert (found.kind, first.kind, second.kind) == ("compound", "comparison", "connection")
    assert _operands(first) == [("", a), ("", b)]
    assert first.aspect == aspect
    assert _operands(second) == [(role, a), (role, b)]
    assert (second.relation, second.polar) == (relation, True)


def test_operands_read_as_phrases_of_their_language():
    english, chinese = (
        frame(q).operands[0].phrase
        for q in ("Do the owners of Zorblax and Quen compete with each other?", "甲辰公司的股东和乙巳公司的股东之间有没有合作？")
    )
    assert (english, chinese) == ("the owners of Zorblax", "甲辰公司的股东")


def test_it_stands_for_the_thing_asked_about_and_he_for_the_answer():
    found = frame("Who directed Velmora Rising and when was it released?")
    assert found.parts[1].core == "when was Velmora Rising released"
    person = frame("Who directed Velmora Rising and when was he born?").parts[1]
    assert person.refers == (0,)
    assert person.operands[0].answers_of == 0
    assert person.core == "when was the one who directed Velmora Rising born"


def test_linked_mentions_keep_names_whole_that_grammar_would_split():
    found = frame("what connects johnson and johnson and port sable", ["johnson and johnson", "port sable"])
    assert _operands(found) == [("", "johnson and johnson"), ("", "port sable")]
    claim = frame("did tarquin oleander direct velmora rising", ["tarquin oleander", "velmora rising"])
    assert claim.claim is not None
    assert claim.claim.mention == "velmora rising"
    chinese = frame("林砚舟执导了雾港往事吗", ["林砚舟", "雾港往事"])
    assert chinese.claim is not None
    assert (chinese.claim.mention, chinese.operands[0].mention, chinese.relation) == ("雾港往事", "林砚舟", "执导")


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which films came out in 1999?", ("in", "1999", "1999")),
        ("Who led Brindlecorp before 2015?", ("before", "2015", "2015")),
        ("Who joined since 2020-05?", ("after", "2020-05", "2020-05")),
        ("What happened between 1990 and 1995?", ("between", "1990", "1995")),
        ("films of the 1980s", ("between", "1980", "1989")),
        ("星澜科技在2019年5月的首席执行官是谁", ("in", "2019-05", "2019-05")),
        ("2010年之后的投资有哪些", ("after", "2010", "2010")),
        ("Who is the current chief of Brindlecorp?", ("now", "", "")),
        ("星澜科技是什么时候成立的", ("asked", "", "")),
    ],
)
def test_temporal_markers_are_read(question, expected):
    when = frame(question).when
    assert (when[0].relation, when[0].start, when[0].end) == expected


@pytest.mark.parametrize(
    ("question", "sides"),
    [
        ("Who works for both Brindlecorp and Nembus Labs?", ["Who works for Brindlecorp", "Who works for Nembus Labs"]),
        ("Which plays were staged both by Brindlecorp and by Nembus Labs?",
         ["Which plays were staged by Brindlecorp", "Which plays were staged by Nembus Labs"]),
        ("同时给Brindlecorp和Nembus Labs供货的厂商有哪些？", ["给Brindlecorp供货的厂商有哪些", "给Nembus Labs供货的厂商有哪些"]),
        ("谁既画了《雾港》又买下了《长河》？", ["谁画了《雾港》", "谁买下了《长河》"]),
        ("哪些人既是Brindlecorp的员工，又是Nembus Labs的股东？", ["哪些人是Brindlecorp的员工", "哪些人是Nembus Labs的股东"]),
        ("Which plays were staged by Brindlecorp and Nembus Labs together?",
         ["Which plays were staged by Brindlecorp", "Which plays were staged by Nembus Labs"]),
        ("Name the plays that Brindlecorp and Nembus Labs both staged", ["Name the plays that Brindlecorp staged", "Name the plays that Nembus Labs staged"]),
        ("which plays did ysolde prane and tarquin oleander both write", ["which plays did ysolde prane write", "which plays did tarquin oleander write"]),
    ],
)  # fmt: skip
def test_what_is_asked_of_all_is_asked_of_each_alone(question, sides):
    found = frame(question, ["ysolde prane", "tarquin oleander"])
    assert (found.kind, found.shared, [o.phrase for o in found.operands]) == ("comparison", True, sides)


def test_a_choice_between_names_is_asked_of_each_alone():
    found = frame("Did Ysolde Prane or Tarquin Oleander paint more ships?")
    assert [o.phrase for o in found.operands] == ["Did Ysolde Prane paint ships", "Did Tarquin Oleander paint ships"]
    assert not found.polar


@pytest.mark.parametrize(
    ("question", "negated"),
    [
        ("Who never sang for Brindlecorp?", True),
        ("Which ships haven't sailed to Port Sable?", True),
        ("Which ships other than Kestrel Nine sailed to Port Sable?", False),
        ("Who not only painted Hollow Lantern but sold it?", False),
        ("Who sang symphony no. 4?", False),
        ("谁不是星澜科技的股东？", True),
        ("林砚舟从未画过哪些船？", True),
        ("非洲有哪些博物馆？", False),
        ("未来科技馆在哪里？", False),
        ("林砚舟画了雾港没有？", False),
        ("除了林砚舟，还有谁画过船？", False),
    ],
)
def test_only_what_denies_is_a_negation(question, negated):
    assert frame(question).negated is negated


def test_negation_is_noted_and_a_yes_no_form_is_none():
    assert frame("Which films were not directed by Tarquin Oleander?").negated
    assert frame("哪些公司没有投资星澜科技？").negated
    assert not frame("星澜科技有没有子公司？").negated


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Who directed 让子弹飞?", "en"), ("Velmora Rising 的导演是谁", "zh"), ("让子弹飞", "zh"), ("OpenAI 投资方", "zh"), ("velmora director", "en"),
        ("Кто снял Velmora?", "other"), ("Wer hat Velmora gegründet?", "other"), ("Velmoraの監督は誰ですか？", "other"), ("من أسس Velmora؟", "other"),
    ],
)  # fmt: skip
def test_the_language_is_told_by_closed_class_words(text, language):
    assert language_of(clean(text)) == language


HOSTILE = [
    "", " ", "???", "…", "😀😀", "\u200b\u200b", "\u202eabc who directed X\u202c", "من أخرج الفيلم", "\x00\x01", "\ud800", "\ue000\ue001 compare \ue002",
    "MATCH (n) DETACH DELETE n", 'name:"x" AND (+a -b)~2^3 \\ / *?', "compare and", "which of and is", "between", "their", "它们各自的", "不",
    *(unit * (10_000 // len(unit)) for unit in (
        "X", "who ", "and ", "A and ", "谁", "和", "的", "比较", "是不是", "'", '"', "the of ", "(", "[", "what is the ", "Who directed X? ", "，",
        "谁导演了X，", "A ", "a-", "Aa ", "is A ", "它们", "1+", "1999 and ", "那", "哪", "的是", "把", "往", "why not ", "più ", "ñ",
    )),
]  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: f"{text[:12]!r}x{len(text)}")
def test_hostile_text_never_raises_and_takes_bounded_time(text):
    frame("甲是乙的导演吗")
    began = time.process_time()
    frame(text)
    frame(text, ("X", "A", "who", "和"))
    assert time.process_time() - began < 0.2


def test_nothing_but_punctuation_is_empty():
    assert {frame(text).kind for text in ("", "?!", "😀", "\u200b", "——")} == {"empty"}


def test_random_text_never_raises():
    source = random.Random(7)
    alphabet = (
        "who what the of and is 和的是谁哪些在之间吗?，。《》\"'[]()X Zorblax 1999 their 它们 compare 比较 more than 最多 \ue000\u200b😀"
    )
    for _ in range(1500):
        frame("".join(source.choice(alphabet) for _ in range(source.randint(1, 90))))
