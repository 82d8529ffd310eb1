"""A memory that Graphiti made and Gavel did not load, in Cypher: read only, with clocks derived from Graphiti's own dates."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from knowledge.reading.dialect import Clause, Fields, instants
from knowledge.reading.native_dates import has_begun, not_over, written_date
from knowledge.reading.relates_to import RelatesTo
from knowledge.reading.side_search import ThroughSide
from knowledge.records import Entity, Fact
from knowledge.scope import EVERYONE, PUBLIC, Scope
from knowledge.search.side import SideIndex

_IN_SCOPE = "$inside AND {0}.group_id IN $namespaces AND coalesce({0}.created_at <= datetime($known_at), true)"
_VALID_TO = "(CASE WHEN {0}.expired_at > datetime($known_at) THEN null ELSE {0}.invalid_at END)"
_SOURCE = "head(COLLECT {{ MATCH (e:Episodic) WHERE e.uuid = {0}.episodes[0] RETURN coalesce(e.name, e.source_description) }})"


@dataclass(frozen=True)
class GraphitiDialect(RelatesTo, ThroughSide):
    """Fragments over Graphiti's `:Entity` and `:RELATES_TO`; an entity's id is its `uuid`, its kind its label beside `Entity`.

    Everything is public. A thing is believed from its `created_at` on; what `invalid_at` says is known from `expired_at` on. `side`
    knows names, words and vectors: Graphiti's own vectors are another model's.
    """

    side: SideIndex
    model: str = ""
    inside: Sequence[str] = ()

    def at(self, variable: str, place: str) -> str:
        return (
            f"MATCH ({variable}:Entity) WHERE elementId({variable}) = {place}.ref AND {variable}.name = {place}.name"
            f" AND {self.sees_node(variable)}"
        )

    def everything(self) -> Clause:
        return Clause(f"MATCH (n:Entity) WHERE n.group_id IS NOT NULL RETURN {self.entity_fields('n')} AS entity", {})

    def state(self) -> Clause:
        return Clause("MATCH (n:Entity) RETURN toString(count(n)) + ' ' + coalesce(toString(max(n.created_at)), '') AS version", {})

    def label(self, variable: str) -> str:
        return f"[label IN labels({variable}) WHERE label <> 'Entity'][..1]"

    def confidence(self, variable: str) -> str:
        return "1.0"

    def sees_node(self, variable: str) -> str:
        return _IN_SCOPE.format(variable)

    def sees_fact(self, variable: str) -> str:
        begun, going = has_begun(f"{variable}.valid_at"), not_over(_VALID_TO.format(variable))
        return f"{_IN_SCOPE.format(variable)} AND {begun} AND {going}"

    def entity_fields(self, variable: str) -> str:
        return (
            f"{{ref: elementId({variable}), id: {variable}.uuid, name: {variable}.name, kind: head({self.label(variable)}),"
            f" namespace: {variable}.group_id, summary: {variable}.summary}}"
        )

    def fact_fields(self, variable: str) -> str:
        return (
            f"{{ref: elementId({variable}), id: {variable}.uuid, relation: {variable}.name, text: {variable}.fact,"
            f" source: {_SOURCE.format(variable)}, subject: elementId(startNode({variable})), object: elementId(endNode({variable})),"
            f" valid_from: {variable}.valid_at, valid_to: {_VALID_TO.format(variable)}, known_from: {variable}.created_at}}"
        )

    def version(self) -> str:
        facts = "toString(count(r)) + ' ' + coalesce(toString(max(r.created_at)), '') + ' ' + coalesce(toString(max(r.expired_at)), '')"
        return (
            "UNWIND $namespaces AS namespace\n"
            "CALL (namespace) { MATCH (n:Entity) WHERE n.group_id = namespace RETURN toString(count(n)) AS entities }\n"
            f"CALL (namespace) {{ MATCH ()-[r:RELATES_TO]->() WHERE r.group_id = namespace RETURN {facts} AS facts }}\n"
            "RETURN namespace, entities + ' ' + facts AS version"
        )

    def scope(self, scope: Scope, now: datetime) -> dict[str, object]:
        inside = PUBLIC in scope.access_levels and EVERYONE in scope.visibility_groups
        return {"inside": inside, "namespaces": sorted(scope.namespaces), **instants(scope, now)}

    def entity(self, fields: Fields) -> Entity:
        return Entity(fields["id"], fields["name"] or "", fields["kind"] or "", fields["namespace"], summary=fields["summary"] or "")

    def record(self, fields: Fields, subject: Entity, object_: Entity) -> Fact:
        said = (fields["id"], subject, fields["relation"], object_, fields["text"] or "")
        valid_from, valid_to, known_from = (written_date(fields[name], "instant") for name in ("valid_from", "valid_to", "known_from"))
        return Fact(*said, valid_from, valid_to, known_from, fields["source"] or "")
