"""Patterns: nodes, relationships, their labels and lengths, groups, and the selectors of shortest paths."""

from knowledge.cypher.atoms import Atoms
from knowledge.cypher.refusal import Refused
from knowledge.cypher.syntax import (
    Direction,
    Expression,
    Group,
    Label,
    LabelPair,
    Labels,
    Length,
    MapOf,
    Node,
    NotLabel,
    Parameter,
    Path,
    Relationship,
)  # fmt: skip

_SELECTORS = ("ANY", "ALL", "SHORTEST")


class Patterns(Atoms):
    """What stands after MATCH, and patterns inside expressions."""

    def path(self) -> Path:
        """`p = (a)-[r]->(b)`, with a selector, as part of MATCH."""
        at, variable = self.token.at, ""
        if self.token.kind in ("name", "quoted") and self.ahead(1).is_symbol("="):
            variable = self.name("a variable")
            self.expect("=")
        if self.token.kind == "name" and self.token.text.lower() in ("shortestpath", "allshortestpaths"):
            found = self.shortest()
            return Path(found.elements, variable, found.selector, at=at)
        selector = self._selector()
        return Path(self._elements(), variable, selector, at=at)

    def shortest(self) -> Path:
        at = self.token.at
        selector = "shortestPath" if self.advance().text.lower() == "shortestpath" else "allShortestPaths"
        self.expect("(")
        elements = self._elements()
        self.expect(")")
        return Path(elements, "", selector, at=at)

    def chain(self) -> Path:
        at = self.token.at
        elements = self._elements()
        if not any(isinstance(element, Relationship | Group) for element in elements):
            raise self.unexpected("expected a relationship")
        return Path(elements, at=at)

    def _selector(self) -> str:
        """`SHORTEST 2`, `ALL SHORTEST`, `ANY 3`, … in one spelling."""
        words: list[str] = []
        while self.token.word in (*_SELECTORS, "PATH", "PATHS", "GROUP", "GROUPS") or (words and self.token.kind == "number"):
            words.append(self.advance().text.upper())
        return " ".join(words)

    def _elements(self) -> tuple[Node | Relationship | Group, ...]:
        with self.nested(), self.bar(ends=False):
            found: list[Node | Relationship | Group] = [self._node_or_group()]
            while True:
                if self.token.is_symbol("-", "<"):
                    found += [self._relationship(), self._node_or_group()]
                elif self.token.is_symbol("("):
                    found.append(self._node_or_group())
                else:
                    return tuple(found)

    def _node_or_group(self) -> Node | Group:
        if self.token.is_symbol("(") and self._group_begins():
            return self._group()
        return self._node()

    def _group_begins(self) -> bool:
        following = self.ahead(1)
        return following.is_symbol("(") or (following.kind in ("name", "quoted") and self.ahead(2).is_symbol("="))

    def _group(self) -> Group:
        at = self.token.at
        self.expect("(")
        variable = ""
        if self.ahead(1).is_symbol("="):
            variable = self.name("a variable")
            self.expect("=")
        path = Path(self._elements(), variable, at=at)
        where = self._where()
        self.expect(")")
        return Group(path, where, self._quantifier(), at=at)

    def _node(self) -> Node:
        at = self.token.at
        self.expect("(")
        variable = self._optional_name()
        labels = self._labels_if_any()
        properties = self._properties()
        where = self._where()
        self.expect(")")
        return Node(variable, labels, properties, where, at=at)

    def _relationship(self) -> Relationship:
        at = self.token.at
        left = self.takes("<")
        self.expect("-")
        variable, types, length, properties, where = "", None, None, None, None
        if self.takes("["):
            variable = self._optional_name()
            types = self._labels_if_any()
            length = self._star()
            properties = self._properties()
            where = self._where()
            self.expect("]")
        self.expect("-")
        right = self.takes(">")
        direction: Direction = "both" if left == right else "in" if left else "out"
        return Relationship(direction, variable, types, length or self._quantifier(), properties, where, at=at)

    def _optional_name(self) -> str:
        if self.token.kind == "quoted" or (self.token.kind == "name" and self.token.word not in ("WHERE", "IS")):
            return self.advance().text
        return ""

    def _labels_if_any(self) -> Labels | None:
        if self.takes(":") or self.takes_word("IS"):
            with self.bar(ends=False):
                return self.labels()
        return None

    def _properties(self) -> Expression | None:
        if self.token.is_symbol("{"):
            at = self.token.at
            return MapOf(self.entries(), at=at)
        if self.token.kind == "parameter":
            token = self.advance()
            return Parameter(token.text, at=token.at)
        return None

    def _where(self) -> Expression | None:
        return self.expression() if self.takes_word("WHERE") else None

    def _star(self) -> Length | None:
        """`*`, `*2`, `*1..3`, `*..3`, `*1..`"""
        at = self.token.at
        if not self.takes("*"):
            return None
        low = self._integer()
        if not self.takes(".."):
            return Length(low, low, at=at)
        return Length(low, self._integer(), at=at)

    def _quantifier(self) -> Length | None:
        """`{2}`, `{1,3}`, `+`, `*` after a relationship or a group."""
        at = self.token.at
        if self.takes("+"):
            return Length(1, None, True, at=at)
        if self.takes("*"):
            return Length(0, None, True, at=at)
        if not self.takes("{"):
            return None
        low = self._integer()
        high = self._integer() if self.takes(",") else low
        self.expect("}")
        return Length(low, high, True, at=at)

    def _integer(self) -> int | None:
        token = self.token
        if token.kind != "number":
            return None
        if not token.text.isdigit() or len(token.text) > 9:
            raise Refused("path_length", f"{token.text} is no length of a path", token.at, "write a small whole number")
        self.advance()
        return int(token.text)

    def labels(self) -> Labels:
        left = self._conjunction()
        while not self._bar_ends and self.token.is_symbol("|"):
            at = self.advance().at
            self.takes(":")
            left = LabelPair("|", left, self._conjunction(), at=at)
        return left

    def _conjunction(self) -> Labels:
        left = self._label()
        while self.token.is_symbol("&", ":"):
            at = self.advance().at
            left = LabelPair("&", left, self._label(), at=at)
        return left

    def _label(self) -> Labels:
        token = self.token
        with self.nested():
            if self.takes("!"):
                return NotLabel(self._label(), at=token.at)
            if self.takes("("):
                with self.bar(ends=False):
                    inner = self.labels()
                self.expect(")")
                return inner
        if self.takes("%"):
            return Label("%", at=token.at)
        if token.is_symbol("$") or token.kind == "parameter":
            raise Refused("dynamic", "a label or type cannot be computed", token.at, "write the label itself")
        return Label(self.name("a label or type"), at=token.at)
