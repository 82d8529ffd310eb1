"""The trace: what happened in a run, streamed as custom events while it runs and handed to a recorder when it has ended."""

import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal, Protocol

from graphs.state import Result

Happening = Literal["turn", "report", "task", "statement", "model", "fallback", "failure"]
MAX_EVENTS = 500
_LOG = logging.getLogger(__name__)


@dataclass(frozen=True)
class Event:
    """Something that happened, `milliseconds` after the run began.

    turn: agent, round, task. report: agent, text, milliseconds. task: id, status, error. fallback: role, why. failure: where, why.
    model: role, model, prompt (name and hash), prompt_tokens, completion_tokens, money, took (milliseconds), why (empty unless it failed).
    statement: agent, task, method, arguments, rows, cypher (the statements that this read sent; none where cached), milliseconds, cached.
    """

    kind: Happening
    milliseconds: float
    detail: Mapping[str, object]


@dataclass(frozen=True)
class RunRecord:
    """A run that has ended. `prompts` are content hashes by prompt name. A cancelled run has a result without an answer."""

    trace_id: str
    began: datetime
    question: str
    result: Result
    prompts: Mapping[str, str]
    events: Sequence[Event]


class RunRecorder(Protocol):
    """Keeps the traces of runs; called once per run, from a thread that may block."""

    def finished(self, record: RunRecord) -> None: ...


class Trace:
    """The events of one run. Thread-safe; keeps the first 500 events, streams all."""

    def __init__(self, trace_id: str, elapsed: Callable[[], float]) -> None:
        self.trace_id = trace_id
        self.question = ""
        self.prompts: dict[str, str] = {}
        self._began = datetime.now(UTC)
        self._elapsed = elapsed
        self._events: list[Event] = []
        self._write: Callable[[object], None] | None = None
        self._lock = threading.Lock()
        self._recorded = False

    def connect(self, write: Callable[[object], None]) -> None:
        """Stream through a node of the outermost graph: a nested graph's own writer is silent without subgraphs=True."""
        self._write = write

    def emit(self, kind: Happening, **detail: object) -> None:
        """Add an event, and stream it as `{"event": kind, …}`."""
        event = Event(kind, round(self._elapsed() * 1000, 2), detail)
        with self._lock:
            if len(self._events) < MAX_EVENTS:
                self._events.append(event)
        if self._write:
            self._write({"event": kind, **detail})

    @property
    def events(self) -> list[Event]:
        with self._lock:
            return list(self._events)

    def record(self, recorder: RunRecorder | None, result: Result) -> None:
        """Hand the ended run to the recorder, once. A trace that cannot be kept never costs an answer."""
        with self._lock:
            first, self._recorded = not self._recorded, True
        if not recorder or not first:
            return
        try:
            recorder.finished(RunRecord(self.trace_id, self._began, self.question, result, self.prompts, self.events))
        except Exception as error:
            _LOG.warning("the trace of run %s is lost: %s", self.trace_id, error)
