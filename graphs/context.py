"""The run context: what a caller may ask for (scope, limits), and the run behind it that nobody can reach from outside."""

import signal
import threading
import time
import uuid
import weakref
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Self, cast

from pydantic import BaseModel, ConfigDict, Field, PrivateAttr, ValidationError, field_validator

from graphs.budget import Clock, Ledger, Limits, RunMeter
from graphs.reading import LoopRule, ReadMemory, RunReader, Similarity
from graphs.state import Result
from graphs.trace import NoRedaction, Redaction, RunRecorder, Trace
from knowledge.clocks import moment
from knowledge.cypher.reader import CypherReader
from knowledge.errors import AuditError, ConfigError, DatabaseError, DataError, ScopeError, StatementError
from knowledge.reading.contract import KgReader
from knowledge.reading.meter import Meter
from knowledge.scope import Principal, Scope

if TYPE_CHECKING:
    from agents.contract import Role
    from graphs.desk import Desk
    from graphs.models.model import Model
    from knowledge.remember.inbox import Inbox

CANCEL_SECONDS = 2.0
_TICK = timedelta(microseconds=1)


class ScopeRequest(BaseModel):
    """What the caller wants to see; it can only narrow what the principal may see. Unset means all of that.

    `as_of` (true in the world) and `known_at` (believed by the kg) are dates such as 2019, 2019-05 or an ISO instant; empty is now.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    namespaces: list[str] | None = None
    access_levels: list[str] | None = None
    as_of: str = ""
    known_at: str = ""

    @field_validator("as_of", "known_at")
    @classmethod
    def _is_date(cls, value: str) -> str:
        try:
            if value.strip():
                moment(value)
        except DataError as error:
            raise ValueError(str(error)) from error
        return value.strip()

    def within(self, allowed: Scope) -> Scope:
        """The scope to read with. ScopeError when a namespace or access level is not allowed."""
        scope = allowed.narrowed(None if self.namespaces is None else frozenset(self.namespaces))
        levels = allowed.access_levels if self.access_levels is None else frozenset(self.access_levels)
        if foreign := levels - allowed.access_levels:
            raise ScopeError(
                f"access level {', '.join(sorted(foreign))} may not be read; readable: {', '.join(sorted(allowed.access_levels)) or 'none'}"
            )
        as_of = moment(self.as_of) if self.as_of else allowed.as_of
        known_at = moment(self.known_at).end - _TICK if self.known_at else allowed.known_at
        return replace(scope, access_levels=levels, as_of=as_of, known_at=known_at)


@dataclass(frozen=True)
class Services:
    """What the composition root provides for every run. `terminate` ends the statements that carry a tag; `models` are those of the roles that have one,
    `redaction` takes out of a trace what must not be kept, `desk` is where writing is done, `served` is the principal for what a server has proven."""

    open_reader: Callable[[Scope, Meter], KgReader]
    principal: Callable[[], Principal]
    terminate: Callable[[str], object] | None = None
    recorder: RunRecorder | None = None
    similarity: Similarity | None = None
    clock: Clock = field(default=time.monotonic)
    models: "Mapping[Role, Model]" = field(default_factory=dict)
    redaction: Redaction = field(default_factory=NoRedaction)
    desk: "Desk | None" = None
    served: Callable[[str], Principal] | None = None

    def acting(self, user: str | None) -> Principal:
        """Who acts: `user` where a server stands before the graph, whoever this process acts for where it is None."""
        return self.served(user) if self.served and user is not None else self.principal()


class Run:
    """One question being answered: its ledger, meter, trace and reader. Thread-safe. `streamed`: the id of the message that was streamed as answer."""

    def __init__(self, limits: Limits, scope: Scope, services: Services, principal: Principal) -> None:
        self.principal = principal
        self.id = uuid.uuid4().hex
        self.round = 1
        self.scope = scope
        self.ledger = Ledger(limits, services.clock)
        self.trace = Trace(self.id, lambda: self.ledger.elapsed, services.redaction, limits.model_dump())
        self.failures: list[str] = []
        self.fallbacks: dict[str, str] = {}
        self.models = services.models
        self.streamed = ""
        self._services = services
        self._meter = RunMeter(self.ledger, self.id, principal.id)
        self._memory = ReadMemory()
        self._opened: KgReader | DatabaseError | None = None
        self._opening = threading.Lock()
        self._lock = threading.Lock()
        self._working = 0
        self._deadline: threading.Timer | None = None

    def reader(self, agent: str, task: str = "", span: int = 0) -> CypherReader:
        """The run's reader in the hands of one agent; with a task, the loop rule watches over it."""
        loop = LoopRule(self._services.similarity) if task else None
        return RunReader(self._open(), self._meter, self.trace, self._memory, agent, task, loop, span)

    @property
    def desk(self) -> "Desk":
        """Where writing is done. ConfigError where this graph was built without one."""
        if self._services.desk is None:
            raise ConfigError("this graph was built without a place to write to; build it with desk=")
        return self._services.desk

    def inbox(self, agent: str) -> "Inbox":
        """Where one agent submits, in the name of the run's principal. What any agent but the writer submits is refused and recorded."""
        from knowledge.remember.proposal import Provenance

        return self.desk.inbox(self.principal, Provenance(agent_id=agent, run_id=self.id, tool="add_memory"), agent)

    def _open(self) -> KgReader:
        """Opened once per run; a database that refused is not asked again."""
        with self._opening:
            if self._opened is None:
                try:
                    self._opened = self._services.open_reader(self.scope, self._meter)
                    self._watch_time()
                except DatabaseError as error:
                    self._opened = error
            if isinstance(self._opened, DatabaseError):
                raise self._opened
            return self._opened

    def _watch_time(self) -> None:
        """End statements when the working time is over: servers look at a statement's own timeout only every other second."""
        if self._services.terminate:
            seconds = min(max(0.0, self.ledger.remaining), threading.TIMEOUT_MAX)
            self._deadline = threading.Timer(seconds, self._end_statements)
            self._deadline.daemon = True
            self._deadline.start()

    def _unwatch(self) -> None:
        if self._deadline:
            self._deadline.cancel()

    @contextmanager
    def working(self) -> Iterator[None]:
        """Marks a brain at work, so that cancelling knows when nothing is in flight any more."""
        with self._lock:
            self._working += 1
        try:
            yield
        finally:
            with self._lock:
                self._working -= 1

    @property
    def busy(self) -> bool:
        """Whether a brain is at work, and so may have a statement in flight."""
        return self._working > 0

    def fail(self, where: str, error: Exception) -> None:
        """Note a surprise. A database that is gone ends the run, and a read that may not be shown; what a cancelled statement raises is none."""
        if self.ledger.cancelled:
            return
        self.trace.emit("failure", where=where, why=f"{type(error).__name__}: {error}")
        with self._lock:
            self.failures.append(f"{where}: {error}")
        if isinstance(error, DatabaseError | AuditError) and not isinstance(error, StatementError):
            self.ledger.stop("failed")

    def fell_back(self, role: str, why: str) -> None:
        """Note that the rules decided in place of the role's own brain; the first reason is what went wrong, later ones may follow from it."""
        self.trace.emit("fallback", role=role, why=why)
        with self._lock:
            self.fallbacks.setdefault(role, why)

    def finish(self, result: Result) -> None:
        """The run is over: hand the trace to the recorder, with the result's own keys only."""
        self._unwatch()
        keys = Result.__annotations__
        self.trace.record(self._services.recorder, cast(Result, {key: value for key, value in result.items() if key in keys}))

    def cancel(self, *, abandoned: bool = False) -> None:
        """Refuse all further spending and end statements in flight. `abandoned`: nobody waits for a result, so the trace ends here."""
        self.ledger.stop("cancelled")
        self._unwatch()
        threading.Thread(target=self._end_statements, args=(abandoned,), name=f"cancel-{self.id}", daemon=True).start()

    def _end_statements(self, abandoned: bool = False) -> None:
        """Again and again, since a statement may have been charged but not yet begun when the others were ended."""
        deadline = time.monotonic() + CANCEL_SECONDS
        while self.busy and self._services.terminate and time.monotonic() < deadline:
            try:
                self._services.terminate(self.id)
            except DatabaseError as error:
                self.trace.emit("failure", where="cancel", why=str(error))
            time.sleep(0.1)
        if abandoned:
            self.trace.record(self._services.recorder, {"stop_reason": "cancelled", "spent": self.ledger.spent(), "trace_id": self.id})


class RunContext(BaseModel):
    """Scope and limits of a run. The run itself is private: in no schema, no checkpoint and no form of Studio.

    One object may be used for several runs, also at the same time: each has its own ledger. `cancel` ends all of them.
    """

    model_config = ConfigDict(extra="forbid")

    scope: ScopeRequest = Field(default_factory=ScopeRequest)
    limits: Limits = Field(default_factory=Limits)

    _run: Run | None = PrivateAttr(default=None)
    _started: "weakref.WeakSet[Run]" = PrivateAttr(default_factory=weakref.WeakSet)
    _lock: threading.Lock = PrivateAttr(default_factory=threading.Lock)

    def __deepcopy__(self, memo: object = None) -> Self:
        """A fresh context that asks for the same: runs are not copied."""
        return type(self)(scope=self.scope, limits=self.limits)

    def __reduce__(self) -> tuple[Callable[..., Self], tuple[dict[str, Any]]]:
        return type(self).model_validate, ({"scope": self.scope, "limits": self.limits},)

    @property
    def run(self) -> Run:
        """The run that this context belongs to, or the last one started with it."""
        if self._run is None:
            raise ConfigError("this context has not been used for a run yet; pass it as context= to the graph")
        return self._run

    def cancel(self) -> None:
        """End every run that was started with this context, from any thread; each answers with what it has found, within two seconds."""
        with self._lock:
            runs = list(self._started)
        for run in runs:
            run.cancel()

    @classmethod
    def claim(cls, given: Any, services: Services, user: str | None = None) -> Self:
        """The context of a new run of `user`, as `graphs.user` found it. ConfigError names a wrong field, ScopeError what may not be seen.

        Its limits are those that were asked for, cut to those of the principal.
        """
        asked = given if isinstance(given, cls) else cls._parsed({} if given is None else given)
        principal = services.acting(user)
        limits = asked.limits.within(principal.limits)
        run = Run(limits, asked.scope.within(principal.scope), services, principal)
        bound = asked.model_copy(update={"limits": limits})
        asked._run = bound._run = run
        with asked._lock:
            asked._started.add(run)
        return bound

    @classmethod
    def _parsed(cls, given: object) -> Self:
        try:
            return cls.model_validate(given)
        except ValidationError as error:
            wrong = "; ".join(f"{'.'.join(map(str, e['loc'])) or 'context'}: {_said(e['type'], e['msg'])}" for e in error.errors())
            raise ConfigError(f"this context cannot be used: {wrong}") from error


@contextmanager
def interruptible(run: Run) -> Iterator[None]:
    """Ctrl-C cancels the run before it unwinds; otherwise parallel branches would first wait for their statements."""
    previous = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(previous):
        yield
        return

    def interrupt(number: int, frame: Any) -> None:
        run.cancel(abandoned=True)
        previous(number, frame)

    signal.signal(signal.SIGINT, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, previous)


def _said(kind: str, message: str) -> str:
    known = f"limits are {', '.join(Limits.model_fields)}; scope has {', '.join(ScopeRequest.model_fields)}"
    return f"unknown; {known}" if kind == "extra_forbidden" else message
