"""What one action of a plan proposes to the guard, in order: what takes away comes after what it stands on is there."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from knowledge.cleaning.memories import Memory, ToldFact
from knowledge.cleaning.plan import Archive, Merge, Move
from knowledge.errors import DataError
from knowledge.remember.proposal import Proposal

Taking = Move | Merge | Archive


@dataclass(frozen=True)
class Step:
    """One proposal. `said`: what it changes, in words."""

    proposal: Proposal
    said: str


def steps(plan: str, action: Taking, live: Mapping[str, Memory], told: Mapping[str, Sequence[ToldFact]]) -> list[Step]:
    """By `live` and `told`, what is there and what it tells, by memory. DataError where the action cannot be done."""
    memory = live.get(action.memory)
    if memory is None or memory.namespace != action.from_:
        raise DataError(f"there is no live memory {action.memory} in {action.from_}")
    if isinstance(action, Move):
        return _moved(plan, action, memory, told.get(action.memory, ()))
    if isinstance(action, Archive):
        return [_archive(plan, action, memory, action.facts, action.why or "it is no longer of use")]
    if action.into not in live:
        raise DataError(f"there is no live memory {action.into} that you may read, so nothing would be left of {action.memory}")
    return [_archive(plan, action, memory, "keep", f"says the same as {action.into}")]


def _moved(plan: str, action: Move, memory: Memory, facts: Sequence[ToldFact]) -> list[Step]:
    name = action.rename or memory.name
    if action.to == memory.namespace and name == memory.name:
        raise DataError(f"{memory.uuid} is in {action.to} under this name already; give it another `to` or `rename`")
    told = [fact.as_operation() for fact in facts]
    if action.to == memory.namespace:
        told.append(_archiving(memory, "end"))
        return [Step(_again(plan, action, memory, name, told), f"{memory.name!r} becomes {name!r} in {action.to}")]
    there = Step(_again(plan, action, memory, name, told), f"{name!r} is told in {action.to}, with {len(told)} facts")
    return [there, _archive(plan, action, memory, "end", f"it was moved to {action.to}")]


def _again(plan: str, action: Move, memory: Memory, name: str, operations: Sequence[Mapping[str, object]]) -> Proposal:
    source = memory.source if memory.source in ("text", "json", "message") else "text"
    described = memory.source_description or f"moved from {memory.namespace}"
    return Proposal.read(
        {
            "name": name, "episode_body": memory.body, "group_id": action.to, "source": source, "source_description": described,
            "valid_at": memory.valid_at, "operations": operations, "idempotency_key": f"{plan}/{memory.uuid}/tell",
        }
    )  # fmt: skip


def _archive(plan: str, action: Taking, memory: Memory, facts: str, because: str) -> Step:
    proposal = Proposal.read(
        {
            "name": memory.name[:300] or memory.uuid, "episode_body": "", "group_id": memory.namespace,
            "source_description": f"archived: {because}"[:1_000], "operations": [_archiving(memory, facts)],
            "idempotency_key": f"{plan}/{memory.uuid}/{action.do}",
        }
    )  # fmt: skip
    told = f", with the {memory.facts} facts that only it may tell" if facts == "end" and memory.facts else ""
    return Step(proposal, f"{memory.name!r} is archived in {memory.namespace}{told}: {because}")


def _archiving(memory: Memory, facts: str) -> dict[str, object]:
    return {"op": "archive_episode", "episode": memory.uuid, "facts": facts}
