"""One statement that was read with: by whom, in which run, over what, and the ids of what came back. Never a text, never a parameter."""

import hashlib
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from itertools import islice
from typing import Protocol, Self

from knowledge.scope import EVERYONE, PUBLIC, Scope

MOST_IDS = 1_000
LONGEST_ID = 64


@dataclass(frozen=True)
class Access:
    """`at` is an ISO instant in UTC, `statement` the sha256 of its text, `tool` the reader's method that sent it.

    `ids`: of the entities and facts in the rows, each once, at most `MOST_IDS`; `more` came back beyond them. `restricted`: whether the scope
    reached beyond what is public, so that it had to be on the disk before the rows were handed over.
    """

    at: str
    principal: str
    run: str
    tool: str
    namespaces: tuple[str, ...]
    statement: str
    ids: tuple[str, ...]
    more: int
    rows: int
    restricted: bool

    @classmethod
    def of(cls, at: datetime, who: tuple[str, str], tool: str, scope: Scope, statement: str, ids: Iterable[str], rows: int) -> Self:
        """`who`: the principal and the run, either may be empty."""
        told = iter(dict.fromkeys(id_[:LONGEST_ID] for id_ in ids))
        kept = tuple(islice(told, MOST_IDS))
        restricted = bool(scope.access_levels - {PUBLIC} or scope.visibility_groups - {EVERYONE})
        digest = hashlib.sha256(statement.encode()).hexdigest()
        namespaces = tuple(sorted(scope.namespaces))
        return cls(_utc(at), *who, tool, namespaces, digest, kept, sum(1 for _ in told), rows, restricted)

    def as_json(self) -> dict[str, object]:
        return {**asdict(self), "namespaces": list(self.namespaces), "ids": list(self.ids)}


class Witness(Protocol):
    """Told of every access before its rows are handed over. AuditError where they must not be."""

    def note(self, access: Access) -> None: ...


class Unwitnessed:
    """For readers of a program that brings its own connection: nobody acts through a door there."""

    def note(self, access: Access) -> None:
        return None


def _utc(at: datetime) -> str:
    return at.astimezone(UTC).isoformat(timespec="microseconds")
