"""A brain asks, its model is put the question in the way that it takes, and what cannot be used is mended once."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult

from agents.llm.ask import Ask, Thought, Unable
from evals.loopback.played import Asked, Played
from evals.loopback.server import LoopbackOpenAI
from graphs.context import Run
from graphs.models import calls
from graphs.models.converse import converse
from graphs.models.model import WAYS, Model, Way, schema_ways
from graphs.waiting import finish
from knowledge.errors import OutOfBudget
from tests.graphs.models.provided import GOOD, PROMPT, City, asking, model, new_run, provider

ILMO = City(name="Ilmo", people=3)
CALL = Played(calls=[("City", {"name": "Ilmo", "people": 3})])
NAMING: dict[Way, str] = {
    "json_schema": "'response_format.type' : value is not one of the allowed values ['text']",
    "function_calling": "\"auto\" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set",
    "text": "",
}  # fmt: skip


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calls, "FIRST_WAIT", 0.02)


def told(run: Run, to: Model, thought: Thought[Any]) -> Any:
    try:
        return finish(converse(run, "reasoner", to, thought))
    finally:
        assert run.ledger.outstanding == 0


def not_jarva(city: City) -> None:
    if city.name == "Jarva":
        raise ValueError("Jarva is no city that was named; known: Ilmo")


@pytest.mark.parametrize(
    ("way", "reply"), [("json_schema", GOOD), ("function_calling", CALL), ("text", GOOD), ("text", CALL), ("function_calling", GOOD)]
)
def test_a_schema_is_asked_for_in_the_way_that_the_model_takes(way: Way, reply: Any) -> None:
    run = new_run()
    with provider(reply) as server:
        assert told(run, model(server.url, way=way), asking()) == ILMO
        (asked,) = server.asked
    assert asked.form == way and not asked.repairing
    assert ("Reply with one JSON object of this schema" in asked.system) == (way == "text")
    assert run.trace.prompts[PROMPT.name] == PROMPT.hash


def refusing(*refused: Way, message: Callable[[Way], str] = NAMING.__getitem__, status: int = 400) -> Callable[[Asked], Played]:
    def policy(asked: Asked) -> Played:
        return Played(status=status, message=message(asked.form)) if asked.form in refused else CALL if asked.tools else Played(GOOD)

    return policy


@pytest.mark.parametrize("status", [400, 404, 422])
@pytest.mark.parametrize("refused", [["json_schema"], ["json_schema", "function_calling"]])
def test_a_way_that_is_refused_is_left_and_not_tried_again(refused: list[Way], status: int) -> None:
    run = new_run()
    with LoopbackOpenAI(refusing(*refused, status=status)) as server:
        to = model(server.url)
        assert [told(run, to, asking()) for _ in range(3)] == [ILMO] * 3
        taken = WAYS[len(refused)]
        assert [asked.form for asked in server.asked] == [*refused, taken, taken, taken]
    assert run.ledger.spent()["model_calls"] == len(refused) + 3 and run.ledger.spent()["tokens"] == 300


def test_a_refusal_that_takes_long_to_say_why_is_understood() -> None:
    with LoopbackOpenAI(
        refusing("json_schema", message=lambda way: f"Invalid request. {'Please read the manual. ' * 30}{NAMING[way]}")
    ) as server:
        assert told(new_run(), model(server.url), asking()) == ILMO


def test_a_refusal_of_something_else_is_not_taken_for_one_of_the_way() -> None:
    with provider(Played(status=400, message="the model is not loaded")) as server:
        to = model(server.url)
        with pytest.raises(Unable, match="not loaded"):
            told(new_run(), to, asking())
        assert len(server.asked) == 1 and to.ways.way == "json_schema"


def test_a_provider_that_refuses_every_way_is_given_up() -> None:
    with LoopbackOpenAI(lambda asked: Played(status=400, message="no json, no tools, no schema")) as server:
        with pytest.raises(Unable):
            told(new_run(), model(server.url), asking())
        assert [asked.form for asked in server.asked] == list(WAYS)


class Plain(BaseChatModel):
    """A chat model that knows neither tools nor schemas."""

    def __init__(self) -> None:
        super().__init__()

    @property
    def _llm_type(self) -> str:
        return "plain"

    def _generate(self, messages: list[BaseMessage], stop: Any = None, run_manager: Any = None, **kwargs: Any) -> ChatResult:
        return ChatResult(generations=[ChatGeneration(message=AIMessage(GOOD))])


def test_a_model_without_tools_is_asked_in_text() -> None:
    run, to = new_run(), Model("plain", Plain(), ways=schema_ways("function_calling"))
    assert told(run, to, asking()) == ILMO and to.ways.way == "text"


@pytest.mark.parametrize(
    ("first", "why"),
    [
        ("", "the reply is empty"), ("I do not know", "no JSON object"), ('{"people": 3}', "name: Field required"), ('{"name": "Ilm', "no JSON object"),
        ('{"name": "Jarva"}', "Jarva is no city that was named; known: Ilmo"), (Played(calls=[("Other", {"nothing": 1})]), "name: Field required"),
        ("I am sorry, but I cannot help with that.", "no JSON object"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("way", WAYS)
def test_what_cannot_be_used_is_mended_once_with_the_reason(first: Any, why: str, way: Way) -> None:
    run = new_run()
    with provider(first, GOOD) as server:
        assert told(run, model(server.url, way=way), asking(not_jarva)) == ILMO
        one, two = server.asked
    assert not one.repairing and two.repairing and two.form == way
    assert [role for role, _ in two.messages] == ["system", "user", "assistant", "user"]
    assert why in two.messages[-1][1] and two.messages[2][1]
    assert run.ledger.spent()["model_calls"] == 2


@pytest.mark.parametrize("bad", ["", "no", '{"people": 3}', '{"name": "Jarva"}', "x" * 100_000])
def test_there_is_one_repair_and_then_it_is_unable(bad: str) -> None:
    run = new_run()
    with provider(bad) as server:
        with pytest.raises(Unable, match="after one repair") as caught:
            told(run, model(server.url), asking(not_jarva))
        assert len(server.asked) == 2 and all(len(text) < 5000 for _, text in server.asked[1].messages)
    assert len(str(caught.value)) < 3000 and run.ledger.spent()["model_calls"] == 2


def test_a_tool_call_with_broken_arguments_is_shown_back_for_repair() -> None:
    def broken(asked: Asked) -> Played:
        return CALL if asked.repairing else Played(calls=[("City", {"name": "Ilmo"})])

    with LoopbackOpenAI(broken) as server:
        assert told(new_run(), model(server.url, way="function_calling"), asking(_needs_people)) == ILMO
        assert json.loads(server.asked[1].messages[2][1]) == {"name": "Ilmo"}


def _needs_people(city: City) -> None:
    if not city.people:
        raise ValueError("people are missing")


@pytest.mark.parametrize("first", ["", "   "])
def test_plain_text_is_streamed_checked_and_mended_too(first: str) -> None:
    def in_words(text: str) -> None:
        if "[f1]" not in text:
            raise ValueError("cite [f1]")

    with provider(first, "Ilmo [f1]") as server:
        assert told(new_run(), model(server.url), asking(in_words, schema=None)) == "Ilmo [f1]"
        assert server.asked[0].form == "text" and "empty" in server.asked[1].messages[-1][1]
    with provider("Ilmo") as server, pytest.raises(Unable, match="cite"):
        told(new_run(), model(server.url), asking(in_words, schema=None))


def test_a_brain_may_catch_what_goes_wrong_and_ask_something_else() -> None:
    def patient() -> Thought[Any]:
        try:
            return (yield from asking())
        except Unable:
            return (yield from asking(schema=None))

    with provider(Played(status=401), "in words") as server:
        assert told(new_run(), model(server.url), patient()) == "in words"


def test_a_brain_that_is_refused_by_the_budget_may_go_on_without() -> None:
    def modest() -> Thought[str]:
        try:
            yield from asking()
        except OutOfBudget as refusal:
            return refusal.unit
        return ""

    with provider(GOOD) as server:
        assert told(new_run(tokens=100), model(server.url), modest()) == "tokens"
        assert not server.asked


def test_a_very_long_question_is_cut_and_an_empty_one_is_something() -> None:
    def asks(question: str) -> Thought[Any]:
        return (yield Ask(PROMPT, "system", question, City, lambda reply: None))

    with provider(GOOD) as server:
        for question in ("x" * 100_000, ""):
            told(new_run(), model(server.url), asks(question))
        assert [len(asked.question) for asked in server.asked] == [2000, len("(nothing)")]


def test_an_error_of_the_brain_itself_is_raised_and_the_brain_is_closed() -> None:
    closed = []

    def broken() -> Thought[Any]:
        try:
            yield from asking()
            raise KeyError("mine")
        finally:
            closed.append(True)

    with provider(GOOD) as server, pytest.raises(KeyError, match="mine"):
        told(new_run(), model(server.url), broken())
    assert closed == [True]
