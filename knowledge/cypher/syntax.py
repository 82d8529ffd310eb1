"""What a statement of the read grammar consists of: immutable trees, the same for what is read and for what is compiled from it.

`at` is an offset in the text that was given, -1 for what we added; it is no part of equality.
"""

from dataclasses import dataclass, field
from typing import Literal

Direction = Literal["out", "in", "both"]
QuantifierWord = Literal["all", "any", "none", "single"]
SubqueryWord = Literal["EXISTS", "COUNT", "COLLECT"]


@dataclass(frozen=True)
class Located:
    """Anything that stands at a place."""

    at: int = field(default=-1, compare=False, kw_only=True)


@dataclass(frozen=True)
class Variable(Located):
    """A name that a pattern, a projection or a list binds."""

    name: str


@dataclass(frozen=True)
class Constant(Located):
    """A number, `true`, `false`, `null` or a float constant, as it is written."""

    written: str


@dataclass(frozen=True)
class Text(Located):
    """A string; it travels as a parameter."""

    value: str


@dataclass(frozen=True)
class Parameter(Located):
    """A parameter of the caller."""

    name: str


@dataclass(frozen=True)
class Property(Located):
    """`of.name`"""

    of: "Expression"
    name: str


@dataclass(frozen=True)
class Subscript(Located):
    """`of[index]`"""

    of: "Expression"
    index: "Expression"


@dataclass(frozen=True)
class Slice(Located):
    """`of[start..end]`"""

    of: "Expression"
    start: "Expression | None"
    end: "Expression | None"


@dataclass(frozen=True)
class ListOf(Located):
    """`[a, b]`"""

    items: "tuple[Expression, ...]"


@dataclass(frozen=True)
class MapOf(Located):
    """`{key: value}`"""

    items: "tuple[tuple[str, Expression], ...]"


@dataclass(frozen=True)
class MapProjection(Located):
    """`of {.a, .*, b, c: x}`: `items` pairs a key with its expression; `everything` stands for `.*`."""

    of: Variable
    items: "tuple[tuple[str, Expression], ...]"
    everything: bool = False


@dataclass(frozen=True)
class Call(Located):
    """A function; its name is in the spelling of the allow-list. `star`: `count(*)`."""

    name: str
    arguments: "tuple[Expression, ...]"
    distinct: bool = False
    star: bool = False


@dataclass(frozen=True)
class Unary(Located):
    """`NOT`, `-` or `+` before an operand."""

    operator: str
    of: "Expression"


@dataclass(frozen=True)
class Binary(Located):
    """Two operands and an operator between them."""

    operator: str
    left: "Expression"
    right: "Expression"


@dataclass(frozen=True)
class Comparison(Located):
    """`a < b <= c`: holds where every neighbouring pair does."""

    first: "Expression"
    rest: "tuple[tuple[str, Expression], ...]"


@dataclass(frozen=True)
class Tested(Located):
    """`of IS NULL`, `of IS NOT NULL` or `of IS :: INTEGER`; `test` is what follows the operand."""

    of: "Expression"
    test: str


@dataclass(frozen=True)
class HasLabels(Located):
    """`of:A|B` as an expression: labels of a node or types of a relationship."""

    of: "Expression"
    labels: "Labels"


@dataclass(frozen=True)
class Case(Located):
    """`CASE subject WHEN … THEN … ELSE … END`"""

    subject: "Expression | None"
    branches: "tuple[tuple[Expression, Expression], ...]"
    otherwise: "Expression | None"


@dataclass(frozen=True)
class Comprehension(Located):
    """`[variable IN source WHERE where | result]`"""

    variable: str
    source: "Expression"
    where: "Expression | None"
    result: "Expression | None"


@dataclass(frozen=True)
class Reduced(Located):
    """`reduce(accumulator = start, variable IN source | body)`"""

    accumulator: str
    start: "Expression"
    variable: str
    source: "Expression"
    body: "Expression"


@dataclass(frozen=True)
class Quantified(Located):
    """`all(variable IN source WHERE where)` and its siblings."""

    word: QuantifierWord
    variable: str
    source: "Expression"
    where: "Expression"


@dataclass(frozen=True)
class PatternExpression(Located):
    """A pattern where an expression stands: true where it is found; with `result` the list of that; `shortestPath` gives the path itself."""

    path: "Path"
    where: "Expression | None" = None
    result: "Expression | None" = None


@dataclass(frozen=True)
class Subquery(Located):
    """`EXISTS {…}`, `COUNT {…}`, `COLLECT {…}`"""

    word: SubqueryWord
    query: "Query"


@dataclass(frozen=True)
class Fragment(Located):
    """Cypher of our own, already written; no parser makes one."""

    written: str


Expression = (
    Variable | Constant | Text | Parameter | Property | Subscript | Slice | ListOf | MapOf | MapProjection | Call | Unary | Binary
    | Comparison | Tested | HasLabels | Case | Comprehension | Reduced | Quantified | PatternExpression | Subquery | Fragment
)  # fmt: skip


@dataclass(frozen=True)
class Label(Located):
    """One label or relationship type; `%` stands for any."""

    name: str


@dataclass(frozen=True)
class NotLabel(Located):
    """`!of`"""

    of: "Labels"


@dataclass(frozen=True)
class LabelPair(Located):
    """`left&right` or `left|right`"""

    operator: Literal["&", "|"]
    left: "Labels"
    right: "Labels"


Labels = Label | NotLabel | LabelPair


@dataclass(frozen=True)
class Length(Located):
    """How often a relationship or a group is repeated; None where no bound is written. `quantifier`: `{1,3}`, else `*1..3`."""

    low: int | None
    high: int | None
    quantifier: bool = False


@dataclass(frozen=True)
class Node(Located):
    """`(variable:labels {properties} WHERE where)`; `variable` is empty where the statement gives none, here and below."""

    variable: str
    labels: "Labels | None" = None
    properties: "Expression | None" = None
    where: "Expression | None" = None


@dataclass(frozen=True)
class Relationship(Located):
    """`-[variable:types*1..3 {properties} WHERE where]->`"""

    direction: Direction
    variable: str
    types: "Labels | None" = None
    length: Length | None = None
    properties: "Expression | None" = None
    where: "Expression | None" = None


@dataclass(frozen=True)
class Group(Located):
    """`((a)-[r]->(b) WHERE where){1,3}`; without a length it only brackets."""

    path: "Path"
    where: "Expression | None"
    length: Length | None


@dataclass(frozen=True)
class Path(Located):
    """`variable = selector(elements)`. `selector` is '', `shortestPath`, `allShortestPaths`, or words such as `SHORTEST 2`."""

    elements: tuple[Node | Relationship | Group, ...]
    variable: str = ""
    selector: str = ""


@dataclass(frozen=True)
class Match(Located):
    """`OPTIONAL MATCH paths WHERE where`"""

    paths: tuple[Path, ...]
    where: Expression | None = None
    optional: bool = False


@dataclass(frozen=True)
class Unwind(Located):
    """`UNWIND source AS variable`"""

    source: Expression
    variable: str


@dataclass(frozen=True)
class Item:
    """One column: `name` is its alias, else the text that was given."""

    expression: Expression
    name: str
    aliased: bool = False


@dataclass(frozen=True)
class Projection(Located):
    """`WITH` or `RETURN` with all that may follow it; `star` stands for every variable."""

    word: Literal["WITH", "RETURN"]
    items: tuple[Item, ...]
    distinct: bool = False
    star: bool = False
    order: tuple[tuple[Expression, bool], ...] = ()
    skip: Expression | None = None
    limit: Expression | None = None
    where: Expression | None = None


@dataclass(frozen=True)
class CallQuery(Located):
    """`CALL (imports) {query}`; `imports` None is the older form, which imports by its first WITH, `("*",)` imports everything."""

    query: "Query"
    imports: tuple[str, ...] | None
    optional: bool = False


Clause = Match | Unwind | Projection | CallQuery


@dataclass(frozen=True)
class Query:
    """Branches of a UNION; `everything` is UNION ALL."""

    branches: tuple[tuple[Clause, ...], ...]
    everything: bool = False
