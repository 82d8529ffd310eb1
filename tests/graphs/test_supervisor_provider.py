"""A supervisor whose provider does not take tools in the best way is asked in the next one, and is not asked twice what it refused."""

import json
from collections.abc import Callable

import pytest

from evals.loopback.plain_sense import plain_sense, role_of
from evals.loopback.played import Asked, Played
from evals.loopback.server import LoopbackOpenAI
from tests.graphs.scripted import PARALLEL
from tests.graphs.thinking import assert_whole, faulty, thinking

RULES = "rules where"


def no_wish(asked: Asked) -> Played:
    """Takes tools, but not the wish for one call at a time."""
    return Played(status=400, message="Unknown parameter: 'parallel_tool_calls'") if asked.one_call else plain_sense(asked)


def no_tools(asked: Asked) -> Played:
    """Takes no tools; writes its calls as JSON."""
    if asked.tools:
        return Played(status=400, message="this model does not support tools")
    (called, *_), text = (*plain_sense(asked).calls, None), plain_sense(asked).text
    return Played(json.dumps({"name": called[0], "arguments": called[1]}) if called else text)


@pytest.mark.parametrize(("provider", "refusals"), [(no_wish, 1), (no_tools, 2)])
def test_a_way_that_was_refused_is_not_tried_again(provider: Callable[[Asked], Played], refusals: int) -> None:
    with LoopbackOpenAI(faulty("supervisor", provider)) as server:
        graph = thinking(server.url)
        results = [graph.invoke({"question": PARALLEL}) for _ in range(2)]
        refused = [asked for asked in server.asked if role_of(asked) == "supervisor" and provider(asked).status == 400]
    assert len(refused) == refusals
    for result in results:
        assert_whole(result)
        assert result["plan"] and RULES not in result["brains"]["supervisor"]


def test_a_provider_that_takes_no_way_leaves_the_supervisor_to_the_rules() -> None:
    with LoopbackOpenAI(faulty("supervisor", lambda _: Played(status=400, message="no tool here"))) as server:
        result = thinking(server.url).invoke({"question": PARALLEL})
    assert_whole(result)
    assert result["plan"] and RULES in result["brains"]["supervisor"]
