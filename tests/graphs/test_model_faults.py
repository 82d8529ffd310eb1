"""Whatever goes wrong with the model of whichever role: the caller gets a whole result in time, which says who thought instead."""

import asyncio
import json
import time
from collections.abc import Callable
from typing import Any

import pytest

from agents.contract import ROLES, Role
from evals.loopback.plain_sense import plain_sense, role_of
from evals.loopback.played import Asked, Played
from evals.loopback.server import LoopbackOpenAI
from graphs.models import calls
from tests.graphs.scripted import FACT
from tests.graphs.thinking import ABOUT, assert_whole, faulty, thinking

MODEL_CALLS = 20
SHORT = 0.8
SLOW = {"timeout": Played(delay=20), "drip": Played("so on " * 200, drip=0.1)}
PROVIDER: dict[str, Played] = {
    "429": Played(status=429),
    "429 for an hour": Played(status=429, headers={"retry-after": "3600"}),
    "500": Played(status=500),
    "503": Played(status=503, headers={"retry-after": "0.05"}),
    "cut": Played("so on " * 50, cut=3),
    **SLOW,
}
REPLY: dict[str, Played] = {
    "empty": Played(""),
    "unknown tool": Played(calls=[("do_magic", {"x": 1})]),
}
IN_WORDS: dict[str, Played] = {
    "not JSON": Played("Certainly! Here is what you asked for."),
    "wrong JSON": Played('{"nonsense": [1, 2, 3]}'),
    "broken JSON": Played('{"standalone": "who", "tasks": [{"id": "t1", "pa'),
    "refusal": Played("I am sorry, but I cannot help with that."),
}
FAULTS = PROVIDER | REPLY | IN_WORDS
QUESTIONS: dict[Role, str] = {"intake": FACT, "reasoner": FACT, "synthesizer": FACT}


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calls, "FIRST_WAIT", 0.02)


def answered(role: Role, fault: Callable[[Asked], Played], *, seconds: float, awaited: bool, **limits: Any) -> tuple[Any, float, int]:
    """The result, the seconds that it took, and how often the role was asked."""
    question = {"question": QUESTIONS.get(role, ABOUT)}
    with LoopbackOpenAI(faulty(role, fault)) as server:
        graph, began = thinking(server.url, {role: seconds}), time.monotonic()
        context = {"limits": limits}
        result = asyncio.run(graph.ainvoke(question, context=context)) if awaited else graph.invoke(question, context=context)
        return result, time.monotonic() - began, sum(role_of(asked) == role for asked in server.asked)


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("kind", FAULTS)
def test_a_role_whose_model_fails_thinks_by_its_rules_and_the_result_says_so(kind: str, role: Role) -> None:
    awaited = (list(FAULTS).index(kind) + ROLES.index(role)) % 2 == 1
    seconds = 0.15 if kind in SLOW else 10.0
    result, took, asked = answered(role, lambda _: FAULTS[kind], seconds=seconds, awaited=awaited, model_calls=MODEL_CALLS, wall_time=10)
    assert_whole(result, model_calls=MODEL_CALLS)
    assert asked > 0 and took < 11
    told = {name for name, brain in result["brains"].items() if "rules where" in brain}
    assert told == {role}, result["brains"]
    if kind == "429 for an hour":
        assert asked <= 3 and took < 5


def slow_ones() -> list[Any]:
    """Each role with each slow model; the quick suite takes one of them for each role, in threads and on loops."""
    cases = [(kind, role) for kind in SLOW for role in ROLES]
    quick = {(list(SLOW)[index // 2 % 2], role) for index, role in enumerate(ROLES)}
    return [pytest.param(*case, marks=[] if case in quick else [pytest.mark.full]) for case in cases]


@pytest.mark.parametrize(("kind", "role"), slow_ones())
def test_a_model_without_an_end_takes_no_longer_than_the_run_may(kind: str, role: Role) -> None:
    awaited = ROLES.index(role) % 2 == (kind == "drip")
    result, took, asked = answered(role, lambda _: SLOW[kind], seconds=60.0, awaited=awaited, wall_time=SHORT)
    assert_whole(result)
    assert asked > 0 and took < SHORT + 1


@pytest.mark.parametrize("role", [role for role in ROLES if role not in ("supervisor", "synthesizer")])
def test_a_tool_call_that_is_written_as_text_is_understood(role: Role) -> None:
    def as_text(asked: Asked) -> Played:
        value = json.loads(faulty("synthesizer", plain_sense)(asked).text)
        return Played(f"I call: {json.dumps({'name': 'reply', 'arguments': json.dumps(value)})}")

    result, _, asked = answered(role, as_text, seconds=10.0, awaited=False)
    assert_whole(result)
    assert asked > 0 and not [brain for brain in result["brains"].values() if "rules where" in brain]


def test_a_handoff_that_is_written_as_text_is_a_handoff() -> None:
    def written(asked: Asked) -> Played:
        made = plain_sense(asked)
        return Played("\n".join(json.dumps({"name": name, "arguments": args}) for name, args in made.calls) or made.text)

    result, _, _ = answered("supervisor", written, seconds=10.0, awaited=False)
    by_call, _, _ = answered("supervisor", plain_sense, seconds=10.0, awaited=False)
    assert result["plan"].keys() == by_call["plan"].keys() and result["plan"]
    assert "rules where" not in result["brains"]["supervisor"]
