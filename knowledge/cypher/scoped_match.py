"""MATCH in the scoped grammar: every node and relationship of its patterns carries the predicate of the scope, named or not."""

from collections.abc import Callable, Iterable

from knowledge.cypher.fresh import Fresh
from knowledge.cypher.kinds import FACT, NODE, PATH, Kind, list_of
from knowledge.cypher.refusal import Refused
from knowledge.cypher.syntax import (
    Call,
    Case,
    Comparison,
    Constant,
    Expression,
    Group,
    Length,
    MapOf,
    Match,
    Node,
    Path,
    Property,
    Quantified,
    Relationship,
    Variable,
)  # fmt: skip
from knowledge.cypher.timid import cannot_fail, conjunction, conjuncts
from knowledge.cypher.typed import Typer
from knowledge.cypher.walk import changed
from knowledge.cypher.writing import variable_name

_STEP, _PLACE = "step", "place"


class ScopedMatch:
    """One MATCH, translated; afterwards `typer` knows its variables."""

    def __init__(self, typer: Typer, fresh: Fresh) -> None:
        self._typer, self._surface, self._fresh = typer, typer.surface, fresh
        self._scope: list[Expression] = []
        self._asked: list[Expression] = []

    def translated(self, match: Match) -> Match:
        """The clause with the scope in its WHERE. Refused (`Refused`) for what the scoped grammar has not got."""
        match = changed(match, self._fresh.named)
        paths = tuple(self._path(path) for path in match.paths)
        for path in match.paths:
            for element in path.elements:
                self._ask(element)
        if match.where:
            self._asked += [self._typer.value(part) for part in conjuncts(match.where)]
        return Match(paths, self._where(), match.optional, at=match.at)

    def _where(self) -> Expression | None:
        """What could fail on a hidden element, and so tell of it, is computed for elements of the scope only."""
        safe = [part for part in self._asked if cannot_fail(part)]
        unsafe = [part for part in self._asked if not cannot_fail(part)]
        scope = conjunction(self._scope)
        guarded: list[Expression] = []
        if unsafe:
            asked = conjunction(unsafe) or Constant("true")
            guarded = [Case(None, ((scope, asked),), Constant("false"))] if scope else [asked]
        return conjunction([*self._scope, *safe, *guarded])

    def _path(self, path: Path) -> Path:
        if path.selector:
            raise Refused(
                "shortest_path", f"{path.selector} is not used here", path.at, "use a bounded path such as -[*1..3]- and ORDER BY length(p) LIMIT 1"
            )  # fmt: skip
        elements = tuple(self._element(element) for element in path.elements)
        lengths = [element for element in elements if isinstance(element, Relationship) and element.length]
        variable = path.variable or (self._fresh.name() if lengths else "")
        if variable:
            self._bind(variable, PATH, path.at)
        if lengths:
            self._everywhere(variable)
        return Path(elements, variable, at=path.at)

    def _element(self, element: Node | Relationship | Group) -> Node | Relationship:
        if isinstance(element, Group):
            raise Refused("quantified_path", "groups in patterns are not used here", element.at, "use -[:TYPE*1..3]->")
        if isinstance(element, Node):
            return self._node(element)
        return self._relationship(element)

    def _node(self, node: Node) -> Node:
        is_new = node.variable not in self._typer.variables
        self._bind(node.variable, NODE, node.at)
        if is_new:
            self._scope.append(self._surface.sees(variable_name(node.variable), fact=False))
        labels = self._surface.node_labels(node.labels) if is_new else None
        return Node(node.variable, labels, at=node.at)

    def _relationship(self, relationship: Relationship) -> Relationship:
        length = _star(relationship.length)
        is_new = relationship.variable not in self._typer.variables
        self._bind(relationship.variable, list_of(FACT) if length else FACT, relationship.at)
        if is_new:
            self._scope += self._on_steps(relationship, lambda name: self._surface.sees(name, fact=True))
        types = self._surface.fact_types(relationship.types)
        return Relationship(relationship.direction, relationship.variable, types, length, at=relationship.at)

    def _bind(self, name: str, kind: Kind, at: int) -> None:
        if self._typer.variables.setdefault(name, kind) != kind:
            raise Refused("syntax", f"{name} is already something else", at, "use another name")

    def _everywhere(self, path: str) -> None:
        """The nodes between the named ones."""
        seen = self._surface.sees(variable_name(_PLACE), fact=False)
        self._scope.append(Quantified("all", _PLACE, Call("nodes", (Variable(path),)), seen))

    def _ask(self, element: Node | Relationship | Group) -> None:
        """What a pattern itself demands of an element: labels, types, properties, its own WHERE."""
        if isinstance(element, Node):
            if element.labels:
                self._asked.append(self._surface.is_a(variable_name(element.variable), element.labels))
            self._asked += self._equalities(element.properties, element.variable)
            self._asked += [self._typer.value(part) for part in conjuncts(element.where)]
        elif isinstance(element, Relationship):
            types = element.types
            if types:
                self._asked += self._on_steps(element, lambda name: self._surface.of_type(name, types))
            self._ask_properties(element)

    def _ask_properties(self, relationship: Relationship) -> None:
        if not relationship.length:
            self._asked += self._equalities(relationship.properties, relationship.variable)
            self._asked += [self._typer.value(part) for part in conjuncts(relationship.where)]
            return
        if relationship.where:
            raise Refused(
                "quantified_path", "WHERE inside a path of several steps is not used here", relationship.at, "use all(x IN r WHERE …)"
            )
        with self._typer.bound({_STEP: FACT}):
            each = conjunction(self._equalities(relationship.properties, _STEP))
        if each:
            self._asked.append(Quantified("all", _STEP, Variable(relationship.variable), each))

    def _equalities(self, properties: Expression | None, variable: str) -> Iterable[Expression]:
        if properties is None:
            return []
        if not isinstance(properties, MapOf):
            raise Refused("dynamic", "a map of properties cannot be a parameter", properties.at, "write {name: $name}")
        wanted = [
            Comparison(Property(Variable(variable), key, at=value.at), (("=", value),), at=value.at) for key, value in properties.items
        ]
        return [self._typer.value(comparison) for comparison in wanted]

    def _on_steps(self, relationship: Relationship, test: Callable[[str], Expression]) -> list[Expression]:
        if not relationship.length:
            return [test(variable_name(relationship.variable))]
        return [Quantified("all", _STEP, Variable(relationship.variable), test(variable_name(_STEP)))]


def _star(length: Length | None) -> Length | None:
    """A quantified relationship without conditions of its own is a path of several steps."""
    return Length(length.low if length.low is not None else 1, length.high, at=length.at) if length else None
