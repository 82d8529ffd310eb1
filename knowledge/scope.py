"""Who acts, and what may be seen. A scope is bound into a Reader once; it can only be narrowed, never widened."""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

from knowledge.clocks import Moment
from knowledge.errors import ScopeError

PUBLIC = "public"
EVERYONE = ""


@dataclass(frozen=True)
class Scope:
    """Namespaces, access levels and visibility groups that may be read, and the two clocks.

    An empty set means nothing, never everything. `as_of` None is now; a year overlaps what was true in any part of it.
    `known_at` None is now.
    """

    namespaces: frozenset[str]
    access_levels: frozenset[str] = frozenset({PUBLIC})
    visibility_groups: frozenset[str] = frozenset({EVERYONE})
    as_of: Moment | None = None
    known_at: datetime | None = None

    def narrowed(self, namespaces: frozenset[str] | None = None) -> "Scope":
        """The same scope over fewer namespaces. ScopeError when one of them is not in this scope."""
        if namespaces is None:
            return self
        if foreign := namespaces - self.namespaces:
            raise ScopeError(
                f"namespace {', '.join(sorted(foreign))} may not be read; readable: {', '.join(sorted(self.namespaces)) or 'none'}"
            )
        return replace(self, namespaces=namespaces)

    @property
    def fingerprint(self) -> str:
        """Equal for scopes that see the same things: part of every cache key."""
        sets = (self.namespaces, self.access_levels, self.visibility_groups)
        return repr([*(sorted(s) for s in sets), self.as_of, self.known_at])


EVERY_NAMESPACE = "*"
"""Granted by name; it is no namespace id, and nothing stands for it."""


@dataclass(frozen=True)
class Principal:
    """Who acts, resolved by the door and never by payload. `writes`: namespaces into which it may write where their contract allows it."""

    id: str
    kind: Literal["person", "agent"]
    scope: Scope
    writes: frozenset[str] = frozenset()

    def may_write(self, namespace: str) -> bool:
        """A precondition: the contract of the namespace may still ask for approval."""
        return namespace in self.writes or EVERY_NAMESPACE in self.writes

    def knows(self, namespace: str) -> bool:
        """Whether it may be told that the namespace exists."""
        return namespace in self.scope.namespaces or self.may_write(namespace)
