"""What must leave a namespace that its contract has outgrown, for a person to decide: the plan names it and does nothing about it."""

from collections.abc import Iterator, Mapping, Sequence

from knowledge.cleaning.memories import Memory
from knowledge.cleaning.plan import Action, Archive, Keep, Merge, Move
from knowledge.registry.contract import SizeLimit


def excess(held: Sequence[Memory], limit: SizeLimit, actions: Mapping[str, Action]) -> Iterator[Keep]:
    """Of one namespace, beyond what `actions` take out of it already: first what has another fault, then the oldest."""
    staying = [memory for memory in held if not _leaves(actions.get(memory.uuid), memory)]
    count, size = len(staying), sum(memory.size for memory in staying)
    for memory in sorted(staying, key=lambda memory: (memory.uuid not in actions, memory.at, memory.uuid)):
        if (limit.episodes is None or count <= limit.episodes) and (limit.bytes is None or size <= limit.bytes):
            return
        yield _named(memory, actions.get(memory.uuid))
        count, size = count - 1, size - memory.size


def _leaves(action: Action | None, memory: Memory) -> bool:
    return isinstance(action, Merge | Archive) or (isinstance(action, Move) and action.to != memory.namespace)


def _named(memory: Memory, action: Action | None) -> Keep:
    why = f"{memory.namespace} is over its limit, and this would be the next to go: write archive, or move and to"
    earlier = f"{action.why}; " if action and action.why else ""
    return Keep.model_validate({"memory": memory.uuid, "from": memory.namespace, "name": memory.name, "why": earlier + why})
