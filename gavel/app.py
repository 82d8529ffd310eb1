"""The composition root: from settings to a connected database, a profile, an embedder, and the graph that answers questions."""

import os
import threading
import weakref
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from types import TracebackType
from typing import TYPE_CHECKING, Self, TypeVar

from gavel import settings as environment
from gavel import who
from gavel.settings import RULES, Settings
from knowledge.database.embedded.progress import Progress, silent
from knowledge.errors import DatabaseError, ServerError, StoreError
from knowledge.scope import Scope

if TYPE_CHECKING:
    from langgraph.types import Checkpointer

    from agents.contract import Role
    from gavel.memory import Memory
    from gavel.otel import Exporter
    from gavel.redaction import Redaction
    from gavel.runs import Runs
    from graphs.context import Services
    from graphs.door import AskGraph, RememberGraph
    from graphs.models.model import Model
    from graphs.trace import RunRecord
    from knowledge.access.log import AccessLog
    from knowledge.cleaning.memories import Memories
    from knowledge.database.connection import Database
    from knowledge.database.embedded import EmbeddedServer
    from knowledge.embedding.embedder import Embedder
    from knowledge.profile.profile import GraphProfile
    from knowledge.reading.contract import KgReader
    from knowledge.reading.kg import Kg
    from knowledge.reading.meter import Meter
    from knowledge.scope import Grants, Principal

NO_EMBEDDER = "none"
LOST_MOST = 2
T = TypeVar("T")


@dataclass
class _Connected:
    """One connection, the process id of the embedded server that it leads to (0 for any other), and the kg once it has been read."""

    database: "Database"
    pid: int
    kg: "Kg | None" = None


class App:
    """What one process needs, each part made when first asked for. Thread-safe. Close it, or use it as a context manager."""

    def __init__(self, settings: Settings, progress: Progress = silent) -> None:
        self.settings = settings
        self._progress = progress
        self._connected: _Connected | None = None
        self._inherited: list[object] = []
        self._lock = threading.Lock()
        mine = weakref.WeakMethod(self._begin_anew)
        os.register_at_fork(after_in_child=lambda: (renew := mine()) and renew())

    @cached_property
    def server(self) -> "EmbeddedServer":
        """The embedded server of the data folder, started or not."""
        from knowledge.database.embedded import EmbeddedServer

        return EmbeddedServer(self.settings.data_dir, self.settings.neo4j_version, java_home=self.settings.java_home or None)

    @property
    def database(self) -> "Database":
        """A verified connection; the embedded server is started where no address is set."""
        return self._connection().database

    @property
    def kg(self) -> "Kg":
        """The database as its profile describes it."""
        connected = self._connection()
        with self._lock:
            if connected.kg is None:
                connected.kg = self._opened(connected.database)
            return connected.kg

    @property
    def profile(self) -> "GraphProfile":
        """What the database is read with: the owner's words over its own layout."""
        return self.kg.profile

    @cached_property
    def said(self) -> "GraphProfile | None":
        """The owner's profile file, or None where there is none. ConfigError where it cannot be read."""
        from knowledge.profile.importer import read_profile

        file = self.settings.profile_file
        return read_profile(file) if self.settings.profile or file.exists() else None

    @cached_property
    def embedder(self) -> "Embedder | None":
        """What turns text into vectors; None where search is to be by words only."""
        from knowledge.embedding.choice import embedder

        return None if self.settings.embedder == NO_EMBEDDER else embedder(self.settings.embedder)

    @cached_property
    def runs(self) -> "Runs":
        """Where the traces of runs are kept."""
        from gavel.runs import Runs

        return Runs(self.settings.runs_file, self.settings.runs_keep_days)

    @cached_property
    def access(self) -> "AccessLog":
        """Where it is kept who has read what."""
        from knowledge.access.log import AccessLog

        return AccessLog(self.settings.access_file, self.settings.access_keep_days)

    @cached_property
    def models(self) -> "dict[Role, Model]":
        """What roles think with; a role that is not in it thinks by rules. ConfigError for a model that cannot be used."""
        if {self.settings.model, self.settings.model_strong, self.settings.model_small, *self.settings.models.values()} <= {RULES, ""}:
            return {}
        from gavel.models import models

        return models(self.settings)

    @cached_property
    def exporter(self) -> "Exporter | None":
        """Sends traces to an OpenTelemetry collector; None where no address is set. ConfigError without the extra."""
        if not self.settings.otel_endpoint:
            return None
        from gavel.otel import Exporter

        return Exporter(self.settings.otel_endpoint)

    @cached_property
    def memory(self) -> "Memory":
        """What writing stands on."""
        from gavel.memory import Memory

        return Memory(self.settings, lambda: self.database)

    def grants(self) -> "Grants":
        """What was given to whoever this process acts for; no database is asked. ConfigError where that is nobody."""
        return who.of_process(self.settings, self.memory)

    def actor(self) -> "Principal":
        """Who this process acts for, without anything that may be read: what needs no database."""
        return self.grants().principal(Scope(frozenset()))

    def principal(self) -> "Principal":
        """Who this process acts for, over what the database holds. ConfigError where that is nobody."""
        return self._over_database(self.grants())

    def memories(self) -> "Memories":
        """The memories that whoever this process acts for may read."""
        from knowledge.cleaning.memories import Memories

        principal = self.principal()
        return Memories(self.database, principal.scope, principal.id, self.access)

    def graph(self, checkpointer: "Checkpointer" = None) -> "AskGraph":
        """The graph that answers questions. Compiling it touches no database: the first run connects."""
        from gavel.brains import rules
        from gavel.langsmith_client import redact_langsmith
        from graphs.ask import build

        redact_langsmith(self._redaction)
        return build(
            self._open_reader,
            rules(lambda: self.profile, self.settings.data_dir, self._similarity),
            self.principal,
            served=lambda user: self._over_database(who.of_user(user, self.memory)),
            checkpointer=checkpointer,
            terminate=self._terminate,
            recorder=_Recorder(self),
            similarity=self._similarity,
            models=self.models,
            redaction=self._redaction,
            desk=self.memory,
        )

    def remember_graph(self, checkpointer: "Checkpointer" = None) -> "RememberGraph":
        """The graph that takes memories in. Compiling it touches neither database nor journal."""
        from agents.llm.writer import MIND
        from agents.writer import RulesWriter
        from graphs.remember import build_remember

        return build_remember(self._writing_services(), RulesWriter(self._similarity), MIND, checkpointer=checkpointer)

    def proposer(self) -> "Principal":
        """The same also where the database is away: what is submitted meanwhile is accepted, and applied later."""
        return self._even_away(self.grants())

    @cached_property
    def _redaction(self) -> "Redaction":
        from gavel.redaction import Redaction

        return Redaction(environment.secrets(self.settings), self.settings.redact)

    def _writing_services(self) -> "Services":
        from graphs.context import Services

        return Services(
            self._open_reader, self.proposer, self._terminate, _Recorder(self), self._similarity, models=self.models,
            redaction=self._redaction, desk=self.memory, served=lambda user: self._even_away(who.of_user(user, self.memory)),
        )  # fmt: skip

    def close(self) -> None:
        """Close what is open, last what the work of the background needs; the embedded server keeps running."""
        if "memory" in self.__dict__:
            self.memory.close()
        with self._lock:
            if self._connected:
                self._connected.database.close()
            self._connected = None
        self.runs.close()
        if "access" in self.__dict__:
            self.access.close()
        if "exporter" in self.__dict__ and self.exporter:
            self.exporter.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def _over_database(self, grants: "Grants") -> "Principal":
        from knowledge.reading.extent import extent

        return grants.principal(self._persistently(lambda: extent(self.database, self.profile)))

    def _even_away(self, grants: "Grants") -> "Principal":
        try:
            return self._over_database(grants)
        except DatabaseError:
            return grants.principal(Scope(frozenset()))

    def _begin_anew(self) -> None:
        """In a forked process: what the parent has open stays the parent's. It is kept, since letting go of it would close it there too."""
        self._inherited.append(self._connected)
        self._connected = None
        self._lock = threading.Lock()
        if "runs" in self.__dict__:
            self._inherited.append(self.__dict__.pop("runs"))
        if "memory" in self.__dict__:
            self.memory.begin_anew()

    def _open_reader(self, scope: "Scope", meter: "Meter") -> "KgReader":
        from knowledge.cypher.reader import GuardedReader

        return self._persistently(lambda: GuardedReader(self.kg, scope, meter))

    def _terminate(self, tag: str) -> int:
        """Over the connection that there is: where none is, nothing runs that could be ended."""
        connected = self._connected
        return connected.database.terminate(tag) if connected else 0

    def _persistently(self, work: Callable[[], T]) -> T:
        """What `work` gives, tried again where the embedded server goes away under it: connecting anew waits until it is up."""
        for _ in range(LOST_MOST):
            try:
                return work()
            except (ServerError, StoreError):
                raise
            except DatabaseError:
                if not self.settings.embedded:
                    raise
        return work()

    def _similarity(self, one: str, other: str) -> float:
        if self.embedder is None:
            return 0.0
        first, second = self.embedder.embed([one, other])
        return float(first @ second)

    def _connection(self) -> _Connected:
        """The open connection; a new one where the embedded server has been stopped or started anew since."""
        with self._lock:
            if self._connected is None or self._gone(self._connected):
                self._connected = self._connect(self._connected)
            return self._connected

    def _gone(self, connected: _Connected) -> bool:
        """Whether the server of a connection has ended, or is about to: it listens no more before it ends."""
        if not connected.pid:
            return False
        status = self.server.status()
        return status.state != "running" or status.pid != connected.pid

    def _connect(self, earlier: _Connected | None) -> _Connected:
        """A verified connection, the earlier one where its server turns out to be up."""
        from knowledge.database.connection import Database

        given = self.settings
        if not given.embedded:
            password = given.neo4j_password.get_secret_value()
            return _Connected(Database.connect(given.neo4j_uri, given.neo4j_user, password, given.neo4j_database), 0)
        running = self.server.start(self._progress)
        if earlier and earlier.pid == running.pid:
            return earlier
        database = Database.connect(running.uri, running.user, running.password, given.neo4j_database)
        if earlier:
            earlier.database.close()
        return _Connected(database, running.pid)

    def _opened(self, database: "Database") -> "Kg":
        from gavel.profiles import profile_of
        from knowledge.reading.kg import Kg

        folder = self.settings.data_dir
        return Kg(
            database, profile_of(database, self.said, folder), self.embedder, folder, witness=self.access, joining=self.memory.joining
        )


class _Recorder:
    """Keeps runs where the app of this process does: a graph may outlive a fork."""

    def __init__(self, app: App) -> None:
        self._app = app

    def finished(self, record: "RunRecord") -> None:
        self._app.runs.finished(record)
        if exporter := self._app.exporter:
            exporter.finished(record)


@lru_cache(maxsize=1)
def current() -> App:
    """The app of this process, from its environment."""
    return App(environment.load())
