"""The registry, read from its file. A file with any problem is no registry: nothing of it is used."""

import hashlib
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TypeVar

from knowledge.errors import RegistryError
from knowledge.registry.contract import Contract
from knowledge.registry.entry import agent, is_namespace, known, read_contract, read_domain, texts
from knowledge.registry.located import MOST_CHARACTERS, Problems, Value, read
from knowledge.registry.names import skeleton
from knowledge.registry.registry import Registry

MOST_BYTES = 4 * MOST_CHARACTERS
MOST_OF_PROJECTS = 10_000
"""The most namespaces that projects and domains may make together."""
_START = "write one that begins with `version: 1` and `namespaces: {}`, or set GAVEL_REGISTRY to another file"
_BLOCK = "a mapping of ids, or {} for none"
T = TypeVar("T")
Section = Mapping[str, Value]


def read_registry(path: Path) -> Registry:
    """RegistryError with every problem of the file, each with its line."""
    return parse_registry(registry_text(path), str(path))


def registry_text(path: Path) -> str:
    """The text of a registry file as it stands. RegistryError when it cannot be read."""
    try:
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise RegistryError(f"{path}: cannot be read ({error.strerror or error}); {_START}") from error
    if len(content) > MOST_BYTES:
        raise RegistryError(f"{path}: is larger than {MOST_BYTES:,} bytes; write fewer or shorter entries")
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise RegistryError(f"{path}:{line}: is no UTF-8 (byte {content[error.start]:#04x}); save the file as UTF-8") from error


def parse_registry(text: str, name: str) -> Registry:
    """The registry that `text` describes; `name` stands for the file in messages. RegistryError as `read_registry`."""
    problems = Problems(name)
    document = read(text, problems)
    registry = _registry(document, text) if document else None
    problems.end_if_any()
    assert registry is not None, "a document that cannot be read leaves a problem"
    return registry


def _registry(document: Value, text: str) -> Registry:
    parts = known(document, ("version", "namespaces"), ("domains", "projects"))
    version = parts["version"].number(1, "a whole number that grows with each change, such as 1") if "version" in parts else 0
    namespaces, domains, projects = (_section(parts, key) for key in ("namespaces", "domains", "projects"))
    registry = Registry(
        version=version,
        digest=hashlib.sha256(text.encode("utf-8")).hexdigest(),
        contracts=_each(namespaces, read_contract),
        domains=_each(domains, read_domain),
        projects=_each(projects, _agents),
    )
    _refuse_look_alikes(namespaces, domains, projects)
    _refuse_dangling(registry, namespaces, domains)
    return registry


def _section(parts: Section, key: str) -> Section:
    entries = parts[key].entries(_BLOCK) if key in parts else {}
    return {name: value for name, value in entries.items() if is_namespace(value, name)}


def _each(section: Section, reader: Callable[[Value, str], T]) -> Mapping[str, T]:
    return MappingProxyType({name: reader(value, name) for name, value in section.items()})


def _agents(value: Value, project: str) -> frozenset[str]:
    instead = "a list of the ids of its agents"
    found = texts(value, instead)
    for item in value.items(instead) if found else ():
        agent(item, instead)
    return frozenset(found)


def _refuse_look_alikes(namespaces: Section, domains: Section, projects: Section) -> None:
    """Two ids that a reader may take for each other, and two pairs of project and domain that spell the same id."""
    alone = _distinct(namespaces.items())
    projects, domains = _distinct(projects.items()), _distinct(domains.items())
    if len(projects) * len(domains) > MOST_OF_PROJECTS:
        next(iter(projects.values())).refuse(f"and the others make more than {MOST_OF_PROJECTS:,} namespaces; remove some")
        return
    made = [(f"{project}_{domain}", value) for project, value in projects.items() for domain in domains]
    _distinct([*alone.items(), *((name, value) for name, value in made if name not in alone)])


def _distinct(ids: Iterable[tuple[str, Value]]) -> Section:
    """Those that look like none before them; the others are refused."""
    first: dict[str, tuple[str, Value]] = {}
    for name, value in ids:
        known_as, other = first.setdefault(skeleton(name), (name, value))
        if other is not value and known_as == name:
            value.refuse(f"makes {name}, which line {other.line} makes too; rename one")
        elif known_as != name:
            value.refuse(f"{name} looks like {known_as} (line {other.line}); choose an id that nobody takes for another")
    return dict(first.values())


def _refuse_dangling(registry: Registry, namespaces: Section, domains: Section) -> None:
    for name, contract in registry.contracts.items():
        if contract.project and contract.project not in registry.projects:
            entry = namespaces[name].under("project")
            entry.refuse(f"names the project {contract.project!r}, which is not declared; add it under projects")
        _refuse_alternative(registry, contract, namespaces[name])
    for name, contract in registry.domains.items():
        _refuse_alternative(registry, contract, domains[name])


def _refuse_alternative(registry: Registry, contract: Contract, entry: Value) -> None:
    other, value = contract.suggested_alternative, entry.under("suggested_alternative")
    if other and other == contract.id:
        value.refuse("is the namespace itself; write the id of another, or leave the key out")
    elif other and registry.find(other) is None:
        value.refuse(f"{other[:64]!r} is no namespace here; write the id of one that is, or leave the key out")
