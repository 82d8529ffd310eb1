"""All contracts of one version of the registry. What is not declared in it does not exist."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace

from knowledge.identity import NAMESPACE_PATTERN
from knowledge.registry.contract import PROJECT_AGENT, Contract

PROJECT = "{project}"
"""What stands for the project's name in the purpose and the display name of a domain."""


@dataclass(frozen=True)
class Registry:
    """`digest` is the sha256 of the file's text. `domains` holds what each domain gives to `{project}_{domain}`; `projects` their agents."""

    version: int
    digest: str
    contracts: Mapping[str, Contract]
    domains: Mapping[str, Contract] = field(default_factory=dict)
    projects: Mapping[str, frozenset[str]] = field(default_factory=dict)

    def find(self, namespace: str) -> Contract | None:
        """The contract of exactly this id: nothing is folded, trimmed or guessed. An entry of its own wins over `{project}_{domain}`."""
        if not NAMESPACE_PATTERN.fullmatch(namespace):
            return None
        return self.contracts.get(namespace) or self._made_of_parts(namespace)

    def agents_of(self, project: str) -> frozenset[str]:
        """The agents that own the namespaces of a project; nobody where it is not declared."""
        return self.projects.get(project, frozenset())

    def all(self, namespaces: Collection[str] | None = None) -> list[Contract]:
        """Every contract in the order of the file, then those of projects; only those of `namespaces` where it is given."""
        every = [*self.contracts.values(), *(made for made in self._of_projects() if made.id not in self.contracts)]
        if namespaces is None:
            return every
        chosen = frozenset(namespaces)
        return [contract for contract in every if contract.id in chosen]

    @property
    def apart(self) -> frozenset[str]:
        """The namespaces whose entities are their own, also where another has the same key."""
        return frozenset(contract.id for contract in self.all() if contract.join == "none")

    def _made_of_parts(self, namespace: str) -> Contract | None:
        """None also where two pairs of project and domain spell the same id."""
        splits = (namespace[:at] for at, character in enumerate(namespace) if character == "_")
        pairs = [(project, namespace[len(project) + 1 :]) for project in splits if project in self.projects]
        made = [self._made(project, domain) for project, domain in pairs if domain in self.domains]
        return made[0] if len(made) == 1 else None

    def _of_projects(self) -> Iterator[Contract]:
        made = (self._made(project, domain) for project in self.projects for domain in self.domains)
        return (contract for contract in made if self.find(contract.id))

    def _made(self, project: str, domain: str) -> Contract:
        given, namespace = self.domains[domain], f"{project}_{domain}"
        return replace(
            given,
            id=namespace,
            owner=PROJECT_AGENT,
            project=project,
            purpose=given.purpose.replace(PROJECT, project),
            display_name=given.display_name.replace(PROJECT, project),
            suggested_alternative="" if given.suggested_alternative == namespace else given.suggested_alternative,
        )
