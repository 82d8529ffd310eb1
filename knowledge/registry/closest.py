"""Where a memory may go instead. Only namespaces that the asker may see are ever named."""

import re
from collections.abc import Collection, Sequence

from rapidfuzz import fuzz, process

from knowledge.embedding.embedder import Embedder
from knowledge.identity import fold
from knowledge.registry.background import least_related
from knowledge.registry.contract import Contract
from knowledge.registry.names import skeleton
from knowledge.registry.registry import Registry

NAME_NEAR = 60.0
"""Percent of characters kept by the shortest edit; the cut-off that difflib.get_close_matches has by default."""
_CHARACTERS = 256
_GAPS = re.compile(r"[\W_]+")


def find_closest_namespace(registry: Registry, name: str, visible: Collection[str], embedder: Embedder | None = None) -> Contract | None:
    """The namespace that a wrong id, or a description of what is to be remembered, most likely means; None where nothing is near.

    Exact id > same look (of the id or the display name) > edit distance of the ids > purpose, where an embedder is given.
    A suggestion for people and agents, never a way to resolve an id.
    """
    seen = registry.all(visible)
    exact = next((contract for contract in seen if contract.id == name), None)
    return exact or _by_look(seen, name) or _by_edits(seen, name) or (_by_purpose(seen, name, embedder) if embedder else None)


def find_namespace_for_type(registry: Registry, type: str, visible: Collection[str]) -> list[Contract]:
    """The namespaces that accept a type in exactly these letters, then those that write it in other case; each in the file's order."""
    seen = registry.all(visible)
    folded = fold(type)
    exact = [contract for contract in seen if type in contract.allowed_types]
    other = [contract for contract in seen if type not in contract.allowed_types and folded in map(fold, contract.allowed_types)]
    return exact + other


def _by_look(seen: Sequence[Contract], name: str) -> Contract | None:
    look = skeleton(name[:_CHARACTERS])
    return next((contract for contract in seen if look and look in (skeleton(contract.id), skeleton(contract.display_name))), None)


def _by_edits(seen: Sequence[Contract], name: str) -> Contract | None:
    looks = [skeleton(contract.id) for contract in seen]
    found = process.extractOne(skeleton(name[:_CHARACTERS]), looks, scorer=fuzz.ratio, score_cutoff=NAME_NEAR)
    return seen[found[2]] if found else None


def _by_purpose(seen: Sequence[Contract], name: str, embedder: Embedder) -> Contract | None:
    wanted = _GAPS.sub(" ", name).strip()
    if not wanted or not seen:
        return None
    vectors = embedder.embed([wanted, *map(_described, seen)])
    cosines = vectors[1:] @ vectors[0]
    best = int(cosines.argmax())
    return seen[best] if cosines[best] > least_related(vectors[0], embedder) else None


def _described(contract: Contract) -> str:
    return f"{_GAPS.sub(' ', contract.id)}: {contract.purpose} {', '.join(contract.allowed_types)}"
