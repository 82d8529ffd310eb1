"""A value is found in a reply whichever way the model said it; what is not there is told in words."""

import json
import time
from collections.abc import Callable
from typing import Any

import pytest
from langchain_core.messages import AIMessage
from pydantic import BaseModel, Field

from graphs.models.replies import value_of, written_calls
from tests.graphs.models.provided import GOOD, City

ILMO = City(name="Ilmo", people=3)
ARGUMENTS: dict[str, object] = {"name": "Ilmo", "people": 3}


class Land(BaseModel):
    capital: City
    others: list[City] = Field(default=[])


def called(**args: Any) -> AIMessage:
    return AIMessage("", tool_calls=[{"name": "City", "args": args, "id": "1", "type": "tool_call"}])


def wrong(text: str) -> str:
    with pytest.raises(ValueError) as caught:
        value_of(AIMessage(text), City)
    return str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        GOOD,
        f"  \n{GOOD}\n",
        f"Here it is:\n```json\n{GOOD}\n```\nI hope it helps.",
        f"```\n{GOOD}```",
        f"```JSON{GOOD}```",
        f"<think>a {{name}} is wanted</think> {GOOD}",
        f"It is {GOOD}, I am sure {{}}",
        f'{{"none": 1}} {GOOD}',
        f"[{GOOD}]",
        json.dumps({"name": "City", "arguments": ARGUMENTS}),
        json.dumps({"name": "City", "arguments": GOOD}),
        json.dumps({"name": "City", "parameters": ARGUMENTS}),
        json.dumps({"function": {"name": "City", "arguments": GOOD}}),
        json.dumps({"tool_calls": [{"type": "function", "function": {"name": "City", "arguments": GOOD}}]}),
        f"<tool_call>{json.dumps({'name': 'City', 'arguments': ARGUMENTS})}</tool_call>",
        '{"name": "Ilmo", "people": "3"}',
    ],
)
def test_text_is_read(text: str) -> None:
    assert value_of(AIMessage(text), City) == ILMO


def test_a_tool_call_is_read_and_comes_before_the_text() -> None:
    assert value_of(called(**ARGUMENTS), City) == ILMO
    message = called(**ARGUMENTS)
    message.content = '{"name": "Jarva"}'
    assert value_of(message, City) == ILMO
    assert value_of(called(arguments=ARGUMENTS), City) == ILMO


def test_of_several_objects_the_first_that_fits_is_taken() -> None:
    assert value_of(AIMessage('{"people": 1} {"name": "Ilmo", "people": 3} {"name": "Jarva"}'), City) == ILMO


def test_a_nested_value_is_whole() -> None:
    text = json.dumps({"capital": ARGUMENTS, "others": [ARGUMENTS, ARGUMENTS]})
    assert value_of(AIMessage(f"```json\n{text}\n```"), Land) == Land(capital=ILMO, others=[ILMO, ILMO])


def test_braces_within_strings_end_nothing() -> None:
    assert value_of(AIMessage('{"name": "a } b { c ```", "people": 1}'), City) == City(name="a } b { c ```", people=1)


def test_a_broken_tool_call_is_told_as_such() -> None:
    message = AIMessage(
        "", invalid_tool_calls=[{"name": "City", "args": '{"name": "Il', "id": "1", "error": None, "type": "invalid_tool_call"}]
    )
    with pytest.raises(ValueError, match="no JSON object"):
        value_of(message, City)
    message.invalid_tool_calls[0]["args"] = f"{GOOD}}}"
    assert value_of(message, City) == ILMO


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "the reply is empty"), ("  \n", "the reply is empty"), ("I would say Ilmo.", "the reply holds no JSON object"),
        ('{"name": "Il', "the reply holds no JSON object"), ("{'name': 'Ilmo'}", "the reply holds no JSON object"),
        ("[1, 2]", "the reply holds no JSON object"), ("null", "the reply holds no JSON object"), ("{}", "name: Field required"),
        ('{"name": 3}', "name: Input should be a valid string"), ('{"name": "a", "people": "many"}', "people: Input should be a valid integer"),
        ('{"name": "a", "people": NaN}', "people: "), (f'{{"name": "a", "people": {"9" * 6000}}}', "the reply holds no JSON object"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_in_words(text: str, why: str) -> None:
    assert wrong(text).startswith(why)


def test_many_faults_are_told_shortly() -> None:
    text = json.dumps({"capital": {}, "others": [{} for _ in range(500)]})
    with pytest.raises(ValueError, match=r"capital\.name: Field required") as caught:
        value_of(AIMessage(text), Land)
    assert len(str(caught.value)) < 400


BOMBS: dict[str, Callable[[], str]] = {
    "deep objects": lambda: '{"a":' * 5000,
    "very deep objects": lambda: '{"a":' * 100_000,
    "deep lists": lambda: '{"a":' + "[" * 100_000,
    "shallow objects without an end": lambda: '{"a":' * 500 + " " * 500_000,
    "strings without an end": lambda: '{"' * 100_000,
    "long strings without an end": lambda: ('{"a": "' + "x" * 200) * 3000,
    "braces": lambda: "{" * 500_000,
    "objects that do not fit": lambda: '{"a": 1}' * 50_000,
    "a fence without an end": lambda: "```" + "\n" * 200_000,
    "a fence of letters without an end": lambda: "```" + "a" * 200_000,
    "fences": lambda: "```" * 100_001,
    "plain text": lambda: "lorem ipsum " * 200_000,
}


@pytest.mark.parametrize("kind", BOMBS)
def test_no_reply_is_so_strange_that_reading_it_takes_long(kind: str) -> None:
    text, began = BOMBS[kind](), time.thread_time()
    assert len(wrong(text)) < 500
    assert time.thread_time() - began < 1.0


def test_a_value_after_much_text_is_found() -> None:
    assert value_of(AIMessage("lorem { ipsum " * 2000 + GOOD), City) == ILMO


@pytest.mark.parametrize(
    ("text", "calls"),
    [
        ('I call {"name": "to_planner", "arguments": {"task": "go"}}', [("to_planner", {"task": "go"})]),
        ('{"function": {"name": "to_planner", "arguments": "{\\"task\\": \\"go\\"}"}}', [("to_planner", {"task": "go"})]),
        ('{"name": "to_planner", "parameters": {"task": "go"}}', [("to_planner", {"task": "go"})]),
        ('{"name": "to_planner"}', [("to_planner", {})]),
        ("The round is done.", []), ("", []), ('{"name": 3}', []), ("{" * 50, []),
    ],
)  # fmt: skip
def test_tool_calls_that_are_written_as_text_are_found(text: str, calls: list[Any]) -> None:
    assert list(written_calls(AIMessage(text))) == calls
