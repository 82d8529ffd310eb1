"""The exported graph under `langgraph dev`, over the sample world: ask, stream, a thread of twenty turns, nothing sent beyond this machine."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from langgraph_sdk import get_client

import gavel
from graphs.budget import STOP_REASONS
from graphs.state import Result
from knowledge.database.connection import Database
from knowledge.loading.loader import load
from tests.graphs.dev_server import ROOT, Connections, dev_server

WORLD = Path(gavel.__file__).parent / "world"
QUESTIONS = [
    "Who founded Anthropic?", "Which companies did they found?", "谁创立了 Anthropic？", "What connects OpenAI and Anthropic?",
    "Who is the mayor of Atlantis?", "How many investors does Anthropic have?", "Remember that I like tea.", "+-&& || ! ( ) { } [ ] ^ \" ~ * ? : \\ /",
    "Is Dario Amodei a founder of Anthropic?", "Compare OpenAI and Anthropic.",
]  # fmt: skip


@pytest.fixture(scope="module")
def served(
    empty_kg: Path, shared_database: Database, neo4j_version: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[str, Connections]]:
    load(shared_database, [WORLD / "entities.jsonl", WORLD / "facts.jsonl"], "world")
    exported = json.loads((ROOT / "langgraph.json").read_text())["graphs"]["gavel"]
    environment = {"GAVEL_DATA_DIR": str(empty_kg), "GAVEL_NEO4J_VERSION": neo4j_version, "GAVEL_NEO4J_URI": ""}
    with dev_server(tmp_path_factory.mktemp("dev"), exported, environment) as running:
        yield running


def test_a_question_streams_and_answers_from_the_database(served: tuple[str, Connections]) -> None:
    async def drive() -> None:
        async with get_client(url=served[0]) as client:
            thread = (await client.threads.create())["thread_id"]
            given: Any = {"input": {"question": QUESTIONS[0]}, "stream_mode": ["updates", "custom"]}
            seen = [(part.event, part.data) async for part in client.runs.stream(thread, "ask", **given)]
            assert "error" not in [event for event, _ in seen]
            assert next(iter(seen[-1][1])) == "synthesize" and any(e == "custom" and d["event"] == "statement" for e, d in seen)
            values = (await client.threads.get_state(thread))["values"]
            assert {answer["name"] for answer in values["answers"]} == {"Dario Amodei", "Daniela Amodei", "Jared Kaplan"}
            assert set(Result.__annotations__) <= set(values) and values["stop_reason"] == "answered"

    asyncio.run(asyncio.wait_for(drive(), 120))


@pytest.mark.parametrize("turns", [len(QUESTIONS), pytest.param(2 * len(QUESTIONS), marks=pytest.mark.full)])
def test_a_thread_of_many_turns_answers_each_and_keeps_two_messages_of_it(served: tuple[str, Connections], turns: int) -> None:
    async def drive() -> None:
        async with get_client(url=served[0]) as client:
            thread = (await client.threads.create())["thread_id"]
            for turn in range(turns):
                question = QUESTIONS[turn % len(QUESTIONS)]
                result = await client.runs.wait(thread, "ask", input={"question": question}, context={"limits": {"queries": 12}})
                assert [m["type"] for m in result["messages"]] == ["human", "ai"] * (turn + 1), result
                assert result["answer"] and result["stop_reason"] in STOP_REASONS and result["spent"]["queries"] <= 12
                assert set(result["citations"]) <= set(result["evidence"]) and result["stop_reason"] != "failed", result["answer"]

    asyncio.run(asyncio.wait_for(drive(), 240))


def test_nothing_of_that_left_this_machine(served: tuple[str, Connections]) -> None:
    assert served[1].samples > 20 and served[1].outbound == set()
