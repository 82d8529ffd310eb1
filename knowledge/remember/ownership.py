"""Whose a namespace is: who may write into it alone, and who may decide about what others propose."""

from knowledge.registry.contract import ANY_AGENT, HUMAN_CURATED, PROJECT_AGENT, Contract
from knowledge.registry.registry import Registry
from knowledge.scope import Principal


def owns(principal: Principal, contract: Contract, registry: Registry) -> bool:
    """Whether it is the owner, or one of those who own it together."""
    if contract.owner == HUMAN_CURATED:
        return principal.kind == "person"
    if contract.owner == ANY_AGENT:
        return True
    if contract.owner == PROJECT_AGENT:
        return principal.id in registry.agents_of(contract.project)
    return principal.id == contract.owner


def may_decide(principal: Principal, contract: Contract, registry: Registry) -> bool:
    """Approving needs a grant, and a person: or, where the contract asks for no person, the owner. The proposer is refused elsewhere."""
    if not principal.may_write(contract.id):
        return False
    if principal.kind == "person":
        return True
    personal = contract.write_policy == "explicit_approval_required" or contract.owner in (HUMAN_CURATED, ANY_AGENT)
    return not personal and owns(principal, contract, registry)
