"""The graph under `langgraph dev`, driven by its SDK: no key, no connection beyond this machine."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from langgraph_sdk import get_client

from tests.graphs.dev_server import Connections, dev_server
from tests.graphs.scripted import FACT, ONE_ROUND, TWO_ROUNDS


class Served(NamedTuple):
    url: str
    connections: Connections
    journal: Path

    def drive(self, steps: Callable[[Any], Awaitable[Any]]) -> Any:
        async def run() -> Any:
            async with get_client(url=self.url) as client:
                return await steps(client)

        return asyncio.run(asyncio.wait_for(run(), 120))


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("server")
    journal = folder / "journal"
    journal.touch()
    with dev_server(folder, "tests.graphs.toy_server:graph", {"TOY_JOURNAL": str(journal)}) as (url, connections):
        yield Served(url, connections, journal)


def test_a_question_streams_its_nodes_its_trace_and_its_answer(served: Served) -> None:
    async def steps(client: Any) -> None:
        thread = (await client.threads.create())["thread_id"]
        seen = [
            (part.event, part.data)
            async for part in client.runs.stream(
                thread, "ask", input={"question": TWO_ROUNDS}, context={"limits": {"rounds": 2, "queries": 9}},
                stream_mode=["updates", "custom", "messages-tuple"],
            )
        ]  # fmt: skip
        assert "error" not in [event for event, _ in seen]
        assert [d["agent"] for e, d in seen if e == "custom" and d["event"] == "turn"].count("supervisor") == 4
        assert [next(iter(d)) for e, d in seen if e == "updates"] == ["intake", "team", "check", "team", "check", "synthesize"]
        assert [d[0]["content"] for e, d in seen if e == "messages" and d[0]["type"] == "ai"] == ["Ilmo"]
        values = (await client.threads.get_state(thread))["values"]
        assert (values["answer"], values["stop_reason"], values["spent"]["rounds"]) == ("Ilmo", "answered", 2)

    served.drive(steps)


@pytest.mark.parametrize("turns", [6, pytest.param(20, marks=pytest.mark.full)])
def test_a_thread_of_many_turns_keeps_two_messages_each(served: Served, turns: int) -> None:
    async def steps(client: Any) -> None:
        thread = (await client.threads.create())["thread_id"]
        for turn in range(1, turns + 1):
            question = [FACT, TWO_ROUNDS, "what is love", "who made Ciro"][turn % 4]
            given = {"messages": [{"role": "user", "content": question}]} if turn % 2 else {"question": question}
            result = await client.runs.wait(thread, "ask", input=given)
            assert [m["type"] for m in result["messages"]] == ["human", "ai"] * turn
            assert result["messages"][-1]["content"] == result["answer"] and len(result["evidence"]) <= 2

    served.drive(steps)


def test_limits_of_the_context_hold_and_the_recursion_limit_does_not_matter(served: Served) -> None:
    async def steps(client: Any) -> Any:
        return await client.runs.wait(
            None, "ask", input={"question": TWO_ROUNDS}, context={"limits": {"turns": 3}}, config={"recursion_limit": 5}
        )

    tight = served.drive(steps)
    assert (tight["stop_reason"], tight["spent"]["turns"]) == ("turns", 3)


@pytest.mark.parametrize(
    ("context", "says"),
    [({"limits": {"rounds": 0}}, "limits.rounds"), ({"limits": {"querys": 1}}, "limits.querys"), ({"scope": {"namespaces": ["secret"]}}, "secret may not be read")],
)  # fmt: skip
def test_a_wrong_limit_or_scope_is_refused_and_does_not_hang(served: Served, context: Any, says: str) -> None:
    async def steps(client: Any) -> str:
        thread = (await client.threads.create())["thread_id"]
        parts = [part async for part in client.runs.stream(thread, "ask", input={"question": FACT}, context=context)]
        assert parts[-1].event == "error"
        return str(parts[-1].data)

    assert says in served.drive(steps)


def test_studio_sees_the_fields_of_the_context_and_the_graphs_inside(served: Served) -> None:
    async def steps(client: Any) -> None:
        assistant = (await client.assistants.search())[0]["assistant_id"]
        schemas = await client.assistants.get_schemas(assistant)
        assert set(schemas["context_schema"]["properties"]) == {"limits", "scope"}
        assert set(schemas["input_schema"]["properties"]) == {"question", "messages"}
        drawn = await client.assistants.get_graph(assistant, xray=True)
        names = " ".join(str(node["id"]) for node in drawn["nodes"])
        assert all(name in names for name in ("intake", "simple", "check", "synthesize", "investigate", "planner", "gap_detector"))

    served.drive(steps)


def test_a_cancelled_run_ends_within_two_seconds(served: Served) -> None:
    async def steps(client: Any) -> float:
        thread = (await client.threads.create())["thread_id"]
        run = await client.runs.create(thread, "ask", input={"question": ONE_ROUND})
        await asyncio.sleep(2)
        since = time.monotonic()
        await client.runs.cancel(thread, run["run_id"], wait=True)
        while f"{ONE_ROUND}: cancelled" not in served.journal.read_text() and time.monotonic() - since < 10:
            await asyncio.sleep(0.05)
        assert (await client.runs.get(thread, run["run_id"]))["status"] == "interrupted"
        return time.monotonic() - since

    assert served.drive(steps) < 2
    assert f"{ONE_ROUND}: cancelled" in served.journal.read_text()


def test_nothing_of_all_that_left_this_machine(served: Served) -> None:
    assert served.connections.samples > 20 and served.connections.outbound == set()
