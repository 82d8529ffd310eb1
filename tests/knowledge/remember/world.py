"""A registry, principals and proposals for the tests."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from knowledge.journal.journal import Journal
from knowledge.journal.tables import metadata
from knowledge.registry.contract import Contract, SizeLimit
from knowledge.registry.registry import Registry
from knowledge.remember.inbox import Inbox
from knowledge.remember.proposal import Proposal
from knowledge.scope import EVERY_NAMESPACE, Principal, Scope

LESSONS = Contract("lessons", "what was learned", "any_agent", ("Lesson", "Pattern"), SizeLimit(episodes=100), "self_service")
GUIDE = Contract(
    "guide",
    "how to begin",
    "human_curated",
    ("Procedure", "Lesson"),
    SizeLimit(15),
    "explicit_approval_required",
    suggested_alternative="lessons",
)
ALPHA = Contract("alpha", "what alpha keeps", "alpha-bot", ("Fact", "Lesson"), SizeLimit(episodes=3, facts=5, bytes=5_000), "owner_only",
                 suggested_alternative="lessons", single_valued=frozenset({"leads"}))  # fmt: skip
CONTRACTS = {contract.id: contract for contract in (LESSONS, GUIDE, ALPHA)}
REGISTRY = Registry(1, "", CONTRACTS)
EVERYWHERE = frozenset(CONTRACTS)


def principal(id_: str, kind: Any = "agent", reads: frozenset[str] = EVERYWHERE, writes: frozenset[str] = EVERYWHERE) -> Principal:
    return Principal(id_, kind, Scope(reads), writes)


BOT = principal("bot")
OWNER = principal("alpha-bot")
PERSON = principal("ann", "person", writes=frozenset({EVERY_NAMESPACE}))
OTHER_PERSON = principal("ben", "person", writes=frozenset({EVERY_NAMESPACE}))


def lesson(body: str = "Retry a deadlock with jitter, never at once.", *, namespace: str = "lessons", **given: Any) -> Proposal:
    name = given.pop("name", f"Lesson: Neo4j - {body[:40]}")
    return Proposal.read({"name": name, "episode_body": body, "group_id": namespace, "source_description": "a run", **given})


@dataclass
class FakeClock:
    """Stands still unless told."""

    at: datetime = datetime(2026, 1, 1, tzinfo=UTC)

    def __call__(self) -> datetime:
        self.at += timedelta(microseconds=1)
        return self.at

    def pass_(self, **much: float) -> None:
        self.at += timedelta(**much)


@dataclass
class Office:
    """A journal with inboxes over it."""

    folder: Path
    clock: Callable[[], datetime] = field(default_factory=FakeClock)
    contracts: Mapping[str, Contract] = field(default_factory=lambda: CONTRACTS)
    url: str = ""

    def __post_init__(self) -> None:
        self.journal = Journal(self.url, self.clock) if self.url else Journal.in_folder(self.folder, self.clock)

    def registry(self) -> Registry:
        return Registry(1, "", self.contracts)

    def holding(self, text: str) -> list[str]:
        """The files and tables that hold a text."""
        files = [str(file) for file in self.folder.iterdir() if text.encode() in file.read_bytes()]
        with self.journal.reading() as connection:
            return files + [table.name for table in metadata.sorted_tables if text in str(connection.execute(table.select()).all())]

    def inbox(self, who: Principal = BOT, **given: Any) -> Inbox:
        return Inbox(self.journal, self.registry, who, **given)
