"""All contracts."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from knowledge.registry.contract import Contract


@dataclass(frozen=True)
class Registry:
    """Stand-in until the real one comes."""

    version: int
    digest: str
    contracts: Mapping[str, Contract]
    projects: Mapping[str, frozenset[str]] = field(default_factory=dict)

    def find(self, namespace: str) -> Contract | None:
        return self.contracts.get(namespace)

    def agents_of(self, project: str) -> frozenset[str]:
        return self.projects.get(project, frozenset())
