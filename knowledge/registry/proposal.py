"""A registry with one more namespace, as text: what was written before, comments included, stays as it is."""

import json
import re
import textwrap
from dataclasses import asdict

import yaml

from knowledge.errors import RegistryError
from knowledge.registry.contract import Contract
from knowledge.registry.file import parse_registry

_INDENT = 2
_WIDE = 10_000
_BLOCK_TEXT = {"|", ">"}


def proposed(registry_text: str, contract: Contract) -> str:
    """The text in which `contract` is registered too. RegistryError where either text is no registry, or the id is taken or looks taken."""
    current = parse_registry(registry_text, "the registry")
    if contract.id in current.contracts:
        raise RegistryError(f"{contract.id} is registered already; change its entry in the file, or choose another id")
    text = with_namespace(registry_text, contract)
    following = parse_registry(text, "the proposed registry")
    if following.find(contract.id) != contract or {**following.contracts, contract.id: None} != {**current.contracts, contract.id: None}:
        raise RegistryError(f"{contract.id} cannot be added by itself to a file of this layout; write its entry by hand")
    return text


def with_namespace(text: str, contract: Contract) -> str:
    """The text, which must be a registry's, with an entry at the end of `namespaces` and the next version."""
    document = yaml.compose(text, Loader=yaml.SafeLoader)
    assert isinstance(document, yaml.MappingNode)
    top = {key.value: value for key, value in document.value}
    edits = [*_entry(text, top["namespaces"], contract, in_flow=bool(document.flow_style)), _next_version(top["version"])]
    for start, end, new in sorted(edits, reverse=True):
        text = text[:start] + new + text[end:]
    return text


def as_written(contract: Contract) -> dict[str, object]:
    """A contract by the keys of the file, without those that hold their defaults."""
    limits = {name: limit for name, limit in asdict(contract.size_limit).items() if limit is not None}
    written = {
        "purpose": contract.purpose,
        "owner": contract.owner,
        "project": contract.project,
        "allowed_types": list(contract.allowed_types),
        "size_limit": limits["episodes"] if set(limits) == {"episodes"} else limits,
        "write_policy": contract.write_policy,
        "suggested_alternative": contract.suggested_alternative,
        "single_valued": sorted(contract.single_valued),
        "retention_days": contract.retention_days,
        "join": "" if contract.join == "key" else contract.join,
        "display_name": contract.display_name,
    }
    return {key: value for key, value in written.items() if value not in ("", [], None)}


def rendered(contract: Contract) -> str:
    """A contract as it stands in the file: its id, and below it its keys."""
    text: str = yaml.safe_dump(
        {contract.id: as_written(contract)}, sort_keys=False, allow_unicode=True, width=_WIDE, default_flow_style=None
    )
    return text


Edit = tuple[int, int, str]


def _next_version(version: yaml.Node) -> Edit:
    return _start(version), _end(version), str(int(version.value) + 1)


def _entry(text: str, namespaces: yaml.MappingNode, contract: Contract, *, in_flow: bool) -> list[Edit]:
    entries = namespaces.value
    if in_flow or (namespaces.flow_style and entries):
        at = _end(entries[-1][1]) if entries else _start(namespaces) + 1
        entry = json.dumps({contract.id: as_written(contract)}, ensure_ascii=False)[1:-1]
        return [(at, at, f", {entry}" if entries else entry)]
    line_end = "\r\n" if "\r\n" in text else "\n"
    column = entries[0][0].start_mark.column if entries else _INDENT
    block = textwrap.indent(rendered(contract), " " * column).replace("\n", line_end)
    at = _after_comments(text, _last_end(namespaces), column)
    gap = line_end if entries else ""
    begun = "" if text[:at].endswith("\n") else line_end
    braces = [] if entries else [(_start(namespaces), _end(namespaces), "")]
    return [*braces, (at, at, begun + gap + block)]


def _after_comments(text: str, at: int, column: int) -> int:
    """The beginning of the line after the one of `at`, and after comments below it that stand further in than `column`."""
    end = text.find("\n", at) + 1 or len(text)
    comment = re.compile(rf" {{{column + 1},}}#.*(\n|$)")
    while found := comment.match(text, end):
        end = found.end()
    return end


def _last_end(node: yaml.Node) -> int:
    """Where the last word below a node ends: a block ends for YAML only where the next thing begins, after comments that belong to that."""
    while isinstance(node, yaml.CollectionNode) and not node.flow_style and node.value:
        last = node.value[-1]
        node = last[1] if isinstance(last, tuple) else last
    if isinstance(node, yaml.ScalarNode) and node.style in _BLOCK_TEXT:
        return _end(node) - 1
    return _end(node)


def _start(node: yaml.Node) -> int:
    return int(node.start_mark.index)


def _end(node: yaml.Node) -> int:
    return int(node.end_mark.index)
