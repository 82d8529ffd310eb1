"""The entities that facts name, before any entity row declares more about them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from knowledge.identity import entity_uuid, fold
from knowledge.loading.rows import FactRow
from knowledge.scope import PUBLIC


@dataclass(frozen=True)
class Mention:
    """What the node of a merely mentioned entity holds. It is as visible as the fact that mentions it."""

    uuid: str
    key: str
    name: str
    kind: str
    access_level: str
    visibility_group: str

    def parameters(self) -> dict[str, str]:
        return {**self.__dict__, "folded_name": fold(self.name)}


def mentions(namespace: str, row: FactRow, names: Mapping[str, str]) -> tuple[Mention, Mention]:
    """Subject and object of a fact; `names` tells the names of keys."""

    def one(key: str, kind: str) -> Mention:
        uuid = entity_uuid(namespace, row.visibility_group, key)
        return Mention(uuid, key, names.get(key, key), kind, row.access_level or PUBLIC, row.visibility_group)

    return one(row.subject, row.subject_kind), one(row.object, row.object_kind)


def merged(found: Iterable[Mention]) -> list[Mention]:
    """One mention per entity and kind; a public mention replaces a hidden one."""
    best: dict[tuple[str, str], Mention] = {}
    for mention in found:
        at = (mention.uuid, mention.kind)
        if at not in best or mention.access_level == PUBLIC:
            best[at] = mention
    return list(best.values())
