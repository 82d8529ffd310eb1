"""What is added to an entity and an episode that Graphiti wrote."""

from collections.abc import Mapping
from datetime import datetime
from math import isfinite
from typing import Literal, cast

from knowledge.identity import adopted_key, digest
from knowledge.loading.memory_entities import search_forms
from knowledge.loading.properties import iso, written
from knowledge.loading.rows import Value
from knowledge.registry.memory_name import memory_name
from knowledge.remember.proposal import content_of

Element = Literal["entity", "episode", "fact"]
BEFORE = "gavel_before_"
ADOPTED = "gavel_adopted"
_SHARED = (
    "access_level visibility_group valid_from valid_to known_from known_to valid_from_precision valid_to_precision valid_from_text valid_to_text "
    "confidence observation_count properties search_text principal receipt agent_id run_id on_behalf_of tool undone_by gavel_vec gavel_vec_model"
)
_OWN: Mapping[Element, str] = {
    "entity": "key kind aliases folded_aliases folded_name seen",
    "episode": "type topic aspect content_hash bytes archived_by",
    "fact": "fact_id from_key to_key source place",
}
_GRAPHITI_ENTITY = {"uuid", "group_id", "name", "summary", "labels", "created_at", "name_embedding"}
Has = Mapping[str, object]


def ours(element: Element) -> list[str]:
    """The properties that Gavel may write on such an element and Graphiti does not."""
    return [*_OWN[element].split(), *_SHARED.split()]


def entity(row: Has, now: datetime) -> dict[str, object]:
    """Its own label is its kind, its free attributes are its properties; its key is its uuid, so that no other can claim it."""
    has, labels = cast(Has, row["has"]), cast(list[str], row["labels"])
    name, summary, uuid = str(row["name"] or ""), str(row["summary"] or ""), str(row["uuid"])
    attributes = {key: value for key, value in sorted(has.items()) if key not in _GRAPHITI_ENTITY and _plain(value)}
    said = {
        "key": adopted_key(uuid), "kind": next((label for label in sorted(labels) if label != "Entity"), ""), "aliases": [],
        "properties": written(cast(Mapping[str, Value], attributes)), "confidence": 1.0, "observation_count": 1, "access_level": "public",
        "visibility_group": "", "valid_from_precision": "instant", "valid_to_precision": "instant", "seen": [digest("adopted", uuid)],
        **search_forms(name, (), summary),
    }  # fmt: skip
    return {"uuid": uuid, "said": said, "known_from": str(row["created"] or iso(now))}


def episode(row: Has, now: datetime) -> dict[str, object]:
    """Its type, topic and aspect where its name says them."""
    name, content = str(row["name"] or ""), str(row["content"] or "")
    named = memory_name(name)
    parts = {"type": named.type, "topic": named.topic, "aspect": named.aspect} if named else {}
    size = sum(len(text.encode()) for text in (name, content, str(row["source_description"] or "")))
    said = {
        "content_hash": content_of(str(row["namespace"]), content), "bytes": size, "access_level": "public", "visibility_group": "",
        "valid_from_precision": "instant", "valid_to_precision": "instant", **parts,
    }  # fmt: skip
    known = str(row["created"] or iso(now))
    return {"uuid": row["uuid"], "said": said, "known_from": known, "valid_from": str(row["valid_at"] or known)}


def _plain(value: object) -> bool:
    """Whether it is a value that entities hold."""
    if isinstance(value, list):
        return all(isinstance(one, str) for one in value)
    return isinstance(value, str | int | bool) or (isinstance(value, float) and isfinite(value))
