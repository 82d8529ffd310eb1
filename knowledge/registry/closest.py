"""Where a memory should go instead."""

from collections.abc import Collection

from knowledge.embedding.embedder import Embedder
from knowledge.registry.contract import Contract
from knowledge.registry.registry import Registry


def find_closest_namespace(registry: Registry, name: str, visible: Collection[str], embedder: Embedder | None = None) -> Contract | None:
    return next((c for c in registry.contracts.values() if c.id in visible), None)


def find_namespace_for_type(registry: Registry, type: str, visible: Collection[str]) -> list[Contract]:
    return [c for c in registry.contracts.values() if c.id in visible and type in c.allowed_types]
