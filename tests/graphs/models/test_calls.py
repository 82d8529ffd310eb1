"""A request to the real client of a provider is paid for, cut to what remains of the run, and tried again where that may help."""

import asyncio
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest
from langchain_core.messages import AIMessage, HumanMessage

from agents.llm.ask import Unable
from evals.loopback.played import Played
from graphs.context import Run
from graphs.models import calls
from graphs.models.breaker import FAILURES, REST_SECONDS, Breaker
from graphs.models.calls import LEAST_REPLY, TOKENS_PER_MESSAGE, Rejected, Request, call
from graphs.models.model import Model
from graphs.waiting import Work, afinish, finish
from knowledge.errors import OutOfBudget
from tests.graphs.models.provided import model, new_run, provider
from tools.cited import estimated_tokens

HELLO = [HumanMessage("hello there")]
ASKED = estimated_tokens("hello there") + TOKENS_PER_MESSAGE
MOST = 300
Runner = Callable[[Work[Any]], Any]


@pytest.fixture(params=["thread", "loop"])
def go(request: pytest.FixtureRequest) -> Runner:
    return finish if request.param == "thread" else lambda work: asyncio.run(afinish(work))


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calls, "FIRST_WAIT", 0.02)


def request(to: Model, *, streamed: bool = False, closing: bool = False) -> Request:
    return Request(HELLO, lambda most: to.chat.bind(max_tokens=most, **({"stream": True} if streamed else {})), MOST, closing=closing)


def ask(run: Run, to: Model, **how: Any) -> Work[AIMessage]:
    return call(run, "reasoner", to, request(to, **how))


def spent(run: Run) -> tuple[int, int]:
    told = run.ledger.spent()
    assert run.ledger.outstanding == 0
    assert told["roles"] in ({}, {"reasoner": {"model_calls": told["model_calls"], "tokens": told["tokens"], "money": told["money"]}})
    return told["model_calls"], told["tokens"]


def test_a_reply_is_charged_as_reported_and_told_to_the_trace(go: Runner) -> None:
    run = new_run()
    with provider("Ilmo") as server:
        assert go(ask(run, model(server.url))).text == "Ilmo"
        assert [asked.most for asked in server.asked] == [MOST]
    assert spent(run) == (1, 100)
    assert run.ledger.spent()["money"] == pytest.approx((70 * 1.0 + 30 * 2.0) / 1e6)


@pytest.mark.parametrize("fault", [Played(status=429), Played(status=500), Played(status=503), Played("x" * 90, cut=2), Played(cut=0)])
def test_what_passes_is_tried_again_and_every_try_is_a_call(go: Runner, fault: Played) -> None:
    run = new_run()
    with provider(fault, fault, "Ilmo") as server:
        assert go(ask(run, model(server.url))).text == "Ilmo"
    lost = 0 if fault.status >= 400 else 2 * (ASKED + MOST)
    assert spent(run) == (3, lost + 100)


def test_the_waits_between_tries_grow(go: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calls, "FIRST_WAIT", 0.2)
    run, began = new_run(), time.monotonic()
    with provider(Played(status=503), Played(status=503), "Ilmo") as server:
        go(ask(run, model(server.url)))
    assert 0.6 <= time.monotonic() - began < 1.5


def test_after_three_tries_it_is_unable(go: Runner) -> None:
    run = new_run()
    with provider(Played(status=503, message="busy")) as server:
        with pytest.raises(Unable, match="busy"):
            go(ask(run, model(server.url)))
        assert len(server.asked) == 3
    assert spent(run) == (3, 0)


@pytest.mark.parametrize("status", [400, 401, 404])
def test_what_does_not_pass_is_not_tried_again(go: Runner, status: int) -> None:
    run = new_run()
    with provider(Played(status=status, message="no")) as server:
        with pytest.raises(Rejected) as caught:
            go(ask(run, model(server.url)))
        assert len(server.asked) == 1 and caught.value.trouble.status == status
    assert spent(run) == (1, 0)


def test_the_wait_that_the_provider_asks_for_is_kept(go: Runner) -> None:
    run, began = new_run(), time.monotonic()
    with provider(Played(status=429, headers={"retry-after": "0.5"}), "Ilmo") as server:
        assert go(ask(run, model(server.url))).text == "Ilmo"
    assert 0.5 <= time.monotonic() - began < 1.5


@pytest.mark.parametrize("seconds", ["3", "3600"])
def test_a_wait_longer_than_what_remains_is_not_begun(go: Runner, seconds: str) -> None:
    run, began = new_run(wall_time=2), time.monotonic()
    with provider(Played(status=429, headers={"retry-after": seconds})) as server, pytest.raises(Unable):
        go(ask(run, model(server.url)))
    assert time.monotonic() - began < 1 and spent(run) == (1, 0)


HANGING = [
    Played("Ilmo", delay=20), Played("Ilmo" * 500, drip=0.05), Played("Ilmo" * 50, drip=0.4),
]  # fmt: skip


@pytest.mark.parametrize("played", HANGING)
@pytest.mark.parametrize("streamed", [False, True], ids=["whole", "streamed"])
def test_a_call_ends_with_the_time_of_its_run(go: Runner, played: Played, streamed: bool) -> None:
    run, began = new_run(wall_time=0.6), time.monotonic()
    with provider(played) as server:
        with pytest.raises((Unable, OutOfBudget)):
            go(ask(run, model(server.url), streamed=streamed))
        assert 0.4 < time.monotonic() - began < 1.2
        while not server.cut_off and time.monotonic() - began < 3:
            time.sleep(0.02)
        assert server.cut_off == 1
    assert spent(run) == (1, ASKED + MOST)
    assert run.ledger.stop_reason == "wall_time"


@pytest.mark.parametrize("played", HANGING)
def test_a_call_takes_no_longer_than_its_model_may(go: Runner, played: Played) -> None:
    run, began = new_run(), time.monotonic()
    with provider(played, "Ilmo") as server:
        assert go(ask(run, model(server.url, seconds=0.3))).text == "Ilmo"
    assert time.monotonic() - began < 1.2 and spent(run) == (2, ASKED + MOST + 100)


def test_the_closing_call_has_the_time_and_the_tokens_that_were_kept_for_it(go: Runner) -> None:
    run = new_run(wall_time=2, tokens=ASKED + 300, closing_tokens=250, model_calls=1)
    with provider("Ilmo") as server:
        with pytest.raises(OutOfBudget):
            go(ask(run, model(server.url)))
        assert go(ask(run, model(server.url), closing=True)).text == "Ilmo"
        assert [asked.most for asked in server.asked] == [MOST]
    assert spent(run) == (1, 100)


def test_a_reply_is_cut_to_the_tokens_that_remain(go: Runner) -> None:
    run = new_run(tokens=ASKED + 100, closing_tokens=0)
    with provider("Ilmo") as server:
        go(ask(run, model(server.url)))
        assert [asked.most for asked in server.asked] == [100]


def test_where_the_least_reply_does_not_fit_nothing_is_sent(go: Runner) -> None:
    run = new_run(tokens=ASKED + LEAST_REPLY - 1, closing_tokens=0)
    with provider("Ilmo") as server:
        with pytest.raises(OutOfBudget, match="tokens"):
            go(ask(run, model(server.url)))
        assert not server.asked
    assert spent(run) == (0, 0) and run.ledger.stop_reason == "tokens"


def test_a_reply_larger_than_it_might_be_is_charged_as_reported_and_is_the_last(go: Runner) -> None:
    run = new_run(tokens=2000)
    with provider(Played("Ilmo", tokens=(70, 9000))) as server:
        assert go(ask(run, model(server.url))).text == "Ilmo"
        with pytest.raises(OutOfBudget, match="tokens"):
            go(ask(run, model(server.url)))
    assert spent(run) == (1, 9070)


@pytest.mark.parametrize("tokens", [None, (0, 0)])
def test_where_no_usage_is_reported_the_estimate_is_charged(go: Runner, tokens: tuple[int, int] | None) -> None:
    run, text = new_run(), "Ilmo is the name. " * 20
    with provider(Played(text, tokens=tokens)) as server:
        go(ask(run, model(server.url)))
    assert spent(run) == (1, ASKED + estimated_tokens(text))


def test_retries_stop_where_the_calls_of_the_run_do(go: Runner) -> None:
    run = new_run(model_calls=3)
    with provider(Played(status=500)) as server:
        with pytest.raises(OutOfBudget, match="model_calls"):
            go(ask(run, model(server.url)))
        assert len(server.asked) == 2
    assert spent(run) == (2, 0)


def test_a_model_that_keeps_failing_is_left_alone_and_tried_again_later(go: Runner) -> None:
    clock = [0.0]
    run = new_run()
    with provider(*[Played(status=500)] * FAILURES, "Ilmo") as server:
        to = model(server.url, breaker=Breaker(lambda: clock[0]))
        with pytest.raises(Unable):
            go(ask(run, to))
        with pytest.raises(Unable, match="left alone"):
            go(ask(run, to))
        assert len(server.asked) == FAILURES
        clock[0] = REST_SECONDS
        assert [go(ask(run, to)).text for _ in range(2)] == ["Ilmo"] * 2
    assert spent(run) == (FAILURES + 2, 200)


def test_a_model_that_refuses_a_request_answers_and_is_not_left_alone(go: Runner) -> None:
    clock = [0.0]
    with provider(*[Played(status=500)] * FAILURES, Played(status=400), "Ilmo") as server:
        to = model(server.url, breaker=Breaker(lambda: clock[0]))
        with pytest.raises(Unable):
            go(ask(new_run(), to))
        clock[0] = REST_SECONDS
        with pytest.raises(Rejected):
            go(ask(new_run(), to))
        assert go(ask(new_run(), to)).text == "Ilmo"


@pytest.mark.parametrize("closing", [False, True])
def test_runs_that_run_out_of_time_do_not_speak_against_the_model(go: Runner, closing: bool) -> None:
    with provider(*[Played("late", delay=20)] * FAILURES, "Ilmo") as server:
        to = model(server.url)
        for _ in range(FAILURES):
            with pytest.raises((Unable, OutOfBudget)):
                go(ask(new_run(wall_time=0.2), to, closing=closing))
        assert go(ask(new_run(), to)).text == "Ilmo"


def test_runs_that_are_cancelled_do_not_speak_against_the_model(go: Runner) -> None:
    with provider(*[Played("late", delay=20)] * FAILURES, "Ilmo") as server:
        to = model(server.url)
        for _ in range(FAILURES):
            run, began = new_run(), time.monotonic()
            threading.Timer(0.1, run.cancel).start()
            with pytest.raises((Unable, OutOfBudget)):
                go(ask(run, to))
            assert time.monotonic() - began < 1 and spent(run) == (1, ASKED + MOST)
        assert go(ask(new_run(), to)).text == "Ilmo"


def test_a_cancelled_run_does_not_wait_for_its_next_try(go: Runner) -> None:
    run, began = new_run(), time.monotonic()
    threading.Timer(0.2, run.cancel).start()
    with provider(Played(status=429, headers={"retry-after": "10"})) as server, pytest.raises((Unable, OutOfBudget)):
        go(ask(run, model(server.url)))
    assert time.monotonic() - began < 1 and spent(run) == (1, 0)


def test_a_cancelled_coroutine_charges_what_it_reserved() -> None:
    run = new_run()

    async def go() -> None:
        job = asyncio.ensure_future(afinish(ask(run, model(server.url))))
        while not server.asked:
            await asyncio.sleep(0.02)
        job.cancel()
        with pytest.raises(asyncio.CancelledError):
            await job

    with provider(Played("late", delay=20)) as server:
        asyncio.run(go())
    assert spent(run) == (1, ASKED + MOST)
