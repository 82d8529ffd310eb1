"""A circuit breaker per model: a provider that keeps failing is left alone for a while."""

import threading
import time
from collections.abc import Callable

FAILURES = 3
REST_SECONDS = 30.0
LONGEST_REST = 600.0


class Breaker:
    """Opens after three failures in a row; after the rest one call may try again, and decides. Thread-safe, shared by all runs."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock, self._lock = clock, threading.Lock()
        self._failures = 0
        self._closed_again = 0.0

    def admits(self) -> bool:
        """Whether a call may be made now; while the breaker is open, only the one that tries."""
        with self._lock:
            if self._failures < FAILURES:
                return True
            if self._clock() < self._closed_again:
                return False
            self._closed_again = self._clock() + REST_SECONDS
            return True

    def succeeded(self) -> None:
        """The provider answered."""
        with self._lock:
            self._failures = 0

    def failed(self, rest: float = REST_SECONDS) -> None:
        """The provider did not; `rest`: the seconds that it asked for, if any."""
        with self._lock:
            self._failures += 1
            self._closed_again = self._clock() + min(max(rest, REST_SECONDS), LONGEST_REST)
