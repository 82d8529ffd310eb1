"""What a batch of entity rows changes in the memory shape, decided in memory from what the kg holds."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from knowledge.identity import digest, entity_uuid, fold
from knowledge.loading.period import ALWAYS, Period
from knowledge.loading.properties import dated, precisions, written
from knowledge.loading.rows import EntityRow, Value
from knowledge.scope import PUBLIC

Outcome = Literal["created", "revised", "known"]


@dataclass(frozen=True)
class EntityState:
    """The current state of an entity node. `seen` holds the observations that made it; a node without any was only mentioned by facts."""

    uuid: str
    key: str
    name: str
    kind: str = ""
    aliases: tuple[str, ...] = ()
    summary: str = ""
    properties: Mapping[str, Value] = field(default_factory=dict)
    confidence: float = 1.0
    access_level: str = PUBLIC
    visibility_group: str = ""
    period: Period = ALWAYS
    seen: tuple[str, ...] = ()

    def written(self) -> dict[str, object]:
        """The properties of the node, dates apart."""
        return {
            "uuid": self.uuid,
            "key": self.key,
            "name": self.name,
            "kind": self.kind,
            "aliases": list(self.aliases),
            "summary": self.summary,
            "properties": written(self.properties),
            "confidence": self.confidence,
            "access_level": self.access_level,
            "visibility_group": self.visibility_group,
            "observation_count": max(1, len(self.seen)),
            "seen": list(self.seen) or None,
            **search_forms(self.name, self.aliases, self.summary),
            **precisions(self.period),
        }

    def dates(self) -> dict[str, str | None]:
        return dated(self.period)


@dataclass
class EntityChanges:
    """`states` are written as they are; the nodes in `superseded` keep their earlier state as a GavelEntityVersion."""

    states: dict[str, EntityState] = field(default_factory=dict)
    superseded: set[str] = field(default_factory=set)
    outcomes: list[Outcome] = field(default_factory=list)


def search_forms(name: str, aliases: Iterable[str] = (), summary: str = "") -> dict[str, object]:
    """The folded forms that look-up and full-text search use: name, aliases, and all of it with the summary."""
    folded = [fold(alias) for alias in aliases]
    parts = [fold(name), " ".join(folded), fold(summary) if summary else ""]
    return {"folded_name": parts[0], "folded_aliases": folded, "search_text": " | ".join(part for part in parts if part)}


def changes(namespace: str, rows: Iterable[EntityRow], known: Mapping[str, EntityState]) -> EntityChanges:
    """Decide row by row, in file order. What a row leaves empty stays; overwriting what was declared supersedes the earlier state."""
    result = EntityChanges()
    for row in rows:
        uuid = entity_uuid(namespace, row.visibility_group, row.key)
        before = result.states.get(uuid) or known.get(uuid)
        observation = observed(row)
        if before is None:
            result.states[uuid] = _declared(uuid, row, observation)
            result.outcomes.append("created")
        elif observation in before.seen:
            result.outcomes.append("known")
        else:
            after = _merged(before, row, observation)
            if uuid in known and _overwrites(known[uuid], after):
                result.superseded.add(uuid)
            result.states[uuid] = after
            result.outcomes.append("created" if not before.seen else "revised" if _differs(before, after) else "known")
    return result


def observed(row: EntityRow) -> str:
    """Names one statement of an entity by a source, so that it is applied once."""
    content = json.dumps(
        [row.name, row.kind, row.aliases, row.summary, row.confidence, row.access_level, repr(row.period)], ensure_ascii=False
    )
    return digest(row.origin.source, content, written(row.properties))


def _declared(uuid: str, row: EntityRow, observation: str) -> EntityState:
    return EntityState(
        uuid,
        row.key,
        row.name,
        row.kind,
        row.aliases,
        row.summary,
        row.properties,
        row.confidence,
        row.access_level or PUBLIC,
        row.visibility_group,
        row.period,
        (observation,),
    )


def _merged(before: EntityState, row: EntityRow, observation: str) -> EntityState:
    """Where the access level changes, nothing is carried over: text of one level never shows at another."""
    level = row.access_level or before.access_level
    if level != before.access_level or not before.seen:
        fresh = _declared(before.uuid, row, observation)
        kind = row.kind or ("" if before.seen else before.kind)
        return replace(fresh, kind=kind, access_level=level, seen=(*before.seen, observation))
    return replace(
        before,
        name=row.name if row.name != row.key else before.name,
        kind=row.kind or before.kind,
        aliases=tuple(dict.fromkeys((*before.aliases, *row.aliases))),
        summary=row.summary or before.summary,
        properties={**before.properties, **row.properties},
        confidence=row.confidence,
        period=before.period if row.period == ALWAYS else row.period,
        seen=(*before.seen, observation),
    )


def _overwrites(before: EntityState, after: EntityState) -> bool:
    """Whether something that was said before is now said otherwise; filling what was empty is not a change of belief."""
    if not before.seen:
        return False
    changed = (before.name != after.name, before.kind not in ("", after.kind), before.summary not in ("", after.summary))
    lost = any(after.properties.get(name) != value for name, value in before.properties.items())
    return any(changed) or lost or before.access_level != after.access_level or before.period not in (ALWAYS, after.period)


def _differs(before: EntityState, after: EntityState) -> bool:
    return replace(before, seen=()) != replace(after, seen=())
