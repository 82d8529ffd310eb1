"""A real client of a loopback provider, and runs over the toy kg that pay for its calls."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from langchain_openai import ChatOpenAI
from pydantic import BaseModel

from agents.llm.ask import Ask, Thought
from evals.benchmarks.toy import ToyKg, person
from evals.loopback.played import Asked, Played, Policy
from evals.loopback.server import LoopbackOpenAI
from graphs.context import Run, RunContext, Services
from graphs.models.model import Model, Price, Way, schema_ways
from prompts.prompt import load

PROMPT = load("reasoner")
CLOSED_PORT = "http://127.0.0.1:1/v1"


class City(BaseModel):
    """What the tests ask for."""

    name: str
    people: int = 0


GOOD = '{"name": "Ilmo", "people": 3}'
"""Fits City."""


def chat(url: str, **options: Any) -> ChatOpenAI:
    """As `gavel.models` makes it."""
    return ChatOpenAI(
        **{"model": "played", "base_url": url, "api_key": "none", "max_retries": 0, "timeout": 30.0, "stream_usage": True} | options
    )


def model(url: str, *, way: Way = "json_schema", seconds: float = 30.0, **options: Any) -> Model:
    return Model("openai:played", chat(url, timeout=seconds), Price(1.0, 2.0), seconds, schema_ways(way), **options)


def new_run(**limits: Any) -> Run:
    services = Services(ToyKg().open, person)
    return RunContext.claim({"limits": limits}, services).run


def in_turn(*replies: Played | str) -> Policy:
    """Each reply once; the last one for ever."""
    left = [Played(reply) if isinstance(reply, str) else reply for reply in replies]

    def policy(asked: Asked) -> Played:
        return left.pop(0) if len(left) > 1 else left[0]

    return policy


@contextmanager
def provider(*replies: Played | str) -> Iterator[LoopbackOpenAI]:
    with LoopbackOpenAI(in_turn(*replies)) as server:
        yield server


def asking(check: Callable[[Any], None] = lambda reply: None, *, schema: type[BaseModel] | None = City, tokens: int = 300) -> Thought[Any]:
    """A brain that asks one thing and returns what it was told."""
    return (yield Ask(PROMPT, "You name a city.", "Which city?", schema, check, tokens))
