"""What could not be done now is tried again in the background, each time later, for as long as the process lives."""

import logging
import threading
from collections.abc import Callable

FIRST_SECONDS = 1.0
LONGEST_SECONDS = 60.0
_LOG = logging.getLogger(__name__)


class Again:
    """`work` says whether there is nothing left to do; it may raise, which is logged once in a row. Thread-safe. Close it."""

    def __init__(self, work: Callable[[], bool], first: float = FIRST_SECONDS) -> None:
        self._work, self._first = work, first
        self._stop, self._lock = threading.Event(), threading.Lock()
        self._thread: threading.Thread | None = None

    def begin(self) -> None:
        """Unless it goes on already."""
        with self._lock:
            if self._stop.is_set() or (self._thread and self._thread.is_alive()):
                return
            self._thread = threading.Thread(target=self._run, name="gavel-again", daemon=True)
            self._thread.start()

    def close(self) -> None:
        """Wait for what is being tried, and try no more."""
        self._stop.set()
        if self._thread:
            self._thread.join()

    def _run(self) -> None:
        pause, told = self._first, False
        while not self._stop.wait(pause):
            try:
                if self._work():
                    return
            except Exception as error:
                _LOG.log(logging.DEBUG if told else logging.WARNING, "it is tried again: %s", error)
                told = True
            pause = min(2 * pause, LONGEST_SECONDS)
