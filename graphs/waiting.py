"""Nodes written once and run both ways: work is a generator that yields what it waits for, and whoever runs it does the waiting.

Everything that is waited for runs on one event loop of the process, in a thread of its own: so a call can be cut short from any thread, and
clients that belong to a loop always meet the same one.
"""

import asyncio
import concurrent.futures
import contextlib
import os
import threading
from collections.abc import Awaitable, Callable, Generator
from contextvars import copy_context
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from langchain_core.runnables import Runnable, RunnableLambda

LOOK_SECONDS = 0.05
S = TypeVar("S")
T = TypeVar("T")


@dataclass(frozen=True)
class Wait:
    """Something that takes time. It is cut short after `seconds`, or as soon as `given_up` says so."""

    start: Callable[[], Awaitable[object]]
    seconds: float
    given_up: Callable[[], bool]


Work = Generator[Wait, object, T]
"""Is sent what a wait gave, or the exception that it ended with: TimeoutError where it was cut short."""


def finish(work: Work[T]) -> T:
    """Run the work in this thread."""
    try:
        wait = next(work)
        while True:
            under_way = _begun(wait)
            try:
                given = under_way.result()
            finally:
                under_way.cancel()
            wait = work.send(given)
    except StopIteration as done:
        return done.value  # type: ignore[no-any-return]
    finally:
        work.close()


async def afinish(work: Work[T]) -> T:
    """Run the work from a coroutine; what it does between its waits may block, so it runs in threads."""
    given: object = None
    try:
        while True:
            step = await asyncio.to_thread(partial(_step, work, given))
            if not isinstance(step, Wait):
                return step[0]
            given = await asyncio.wrap_future(_begun(step))
    finally:
        with contextlib.suppress(ValueError):  # a step that is still under way, and ends by itself since its run is cancelled
            work.close()


def twin(name: str, work: Callable[[S], Work[T]]) -> Runnable[S, T]:
    """A node that can be invoked and awaited."""

    def run(state: S) -> T:
        return finish(work(state))

    async def arun(state: S) -> T:
        return await afinish(work(state))

    return RunnableLambda(run, arun, name=name)


def _step(work: Work[T], given: object) -> Wait | tuple[T]:
    try:
        return work.send(given)
    except StopIteration as done:
        return (done.value,)


def _begun(wait: Wait) -> "concurrent.futures.Future[object]":
    """The wait under way; it carries the context of the caller, and with it the callbacks of the graph."""
    loop = _loop()
    return copy_context().run(asyncio.run_coroutine_threadsafe, _watched(wait), loop)


async def _watched(wait: Wait) -> object:
    loop = asyncio.get_running_loop()
    end = loop.time() + wait.seconds
    task = asyncio.ensure_future(_outcome(wait))
    try:
        while True:
            left = end - loop.time()
            done, _ = await asyncio.wait({task}, timeout=max(0.0, min(LOOK_SECONDS, left)))
            if done:
                return task.result()
            if left <= 0 or wait.given_up():
                return TimeoutError(f"no whole answer within {wait.seconds:.1f} s")
    finally:
        task.cancel()


async def _outcome(wait: Wait) -> object:
    """What it gave or raised; nothing that it raises may end the loop that all waits share."""
    try:
        return await wait.start()
    except BaseException as error:
        return error


class _Loops:
    """The process's loop, made when first needed and again after a fork."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        os.register_at_fork(after_in_child=self._forget)

    def get(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                threading.Thread(target=self._loop.run_forever, name="gavel-calls", daemon=True).start()
            return self._loop

    def _forget(self) -> None:
        self._lock, self._loop = threading.Lock(), None


_loop = _Loops().get
