"""What a model said, as a value of the form that was asked for, whichever way it said it."""

import json
import re
from collections.abc import Iterator, Sequence

from langchain_core.messages import AIMessage
from pydantic import BaseModel, ValidationError

MOST_FAULTS = 4
MOST_CHARACTERS = 20_000
LEVELS = 5
_FENCED = re.compile(r"```\w*+\s*+(.*?)```", re.S)
_WRAPPERS = ("tool_calls", "function", "arguments", "parameters", "args", "input")


def value_of(reply: AIMessage, schema: type[BaseModel]) -> BaseModel:
    """The first thing in the reply that fits: arguments of a tool call, JSON in the text, a tool call that was written as JSON text.

    ValueError says in words for the model what is wrong with what came nearest.
    """
    texts = _texts(reply)
    fault = "the reply holds no JSON object" if reply.tool_calls or any(texts) else "the reply is empty"
    for given in _objects(reply, texts):
        try:
            return schema.model_validate(given)
        except ValidationError as error:
            fault = _faults(error)
    raise ValueError(fault)


def written_calls(reply: AIMessage) -> Iterator[tuple[str, dict[str, object]]]:
    """Names and arguments of tool calls that the model wrote as JSON text."""
    for found in (found for text in _texts(reply) for found in _json_in(text)):
        for made in _unwrapped(found):
            if isinstance(name := made.get("name"), str):
                yield name, next(_unwrapped(made.get("arguments") or made.get("parameters")), {})


def _texts(reply: AIMessage) -> list[str]:
    """What is written in the reply, arguments that are no JSON by themselves included. A value stands at the end of a long one."""
    said = (reply.text, *(call["args"] or "" for call in reply.invalid_tool_calls))
    return [text.strip()[-MOST_CHARACTERS:] for text in said]


def _objects(reply: AIMessage, texts: Sequence[str]) -> Iterator[dict[str, object]]:
    for call in reply.tool_calls:
        yield from _unwrapped(call["args"])
    for text in texts:
        for part in (*_FENCED.findall(text), text):
            for found in _json_in(part):
                yield from _unwrapped(found)


def _unwrapped(given: object, levels: int = LEVELS) -> Iterator[dict[str, object]]:
    """The object, and before it the arguments that it holds where it is a tool call in disguise."""
    if isinstance(given, str):
        given = list(_json_in(given))
    if isinstance(given, list) and levels:
        for one in given:
            yield from _unwrapped(one, levels - 1)
    if isinstance(given, dict):
        for key in _WRAPPERS if levels else ():
            yield from _unwrapped(given.get(key), levels - 1)
        yield given


def _json_in(text: str) -> Iterator[dict[str, object]]:
    """Every outermost JSON object in the text, as far as it is not nested beyond all reason."""
    decoder, at = json.JSONDecoder(), text.find("{")
    while at >= 0:
        try:
            found, end = decoder.raw_decode(text, at)
        except RecursionError:
            return
        except ValueError:
            end = at + 1
        else:
            if isinstance(found, dict):
                yield found
        at = text.find("{", end)


def _faults(error: ValidationError) -> str:
    told = [f"{'.'.join(map(str, fault['loc'])) or 'reply'}: {fault['msg']}" for fault in error.errors()[:MOST_FAULTS]]
    return "; ".join(told)
