"""The answer's own tokens reach whoever watches the graph, and nothing else that models write does."""

import asyncio
import dataclasses
from collections.abc import Iterator
from typing import Any

import pytest
from langchain_core.messages import AIMessage, AIMessageChunk

from evals.benchmarks.toy_brains import BRAINS
from evals.loopback.plain_sense import plain_sense
from evals.loopback.server import LoopbackOpenAI
from gavel.asking import asked
from gavel.brains import MINDS
from gavel.models import models
from gavel.settings import Settings
from graphs.door import AskGraph
from tests.graphs.scripted import FACT, TWO_ROUNDS, toy_graph

ANSWER = toy_graph().invoke({"question": FACT})["answer"]


@pytest.fixture
def graph() -> Iterator[AskGraph]:
    with LoopbackOpenAI(plain_sense) as server:
        brains = dataclasses.replace(BRAINS, minds=MINDS)
        yield toy_graph(brains=brains, models=models(Settings(model="openai:played", model_base_url=server.url)))


def tokens(chunks: list[Any]) -> str:
    return "".join(message.text for message, _ in chunks if isinstance(message, AIMessageChunk))


def test_only_the_answer_is_streamed_and_its_message_is_the_one_that_stays(graph: AskGraph) -> None:
    chunks = list(graph.stream({"question": FACT}, stream_mode="messages"))
    final = graph.invoke({"question": FACT})
    streamed = [message for message, _ in chunks if isinstance(message, AIMessageChunk)]
    assert len(streamed) > 1 and ANSWER in tokens(chunks) and "{" not in tokens(chunks)
    assert len({message.id for message in streamed}) == 1
    assert not [message for message, _ in chunks if isinstance(message, AIMessage) and not isinstance(message, AIMessageChunk)]
    assert {meta["langgraph_node"] for message, meta in chunks if isinstance(message, AIMessageChunk)} == {"synthesize"}
    assert [message.type for message in final["messages"]] == ["human", "ai"]


def test_the_same_when_it_is_awaited(graph: AskGraph) -> None:
    async def drain() -> list[Any]:
        return [chunk async for chunk in graph.astream({"question": FACT}, stream_mode="messages")]

    assert ANSWER in tokens(asyncio.run(drain()))
    assert ANSWER in tokens(asyncio.run(drain()))


def test_whoever_follows_a_question_hears_of_turns_and_tokens_before_the_result(graph: AskGraph) -> None:
    heard: list[Any] = []
    result = asked(graph, FACT, follow=heard.append)
    kinds = [event["event"] for event in heard]
    assert kinds.index("thought") < kinds.index("token")
    assert ANSWER in "".join(event["text"] for event in heard if event["event"] == "token")
    assert result["stop_reason"] == "answered" and ANSWER in result["answer"]
    assert not any("sent" in event for event in heard)


def test_rules_stream_no_tokens() -> None:
    heard: list[Any] = []
    asked(toy_graph(), TWO_ROUNDS, follow=heard.append)
    assert "token" not in {event["event"] for event in heard} and "turn" in {event["event"] for event in heard}
