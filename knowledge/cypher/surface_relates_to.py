"""The surface of the memory shapes: `(:author)-[:wrote]->(:book)` for entities of these kinds and the facts between them."""

from collections.abc import Mapping

from rapidfuzz import process

from knowledge.cypher.label_tests import tested
from knowledge.cypher.refusal import Refused
from knowledge.cypher.surface import Surface
from knowledge.cypher.syntax import Comparison, Constant, Expression, Fragment, HasLabels, Label, LabelPair, Labels, Text
from knowledge.cypher.vocabulary import EVERY
from knowledge.reading.graphiti import GraphitiDialect
from knowledge.reading.memory import MemoryDialect

ENTITY, RELATES_TO = "Entity", "RELATES_TO"
_DATES = {
    "valid_from": "nullIf({0}.valid_from, datetime('0001-01-01T00:00:00Z'))",
    "valid_to": "nullIf({0}.valid_to, datetime('9999-12-31T00:00:00Z'))",
}
_MEMORY_NODE = {name: f"{{0}}.{name}" for name in ("name", "kind", "summary", "aliases", "confidence")} | _DATES
_MEMORY_FACT = {
    "name": "{0}.name", "fact": "{0}.fact", "source": "{0}.source", "confidence": "{0}.confidence", "known_from": "{0}.known_from", **_DATES,
}  # fmt: skip
_GRAPHITI_NODE = {"name": "{0}.name", "summary": "{0}.summary"}
_GRAPHITI_FACT = {"name": "{0}.name", "fact": "{0}.fact", "valid_from": "{0}.valid_at", "known_from": "{0}.created_at"}


class RelatesToSurface(Surface):
    """`Entity` and `RELATES_TO`, where a statement names them, stand for every kind and every relation."""

    node_expressions: Mapping[str, str]
    fact_expressions: Mapping[str, str]

    def fact_types(self, types: Labels | None) -> Labels | None:
        return Label(RELATES_TO)

    def of_type(self, variable: str, types: Labels) -> Expression:
        return tested(types, lambda name: _equal(self.relation(variable), name, RELATES_TO))

    def property(self, variable: str, name: str, *, fact: bool) -> str:
        known = self.fact_expressions if fact else self.node_expressions
        if name not in known:
            found = process.extractOne(name, known, score_cutoff=60)
            hint = f"did you mean {found[0]}?" if found else f"there are {', '.join(known)}"
            raise Refused("unknown_property", f"{'relationships' if fact else 'nodes'} have no property {name}", instead=hint)
        return self.written(variable, known[name], fact=fact)

    def written(self, variable: str, expression: str, *, fact: bool) -> str:
        """The expression of a property for one element."""
        return expression.format(variable)


class MemorySurface(RelatesToSurface):
    """An entity's kind is a property; where the past is read, its properties are those believed then."""

    dialect: MemoryDialect
    node_expressions = _MEMORY_NODE
    fact_expressions = _MEMORY_FACT

    def node_labels(self, labels: Labels | None) -> Labels | None:
        return Label(ENTITY)

    def is_a(self, variable: str, labels: Labels) -> Expression:
        kind = self.property(variable, "kind", fact=False)
        return tested(labels, lambda name: _equal(kind, name, ENTITY))

    def written(self, variable: str, expression: str, *, fact: bool) -> str:
        state = variable if fact else self.dialect.state(variable)
        return expression.format(state if state == variable else f"({state})")

    def labels(self, variable: str) -> str:
        kind = self.property(variable, "kind", fact=False)
        return f"CASE WHEN {variable} IS NOT NULL THEN [kind IN [{kind}] WHERE kind <> ''] END"


class GraphitiSurface(RelatesToSurface):
    """An entity's kind is a label beside `Entity`."""

    dialect: GraphitiDialect
    node_expressions = _GRAPHITI_NODE
    fact_expressions = _GRAPHITI_FACT

    def node_labels(self, labels: Labels | None) -> Labels | None:
        return LabelPair("&", Label(ENTITY), labels) if labels else Label(ENTITY)

    def is_a(self, variable: str, labels: Labels) -> Expression:
        return HasLabels(Fragment(variable), labels)

    def labels(self, variable: str) -> str:
        return self.dialect.label(variable)


def visible(surface: type[RelatesToSurface]) -> tuple[dict[str, frozenset[str]], dict[str, frozenset[str]]]:
    """The properties of nodes and of relationships, the same for every kind and relation."""
    return {EVERY: frozenset(surface.node_expressions)}, {EVERY: frozenset(surface.fact_expressions)}


def _equal(expression: str, name: str, anything: str) -> Expression:
    return Constant("true") if name == anything else Comparison(Fragment(expression), (("=", Text(name)),))
