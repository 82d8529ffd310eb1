"""What is wrong with memories by the registry, each fault by a rule of its own."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from knowledge.cleaning.memories import Lone, Memory
from knowledge.identity import NAMESPACE_PATTERN
from knowledge.likeness import near
from knowledge.registry.closest import find_closest_namespace, find_namespace_for_type
from knowledge.registry.contract import ANY_AGENT, HUMAN_CURATED, PROJECT_AGENT, SizeLimit
from knowledge.registry.memory_name import FORM
from knowledge.registry.names import agent_named
from knowledge.registry.registry import Registry

Kind = Literal["misplaced", "duplicated", "unnamed", "unowned", "over_limit", "orphaned", "stale"]
KINDS: tuple[Kind, ...] = ("misplaced", "duplicated", "unnamed", "unowned", "over_limit", "orphaned", "stale")


@dataclass(frozen=True)
class Fault:
    """`of`: the uuid of what it is about; empty for the namespace as a whole. `to`: where it belongs, or which memory says the same."""

    kind: Kind
    namespace: str
    of: str
    name: str
    why: str
    to: str = ""

    def as_json(self) -> dict[str, object]:
        return {name: value for name, value in self.__dict__.items() if value}


@dataclass(frozen=True)
class Inspector:
    """Judges by one registry at one time. `known`: the ids of all principals; None where there is only the local person."""

    registry: Registry
    visible: Sequence[str]
    now: datetime
    known: frozenset[str] | None = None

    def faults(self, memories: Sequence[Memory]) -> list[Fault]:
        """Of memories and of the namespaces that hold them, kind by kind."""
        spaces = Counter(memory.namespace for memory in memories)
        return [
            *(fault for memory in memories for fault in self._placed(memory)),
            *self._same(memories),
            *self._nearly_same(memories),
            *(fault for memory in memories for fault in self._named(memory)),
            *(fault for space in sorted(spaces) for fault in self._owned(space)),
            *(fault for space in sorted(spaces) for fault in self._within_limit(space, memories)),
            *(fault for memory in memories for fault in self._in_date(memory)),
        ]

    def home_of(self, type_: str, but: str = "") -> str:
        """The namespace that takes a type; empty where none does."""
        return next((contract.id for contract in find_namespace_for_type(self.registry, type_, self.visible) if contract.id != but), "")

    def _placed(self, memory: Memory) -> Iterator[Fault]:
        contract, named = self.registry.find(memory.namespace), memory.named
        if contract and named and named.type not in contract.allowed_types:
            to = self.home_of(named.type, but=contract.id)
            where = f"; {to} does" if to else "; no namespace does"
            yield self._fault("misplaced", memory, f"{contract.id} does not take the type {named.type}{where}", to)

    def _same(self, memories: Sequence[Memory]) -> Iterator[Fault]:
        """The best placed of equal ones is kept, then the best named, then the oldest."""
        alike: dict[str, list[Memory]] = defaultdict(list)
        for memory in memories:
            alike[memory.words].append(memory)
        for group in alike.values():
            kept = min(group, key=self._worse)
            for memory in group:
                if memory is not kept:
                    yield self._fault("duplicated", memory, f"says the same as {kept.name!r} in {kept.namespace}", kept.uuid)

    def _nearly_same(self, memories: Sequence[Memory]) -> Iterator[Fault]:
        """Told, and left to a person: what differs may be what matters."""
        distinct = list({memory.words: memory for memory in sorted(memories, key=self._worse, reverse=True)}.values())
        told: set[str] = set()
        for pair in near([memory.body for memory in distinct]):
            kept, other = sorted((distinct[pair.one], distinct[pair.other]), key=self._worse)
            if other.uuid not in told:
                told.add(other.uuid)
                yield self._fault("duplicated", other, f"says nearly the same as {kept.name!r} in {kept.namespace} ({pair.likeness:.2f})")

    def _worse(self, memory: Memory) -> tuple[bool, bool, datetime, str]:
        contract, named = self.registry.find(memory.namespace), memory.named
        placed = bool(contract and named and named.type in contract.allowed_types)
        return not placed, named is None, memory.at, memory.uuid

    def _named(self, memory: Memory) -> Iterator[Fault]:
        if memory.named is None:
            yield self._fault("unnamed", memory, f"its name is not `{FORM}`")

    def _owned(self, namespace: str) -> Iterator[Fault]:
        contract = self.registry.find(namespace)
        if contract is None:
            near_ = find_closest_namespace(self.registry, namespace, self.visible) if NAMESPACE_PATTERN.fullmatch(namespace) else None
            why = agent_named(namespace) or f"{namespace!r} is not in the registry, so that nobody owns it"
            yield Fault("unowned", namespace, "", namespace, why, near_.id if near_ else "")
        elif self.known is not None and contract.owner not in (HUMAN_CURATED, ANY_AGENT, PROJECT_AGENT, *self.known):
            yield Fault("unowned", namespace, "", namespace, f"its owner {contract.owner} is no principal")

    def _within_limit(self, namespace: str, memories: Sequence[Memory]) -> Iterator[Fault]:
        contract = self.registry.find(namespace)
        held = [memory for memory in memories if memory.namespace == namespace]
        size = sum(memory.size for memory in held)
        limit = contract.size_limit if contract else SizeLimit()
        for what, has, most in (("memories", len(held), limit.episodes), ("bytes", size, limit.bytes)):
            if most is not None and has > most:
                yield Fault("over_limit", namespace, "", namespace, f"{has:,} {what}, where its contract allows {most:,}")

    def _in_date(self, memory: Memory) -> Iterator[Fault]:
        contract = self.registry.find(memory.namespace)
        days = contract.retention_days if contract else None
        if days is not None and memory.at + timedelta(days=days) <= self.now:
            yield self._fault("stale", memory, f"it is of {memory.at.date()}, and {memory.namespace} keeps memories for {days} days")

    def _fault(self, kind: Kind, memory: Memory, why: str, to: str = "") -> Fault:
        return Fault(kind, memory.namespace, memory.uuid, memory.name, why, to)


def orphans(entities: Sequence[Lone], facts: Sequence[Lone]) -> list[Fault]:
    """Entities that nothing tells of, and facts whose source is gone."""
    lone = [Fault("orphaned", one.namespace, one.uuid, one.name, "no fact and no memory tells of this entity") for one in entities]
    return lone + [Fault("orphaned", one.namespace, one.uuid, one.name, "the memory that told this fact is gone") for one in facts]
