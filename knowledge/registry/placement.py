"""Whether a memory of some type may go into a namespace and, where it may not, where else. Looks at the registry alone."""

from collections.abc import Collection
from dataclasses import dataclass

from knowledge.embedding.embedder import Embedder
from knowledge.identity import NAMESPACE_PATTERN
from knowledge.registry.closest import find_closest_namespace, find_namespace_for_type
from knowledge.registry.contract import Contract
from knowledge.registry.memory_name import FORM, memory_name
from knowledge.registry.names import agent_named
from knowledge.registry.registry import Registry

_SHOWN = 64
_LIST = "`gavel namespace list` shows those that there are"


@dataclass(frozen=True)
class Objection:
    """Why a memory may not go where it was meant to go, and the namespaces that it may go to instead, the best first."""

    what: str
    instead: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.what}; use {' or '.join(self.instead)}" if self.instead else self.what


def objection(
    registry: Registry, namespace: str, visible: Collection[str], type: str = "", embedder: Embedder | None = None
) -> Objection | None:
    """None where the namespace is registered and takes the type, or any type where none is given.

    A namespace that is not in `visible` is spoken of as one that does not exist, and is never among `instead`.
    """
    contract = registry.find(namespace) if namespace in visible else None
    if contract is None:
        return _told(_unknown(namespace), _instead_of_unknown(registry, namespace, visible, type, embedder))
    if type and type not in contract.allowed_types:
        return _wrong_type(registry, contract, visible, type)
    return None


def _unknown(namespace: str) -> str:
    if reason := agent_named(namespace):
        return reason
    if not NAMESPACE_PATTERN.fullmatch(namespace):
        return f"{namespace[:_SHOWN]!r} is no namespace id, which has 1 to 64 of A-Z a-z 0-9 _ -"
    return f"{namespace!r} is not registered"


def _instead_of_unknown(
    registry: Registry, namespace: str, visible: Collection[str], type: str, embedder: Embedder | None
) -> tuple[str, ...]:
    """The closest, unless others take the type and it does not."""
    closest = find_closest_namespace(registry, namespace, visible, embedder)
    for_type = [contract.id for contract in find_namespace_for_type(registry, type, visible)]
    if closest and (closest.id in for_type or not for_type):
        return tuple(dict.fromkeys((closest.id, *for_type)))
    return tuple(for_type)


def _wrong_type(registry: Registry, contract: Contract, visible: Collection[str], type: str) -> Objection:
    taken = ", ".join(contract.allowed_types)
    what = f"{contract.id} takes {taken}, and not {type[:_SHOWN]!r}"
    others = [other.id for other in find_namespace_for_type(registry, type, visible) if other.id != contract.id]
    if not others and contract.suggested_alternative in visible:
        others = [contract.suggested_alternative]
    spelt = [allowed for allowed in contract.allowed_types if allowed.casefold() == type.casefold()]
    if spelt:
        return Objection(f"{what}: write {spelt[0]!r}", (contract.id, *others))
    return _told(what, tuple(others))


def _told(what: str, instead: tuple[str, ...]) -> Objection:
    """Where no namespace can be named, the way to find one is."""
    return Objection(what if instead else f"{what}; {_LIST}", instead)


def name_objection(name: str, type: str = "") -> Objection | None:
    """None where the name reads `Type: Topic - Aspect` and its type is `type`, or any where none is given."""
    read = memory_name(name)
    if read is None:
        return Objection(f"the name {name[:_SHOWN]!r} does not read `{FORM}`; write it so, such as `Lesson: Deployment - Roll back first`")
    if type and read.type != type:
        return Objection(
            f"the name begins with the type {read.type[:_SHOWN]!r}, and the type is said to be {type[:_SHOWN]!r}; write one of them"
        )
    return None
