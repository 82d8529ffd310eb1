"""What the real client raises, read: whether trying again may help, when, and whether it was paid for."""

import email.utils
import time
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from evals.loopback.played import Asked, Played
from evals.loopback.server import LoopbackOpenAI
from graphs.models.trouble import WHY_CHARACTERS, Trouble, trouble
from tests.graphs.models.provided import CLOSED_PORT, chat


def raised(url: str, *, streamed: bool = False, seconds: float = 5.0) -> Exception:
    client = chat(url, timeout=seconds)
    with pytest.raises(Exception) as caught:
        list(client.stream("hello")) if streamed else client.invoke("hello")
    return caught.value


def met(played: Played, **how: Any) -> Trouble:
    def policy(asked: Asked) -> Played:
        return played

    with LoopbackOpenAI(policy) as server:
        return trouble(raised(server.url, **how))


@pytest.fixture(params=[False, True], ids=["whole", "streamed"])
def streamed(request: pytest.FixtureRequest) -> Iterator[bool]:
    yield request.param


@pytest.mark.parametrize("status", [408, 409, 425, 429, 500, 502, 503, 504, 529])
def test_a_provider_that_is_busy_or_broken_may_be_asked_again_and_was_not_paid(status: int, streamed: bool) -> None:
    found = met(Played(status=status), streamed=streamed)
    assert (found.passing, found.status, found.unpaid, found.wait) == (True, status, True, 0.0)


@pytest.mark.parametrize("status", [400, 401, 403, 404, 413, 422])
def test_a_provider_that_will_not_is_not_asked_again_and_was_not_paid(status: int, streamed: bool) -> None:
    found = met(Played(status=status, message="no such thing"), streamed=streamed)
    assert (found.passing, found.status, found.unpaid) == (False, status, True)
    assert "no such thing" in found.why


@pytest.mark.parametrize("status", [429, 503])
def test_the_wait_that_the_provider_asks_for_is_read_in_seconds_and_as_a_date(status: int) -> None:
    assert met(Played(status=status, headers={"retry-after": "7"})).wait == 7.0
    assert met(Played(status=status, headers={"Retry-After": "0.25"})).wait == 0.25
    date = email.utils.formatdate(time.time() + 40, usegmt=True)
    assert 35 < met(Played(status=status, headers={"retry-after": date})).wait <= 40
    past = email.utils.formatdate(time.time() - 40, usegmt=True)
    assert met(Played(status=status, headers={"retry-after": past})).wait == 0.0


@pytest.mark.parametrize(
    "said", ["", "soon", "-5", "nan", "inf", "1e999", "Mon, 99 Nov 2026", "Mon, 01 Jan 0001 00:00:00 -0000", "7 seconds"]
)
def test_a_wait_that_means_nothing_is_none(said: str) -> None:
    response = httpx.Response(429, headers={"retry-after": said}, request=httpx.Request("POST", CLOSED_PORT))
    found = trouble(httpx.HTTPStatusError("no", request=response.request, response=response))
    assert (found.passing, found.status, found.wait) == (True, 429, 0.0)


def test_a_refused_connection_may_be_tried_again_and_cost_nothing_that_is_known(streamed: bool) -> None:
    found = trouble(raised(CLOSED_PORT, streamed=streamed))
    assert (found.passing, found.status, found.unpaid) == (True, 0, False)


@pytest.mark.parametrize("played", [Played("late", delay=1.5), Played("x" * 4000, cut=3), Played("x" * 4000, cut=0)])
def test_a_reply_that_is_late_or_cut_may_be_tried_again_and_may_have_been_paid(played: Played, streamed: bool) -> None:
    found = met(played, streamed=streamed, seconds=0.5)
    assert (found.passing, found.status, found.unpaid) == (True, 0, False), found


def test_a_stream_that_is_cut_after_it_began_may_be_tried_again() -> None:
    found = met(Played("x" * 4000, cut=20), streamed=True)
    assert (found.passing, found.unpaid) == (True, False), found


def test_a_fault_of_the_program_is_not_tried_again() -> None:
    assert trouble(KeyError("choices")) == Trouble("KeyError: 'choices'", passing=False)


def test_the_reason_is_one_bounded_line() -> None:
    found = met(Played(status=500, message="line\n" * 1000))
    assert len(found.why) <= WHY_CHARACTERS and "\n" not in found.why and "Error: Error code: 500" in found.why


def test_the_cause_of_an_exception_counts_too() -> None:
    try:
        try:
            raise ConnectionResetError("reset")
        except ConnectionResetError as error:
            raise RuntimeError("the client gave up") from error
    except RuntimeError as wrapped:
        assert trouble(wrapped).passing
