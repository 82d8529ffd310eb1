"""The verdict on a proposal, from the registry, the counters and the content's hash alone: no database, no model, no clock."""

from collections.abc import Iterator
from dataclasses import dataclass

from knowledge.identity import NAMESPACE_PATTERN
from knowledge.registry.closest import find_closest_namespace, find_namespace_for_type
from knowledge.registry.contract import ANY_AGENT, HUMAN_CURATED, PROJECT_AGENT, Contract
from knowledge.registry.memory_name import FORM
from knowledge.registry.names import agent_named
from knowledge.registry.registry import Registry
from knowledge.remember.ownership import may_decide, owns
from knowledge.remember.proposal import Proposal
from knowledge.remember.verdict import Verdict
from knowledge.scope import Principal

SHORT_BODY = 20
NEARLY_FULL = 0.9


@dataclass(frozen=True)
class Holdings:
    """What a namespace holds live, with what is promised already. `twin`: the receipt of a live memory with the same content."""

    episodes: int = 0
    facts: int = 0
    bytes: int = 0
    twin: str = ""

    def as_counters(self) -> dict[str, object]:
        """As the namespace keeps them."""
        return {"episodes": self.episodes, "facts": self.facts, "bytes": self.bytes}


@dataclass(frozen=True)
class Guard:
    """Judges what one principal proposes. `delegated`: namespaces in which an owner lets it act. `known`: the ids of all principals, None where
    there is nobody but the local person."""

    registry: Registry
    principal: Principal
    delegated: frozenset[str] = frozenset()
    known: frozenset[str] | None = None

    def contract(self, namespace: str) -> Contract | None:
        """The contract, unless it is unknown or none of this principal's business."""
        found = self.registry.find(namespace)
        return found if found and (self.principal.knows(namespace) or namespace in self.delegated) else None

    def judge(self, proposal: Proposal, holdings: Holdings) -> Verdict:
        """The first thing that is wrong, else what the write policy says."""
        contract = self.contract(proposal.group_id)
        if contract is None:
            return self._unknown(proposal)
        for verdict in self._faults(proposal, contract, holdings):
            return verdict
        return self._policy(proposal, contract, tuple(_advice(proposal, contract, holdings)))

    def _faults(self, proposal: Proposal, contract: Contract, holdings: Holdings) -> Iterator[Verdict]:
        if self._ownerless(contract):
            owner = f"{contract.owner}, who is no principal"
            yield Verdict("reject", "no_owner", f"{contract.id} belongs to {owner}; have the owner added, or the registry changed")
        if proposal.remembers:
            yield from self._misnamed(proposal, contract)
        if holdings.twin and contract.id in self.principal.scope.namespaces:
            yield Verdict("reject", "duplicate", f"{contract.id} holds a memory with the same content already: receipt {holdings.twin}")
        elif holdings.twin:
            yield Verdict("review", "approval", f"this write to {contract.id} needs the approval of a person")
        if over := over_limit(proposal, contract, holdings):
            yield self._full(contract, over)

    def _misnamed(self, proposal: Proposal, contract: Contract) -> Iterator[Verdict]:
        named = proposal.named
        if named is None:
            types = ", ".join(contract.allowed_types)
            yield Verdict("invalid", "name", f"{proposal.name!r} is no name; write `{FORM}`, with one of the types {types}")
        elif named.type not in contract.allowed_types:
            yield self._wrong_type(named.type, contract)

    def _unknown(self, proposal: Proposal) -> Verdict:
        namespace, named = proposal.group_id, proposal.named
        accepting = self._accepting(named.type) if named else ""
        if not NAMESPACE_PATTERN.fullmatch(namespace):
            return Verdict("invalid", "namespace", f"{namespace!r} is no namespace id; use 1 to 64 of A-Z a-z 0-9 _ -", accepting)
        closest = find_closest_namespace(self.registry, namespace, self._visible)
        suggestion = accepting or (closest.id if closest else "")
        instead = f"; write to {suggestion}" if suggestion else "; ask for it to be registered"
        if why := agent_named(namespace):
            return Verdict("reject", "agent_named", f"{namespace} is refused: {why}{instead}", suggestion)
        return Verdict("reject", "unknown_namespace", f"{namespace} is not registered{instead}", suggestion)

    def _wrong_type(self, type_: str, contract: Contract) -> Verdict:
        suggestion = self._accepting(type_, but=contract.id)
        allowed = ", ".join(contract.allowed_types)
        instead = f"write it to {suggestion}, or use a type that is" if suggestion else "use a type that is"
        return Verdict("reject", "type", f"{contract.id} does not take the type {type_!r}; {instead}: {allowed}", suggestion)

    def _full(self, contract: Contract, over: str) -> Verdict:
        alternative = self.contract(contract.suggested_alternative)
        suggestion = alternative.id if alternative else ""
        instead = (
            f"; write to {suggestion}, or clean up with `gavel namespace audit`"
            if suggestion
            else "; clean up with `gavel namespace audit`"
        )
        return Verdict("reject", "capacity", f"{contract.id} is full: {over}{instead}", suggestion)

    def _policy(self, proposal: Proposal, contract: Contract, advice: tuple[str, ...]) -> Verdict:
        if contract.write_policy == "explicit_approval_required":
            return Verdict("review", "approval", f"every write to {contract.id} needs the approval of a person", advice=advice)
        if contract.id in self.delegated:
            return Verdict("accept", "delegation", f"{contract.id} was delegated to {self.principal.id}", advice=advice)
        if proposal.archived and not may_decide(self.principal, contract, self.registry):
            return Verdict("review", "approval", f"archiving in {contract.id} needs the approval of who decides about it", advice=advice)
        if not owns(self.principal, contract, self.registry):
            return Verdict("review", "not_owner", f"{contract.id} belongs to {contract.owner}, who is asked", advice=advice)
        if not self.principal.may_write(contract.id):
            return Verdict(
                "review", "no_grant", f"{self.principal.id} may not write to {contract.id} alone; its owner is asked", advice=advice
            )
        return Verdict("accept", advice=advice)

    def _ownerless(self, contract: Contract) -> bool:
        """Whether the one who should decide about it does not exist."""
        one = contract.owner not in (HUMAN_CURATED, ANY_AGENT, PROJECT_AGENT)
        return one and self.known is not None and contract.owner not in self.known

    def _accepting(self, type_: str, but: str = "") -> str:
        found = find_namespace_for_type(self.registry, type_, self._visible)
        return next((contract.id for contract in found if contract.id != but), "")

    @property
    def _visible(self) -> list[str]:
        return [contract.id for contract in self.registry.all() if self.principal.knows(contract.id)]


def over_limit(proposal: Proposal, contract: Contract, holdings: Holdings) -> str:
    """Which limits of the contract it would exceed; empty where it fits."""
    limit = contract.size_limit
    kinds = (
        ("memories", limit.episodes, holdings.episodes, proposal.episodes),
        ("facts", limit.facts, holdings.facts, proposal.relations),
        ("bytes", limit.bytes, holdings.bytes, proposal.size),
    )
    over = [f"{held} of {most} {what}" for what, most, held, more in kinds if most is not None and more > 0 and held + more > most]
    return ", ".join(over)


def _advice(proposal: Proposal, contract: Contract, holdings: Holdings) -> Iterator[str]:
    most = contract.size_limit.episodes
    if not proposal.remembers:
        return
    if most and holdings.episodes + 1 >= most * NEARLY_FULL:
        yield f"{contract.id} is nearly full: {holdings.episodes + 1} of {most} memories"
    if len(proposal.episode_body.strip()) < SHORT_BODY:
        yield "the body is very short; say what was learned and when it holds"
    if not proposal.source_description:
        yield "say in source_description where this comes from"
