"""The memory shape in Cypher: `(:Entity)-[:RELATES_TO]->(:Entity)` with scope properties and four clocks on both."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from knowledge.clocks import written
from knowledge.database.capability import Capability
from knowledge.database.ddl import ENTITY_TEXT
from knowledge.reading import memory_search, sameness
from knowledge.reading.dialect import About, Clause, Fields, instants
from knowledge.reading.relates_to import RelatesTo
from knowledge.reading.sameness import Alone, Around, Way
from knowledge.records import Entity, Fact
from knowledge.scope import Scope
from knowledge.search.text import any_phrase

MOST_NAMESAKES = 50

_OPEN_TO = "{0}.group_id IN $namespaces AND {0}.access_level IN $access_levels AND {0}.visibility_group IN $visibility_groups"
_HOLDS = (
    "{0}.valid_from < datetime($as_of_end) AND {0}.valid_to > datetime($as_of)"
    " AND {0}.known_from <= datetime($known_at) AND {0}.known_to > datetime($known_at)"
)
_VERSION = f"MATCH (old:GavelEntityVersion) WHERE old.entity_uuid = {{0}}.uuid AND {_OPEN_TO.format('old')} AND {_HOLDS.format('old')}"
_CALLED_THEN = (
    "UNWIND $mentions AS mention MATCH (old:GavelEntityVersion) WHERE old.group_id IN $namespaces AND old.folded_name = mention"
    " AND {holds} MATCH (n:Entity) WHERE n.uuid = old.entity_uuid AND {sees} RETURN mention, n"
)
_ENTITY = (
    "{{ref: elementId({0}), id: {0}.uuid, name: {1}.name, kind: {1}.kind, namespace: {0}.group_id,"
    " aliases: {1}.aliases, summary: {1}.summary}}"
)
_SOURCE = (
    "CASE WHEN size(coalesce({0}.episodes, [])) = 0 THEN {0}.source ELSE coalesce(head(COLLECT {{"
    " MATCH (e:Episodic|GavelPastEpisode {{uuid: {0}.source}}) RETURN coalesce(e.name, e.source_description) }}), {0}.source) END"
)
_FACT = (
    "{{ref: elementId({0}), id: {0}.uuid, relation: {0}.name, text: {0}.fact, source: " + _SOURCE + ", confidence: {0}.confidence,"
    " subject: elementId(startNode({0})), object: elementId(endNode({0})),"
    " valid_from: toString({0}.valid_from), valid_from_precision: {0}.valid_from_precision,"
    " valid_to: toString({0}.valid_to), valid_to_precision: {0}.valid_to_precision, known_from: toString({0}.known_from)}}"
)


@dataclass(frozen=True)
class MemoryDialect(RelatesTo, Alone):
    """Fragments over `:Entity` and `:RELATES_TO`; an entity's id is its `uuid`.

    `past`: whether an earlier state of belief is read, where an entity counts as it was believed then. Who may see it is decided by its
    present access as well. `model` names the stored vectors, empty where there are none. `joining`: the namespaces whose entities are one
    where they have the same key; none where there is nothing to join.
    """

    capability: Capability
    model: str = ""
    past: bool = False
    joining: tuple[str, ...] = ()

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
        earlier = f" UNION {_CALLED_THEN.format(holds=self.holds('old'), sees=self.sees_node('n'))}" if self.past else ""
        return Clause(f"CALL () {{ {by_name}{earlier}{by_alias if phrases else ''} }}", {"mentions": list(mentions), "phrases": phrases})

    def label(self, variable: str) -> str:
        return f"[kind IN [{variable}.kind] WHERE kind <> '']"

    def confidence(self, variable: str) -> str:
        return f"coalesce({variable}.confidence, 1.0)"

    def open_to(self, variable: str) -> str:
        """Who may see a node or fact: namespace, access level and visibility group."""
        return _OPEN_TO.format(variable)

    def holds(self, variable: str) -> str:
        """When a node or fact counts: valid and believed."""
        return _HOLDS.format(variable)

    def sees_node(self, variable: str) -> str:
        holds = self.holds(variable)
        if self.past:
            holds = f"({holds} OR EXISTS {{ {_VERSION.format(variable)} }})"
        return f"{self.open_to(variable)} AND {holds}"

    def sees_fact(self, variable: str) -> str:
        return f"{self.open_to(variable)} AND {self.holds(variable)}"

    def state(self, variable: str) -> str:
        """The node whose properties count: the entity itself, or its earlier state where the past is read."""
        if not self.past:
            return variable
        return f"CASE WHEN {self.holds(variable)} THEN {variable} ELSE head(COLLECT {{ {_VERSION.format(variable)} RETURN old }}) END"

    def one(self, variable: str) -> str:
        return sameness.one(self, variable) if self.joining else variable

    def identity(self, variable: str) -> str:
        return sameness.identity(variable) if self.joining else variable

    def grouped(self, variable: str) -> str:
        return sameness.grouped(variable) if self.joining else variable

    def around(self, variable: str) -> Around:
        return sameness.around(self, variable) if self.joining else super().around(variable)

    def way(self, fact: str, start: str, end: str, chosen: str) -> Way:
        return sameness.way(self, fact, start, end, chosen) if self.joining else super().way(fact, start, end, chosen)

    def entity_fields(self, variable: str) -> str:
        if self.joining:
            return sameness.entity_fields(self, variable)
        if not self.past:
            return _ENTITY.format(variable, variable)
        return f"head([state IN [{self.state(variable)}] | {_ENTITY.format(variable, 'state')}])"

    def fact_fields(self, variable: str) -> str:
        return _FACT.format(variable)

    def entities_about(self, about: About) -> Clause:
        return memory_search.entities(self, about)

    def facts_about(self, about: About) -> Clause:
        return memory_search.facts(self, about)

    def entities_like(self, about: About) -> Clause:
        return memory_search.like(self, about)

    def version(self) -> str:
        return (
            "MATCH (n:GavelNamespace) WHERE n.group_id IN $namespaces RETURN n.group_id AS namespace,"
            " toString(n.version) + coalesce('@' + toString(n.last_commit), '') AS version"
        )

    def scope(self, scope: Scope, now: datetime) -> dict[str, object]:
        return {
            "namespaces": sorted(scope.namespaces),
            "access_levels": sorted(scope.access_levels),
            "visibility_groups": sorted(scope.visibility_groups),
            **({"joining": list(self.joining)} if self.joining else {}),
            **instants(scope, now),
        }

    def entity(self, fields: Fields) -> Entity:
        return Entity(
            id=fields["id"],
            name=fields["name"],
            kind=fields["kind"] or "",
            namespace=fields["namespace"],
            aliases=tuple(alias for alias in dict.fromkeys(fields["aliases"] or ()) if alias != fields["name"]),
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
