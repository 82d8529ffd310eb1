"""The memory shape in Cypher: `(:Entity)-[:RELATES_TO]->(:Entity)` with scope properties and four clocks on both."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from knowledge.clocks import written
from knowledge.database.ddl import ENTITY_TEXT
from knowledge.reading.dialect import Arrow, Clause, Fields, instants
from knowledge.records import Entity, Fact
from knowledge.scope import Scope
from knowledge.search.text import any_phrase

MOST_NAMESAKES = 50

_ARROWS = {"out": "-[{0}:RELATES_TO]->", "in": "<-[{0}:RELATES_TO]-", "both": "-[{0}:RELATES_TO]-"}
_SEES = (
    "{0}.group_id IN $namespaces AND {0}.access_level IN $access_levels AND {0}.visibility_group IN $visibility_groups"
    " AND {0}.valid_from < datetime($as_of_end) AND {0}.valid_to > datetime($as_of)"
    " AND {0}.known_from <= datetime($known_at) AND {0}.known_to > datetime($known_at)"
)
_ENTITY = (
    "{{ref: elementId({0}), id: {0}.uuid, name: {0}.name, kind: {0}.kind, namespace: {0}.group_id,"
    " aliases: {0}.aliases, summary: {0}.summary}}"
)
_FACT = (
    "{{ref: elementId({0}), id: {0}.uuid, relation: {0}.name, text: {0}.fact, source: {0}.source, confidence: {0}.confidence,"
    " subject: elementId(startNode({0})), object: elementId(endNode({0})),"
    " valid_from: toString({0}.valid_from), valid_from_precision: {0}.valid_from_precision,"
    " valid_to: toString({0}.valid_to), valid_to_precision: {0}.valid_to_precision, known_from: toString({0}.known_from)}}"
)


class MemoryDialect:
    """Fragments over `:Entity` and `:RELATES_TO`; an entity's id is its `uuid`."""

    def starts(self, variable: str, keys: str) -> str:
        return f"MATCH ({variable}:Entity) WHERE {variable}.uuid IN {keys} AND {self.sees_node(variable)}"

    def keys(self, ids: Sequence[str]) -> list[Any]:
        return list(ids)

    def named(self, mentions: Sequence[str]) -> Clause:
        by_name = (
            "UNWIND $mentions AS mention CALL (mention) { MATCH (n:Entity) WHERE n.group_id IN $namespaces AND n.folded_name = mention"
            f" AND {self.sees_node('n')} RETURN n LIMIT {MOST_NAMESAKES} }} RETURN mention, n"
        )
        phrases = any_phrase(mentions)
        by_alias = (
            f" UNION CALL db.index.fulltext.queryNodes('{ENTITY_TEXT}', $phrases) YIELD node AS n"
            f" WITH n WHERE size(n.folded_aliases) > 0 AND {self.sees_node('n')}"
            " UNWIND [alias IN n.folded_aliases WHERE alias IN $mentions] AS mention RETURN mention, n"
        )
        return Clause(f"CALL () {{ {by_name}{by_alias if phrases else ''} }}", {"mentions": list(mentions), "phrases": phrases})

    def node(self, variable: str) -> str:
        return f"({variable}:Entity)"

    def fact(self, variable: str, direction: Arrow) -> str:
        return _ARROWS[direction].format(variable)

    def relation(self, variable: str) -> str:
        return f"{variable}.name"

    def name(self, variable: str) -> str:
        return f"{variable}.name"

    def kind(self, variable: str) -> str:
        return f"{variable}.kind"

    def confidence(self, variable: str) -> str:
        return f"coalesce({variable}.confidence, 1.0)"

    def sees_node(self, variable: str) -> str:
        return _SEES.format(variable)

    def sees_fact(self, variable: str) -> str:
        return _SEES.format(variable)

    def entity_fields(self, variable: str) -> str:
        return _ENTITY.format(variable)

    def fact_fields(self, variable: str) -> str:
        return _FACT.format(variable)

    def version(self) -> str:
        return "MATCH (n:GavelNamespace) WHERE n.group_id IN $namespaces RETURN n.group_id AS namespace, n.version AS version"

    def scope(self, scope: Scope, now: datetime) -> dict[str, Any]:
        return {
            "namespaces": sorted(scope.namespaces),
            "access_levels": sorted(scope.access_levels),
            "visibility_groups": sorted(scope.visibility_groups),
            **instants(scope, now),
        }

    def entity(self, fields: Fields) -> Entity:
        return Entity(
            id=fields["id"],
            name=fields["name"],
            kind=fields["kind"] or "",
            namespace=fields["namespace"],
            aliases=tuple(fields["aliases"] or ()),
            summary=fields["summary"] or "",
        )

    def record(self, fields: Fields, subject: Entity, object_: Entity) -> Fact:
        return Fact(
            id=fields["id"],
            subject=subject,
            relation=fields["relation"],
            object=object_,
            text=fields["text"] or "",
            valid_from=_date(fields["valid_from"], fields["valid_from_precision"]),
            valid_to=_date(fields["valid_to"], fields["valid_to_precision"]),
            known_from=_date(fields["known_from"], "instant"),
            source=fields["source"] or "",
            confidence=1.0 if fields["confidence"] is None else fields["confidence"],
        )


def _date(text: str, precision: str | None) -> str:
    return written(datetime.fromisoformat(text), precision or "instant")
