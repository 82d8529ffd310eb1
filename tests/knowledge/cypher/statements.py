"""Random statements of the scoped grammar, and random graphs with things in and out of a scope, both from a seed."""

from dataclasses import dataclass, field
from random import Random

from tests.knowledge.reading.world import Edge, Node, Place

KINDS, RELATIONS = ("plant", "beast", "stone"), ("eats", "meets", "near")
PAST = ("2001-01-01T00:00:00Z", "2020-01-01T00:00:00Z")
HIDDEN = (
    Place("other"),
    Place(access="secret"),
    Place(group="hr"),
    Place(valid=PAST),
    Place(known=("2025-01-01T00:00:00Z", "2026-02-01T00:00:00Z")),
)
HIDDEN_NATIVE = (Place(access="secret"), Place(valid=PAST))


@dataclass
class Graph:
    """`seen` and `hidden` things; hidden edges lead between any nodes."""

    random: Random
    native: bool
    nodes: list[Node] = field(default_factory=list)
    edges: list[Edge] = field(default_factory=list)
    hidden_nodes: list[Node] = field(default_factory=list)
    hidden_edges: list[Edge] = field(default_factory=list)

    def __post_init__(self) -> None:
        places = HIDDEN_NATIVE if self.native else HIDDEN
        pick = Random(self.random.random())
        self.nodes = [Node(f"n{i}", KINDS[i] if i < len(KINDS) else pick.choice(KINDS)) for i in range(9)]
        self.edges = [self._edge(pick, self.nodes, i, Place()) for i in range(18)]
        self.hidden_nodes = [Node(f"n{i}", pick.choice(KINDS), place=pick.choice(places), key=f"hidden {i}") for i in range(8)]
        everything = self.nodes + self.hidden_nodes
        for i in range(24):
            edge = self._edge(pick, everything, 100 + i, pick.choice((Place(), *places)))
            between_seen = edge.subject in self.nodes and edge.object in self.nodes
            self.hidden_edges.append(self._out_of_scope(edge) if between_seen else edge)

    def _out_of_scope(self, edge: Edge) -> Edge:
        """Between seen nodes an edge is hidden by its own place, in a native graph by its dates."""
        return Edge(edge.subject, edge.relation, edge.object, Place(valid=PAST), edge.text, confidence=edge.confidence)

    @staticmethod
    def _edge(pick: Random, nodes: list[Node], number: int, place: Place) -> Edge:
        subject, object_ = pick.choice(nodes), pick.choice(nodes)
        return Edge(subject, pick.choice(RELATIONS), object_, place, f"fact {number}", confidence=pick.choice((0.25, 0.5, 1.0)))


class Statements:
    """`next` writes one statement whose rows have no order of their own."""

    def __init__(self, random: Random, native: bool) -> None:
        self._r, self._native = random, native

    def next(self) -> str:
        if self._r.random() < 0.15:
            return f"{self._simple()} UNION {self._r.choice(('', 'ALL '))}{self._simple()}"
        return self._full()

    def _simple(self) -> str:
        return f"MATCH (a:{self._r.choice(KINDS)}){self._arrow('r')}(b{self._labels()}){self._where(['a', 'b'], ['r'])} RETURN a.name AS x, type(r) AS y, b.name AS z"

    def _full(self) -> str:
        self._nodes, self._facts, self._paths, self._values = [], [], [], []
        clauses = [f"MATCH {self._path()}{self._where(self._nodes, self._facts)}"]
        for _ in range(self._r.choice((0, 0, 1, 1, 2))):
            clauses.append(self._r.choice((self._again, self._optional, self._with, self._unwind))())
        return " ".join([*clauses, self._return()])

    def _path(self, start: str = "") -> str:
        named = self._r.random() < 0.3
        name = f"p{len(self._paths)}"
        text = f"({start})" if start else self._node(begins=self._native)
        for _ in range(self._r.choice((0, 1, 1, 1, 2) if not start else (1, 1, 2))):
            text += self._hop() + self._node()
        if named:
            self._paths.append(name)
            return f"{name} = {text}"
        return text

    def _node(self, *, begins: bool = False) -> str:
        """A first node with a label spares a native graph the scan of all nodes."""
        if begins:
            self._nodes.append(name := f"n{len(self._nodes)}")
            return f"({name}:{'|'.join(self._r.sample(KINDS, self._r.choice((1, 2))))}{self._map()})"
        if self._r.random() < 0.25:
            return f"({self._labels()}{self._map()})"
        if self._nodes and self._r.random() < 0.15:
            return f"({self._r.choice(self._nodes)}{self._labels()})"
        name = f"n{len(self._nodes)}"
        self._nodes.append(name)
        return f"({name}{self._labels()}{self._map()})"

    def _hop(self) -> str:
        if self._r.random() < 0.25:
            return self._arrow("", self._r.choice(("*1..2", "*2", "*0..2", "*..3")))
        if self._r.random() < 0.4:
            return self._arrow("")
        name = f"r{len(self._facts)}"
        self._facts.append(name)
        return self._arrow(name)

    def _arrow(self, name: str, length: str = "") -> str:
        types = self._r.choice(("", f":{self._r.choice(RELATIONS)}", f":{'|'.join(self._r.sample(RELATIONS, 2))}"))
        left, right = self._r.choice((("-", "->"), ("<-", "-"), ("-", "-")))
        return f"{left}[{name}{types}{length}]{right}"

    def _labels(self) -> str:
        one, other = self._r.sample(KINDS, 2)
        return self._r.choice(("", "", f":{one}", f":{one}|{other}", f":!{one}"))

    def _map(self) -> str:
        return self._r.choice(("", "", "", "", f" {{name: 'n{self._r.randrange(9)}'}}"))

    def _where(self, nodes: list[str], facts: list[str]) -> str:
        if not nodes or self._r.random() < 0.4:
            return ""
        return " WHERE " + self._condition(nodes, facts, 2)

    def _condition(self, nodes: list[str], facts: list[str], depth: int) -> str:
        if depth and self._r.random() < 0.4:
            word = self._r.choice(("AND", "OR", "XOR"))
            return f"({self._condition(nodes, facts, depth - 1)} {word} {self._condition(nodes, facts, depth - 1)})"
        if self._r.random() < 0.15:
            return f"NOT ({self._condition(nodes, facts, 0)})"
        n, m, i = self._r.choice(nodes), self._r.choice(nodes), self._r.randrange(9)
        tests = [f"{n}.name < 'n{i}'", f"{n}.name IN ['n{i}', 'n3', 'n5']", f"{n}.name STARTS WITH 'n{i}'", f"{n}:{self._r.choice(KINDS)}",
                 f"toUpper({n}.name) > 'N{i}'", f"{n}.name <= {m}.name", f"{n} <> {m}", f"{n}.name IS NOT NULL", "true",
                 f"size({n}.name) + {i} > 6", f"toInteger(substring({n}.name, 1)) % 2 = 0", f"{n}.name =~ 'n[0-{i}]'"]  # fmt: skip
        if facts:
            r = self._r.choice(facts)
            tests += [f"{r}.confidence > 0.3", f"type({r}) = '{self._r.choice(RELATIONS)}'", f"{r}.fact ENDS WITH '{i}'", f"startNode({r}).name < 'n{i}'",
                      f"1 / toInteger({r}.confidence * 4) >= 0"]  # fmt: skip
        return self._r.choice(tests)

    def _again(self) -> str:
        start = self._r.choice(self._nodes) if self._nodes and self._r.random() < 0.7 else ""
        return f"MATCH {self._path(start)}{self._where(self._nodes, self._facts)}"

    def _optional(self) -> str:
        return f"OPTIONAL {self._again()}"

    def _with(self) -> str:
        if not self._nodes:
            return "WITH *"
        kept, counted = self._r.choice(self._nodes), self._r.choice(self._nodes)
        self._nodes, self._facts, self._paths = [kept], [], []
        value = f"c{len(self._values)}"
        carried = "".join(f", {name}" for name in self._values)
        self._values.append(value)
        measure = self._r.choice((f"count({counted})", "count(*)", f"count(DISTINCT {counted}.name)", f"size(collect({counted}))"))
        return f"WITH {kept}{carried}, {measure} AS {value}{self._r.choice(('', f' WHERE {value} > 1'))}"

    def _unwind(self) -> str:
        name = f"c{len(self._values)}"
        self._values.append(name)
        if self._paths and self._r.random() < 0.7:
            path = self._r.choice(self._paths)
            return f"UNWIND {self._r.choice((f'[x IN nodes({path}) | x.name]', f'[x IN relationships({path}) | x.confidence]'))} AS {name}"
        return f"UNWIND [1, 2] AS {name}"

    def _return(self) -> str:
        columns = [f"{name}.name" for name in self._nodes] + [f"labels({name})" for name in self._nodes[:1]] + list(self._values)
        columns += [f"type({name})" for name in self._facts] + [f"endNode({name}).name" for name in self._facts[:1]]
        columns += [f"length({name})" for name in self._paths] + [f"[x IN nodes({name}) | x.name]" for name in self._paths]
        some = self._r.sample(columns, min(len(columns), self._r.choice((1, 2, 3))))
        if self._r.random() < 0.4 or not some:
            measured = self._r.choice(self._nodes) if self._nodes else "1"
            some = [*some[:1], "count(*)", f"count(DISTINCT {measured})", f"max({measured}.name)" if self._nodes else "max(1)"]
        items = ", ".join(f"{column} AS x{i}" for i, column in enumerate(some))
        distinct = self._r.choice(("", "DISTINCT "))
        return f"RETURN {distinct}{items}{self._r.choice(('', ' ORDER BY x0'))}"
