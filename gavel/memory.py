"""The writing half of one process: registry, journal, and what stands on them."""

import logging
from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING

from gavel.settings import Settings
from knowledge.errors import DatabaseError

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor
    from datetime import datetime

    from gavel.again import Again
    from knowledge.adoption.governing import Governing
    from knowledge.cleaning.faults import Inspector
    from knowledge.database.connection import Database
    from knowledge.journal.journal import Journal
    from knowledge.loading.log import LoadLog
    from knowledge.remember.approvals import Approvals
    from knowledge.remember.delegations import Delegations
    from knowledge.remember.inbox import Inbox
    from knowledge.remember.overview import Overview
    from knowledge.remember.principals import Principals
    from knowledge.remember.proposal import Provenance
    from knowledge.remember.provenance import Audit
    from knowledge.remember.redaction import Redaction
    from knowledge.remember.registry_changes import ApprovedRegistry
    from knowledge.remember.undo import Undo
    from knowledge.remember.worker import Worker
    from knowledge.scope import Principal

JOURNAL_FILE = "journal.sqlite"
_OPENED = ("journal", "principals", "_approved", "_background", "_again")
_LOG = logging.getLogger(__name__)


class Memory:
    """Each part is made when first asked for. Thread-safe once made; close it."""

    def __init__(self, settings: Settings, database: "Callable[[], Database]") -> None:
        self._settings = settings
        self._database = database
        self._inherited: list[object] = []

    @cached_property
    def journal(self) -> "Journal":
        """The durable log of writes. JournalError where it cannot be opened."""
        from knowledge.journal.journal import Journal

        if not self._settings.journal:
            return Journal.in_folder(self._settings.data_dir)
        return Journal(self._settings.journal, password=self._settings.journal_password.get_secret_value())

    @property
    def registry(self) -> "ApprovedRegistry":
        """Call it for the contracts that hold now. RegistryError where there is a file that was never adopted and cannot be."""
        self._approved.adopt()
        return self._approved

    def joining(self, namespaces: frozenset[str]) -> frozenset[str]:
        """Those that join others by key: all but what the registry keeps apart. None where it cannot be read; the doors that need it say so."""
        from knowledge.errors import JournalError, RegistryError
        from knowledge.registry.file import read_registry

        file = self._settings.registry
        try:
            if self.begun:
                return namespaces - self.registry().apart
            return namespaces - read_registry(file).apart if file.exists() else namespaces
        except (JournalError, RegistryError):
            return frozenset()

    @cached_property
    def _approved(self) -> "ApprovedRegistry":
        from knowledge.remember.registry_changes import ApprovedRegistry

        return ApprovedRegistry(self.journal, self._settings.registry)

    @property
    def begun(self) -> bool:
        """Whether there is a journal: where there is none, looking for something in it must not make one."""
        return bool(self._settings.journal) or (self._settings.data_dir / JOURNAL_FILE).exists()

    @cached_property
    def principals(self) -> "Principals":
        """Who may come to the doors."""
        from knowledge.remember.principals import Principals

        return Principals(self.journal)

    def inbox(self, principal: "Principal", provenance: "Provenance", holder: str = "door") -> "Inbox":
        """Where this principal submits, by the hands of `holder`."""
        from knowledge.remember.inbox import Inbox

        return Inbox(self.journal, self.registry, principal, provenance, holder)

    def approvals(self, principal: "Principal") -> "Approvals":
        """Where this principal decides."""
        from knowledge.remember.approvals import Approvals

        return Approvals(self.journal, self.registry, principal)

    def delegations(self, principal: "Principal") -> "Delegations":
        """Where this principal lets others act."""
        from knowledge.remember.delegations import Delegations

        return Delegations(self.journal, self.registry, principal)

    def overview(self, principal: "Principal") -> "Overview":
        """How writing is, as far as this principal may look."""
        from knowledge.remember.overview import Overview

        return Overview(self.journal, self.registry, self._database, principal)

    def undo(self, principal: "Principal") -> "Undo":
        """Where this principal takes memories back."""
        from knowledge.remember.undo import Undo

        return Undo(self.journal, self.registry, principal)

    def redaction(self, principal: "Principal") -> "Redaction":
        """Where this principal removes texts for good."""
        from knowledge.remember.redaction import Redaction

        return Redaction(self.journal, self.registry, principal)

    def audit(self, principal: "Principal") -> "Audit":
        """What this principal may know of who did what."""
        from knowledge.remember.provenance import Audit

        return Audit(self.journal, principal)

    def governing(self, principal: "Principal") -> "Governing":
        """Where this principal adopts a memory of Graphiti, and lets it go."""
        from knowledge.adoption.governing import Governing

        return Governing(self.journal, self._database, principal)

    def inspector(self, principal: "Principal", now: "datetime") -> "Inspector":
        """What judges memories, as far as this principal may know of namespaces."""
        from knowledge.cleaning.faults import Inspector
        from knowledge.remember.principals import known_ids

        registry = self.registry()
        with self.journal.reading() as connection:
            known = known_ids(connection)
        return Inspector(registry, [contract.id for contract in registry.all() if principal.knows(contract.id)], now, known)

    def load_log(self, principal: "Principal") -> "LoadLog":
        """Where the loads of this principal are told of."""
        from knowledge.loading.log import LoadLog

        return LoadLog(self.journal, principal.id)

    def worker(self) -> "Worker":
        """What applies accepted proposals; one per thread."""
        from knowledge.remember.worker import Worker

        return Worker(self.journal, self.registry, self._database)

    def apply(self) -> str:
        """Do what is due now, in this thread, and what must wait in the background. Says why where all must wait: it is kept."""
        try:
            self.worker().drain()
        except DatabaseError as error:
            self._again.begin()
            return f"the database is away, so what was accepted is applied later ({error})"
        if self._unfinished():
            self._again.begin()
        return ""

    @cached_property
    def _again(self) -> "Again":
        from gavel.again import Again

        return Again(self._drained)

    def _drained(self) -> bool:
        self.worker().drain()
        return not self._unfinished()

    def _unfinished(self) -> bool:
        from knowledge.remember.queue import unfinished

        with self.journal.reading() as connection:
            return unfinished(connection)

    @property
    def gap_namespace(self) -> str:
        """Where tasks for what answers lack go; empty where nobody wants them."""
        return self._settings.gap_namespace

    def later(self, work: "Callable[[], object]") -> None:
        """Do it in the background, in order; closing waits for it."""
        self._background.submit(_logged, work)

    @cached_property
    def _background(self) -> "ThreadPoolExecutor":
        from concurrent.futures import ThreadPoolExecutor

        return ThreadPoolExecutor(max_workers=1, thread_name_prefix="gavel-later")

    def begin_anew(self) -> None:
        """In a forked process: what the parent has open stays the parent's, and is kept so that nothing closes it."""
        self._inherited.extend(self.__dict__.pop(name) for name in _OPENED if name in self.__dict__)

    def close(self) -> None:
        """Finish what was to be done later, try nothing again, and let the journal go."""
        if "_again" in self.__dict__:
            self._again.close()
        if "_background" in self.__dict__:
            self._background.shutdown()
        if "journal" in self.__dict__:
            self.journal.close()


def _logged(work: "Callable[[], object]") -> None:
    try:
        work()
    except Exception:
        _LOG.exception("something that was to be done in the background was not done")
