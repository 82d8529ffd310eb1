"""Patterns, clauses and whole statements as text for the server."""

from knowledge.cypher.syntax import (
    CallQuery,
    Clause,
    Expression,
    Group,
    Item,
    Labels,
    Match,
    Node,
    Path,
    Projection,
    Query,
    Relationship,
    Unwind,
)
from knowledge.cypher.writing import ExpressionWriter, variable_name
from knowledge.cypher.writing_labels import labels_written, quantifier_written, star_written, types_written

_ARROWS = {"out": "-[{}]->", "in": "<-[{}]-", "both": "-[{}]-"}
_IN_PARENTHESES = ("shortestPath", "allShortestPaths")


class Writer(ExpressionWriter):
    """Writes anything that the read grammar has. Variables, parameters and strings get names of our own."""

    def query(self, query: Query) -> str:
        union = " UNION ALL " if query.everything else " UNION "
        return union.join(" ".join(map(self.clause, branch)) for branch in query.branches)

    def clause(self, clause: Clause) -> str:
        if isinstance(clause, Match):
            paths = ", ".join(map(self.path, clause.paths))
            return f"{'OPTIONAL ' * clause.optional}MATCH {paths}{self._where(clause.where)}"
        if isinstance(clause, Unwind):
            return f"UNWIND {self.write(clause.source)} AS {variable_name(clause.variable)}"
        if isinstance(clause, CallQuery):
            return self._call_query(clause)
        return self.projection(clause)

    def projection(self, p: Projection) -> str:
        items = ", ".join(["*"] * p.star + [self._item(item) for item in p.items])
        return f"{p.word} {'DISTINCT ' * p.distinct}{items}{self._order(p)}{self._where(p.where)}"

    def path(self, path: Path) -> str:
        name = f"{variable_name(path.variable)} = " if path.variable else ""
        elements = "".join(map(self._element, path.elements))
        if path.selector in _IN_PARENTHESES:
            return f"{name}{path.selector}({elements})"
        return f"{name}{path.selector}{' ' if path.selector else ''}{elements}"

    def _element(self, element: Node | Relationship | Group) -> str:
        if isinstance(element, Node):
            return f"({_name(element.variable)}{self._labels(element.labels)}{self._inside(element)})"
        if isinstance(element, Relationship):
            types = f":{types_written(element.types)}" if element.types else ""
            inside = f"{_name(element.variable)}{types}{star_written(element.length)}{self._inside(element)}"
            return _ARROWS[element.direction].format(inside) + quantifier_written(element.length)
        return f"({self.path(element.path)}{self._where(element.where)}){quantifier_written(element.length)}"

    def _inside(self, element: Node | Relationship) -> str:
        properties = f" {self.write(element.properties)}" if element.properties else ""
        return f"{properties}{self._where(element.where)}"

    @staticmethod
    def _labels(labels: Labels | None) -> str:
        return f":{labels_written(labels)}" if labels else ""

    def _where(self, where: Expression | None) -> str:
        return f" WHERE {self.write(where)}" if where else ""

    def _item(self, item: Item) -> str:
        written, name = self.write(item.expression), variable_name(item.name)
        return name if written == name else f"{written} AS {name}"

    def _order(self, p: Projection) -> str:
        keys = ", ".join(f"{self.write(key)}{' DESC' if falling else ''}" for key, falling in p.order)
        order = f" ORDER BY {keys}" if keys else ""
        skip = f" SKIP {self.write(p.skip)}" if p.skip else ""
        limit = f" LIMIT {self.write(p.limit)}" if p.limit else ""
        return f"{order}{skip}{limit}"

    def _call_query(self, clause: CallQuery) -> str:
        imports = "" if clause.imports is None else f"({', '.join(n if n == '*' else variable_name(n) for n in clause.imports)}) "
        return f"{'OPTIONAL ' * clause.optional}CALL {imports}{{ {self.query(clause.query)} }}"


def _name(variable: str) -> str:
    return variable_name(variable) if variable else ""
