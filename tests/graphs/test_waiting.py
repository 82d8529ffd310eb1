"""Work that yields its waits runs the same in a thread and on a loop, and every wait can be cut short."""

import asyncio
import contextvars
import multiprocessing
import threading
import time
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

import pytest

from graphs import waiting
from graphs.waiting import Wait, Work, afinish, finish, twin

LONG = 30.0
HERE: contextvars.ContextVar[str] = contextvars.ContextVar("HERE", default="nowhere")
Runner = Callable[[Work[Any]], Any]


def in_a_loop(work: Work[Any]) -> Any:
    return asyncio.run(afinish(work))


@pytest.fixture(params=[finish, in_a_loop], ids=["thread", "loop"])
def run(request: pytest.FixtureRequest) -> Runner:
    return request.param  # type: ignore[no-any-return]


def wait(start: Callable[[], Awaitable[object]], seconds: float = LONG, given_up: Callable[[], bool] = lambda: False) -> Wait:
    return Wait(start, seconds, given_up)


def once(one: Wait) -> Work[Any]:
    return (yield one)


async def value(given: object, after: float = 0.0) -> object:
    await asyncio.sleep(after)
    return given


class Hanging:
    """A coroutine that never ends by itself, and what became of it."""

    def __init__(self) -> None:
        self.begun, self.cancelled = threading.Event(), threading.Event()

    async def __call__(self) -> None:
        self.begun.set()
        try:
            await asyncio.sleep(LONG)
        except asyncio.CancelledError:
            self.cancelled.set()
            raise


def took(act: Callable[[], object]) -> float:
    began = time.monotonic()
    act()
    return time.monotonic() - began


def test_work_is_sent_what_its_waits_gave_and_returns_its_value(run: Runner) -> None:
    def work() -> Work[list[object]]:
        given: list[object] = []
        for one in (1, None, "", [2]):
            given.append((yield wait(partial(value, one))))
        return given

    assert run(work()) == [1, None, "", [2]]


def test_work_without_a_wait_is_a_function(run: Runner) -> None:
    def work() -> Work[str]:
        return "at once"
        yield

    assert run(work()) == "at once"


class Nothing(Exception):
    """A mistake that counts as false."""

    def __bool__(self) -> bool:
        return False


@pytest.mark.parametrize("error", [ValueError("no"), Nothing("no"), StopIteration("no"), asyncio.CancelledError("no"), SystemExit(3)])
def test_an_exception_of_a_wait_arrives_as_a_value(run: Runner, error: BaseException) -> None:
    async def fails() -> None:
        raise error

    def fails_at_once() -> Awaitable[None]:
        raise error

    for start in (fails, fails_at_once):
        assert isinstance(run(once(wait(start))), BaseException)
    assert run(once(wait(partial(value, "still there")))) == "still there"


def test_an_exception_of_the_work_itself_is_raised(run: Runner) -> None:
    def work() -> Work[None]:
        yield wait(partial(value, 1))
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        run(work())


def test_a_wait_past_its_seconds_is_cancelled_and_gives_a_timeout_at_once(run: Runner) -> None:
    hanging = Hanging()
    given: list[object] = []
    assert took(lambda: given.append(run(once(wait(hanging, seconds=0.2))))) < 0.5
    assert isinstance(given[0], TimeoutError) and "within 0.2 s" in str(given[0])
    assert hanging.cancelled.wait(1)


def test_a_wait_without_time_is_over_before_it_begins(run: Runner) -> None:
    assert took(lambda: run(once(wait(Hanging(), seconds=0.0)))) < 0.3
    assert isinstance(run(once(wait(Hanging(), seconds=-1.0))), TimeoutError)


def test_a_coroutine_that_will_not_be_cancelled_is_not_waited_for(run: Runner) -> None:
    async def stubborn() -> None:
        end = time.monotonic() + 1
        while time.monotonic() < end:
            try:
                await asyncio.sleep(0.1)
            except asyncio.CancelledError:
                continue

    assert took(lambda: run(once(wait(stubborn, seconds=0.1)))) < 0.5


def test_giving_up_is_noticed_within_a_few_looks(run: Runner) -> None:
    hanging, up = Hanging(), threading.Event()
    threading.Timer(0.2, up.set).start()
    assert took(lambda: run(once(wait(hanging, given_up=up.is_set)))) < 0.2 + 6 * waiting.LOOK_SECONDS
    assert hanging.cancelled.wait(1)


def closing(hanging: Hanging, closed: threading.Event) -> Work[None]:
    """Work that waits for ever, and tells when it is closed."""
    try:
        yield wait(hanging)
    finally:
        closed.set()


def test_cancelling_the_coroutine_cancels_the_wait_and_closes_the_work() -> None:
    hanging, closed = Hanging(), threading.Event()

    async def go() -> None:
        job = asyncio.ensure_future(afinish(closing(hanging, closed)))
        await asyncio.to_thread(hanging.begun.wait, 5)
        job.cancel()
        with pytest.raises(asyncio.CancelledError):
            await job
        assert closed.is_set()

    assert took(lambda: asyncio.run(go())) < 1
    assert hanging.cancelled.wait(1)


def test_cancelling_while_a_step_blocks_closes_the_work_when_the_step_is_done() -> None:
    stepping, closed, hanging = threading.Event(), threading.Event(), Hanging()

    def work() -> Work[None]:
        try:
            stepping.set()
            time.sleep(0.3)
            yield wait(hanging)
        finally:
            closed.set()

    async def go() -> None:
        job = asyncio.ensure_future(afinish(work()))
        await asyncio.to_thread(stepping.wait, 5)
        job.cancel()
        with pytest.raises(asyncio.CancelledError):
            await job

    asyncio.run(go())
    assert closed.wait(2) and not hanging.begun.is_set()


def test_an_interrupt_of_the_waiting_thread_cancels_the_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    hanging, closed = Hanging(), threading.Event()

    begun = waiting._begun

    def interrupted(one: Wait) -> Any:
        future = begun(one)

        def result() -> object:
            hanging.begun.wait(5)
            raise KeyboardInterrupt

        monkeypatch.setattr(future, "result", result)
        return future

    monkeypatch.setattr(waiting, "_begun", interrupted)
    with pytest.raises(KeyboardInterrupt):
        finish(closing(hanging, closed))
    assert closed.is_set() and hanging.cancelled.wait(1)


def test_context_variables_of_the_caller_reach_the_step_and_the_wait(run: Runner) -> None:
    async def seen() -> str:
        return HERE.get()

    def work() -> Work[tuple[str, object]]:
        return HERE.get(), (yield wait(seen))

    before = HERE.set("caller")
    assert run(work()) == ("caller", "caller")
    HERE.reset(before)


def test_a_blocking_step_does_not_block_the_loop_of_its_caller() -> None:
    def work() -> Work[str]:
        time.sleep(0.4)
        yield wait(partial(value, None))
        return "done"

    async def go() -> int:
        ticks, job = 0, asyncio.ensure_future(afinish(work()))
        while not job.done():
            await asyncio.sleep(0.02)
            ticks += 1
        assert await job == "done"
        return ticks

    assert asyncio.run(go()) >= 8


def test_many_threads_wait_at_once() -> None:
    given: dict[int, object] = {}

    def one(number: int) -> None:
        given[number] = finish(once(wait(partial(value, number, 0.3))))

    threads = [threading.Thread(target=one, args=(n,)) for n in range(40)]
    assert took(lambda: ([t.start() for t in threads], [t.join(10) for t in threads])) < 2
    assert given == {n: n for n in range(40)}


def test_loops_that_come_and_go_share_the_one_that_waits() -> None:
    async def loop() -> int:
        return id(asyncio.get_running_loop())

    assert len({in_a_loop(once(wait(loop))) for _ in range(3)} | {finish(once(wait(loop)))}) == 1


def _in_child(answers: Any) -> None:
    answers.put(finish(once(wait(partial(value, "child")))))


@pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")
def test_a_forked_process_waits_on_a_loop_of_its_own() -> None:
    assert finish(once(wait(partial(value, "parent")))) == "parent"
    forks = multiprocessing.get_context("fork")
    answers = forks.SimpleQueue()
    child = forks.Process(target=_in_child, args=(answers,))
    child.start()
    child.join(10)
    assert child.exitcode == 0 and answers.get() == "child"
    assert finish(once(wait(partial(value, "parent")))) == "parent"


def test_a_twin_can_be_invoked_and_awaited() -> None:
    def work(number: int) -> Work[int]:
        return number + int(str((yield wait(partial(value, 1)))))

    node = twin("adds", work)
    assert node.invoke(1) == 2 and asyncio.run(node.ainvoke(2)) == 3
