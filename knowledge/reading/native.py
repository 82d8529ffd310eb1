"""A native graph in Cypher: any labels, typed relationships, read through a profile; ids come from keys or names, never from the database."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from knowledge.database.ddl import literal, quoted
from knowledge.identity import digest
from knowledge.profile.profile import GraphProfile, LabelProfile
from knowledge.reading.dialect import Arrow, Clause, Fields, Key, instants
from knowledge.reading.native_dates import has_begun, not_over, written_date
from knowledge.reading.side_search import ThroughSide
from knowledge.records import Entity, Fact
from knowledge.scope import EVERYONE, PUBLIC, Scope
from knowledge.search.side import SideIndex

_ARROWS = {"out": "-[{0}]->", "in": "<-[{0}]-", "both": "-[{0}]-"}
SUMMARY = "summary"


def node_id(label: str, name: str, key: str) -> str:
    """The evidence id of a node: its declared key under its label, else a hash of label and name."""
    return f"{label}:{key}" if key else digest("node", label, name)


@dataclass(frozen=True)
class NativeDialect(ThroughSide):
    """Fragments over the labels of the profile; nodes of other labels are not seen. `side` knows names and vectors.

    Unmapped access is public, unmapped dates are always valid, and belief has no dates: `known_at` changes nothing.
    """

    profile: GraphProfile
    side: SideIndex
    model: str = ""

    def starts(self, variable: str, keys: str) -> str:
        key = f"key_{variable}"
        return f"UNWIND {keys} AS {key} {self.at(variable, key)}"

    def at(self, variable: str, place: str) -> str:
        """A clause that binds the variable to the node of a place {ref, name}, if it is still that node and in scope."""
        return (
            f"MATCH ({variable}) WHERE elementId({variable}) = {place}.ref AND {self.name(variable)} = {place}.name"
            f" AND {self.sees_node(variable)}"
        )

    @property
    def inside(self) -> Sequence[str]:
        return ()

    def everything(self) -> Clause:
        statement = f"MATCH {self.node('n')} WHERE {self.label('n')} <> [] RETURN {self.entity_fields('n')} AS entity"
        return Clause(statement, {"labels": list(self.profile.labels)})

    def state(self) -> Clause:
        labels = self.profile.model_dump_json(include={"labels"})
        statement = f"CALL () {{ {self.version()} }} RETURN version + ' ' + $labels AS version"
        return Clause(statement, {"namespace": self.profile.namespace, "labels": labels})

    def keys(self, ids: Sequence[str]) -> Sequence[Key]:
        return [{"ref": place.ref, "name": place.name} for place in self.side.places(list(dict.fromkeys(ids)))]

    def node(self, variable: str) -> str:
        return f"({variable})"

    def fact(self, variable: str, direction: Arrow) -> str:
        return _ARROWS[direction].format(variable)

    def relation(self, variable: str) -> str:
        return f"type({variable})"

    def name(self, variable: str) -> str:
        return f"toString({self._by_label(variable, lambda label: label.name)})"

    def label(self, variable: str) -> str:
        return f"[label IN $labels WHERE label IN labels({variable})][..1]"

    def confidence(self, variable: str) -> str:
        return f"coalesce(toFloatOrNull({variable}.confidence), 1.0)"

    def sees_node(self, variable: str) -> str:
        labels = "|".join(quoted(label) for label in self.profile.labels) or quoted(" ")
        return " AND ".join(["$inside", f"{variable}:{labels}", *self._label_conditions(variable)])

    def sees_fact(self, variable: str) -> str:
        parts = ["$inside"]
        for dates in sorted({(said.valid_from, said.valid_to) for said in self.profile.relations.values()} - {("", "")}):
            types = [name for name, said in self.profile.relations.items() if (said.valid_from, said.valid_to) == dates]
            listed = ", ".join(literal(name) for name in types)
            parts.append(f"(NOT type({variable}) IN [{listed}] OR {_within(variable, *dates)})")
        return " AND ".join(parts)

    def entity_fields(self, variable: str) -> str:
        key = self._by_label(variable, lambda label: label.key)
        texts = dict.fromkeys(text for label in self.profile.labels.values() for text in label.text)
        told = ", ".join(f"{variable}.{quoted(text)}" for text in texts)
        return (
            f"{{ref: elementId({variable}), name: {self.name(variable)}, key: {key}, label: head({self.label(variable)}),"
            f" aliases: {variable}.aliases, texts: [{told}]}}"
        )

    def fact_fields(self, variable: str) -> str:
        return (
            f"{{ref: elementId({variable}), relation: type({variable}), properties: properties({variable}),"
            f" subject: elementId(startNode({variable})), object: elementId(endNode({variable}))}}"
        )

    def version(self) -> str:
        """The schema and the counts, from the database's own statistics; where we loaded the graph, its version as well."""
        counts = " + '/' + ".join(
            [f"toString(COUNT {{ (:{quoted(label)}) }})" for label in self.profile.labels] + ["toString(COUNT { ()-->() })"]
        )
        return (
            "OPTIONAL MATCH (n:GavelNamespace) WITH collect(toString(n.version) + coalesce('@' + toString(n.last_commit), '')) AS loaded\n"
            f"RETURN $namespace AS namespace, reduce(all = {counts}, v IN loaded | all + ' ' + v) AS version"
        )

    def scope(self, scope: Scope, now: datetime) -> dict[str, object]:
        return {
            "inside": self.profile.namespace in scope.namespaces and EVERYONE in scope.visibility_groups,
            "namespace": self.profile.namespace,
            "labels": list(self.profile.labels),
            "access_levels": sorted(scope.access_levels),
            **instants(scope, now),
        }

    def entity(self, fields: Fields) -> Entity:
        label, name = fields["label"] or "", fields["name"] or ""
        aliases = fields["aliases"] if isinstance(fields["aliases"], list) else []
        return Entity(
            id=node_id(label, name, "" if fields["key"] is None else str(fields["key"])),
            name=name,
            kind=label,
            namespace=self.profile.namespace,
            aliases=tuple(map(str, aliases)),
            summary=" ".join(str(text) for text in fields["texts"] if text),
        )

    def record(self, fields: Fields, subject: Entity, object_: Entity) -> Fact:
        relation, said = fields["relation"], fields["properties"]
        dates = self.profile.relations.get(relation)
        confidence = said.get("confidence")
        return Fact(
            id=digest("fact", relation, subject.id, object_.id, *(f"{name}={said[name]}" for name in sorted(said))),
            subject=subject,
            relation=relation,
            object=object_,
            text=str(said.get("fact") or f"{subject.name} {' '.join(relation.replace('_', ' ').split())} {object_.name}"),
            valid_from=_date(said, dates.valid_from if dates else ""),
            valid_to=_date(said, dates.valid_to if dates else ""),
            source=str(said.get("source") or ""),
            confidence=float(confidence) if isinstance(confidence, int | float) else 1.0,
        )

    def _label_conditions(self, variable: str) -> list[str]:
        """What each label demands, once for all labels that demand the same."""
        demanded: dict[tuple[str, ...], list[str]] = {}
        for label, said in self.profile.labels.items():
            demanded.setdefault(tuple(_conditions(variable, said)), []).append(quoted(label))
        if len(demanded) == 1:
            return list(next(iter(demanded)))
        return [
            f"(NOT {variable}:{'|'.join(labels)} OR {condition})" for conditions, labels in demanded.items() for condition in conditions
        ]

    def _by_label(self, variable: str, chosen: Callable[[LabelProfile], str]) -> str:
        """The property that each label declares; one expression where all agree."""
        declared = {label: chosen(said) for label, said in self.profile.labels.items()}
        if len(set(declared.values())) <= 1:
            return _property(variable, next(iter(declared.values()), ""))
        cases = " ".join(f"WHEN {variable}:{quoted(label)} THEN {_property(variable, name)}" for label, name in declared.items())
        return f"CASE {cases} END"


def _property(variable: str, name: str) -> str:
    return f"{variable}.{quoted(name)}" if name else "null"


def _conditions(variable: str, said: LabelProfile) -> list[str]:
    access = [f"coalesce(toString({_property(variable, said.access)}), '{PUBLIC}') IN $access_levels"]
    if not said.access:
        access = [f"'{PUBLIC}' IN $access_levels"]
    dates = [_within(variable, said.valid_from, said.valid_to)] if said.valid_from or said.valid_to else []
    return access + dates


def _within(variable: str, valid_from: str, valid_to: str) -> str:
    begun = has_begun(_property(variable, valid_from)) if valid_from else "true"
    going = not_over(_property(variable, valid_to)) if valid_to else "true"
    return f"({begun} AND {going})"


def _date(said: Fields, name: str) -> str:
    return written_date(said.get(name), str(said.get(f"{name}_precision", ""))) if name else ""
