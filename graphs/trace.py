"""The trace: what happened in a run, streamed as custom events while it runs and handed to a recorder when it has ended."""

import itertools
import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Literal, Protocol, cast

from graphs.state import Result

Happening = Literal["turn", "report", "thought", "task", "statement", "model", "fallback", "failure"]
MAX_EVENTS = 10_000
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
    """A run that has ended. `prompts` are content hashes by prompt name, `limits` those that held. A cancelled run has a result without an answer."""

    trace_id: str
    began: datetime
    question: str
    result: Result
    prompts: Mapping[str, str]
    events: Sequence[Event]
    limits: Mapping[str, float] = field(default_factory=dict)


class RunRecorder(Protocol):
    """Keeps the traces of runs; called once per run, from a thread that may block."""

    def finished(self, record: RunRecord) -> None: ...


class Redaction(Protocol):
    """Takes out of texts what must not be kept: what it knows, and values that reads bring up."""

    def hide(self, text: str, values: frozenset[str] = frozenset()) -> str: ...

    def values(self, call: Sequence[object], result: object) -> frozenset[str]: ...


class NoRedaction:
    """Keeps everything."""

    def hide(self, text: str, values: frozenset[str] = frozenset()) -> str:
        return text

    def values(self, call: Sequence[object], result: object) -> frozenset[str]:
        return frozenset()


class Trace:
    """The events of one run. Thread-safe; keeps the first 10,000 events, streams all. `turn`: the span of the turn under way, 0 outside of one."""

    def __init__(
        self, trace_id: str, elapsed: Callable[[], float], redaction: Redaction, limits: Mapping[str, float] | None = None
    ) -> None:
        self.trace_id = trace_id
        self.limits = limits or {}
        self.question = ""
        self.prompts: dict[str, str] = {}
        self.turn = 0
        self._began = datetime.now(UTC)
        self._elapsed = elapsed
        self._redaction = redaction
        self._concealed: frozenset[str] = frozenset()
        self._events: list[Event] = []
        self._spans = itertools.count(1)
        self._write: Callable[[object], None] | None = None
        self._lock = threading.Lock()
        self._recorded = False

    def connect(self, write: Callable[[object], None]) -> None:
        """Stream through a node of the outermost graph: a nested graph's own writer is silent without subgraphs=True."""
        self._write = write

    def brought_up(self, call: Sequence[object], result: object) -> None:
        """Keep from here on, and in the record, no value of this read that must not be kept."""
        found = self._redaction.values(call, result)
        with self._lock:
            self._concealed |= found

    def open(self) -> int:
        """A span that other events may name as their parent before it is over."""
        return next(self._spans)

    def emit(
        self, kind: Happening, *, span: int = 0, parent: int | None = None, kept: Mapping[str, object] | None = None, **detail: object
    ) -> int:
        """Add an event, and stream it as `{"event": kind, …}`; `kept` is recorded only. Returns its span. Without a parent it belongs to the turn."""
        span = span or self.open()
        at = self.turn if parent is None else parent
        told = {key: self._hidden(value) for key, value in {**detail, **(kept or {})}.items()}
        event = Event(kind, round(self._elapsed() * 1000, 2), told, span, 0 if at == span else at)
        with self._lock:
            if len(self._events) < MAX_EVENTS:
                self._events.append(event)
        if self._write:
            self._write({"event": kind, **{key: told[key] for key in detail}})
        return span

    def _hidden(self, value: object) -> object:
        if isinstance(value, str):
            return self._redaction.hide(value, self._concealed)
        if isinstance(value, Mapping):
            return {key: self._hidden(inner) for key, inner in value.items()}
        if isinstance(value, tuple | list):
            inner = [self._hidden(one) for one in value]
            return inner if isinstance(value, list) else tuple(inner)
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
            question, told = self._redaction.hide(self.question, self._concealed), cast(Result, self._hidden(result))
            events = [replace(event, detail=cast(Mapping[str, object], self._hidden(event.detail))) for event in self.events]
            recorder.finished(RunRecord(self.trace_id, self._began, question, told, self.prompts, events, self.limits))
        except Exception as error:
            _LOG.warning("the trace of run %s is lost: %s", self.trace_id, error)
