"""The entities that facts name, before any entity row declares more about them."""

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from knowledge.identity import entity_uuid, fold
from knowledge.loading.rows import FactRow
from knowledge.scope import PUBLIC

MENTIONED: Mapping[str, object] = {
    "aliases": [],
    "folded_aliases": [],
    "summary": "",
    "properties": "",
    "confidence": 1.0,
    "observation_count": 1,
    "valid_from_precision": "instant",
    "valid_to_precision": "instant",
}
"""What all entities that are only mentioned have in common."""


@dataclass(frozen=True)
class Mention:
    """What the node of a merely mentioned entity holds. It is as visible as the fact that mentions it."""

    uuid: str
    key: str
    name: str
    kind: str
    access_level: str
    visibility_group: str

    @property
    def memo(self) -> str:
        """Names an entity together with what a fact says of its kind."""
        return self.uuid + self.kind

    def parameters(self) -> dict[str, str]:
        return {**self.__dict__, "folded_name": fold(self.name)}


@lru_cache(maxsize=200_000)
def uuid_of(namespace: str, visibility_group: str, key: str) -> str:
    """`entity_uuid`, remembered: most facts are about entities that were named before."""
    return entity_uuid(namespace, visibility_group, key)


def mentions(namespace: str, row: FactRow, names: Mapping[str, str], present: Container[str] = ()) -> list[Mention]:
    """Subject and object of a fact, without those whose memo is `present`; `names` tells the names of keys."""
    found = []
    for key, kind in ((row.subject, row.subject_kind), (row.object, row.object_kind)):
        uuid = uuid_of(namespace, row.visibility_group, key)
        if uuid + kind not in present:
            found.append(Mention(uuid, key, names.get(key, key), kind, row.access_level or PUBLIC, row.visibility_group))
    return found


def merged(found: Iterable[Mention]) -> list[Mention]:
    """One mention per entity and kind; a public mention replaces a hidden one."""
    best: dict[str, Mention] = {}
    for mention in found:
        if mention.memo not in best or mention.access_level == PUBLIC:
            best[mention.memo] = mention
    return list(best.values())
