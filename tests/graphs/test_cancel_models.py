"""Cancelling a run whose model hangs: it ends within two seconds by every way in, and the provider sees that nobody listens any more."""

import asyncio
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from agents.contract import Role
from evals.loopback.played import Played
from evals.loopback.server import LoopbackOpenAI
from graphs.context import RunContext
from graphs.door import AskGraph
from graphs.trace import RunRecord
from tests.graphs.scripted import FACT
from tests.graphs.thinking import ABOUT, assert_whole, explorer, faulty, thinking

HANGING = {"silent": Played("late", delay=30), "dripping": Played("so on " * 500, drip=0.2)}
HANGERS: list[Role] = ["intake", "supervisor", "planner", "navigator", "reasoner", "synthesizer"]
WITHIN = 2.0


class Bench:
    """A graph whose provider never ends its reply to one role, and what became of its run."""

    def __init__(self, server: LoopbackOpenAI) -> None:
        self.server, self.context, self.records = server, RunContext(), list[RunRecord]()
        self.graph: AskGraph = thinking(server.url, recorder=self)
        self.hanging = threading.Event()

    def finished(self, record: RunRecord) -> None:
        self.records.append(record)

    def hang(self, played: Played) -> Played:
        threading.Timer(0.1, self.hanging.set).start()
        return played

    def when_it_hangs(self, act: Callable[[], None]) -> threading.Thread:
        thread = threading.Thread(target=lambda: (self.hanging.wait(20), act()))
        thread.start()
        return thread

    def assert_over(self, since: float) -> None:
        assert time.monotonic() - since < WITHIN
        while not (self.server.cut_off and self.records) and time.monotonic() - since < WITHIN:
            time.sleep(0.02)
        run = self.context.run
        assert self.server.cut_off == 1 and run.ledger.outstanding == 0 and not run.busy
        assert [record.result["stop_reason"] for record in self.records] == ["cancelled"]
        assert run.ledger.spent()["model_calls"] == len(self.server.asked)


@pytest.fixture
def bench(request: pytest.FixtureRequest) -> Iterator[Bench]:
    kind, role = request.param
    with LoopbackOpenAI(explorer) as server:
        made = Bench(server)
        server.policy = faulty(role, lambda _: made.hang(HANGING[kind]))
        yield made


every_hang = pytest.mark.parametrize(
    "bench", [(kind, role) for kind in HANGING for role in HANGERS], indirect=True, ids="-".join
)  # fmt: skip
some_hangs = pytest.mark.parametrize(
    "bench", [("silent", "planner"), ("dripping", "supervisor"), ("dripping", "synthesizer")], indirect=True, ids="-".join
)  # fmt: skip


@every_hang
@pytest.mark.parametrize("awaited", [False, True], ids=["invoke", "ainvoke"])
def test_cancelling_by_the_context_from_another_thread_still_answers(bench: Bench, awaited: bool) -> None:
    at = list[float]()
    thread = bench.when_it_hangs(lambda: (at.append(time.monotonic()), bench.context.cancel())[1])
    question = {"question": ABOUT}
    if awaited:
        result: Any = asyncio.run(bench.graph.ainvoke(question, context=bench.context))
    else:
        result = bench.graph.invoke(question, context=bench.context)
    bench.assert_over(at[0])
    assert_whole(result)
    assert result["stop_reason"] == "cancelled"
    thread.join()


@every_hang
def test_a_cancelled_task_of_the_event_loop_ends_its_run(bench: Bench) -> None:
    async def go() -> float:
        job = asyncio.ensure_future(bench.graph.ainvoke({"question": ABOUT}, context=bench.context))
        await asyncio.to_thread(bench.hanging.wait, 20)
        since = time.monotonic()
        job.cancel()
        with pytest.raises(asyncio.CancelledError):
            await job
        return since

    bench.assert_over(asyncio.run(go()))


@some_hangs
def test_leaving_an_asynchronous_stream_ends_its_run(bench: Bench) -> None:
    async def go() -> float:
        stream = bench.graph.astream({"question": ABOUT}, context=bench.context, stream_mode="custom")

        async def read() -> None:
            async for _ in stream:
                pass

        reading = asyncio.ensure_future(read())
        await asyncio.to_thread(bench.hanging.wait, 20)
        since = time.monotonic()
        reading.cancel()
        with pytest.raises(asyncio.CancelledError):
            await reading
        await stream.aclose()  # type: ignore[attr-defined]
        return since

    bench.assert_over(asyncio.run(go()))


@pytest.mark.parametrize("bench", [("dripping", "synthesizer")], indirect=True)
@pytest.mark.parametrize("awaited", [False, True], ids=["stream", "astream"])
def test_leaving_a_stream_amid_the_tokens_of_the_answer_ends_its_run(bench: Bench, awaited: bool) -> None:
    def of_the_answer(chunk: Any) -> bool:
        return "gavel:synthesizer" in (chunk[1].get("tags") or ()) and bool(chunk[0].text)

    async def go() -> float:
        stream = bench.graph.astream({"question": FACT}, context=bench.context, stream_mode="messages")
        async for chunk in stream:
            if of_the_answer(chunk):
                break
        since = time.monotonic()
        await stream.aclose()  # type: ignore[attr-defined]
        return since

    if awaited:
        return bench.assert_over(asyncio.run(go()))
    stream = bench.graph.stream({"question": FACT}, context=bench.context, stream_mode="messages")
    next(chunk for chunk in stream if of_the_answer(chunk))
    since = time.monotonic()
    stream.close()  # type: ignore[attr-defined]
    return bench.assert_over(since)
