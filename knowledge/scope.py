"""Who acts, and what may be seen. A scope is bound into a Reader once; it can only be narrowed, never widened."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
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
LOCAL_PERSON = "local"
Kind = Literal["person", "agent"]
LIMITED: Mapping[str, int] = {"rounds": 1, "turns": 0, "queries": 0, "model_calls": 0, "tokens": 0, "wall_time": 0}
"""What a principal's runs may be limited in, in the units of a run's own limits, and the least that each may be."""


@dataclass(frozen=True)
class Principal:
    """Who acts, resolved by the door and never by payload. `writes`: namespaces into which it may write where their contract allows it.

    `limits`: the most that one run may cost, by names of LIMITED; what is not named is not limited here.
    """

    id: str
    kind: Kind
    scope: Scope
    writes: frozenset[str] = frozenset()
    limits: Mapping[str, float] = field(default_factory=dict, hash=False)

    def may_write(self, namespace: str) -> bool:
        """A precondition: the contract of the namespace may still ask for approval."""
        return namespace in self.writes or EVERY_NAMESPACE in self.writes

    def knows(self, namespace: str) -> bool:
        """Whether it may be told that the namespace exists."""
        return namespace in self.scope.namespaces or self.may_write(namespace)


@dataclass(frozen=True)
class Grants:
    """What a principal was given. An empty set gives nothing; EVERY_NAMESPACE in a set gives all that there is, also of levels and groups."""

    id: str
    kind: Kind
    reads: frozenset[str]
    writes: frozenset[str]
    access_levels: frozenset[str] = frozenset({PUBLIC})
    visibility_groups: frozenset[str] = frozenset({EVERYONE})
    limits: Mapping[str, float] = field(default_factory=dict, hash=False)

    def principal(self, held: Scope) -> Principal:
        """Who acts, where the database holds `held`: never more than both the grants and the database."""
        scope = replace(
            held,
            namespaces=_both(self.reads, held.namespaces),
            access_levels=_both(self.access_levels, held.access_levels),
            visibility_groups=_both(self.visibility_groups, held.visibility_groups),
        )
        return Principal(self.id, self.kind, scope, self.writes, self.limits)

    def knows(self, namespace: str) -> bool:
        """Whether it may be told that the namespace exists, also where the database holds nothing of it yet."""
        return any(EVERY_NAMESPACE in given or namespace in given for given in (self.reads, self.writes))

    @property
    def governs(self) -> bool:
        """Whether it may say who else there is: a person who may write everywhere."""
        return self.kind == "person" and EVERY_NAMESPACE in self.writes

    @property
    def reads_all(self) -> bool:
        """Whether it is a person who may read everything."""
        sets = (self.reads, self.access_levels, self.visibility_groups)
        return self.kind == "person" and all(EVERY_NAMESPACE in given for given in sets)

    @property
    def unbounded(self) -> bool:
        """Whether it is a person to whom everything was given, without a limit."""
        return self.kind == "person" and not self.limits and all(EVERY_NAMESPACE in given for given in self._sets)

    def covers(self, other: "Grants") -> bool:
        """Whether nothing was given to the other that was not given to this one."""
        pairs = zip(self._sets, other._sets, strict=True)
        within = all(name in other.limits and other.limits[name] <= most for name, most in self.limits.items())
        return within and all(EVERY_NAMESPACE in mine or theirs <= mine for mine, theirs in pairs)

    @property
    def _sets(self) -> tuple[frozenset[str], ...]:
        return (self.reads, self.writes, self.access_levels, self.visibility_groups)


_ALL = frozenset({EVERY_NAMESPACE})
LOCAL = Grants(LOCAL_PERSON, "person", _ALL, _ALL, _ALL, _ALL)
"""The single-user default: who acts where no principal was ever added."""


def _both(granted: frozenset[str], held: frozenset[str]) -> frozenset[str]:
    return held if EVERY_NAMESPACE in granted else granted & held
