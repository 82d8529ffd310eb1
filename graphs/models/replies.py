"""What a model said, as a value of the form that was asked for, whichever way it said it."""

import json
import re
from collections.abc import Iterator
from typing import cast

from langchain_core.messages import AIMessage
from pydantic import BaseModel, ValidationError

MOST_FAULTS = 4
_FENCED = re.compile(r"```(?:\w+)?\s*\n?(.*?)```", re.S)
_WRAPPERS = ("arguments", "parameters", "args", "input")


def value_of(reply: AIMessage, schema: type[BaseModel]) -> BaseModel:
    """The first thing in the reply that fits: arguments of a tool call, JSON in the text, a tool call that was written as JSON text.

    ValueError says in words for the model what is wrong with what came nearest.
    """
    fault = "the reply holds no JSON object" if reply.text.strip() or reply.tool_calls else "the reply is empty"
    for given in _objects(reply):
        try:
            return schema.model_validate(given)
        except ValidationError as error:
            fault = _faults(error)
    raise ValueError(fault)


def _objects(reply: AIMessage) -> Iterator[dict[str, object]]:
    for call in reply.tool_calls:
        yield from _unwrapped(cast(dict[str, object], call["args"]))
    for text in (*_FENCED.findall(reply.text), reply.text):
        for found in _json_in(text):
            yield from _unwrapped(found)


def _unwrapped(given: dict[str, object]) -> Iterator[dict[str, object]]:
    """The object, and before it the arguments that it holds where it is a tool call in disguise."""
    for key in _WRAPPERS:
        inner = given.get(key)
        if isinstance(inner, str):
            yield from _json_in(inner)
        elif isinstance(inner, dict):
            yield inner
    yield given


def _json_in(text: str) -> Iterator[dict[str, object]]:
    """Every outermost JSON object in the text."""
    decoder, at = json.JSONDecoder(), text.find("{")
    while at >= 0:
        try:
            found, end = decoder.raw_decode(text, at)
        except (json.JSONDecodeError, RecursionError):
            end = at + 1
        else:
            if isinstance(found, dict):
                yield found
        at = text.find("{", end)


def _faults(error: ValidationError) -> str:
    told = [f"{'.'.join(map(str, fault['loc'])) or 'reply'}: {fault['msg']}" for fault in error.errors()[:MOST_FAULTS]]
    return "; ".join(told)
