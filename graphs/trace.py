"""The trace: what happened in a run, streamed as custom events while it runs and handed to a recorder when it has ended."""

import itertools
import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal, Protocol

from graphs.state import Result

Happening = Literal["turn", "report", "thought", "task", "statement", "model", "fallback", "failure"]
MAX_EVENTS = 10_000
Redact = Callable[[str], str]
_LOG = logging.getLogger(__name__)


@dataclass(frozen=True)
class Event:
    """Something that happened, `milliseconds` after the run began; for what takes time, when it was over. Spans form a tree under `parent`; 0 is the run.

    turn: agent, round, task. report: agent, text. thought: role, task, took, said, asked. task: id, status, error. fallback: role, why.
    failure: where, why. model: role, model, prompt (name and hash), prompt_tokens, completion_tokens, money, took, why (empty unless it
    failed), sent, reply. statement: agent, task, method, arguments, rows, cypher (the statements that this read sent; none where cached),
    took, cached, entities (ids that were seen), relations (that were walked).
    """

    kind: Happening
    milliseconds: float
    detail: Mapping[str, object]
    span: int = 0
    parent: int = 0


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
    """The events of one run. Thread-safe; keeps the first 10,000 events, streams all. `turn`: the span of the turn under way, 0 outside of one.

    `redact` takes out of every text what must not be kept.
    """

    def __init__(self, trace_id: str, elapsed: Callable[[], float], redact: Redact = str) -> None:
        self.trace_id = trace_id
        self.question = ""
        self.prompts: dict[str, str] = {}
        self.turn = 0
        self._began = datetime.now(UTC)
        self._elapsed = elapsed
        self._redact = redact
        self._events: list[Event] = []
        self._spans = itertools.count(1)
        self._write: Callable[[object], None] | None = None
        self._lock = threading.Lock()
        self._recorded = False

    def connect(self, write: Callable[[object], None]) -> None:
        """Stream through a node of the outermost graph: a nested graph's own writer is silent without subgraphs=True."""
        self._write = write

    def open(self) -> int:
        """A span that other events may name as their parent before it is over."""
        return next(self._spans)

    def emit(
        self, kind: Happening, *, span: int = 0, parent: int | None = None, kept: Mapping[str, object] | None = None, **detail: object
    ) -> int:
        """Add an event, and stream it as `{"event": kind, …}`; `kept` is recorded only. Returns its span. Without a parent it belongs to the turn."""
        span = span or self.open()
        at = self.turn if parent is None else parent
        told = {key: self._without_secrets(value) for key, value in {**detail, **(kept or {})}.items()}
        event = Event(kind, round(self._elapsed() * 1000, 2), told, span, 0 if at == span else at)
        with self._lock:
            if len(self._events) < MAX_EVENTS:
                self._events.append(event)
        if self._write:
            self._write({"event": kind, **{key: told[key] for key in detail}})
        return span

    def _without_secrets(self, value: object) -> object:
        if isinstance(value, str):
            return self._redact(value)
        if isinstance(value, tuple | list):
            return tuple(self._without_secrets(one) for one in value)
        return value

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
