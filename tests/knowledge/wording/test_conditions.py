"""Filters, orders and limits are read off closed-class words, and nothing else is."""

import pytest

from knowledge.wording.conditions import Condition, Order, conditions


def dated(words: str, comparator: str, date: str) -> Condition:
    return Condition(words, comparator, date, dated=True)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("question", "found", "rest"),
    [
        ("Which potters were trained after 1970?", [dated("trained", ">", "1970")], "Which potters ?"),
        ("kilns built before 1990-05", [dated("built", "<", "1990-05")], "kilns"),
        ("kilns fired since 2001", [dated("fired", ">=", "2001")], "kilns"),
        ("jars sold between 1990 and 1999", [dated("sold", ">=", "1990"), dated("sold", "<=", "1999")], "jars"),
        ("jars with a price over 1,200", [Condition("price", ">", 1200.0)], "jars"),
        ("jars whose weight is at most 2.5", [Condition("weight", "<=", 2.5)], "jars"),
        ("towns with a population of more than 3 million", [Condition("population", ">", 3e6)], "towns"),
        ("potters with more than 3 pupils", [Condition("pupils", ">", 3.0, counted=True)], "potters"),
        ("Which potters own exactly 2 kilns?", [Condition("own kilns", "=", 2.0, counted=True)], "Which potters ?"),
        ("Which towns lie in Norvald?", [], "Which towns lie in Norvald?"),
        ("Who was more than a friend?", [], "Who was more than a friend?"),
    ],
)
def test_english_conditions(question: str, found: list[Condition], rest: str) -> None:
    read = conditions(question, "en")
    assert (list(read.conditions), read.rest) == (found, rest)


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("1970年以后出生的陶工", [dated("出生", ">", "1970")]),
        ("2015年之前成立的作坊有哪些", [dated("成立", "<", "2015")]),
        ("价格超过1亿的罐子", [Condition("价格", ">", 1e8)]),
        ("人口不到30万的城市", [Condition("人口", "<", 3e5)]),
        ("学徒超过5个的陶工", [Condition("学徒", ">", 5.0, counted=True)]),
        ("拥有至少3个窑的作坊", [Condition("窑", ">=", 3.0, counted=True)]),
        ("哪些城市位于诺瓦尔德", []),
    ],
)
def test_chinese_conditions(question: str, found: list[Condition]) -> None:
    assert list(conditions(question, "zh").conditions) == found


@pytest.mark.parametrize(
    ("question", "language", "order", "limit"),
    [
        ("the three highest-paid potters", "en", Order("paid", True), 3),
        ("top 5 jars by price", "en", Order("price", True), 5),
        ("the 2 oldest kilns", "en", Order("date", False), 2),
        ("Which two towns with the largest population lie in Norvald?", "en", Order("population", True), 2),
        ("工资最高的三位陶工", "zh", Order("工资", True), 3),
        ("最长的两艘船是哪些？", "zh", Order("长度", True), 2),
    ],
)
def test_orders_and_limits(question: str, language: str, order: Order, limit: int) -> None:
    read = conditions(question, language)  # type: ignore[arg-type]
    assert (read.order, read.limit, bool(read)) == (order, limit, True)


@pytest.mark.parametrize(
    "question", ["the oldest kiln", "Which potter has the most pupils?", "three potters", "the best potter of Norvald", ""]
)
def test_an_extreme_alone_is_left_to_the_rules_for_extremes(question: str) -> None:
    assert not conditions(question, "en")


def test_counting_per_something_groups() -> None:
    assert (conditions("How many kilns per workshop?", "en").rest, conditions("How many kilns per workshop?", "en").each) == (
        "kilns",
        "workshop",
    )


def test_no_question_takes_long() -> None:
    for text in ("with a " * 2000, "top 5 " * 2000, "the " * 5000 + "oldest", "超过" * 3000, "12" * 5000, "built after " * 2000):
        conditions(text, "en")
        conditions(text, "zh")
