"""Whom a server has recognised: an object of its own, and nothing that could have come as JSON."""

from types import SimpleNamespace
from typing import Any

import pytest
from langchain_core.runnables import RunnableLambda

from graphs.context import Services
from graphs.user import USER, server_user
from tests.knowledge.remember.world import BOT, PERSON

ANN = SimpleNamespace(identity="ann")


@pytest.mark.parametrize(
    ("configurable", "user"),
    [
        ({}, None),
        ({"thread_id": "t"}, None),
        ({USER: ANN}, "ann"),
        ({USER: None}, ""),
        ({USER: SimpleNamespace(identity="")}, ""),
        ({USER: {"identity": "ann"}}, ""),
        ({USER: "ann"}, ""),
        ({"langgraph_auth_user_id": "ann", "assistant_id": "a"}, ""),
        ({"graph_id": "gavel"}, ""),
    ],
)
def test_only_what_a_server_has_proven_names_a_user(configurable: dict[str, Any], user: str | None) -> None:
    assert server_user(None, {"configurable": configurable}) == user
    assert server_user({"configurable": configurable}, None) == user


def test_a_graph_that_is_called_inside_of_another_acts_for_the_same_user() -> None:
    inner = RunnableLambda(lambda given: server_user(None, None))
    assert inner.invoke("", {"configurable": {USER: ANN}}) == "ann"


def test_a_server_that_proved_nothing_does_not_act_as_its_own_process() -> None:
    served = Services(lambda scope, meter: pytest.fail("no reader"), lambda: PERSON, served={"bot": BOT}.__getitem__)
    assert served.acting(None) == PERSON and served.acting("bot") == BOT
    with pytest.raises(KeyError):
        served.acting("")
