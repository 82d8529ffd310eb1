"""The surface of a native graph: its own labels, types and properties, as far as the profile names them."""

from knowledge.cypher.label_tests import negates, tested
from knowledge.cypher.refusal import Refused
from knowledge.cypher.surface import Surface
from knowledge.cypher.syntax import Binary, Expression, Fragment, HasLabels, Labels, Text
from knowledge.database.ddl import quoted

OURS = ("gavel_", "Gavel")


class NativeSurface(Surface):
    """Labels and types stand in patterns as they are; bookkeeping of our own is not there."""

    def node_labels(self, labels: Labels | None) -> Labels | None:
        return None if labels is None or negates(labels) else labels

    def is_a(self, variable: str, labels: Labels) -> Expression:
        """A test with `!` is one of the list of labels: *measured*, planned as a scan beside our predicates, it loses rows on both versions."""
        if not negates(labels):
            return HasLabels(Fragment(variable), labels)
        return tested(labels, lambda name: Binary("IN", Text(name), Fragment(f"labels({variable})")))

    def fact_types(self, types: Labels | None) -> Labels | None:
        return types

    def of_type(self, variable: str, types: Labels) -> Expression:
        return HasLabels(Fragment(variable), types)

    def property(self, variable: str, name: str, *, fact: bool) -> str:
        if name.startswith(OURS):
            raise Refused("internal", f"{name} is bookkeeping", instead="use the properties that the schema lists")
        return f"{variable}.{quoted(name)}"

    def labels(self, variable: str) -> str:
        return f"[label IN labels({variable}) WHERE label IN $labels]"
