"""Which texts nearly say the same: checked against the measure written out by hand."""

import itertools
import random

from knowledge.likeness import NEARLY, RUN, near


def jaccard(one: str, other: str) -> float:
    runs = [{tuple(text.split()[at : at + RUN]) for at in range(len(text.split()) - RUN + 1)} for text in (one, other)]
    return len(runs[0] & runs[1]) / len(runs[0] | runs[1])


def test_it_finds_exactly_the_pairs_that_a_comparison_of_all_finds() -> None:
    chance, found = random.Random(7), 0
    for _ in range(200):
        base = chance.choices(["one", "two", "three", "four", "five", "six"], k=20)
        texts = [" ".join(base[: chance.randint(15, 20)] + chance.choices(base, k=chance.randint(0, 4))) for _ in range(8)]
        by_hand = {(a, b) for a, b in itertools.combinations(range(8), 2) if jaccard(texts[a], texts[b]) >= NEARLY}
        assert {(pair.one, pair.other) for pair in near(texts)} == by_hand
        found += len(by_hand)
    assert found > 20


def test_one_word_in_a_long_sentence_makes_little_difference_and_in_chinese_one_character() -> None:
    told = "when many rows are written send a thousand rows in one statement because a round trip costs more than the write"
    assert [pair.likeness > NEARLY for pair in near([told, told.replace("write", "writes"), "something else entirely is told here"])] == [
        True
    ]
    chinese = "写入许多行时每次发送一千行因为往返比写入本身更费时间所以要成批发送"
    assert list(near([chinese, chinese.replace("费", "花")])) != [] and list(near([chinese, "今天的天气很好我们去公园散步吧"])) == []
