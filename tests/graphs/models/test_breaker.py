"""A provider that keeps failing is left alone for a while, and one call finds out whether it is back."""

import threading

import pytest

from graphs.models.breaker import FAILURES, LONGEST_REST, REST_SECONDS, Breaker


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def opened(clock: Clock, rest: float = 0.0) -> Breaker:
    breaker = Breaker(clock)
    for _ in range(FAILURES):
        assert breaker.admits()
        breaker.failed(rest)
    return breaker


def test_two_failures_in_a_row_change_nothing_and_a_success_forgets_them(clock: Clock) -> None:
    breaker = Breaker(clock)
    for _ in range(5):
        breaker.failed()
        breaker.failed()
        assert breaker.admits()
        breaker.succeeded()
    assert breaker.admits()


def test_after_three_failures_nobody_is_admitted_until_the_rest_is_over(clock: Clock) -> None:
    breaker = opened(clock)
    assert not breaker.admits()
    clock.now += REST_SECONDS - 0.1
    assert not breaker.admits()
    clock.now += 0.2
    assert breaker.admits()


def test_after_the_rest_one_tries_and_the_others_wait_for_it(clock: Clock) -> None:
    breaker = opened(clock)
    clock.now += REST_SECONDS
    assert [breaker.admits() for _ in range(4)] == [True, False, False, False]
    breaker.succeeded()
    assert all(breaker.admits() for _ in range(4))


def test_a_try_that_fails_opens_it_for_another_rest(clock: Clock) -> None:
    breaker = opened(clock)
    clock.now += REST_SECONDS
    assert breaker.admits()
    breaker.failed()
    clock.now += REST_SECONDS - 1
    assert not breaker.admits()
    clock.now += 1
    assert breaker.admits()


def test_a_try_that_never_reports_does_not_close_the_door_for_ever(clock: Clock) -> None:
    breaker = opened(clock)
    clock.now += REST_SECONDS
    assert breaker.admits()
    clock.now += REST_SECONDS
    assert breaker.admits()


def test_a_longer_rest_that_the_provider_asked_for_is_kept(clock: Clock) -> None:
    breaker = opened(clock, rest=100.0)
    clock.now += 99
    assert not breaker.admits()
    clock.now += 1
    assert breaker.admits()


def test_no_provider_can_ask_to_be_left_alone_for_ever(clock: Clock) -> None:
    breaker = opened(clock, rest=1e9)
    clock.now += LONGEST_REST
    assert breaker.admits()


def test_of_many_threads_one_tries(clock: Clock) -> None:
    breaker, admitted = opened(clock), list[bool]()
    clock.now += REST_SECONDS
    threads = [threading.Thread(target=lambda: admitted.append(breaker.admits())) for _ in range(16)]
    [t.start() for t in threads], [t.join() for t in threads]
    assert admitted.count(True) == 1
