"""Cancelling ends a run within two seconds by every way in: nothing more is sent, and what is in flight is terminated."""

import asyncio
import signal
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from evals.benchmarks.toy import ToyKg
from graphs.context import RunContext
from graphs.door import AskGraph
from graphs.trace import RunRecord
from tests.graphs.scripted import FACT, PARALLEL, toy_graph

QUESTIONS = [FACT, PARALLEL]
LONG = 25.0


class Bench:
    """A graph over a kg whose second statement takes half a minute, and what became of its run."""

    def __init__(self) -> None:
        self.kg, self.context, self.records = ToyKg(), RunContext(), list[RunRecord]()
        self.graph: AskGraph = toy_graph(self.kg, recorder=self)
        self.slow = self.kg.run
        self.kg.run = self._slow_after_linking  # type: ignore[method-assign]
        self.began = threading.Event()

    def finished(self, record: RunRecord) -> None:
        self.records.append(record)

    def _slow_after_linking(self, text: str, meter: Any) -> None:
        if not text.startswith("link"):
            self.kg.latency = LONG
            threading.Timer(0.2, self.began.set).start()
        self.slow(text, meter)

    def assert_over(self, since: float) -> None:
        assert time.monotonic() - since < 2
        assert self.context.run.ledger.stop_reason == "cancelled"
        sent = len(self.kg.log)
        deadline = time.monotonic() + 2
        while self.context.run.busy and time.monotonic() < deadline:
            time.sleep(0.02)
        assert not self.context.run.busy  # no statement is in flight any more
        while not self.records and time.monotonic() < deadline:
            time.sleep(0.02)
        time.sleep(0.3)
        assert [r.result["stop_reason"] for r in self.records] == ["cancelled"]
        assert len(self.kg.log) == sent == self.context.run.ledger.spent()["queries"]


def when_it_waits(bench: Bench, act: Callable[[], None]) -> threading.Thread:
    def wait() -> None:
        bench.began.wait(20)
        act()

    thread = threading.Thread(target=wait)
    thread.start()
    return thread


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("way", ["ainvoke", "astream"])
def test_a_cancelled_task_of_the_event_loop_ends_its_run(question: str, way: str) -> None:
    bench = Bench()

    async def drain() -> None:
        async for _ in bench.graph.astream({"question": question}, context=bench.context):
            pass

    async def go() -> float:
        asked = bench.graph.ainvoke({"question": question}, context=bench.context) if way == "ainvoke" else drain()
        job = asyncio.ensure_future(asked)
        await asyncio.to_thread(bench.began.wait, 20)
        since = time.monotonic()
        job.cancel()
        with pytest.raises(asyncio.CancelledError):
            await job
        assert time.monotonic() - since < 1
        return since

    bench.assert_over(asyncio.run(go()))  # run also waits for the node's thread: the loop closes its executor


@pytest.mark.parametrize("question", QUESTIONS)
def test_cancelling_by_the_context_from_another_thread_still_answers(question: str) -> None:
    bench, at = Bench(), list[float]()
    thread = when_it_waits(bench, lambda: (at.append(time.monotonic()), bench.context.cancel())[1])
    result = bench.graph.invoke({"question": question}, context=bench.context)
    assert (result["stop_reason"], bool(result["answer"])) == ("cancelled", True)
    bench.assert_over(at[0])
    thread.join()


@pytest.mark.parametrize("question", QUESTIONS)
def test_cancelling_by_the_context_ends_an_asynchronous_run_too(question: str) -> None:
    bench, at = Bench(), list[float]()
    thread = when_it_waits(bench, lambda: (at.append(time.monotonic()), bench.context.cancel())[1])
    result = asyncio.run(bench.graph.ainvoke({"question": question}, context=bench.context))
    assert result["stop_reason"] == "cancelled"
    bench.assert_over(at[0])
    thread.join()


@pytest.fixture
def listening() -> Iterator[None]:
    """Control-C raises KeyboardInterrupt, also where the tests run in the background of a shell, which ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("listening")
@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("way", ["invoke", "stream"])
def test_control_c_ends_the_run_before_it_unwinds(question: str, way: str) -> None:
    bench, at = Bench(), list[float]()

    def press() -> None:
        at.append(time.monotonic())
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)

    thread = when_it_waits(bench, press)
    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        if way == "invoke":
            bench.graph.invoke({"question": question}, context=bench.context)
        else:
            list(bench.graph.stream({"question": question}, context=bench.context, stream_mode="custom"))
    assert signal.getsignal(signal.SIGINT) is before
    bench.assert_over(at[0])
    thread.join()


def test_leaving_a_stream_early_ends_its_run() -> None:
    bench = Bench()
    stream = bench.graph.stream({"question": PARALLEL}, context=bench.context, stream_mode="custom")
    assert [next(stream)["event"] for _ in range(2)]
    since = time.monotonic()
    stream.close()  # type: ignore[attr-defined]
    bench.assert_over(since)


def test_leaving_an_asynchronous_stream_early_ends_its_run() -> None:
    bench = Bench()

    async def go() -> float:
        stream = bench.graph.astream({"question": PARALLEL}, context=bench.context, stream_mode="custom")
        async for event in stream:
            if event["event"] == "turn" and event["agent"] == "investigate":
                break
        await asyncio.to_thread(bench.began.wait, 20)
        since = time.monotonic()
        await stream.aclose()  # type: ignore[attr-defined]
        return since

    bench.assert_over(asyncio.run(go()))


def test_the_thread_works_on_after_a_cancelled_turn() -> None:
    from langgraph.checkpoint.memory import InMemorySaver

    kg = ToyKg(latency=0.3)
    graph, config = toy_graph(kg, checkpointer=InMemorySaver()), {"configurable": {"thread_id": "t"}}

    async def go() -> None:
        job = asyncio.create_task(graph.ainvoke({"question": PARALLEL}, config))  # type: ignore[arg-type]
        await asyncio.sleep(0.5)
        job.cancel()
        with pytest.raises(asyncio.CancelledError):
            await job

    asyncio.run(go())
    kg.latency = 0
    assert graph.invoke({"question": FACT}, config)["answer"] == "Dunka"  # type: ignore[arg-type]


def test_cancelling_one_context_ends_all_its_runs_and_no_other() -> None:
    kg = ToyKg(latency=0.4)
    graph, shared, other, results = toy_graph(kg), RunContext(), RunContext(), dict[int, Any]()

    def ask(number: int, context: RunContext) -> None:
        results[number] = graph.invoke({"question": FACT}, context=context)

    threads = [threading.Thread(target=ask, args=(n, shared if n < 3 else other)) for n in range(4)]
    [t.start() for t in threads]
    time.sleep(0.2)
    shared.cancel()
    [t.join(10) for t in threads]
    assert [results[n]["stop_reason"] for n in range(4)] == ["cancelled"] * 3 + ["answered"]


def test_a_statement_that_outlives_the_time_of_its_run_is_ended_then() -> None:
    kg = ToyKg()
    slow = kg.run

    def stubborn(text: str, meter: Any) -> None:
        kg.latency = 0.0 if text.startswith("link") else LONG
        slow(text, Endless(meter))

    kg.run = stubborn  # type: ignore[method-assign]
    began = time.monotonic()
    result = toy_graph(kg).invoke({"question": FACT}, context={"limits": {"wall_time": 1}})
    assert time.monotonic() - began < 2
    assert (result["stop_reason"], bool(result["answer"])) == ("wall_time", True)
    assert result["plan"]["r1.0.0"]["error"] == "stopped: wall_time"


class Endless:
    """A server that does not look at the statement's own timeout."""

    def __init__(self, meter: Any) -> None:
        self.meter, self.tag, self.principal = meter, meter.tag, meter.principal

    def charge(self, statement: str) -> float:
        self.meter.charge(statement)
        return LONG


def test_a_wall_time_beyond_every_timer_is_only_a_long_one(recwarn: pytest.WarningsRecorder) -> None:
    graph = toy_graph()
    state = graph.invoke({"question": FACT}, context={"limits": {"wall_time": 1e300}})
    assert state["stop_reason"] == "answered"
    assert not [warned for warned in recwarn if issubclass(warned.category, pytest.PytestUnhandledThreadExceptionWarning)]
