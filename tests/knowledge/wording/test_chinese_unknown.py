"""A name that no graph knows is found in a Chinese question by what is left once grammar, relations and kinds are told apart."""

import pytest

from knowledge.wording.chinese_unknown import unknown_name

RELATIONS = {"创办": 1.0, "投资": 1.0, "总部": 1.0, "股东": 1.0, "领导": 0.9, "科技": 0.9, "资本": 0.9}
KINDS = {"公司": 1.0, "企业": 0.8, "城市": 1.0}


def found(question: str) -> str:
    return unknown_name(question, lambda word: RELATIONS.get(word, 0.0), lambda word: KINDS.get(word, 0.0))


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("谁创办了霜河纳米科技?", "霜河纳米科技"),
        ("霜河纳米科技的股东是谁", "霜河纳米科技"),
        ("鹭洲岛资本投资了谁", "鹭洲岛资本"),
        ("投资霜河纳米的企业有哪些", "霜河纳米"),
        ("云中鹤科技总部在哪座城市", "云中鹤科技"),
        ("周小满创办了哪些公司", "周小满"),
        ("谁是周小满的邻居", "周小满"),
        ("谁领导着烛龙AI实验室", "烛龙AI实验室"),
        ("Quillmere Labs的股东有哪些", "Quillmere Labs"),
        ("雾中山集团由谁创办", "雾中山集团"),
        ("谁创办了滴滴?", "滴滴"),
    ],
)
def test_what_nothing_explains_is_the_name(question, name):
    assert found(question) == name


@pytest.mark.parametrize("question", ["有哪些公司?", "哪家公司的股东最多", "哪些企业在亏损", "谁投资了谁", "", "???", "的的的"])
def test_a_question_without_a_name_has_none(question):
    assert found(question) == ""
