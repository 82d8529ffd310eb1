"""What is wrong in some namespaces, and the plan that would mend what a rule can mend."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from knowledge.cleaning.excess import excess
from knowledge.cleaning.faults import KINDS, Fault, Inspector, Kind, orphans
from knowledge.cleaning.memories import Memories, Memory
from knowledge.cleaning.plan import Action, Archive, Keep, Merge, Move
from knowledge.errors import ScopeError
from knowledge.registry.contract import SizeLimit


@dataclass(frozen=True)
class Audit:
    """What was looked at and what was found. `held`: live memories by namespace. `outgrown`: the limits of those that hold too much."""

    held: Mapping[str, int]
    faults: Sequence[Fault]
    memories: Sequence[Memory]
    outgrown: Mapping[str, SizeLimit] = field(default_factory=dict)

    def counts(self) -> dict[Kind, int]:
        found = Counter(fault.kind for fault in self.faults)
        return {kind: found[kind] for kind in KINDS}

    def as_json(self) -> dict[str, object]:
        return {"held": dict(self.held), "counts": self.counts(), "faults": [fault.as_json() for fault in self.faults]}


def audit(memories: Memories, inspector: Inspector, namespaces: Sequence[str] = ()) -> Audit:
    """Of the namespaces named, else of all that are in scope. ScopeError for one that is not, or holds nothing."""
    there = memories.namespaces()
    if unknown := [name for name in namespaces if name not in there]:
        raise ScopeError(f"there is no namespace {unknown[0]!r} that you may read; there are {', '.join(there) or 'none'}")
    chosen = list(namespaces) or there
    live = memories.live(chosen)
    faults = inspector.faults(live) + orphans(memories.lone_entities(chosen), memories.lost_facts(chosen))
    held = Counter(memory.namespace for memory in live)
    full = {fault.namespace for fault in faults if fault.kind == "over_limit"}
    outgrown = {id_: contract.size_limit for id_, contract in inspector.registry.contracts.items() if id_ in full}
    return Audit({name: held[name] for name in chosen}, faults, live, outgrown)


def planned(audit: Audit) -> list[Action]:
    """One action for each memory that has a fault, or is too many: what a person must decide is kept, with the reason."""
    by_memory: dict[str, list[Fault]] = {}
    for fault in audit.faults:
        if fault.of and fault.kind != "orphaned":
            by_memory.setdefault(fault.of, []).append(fault)
    stale = {fault.of for fault in audit.faults if fault.kind == "stale"}
    actions = {memory.uuid: _action(memory, by_memory[memory.uuid], stale) for memory in audit.memories if memory.uuid in by_memory}
    for namespace, limit in audit.outgrown.items():
        held = [memory for memory in audit.memories if memory.namespace == namespace]
        actions |= {kept.memory: kept for kept in excess(held, limit, actions)}
    return [actions[memory.uuid] for memory in audit.memories if memory.uuid in actions]


def _action(memory: Memory, faults: Sequence[Fault], stale: Collection[str]) -> Action:
    """What says the same as something that goes for its age goes with it."""
    about = {"memory": memory.uuid, "from": memory.namespace, "name": memory.name, "why": "; ".join(fault.why for fault in faults)}
    wrong = {fault.kind: fault for fault in reversed(faults)}
    same = next((fault.to for fault in faults if fault.kind == "duplicated" and fault.to), "")
    if same and same not in stale:
        return Merge.model_validate({**about, "into": same})
    if same or "stale" in wrong:
        return Archive.model_validate(about)
    if "misplaced" in wrong and wrong["misplaced"].to:
        return Move.model_validate({**about, "to": wrong["misplaced"].to})
    return Keep.model_validate(about)
