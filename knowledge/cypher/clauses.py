"""Clauses and whole statements of the read grammar."""

from knowledge.cypher.patterns import Patterns
from knowledge.cypher.refusal import Refused
from knowledge.cypher.syntax import CallQuery, Clause, Expression, Item, Match, Path, Projection, Query, Unwind, Variable
from knowledge.cypher.words import READING, REFUSED

_MOST_CLAUSES = 40


def parsed(text: str) -> Query:
    """The one statement of the text. Refused (`Refused`) for what is not in the read grammar."""
    return _Clauses(text).statement()


class _Clauses(Patterns):
    def statement(self) -> Query:
        query = self._query()
        if self.takes(";") and self.token.kind != "end":
            raise Refused("several_statements", "there is more than one statement", self.token.at, "send one statement at a time")
        if self.token.kind != "end":
            raise self._no_clause()
        return query

    def subquery(self) -> Query:
        if self.token.word in READING and not self.ahead(1).is_symbol("=", ":", ")"):
            query = self._query(ends_with_return=False)
        else:
            at = self.token.at
            query = Query(((Match(self._paths(), self._where(), at=at),),))
        self.expect("}")
        return query

    def _query(self, *, ends_with_return: bool = True) -> Query:
        with self.nested():
            branches = [self._branch(ends_with_return)]
            kinds: set[bool] = set()
            while self.takes_word("UNION"):
                kinds.add(self.takes_word("ALL"))
                self.takes_word("DISTINCT")
                branches.append(self._branch(ends_with_return))
            if len(kinds) > 1:
                raise self.unexpected("UNION and UNION ALL cannot be mixed")
            return Query(tuple(branches), True in kinds)

    def _branch(self, ends_with_return: bool) -> tuple[Clause, ...]:
        found = [self._clause()]
        while not self._is_end():
            last = found[-1]
            if isinstance(last, Projection) and last.word == "RETURN":
                raise self._no_clause()
            found.append(self._clause())
        if ends_with_return and not (isinstance(found[-1], Projection) and found[-1].word == "RETURN"):
            raise self.unexpected("a statement ends with RETURN")
        if len(found) > _MOST_CLAUSES:
            raise Refused("too_deep", f"the statement has more than {_MOST_CLAUSES} clauses", instead="ask for less at once")
        return tuple(found)

    def _is_end(self) -> bool:
        return self.token.kind == "end" or self.token.is_symbol(";", "}") or self.token.word == "UNION"

    def _clause(self) -> Clause:
        at = self.token.at
        if self.takes_word("MATCH"):
            return Match(self._paths(), self._where(), at=at)
        if self.takes_word("OPTIONAL", "MATCH"):
            return Match(self._paths(), self._where(), optional=True, at=at)
        if self.takes_word("UNWIND"):
            return self._unwind(at)
        if self.token.word in ("WITH", "RETURN"):
            return self._projection(at)
        if self.takes_word("CALL"):
            return self._call_clause(at, optional=False)
        if self.takes_word("OPTIONAL", "CALL"):
            return self._call_clause(at, optional=True)
        raise self._no_clause()

    def _no_clause(self) -> Refused:
        token = self.token
        if token.word in REFUSED:
            code, why, instead = REFUSED[token.word]
            return Refused(code, f"{token.word} {why}", token.at, instead)
        if token.is_symbol(";"):
            return Refused("several_statements", "there is an empty statement", token.at, "send one statement")
        return self.unexpected("expected MATCH, OPTIONAL MATCH, UNWIND, WITH or RETURN")

    def _paths(self) -> tuple[Path, ...]:
        found = [self.path()]
        while self.takes(","):
            found.append(self.path())
        return tuple(found)

    def _unwind(self, at: int) -> Unwind:
        source = self.expression()
        self.expect_word("AS")
        return Unwind(source, self.name("a variable"), at=at)

    def _projection(self, at: int) -> Projection:
        is_return = self.advance().word == "RETURN"
        distinct = self.takes_word("DISTINCT")
        star = self.takes("*")
        items = self._items() if not star or self.takes(",") else ()
        order = self._order() if self.takes_word("ORDER", "BY") else ()
        skip = self.expression() if self.takes_word("SKIP") or self.takes_word("OFFSET") else None
        limit = self.expression() if self.takes_word("LIMIT") else None
        where = None if is_return else self._where()
        return Projection("RETURN" if is_return else "WITH", items, distinct, star, order, skip, limit, where, at=at)

    def _items(self) -> tuple[Item, ...]:
        found = [self._item()]
        while self.takes(","):
            found.append(self._item())
        return tuple(found)

    def _item(self) -> Item:
        start = self.token.at
        expression = self.expression()
        end = self._tokens[self._index - 1].end
        if self.takes_word("AS"):
            return Item(expression, self.name("a name for the column"), aliased=True)
        return Item(expression, expression.name if isinstance(expression, Variable) else self._text[start:end])

    def _order(self) -> tuple[tuple[Expression, bool], ...]:
        """Sort keys, True for falling ones."""
        found = [self._sort_key()]
        while self.takes(","):
            found.append(self._sort_key())
        return tuple(found)

    def _sort_key(self) -> tuple[Expression, bool]:
        key = self.expression()
        falling = self.takes_word("DESC") or self.takes_word("DESCENDING")
        if not falling and not self.takes_word("ASC"):
            self.takes_word("ASCENDING")
        return key, falling

    def _call_clause(self, at: int, *, optional: bool) -> CallQuery:
        imports = self._imports() if self.token.is_symbol("(") else None
        if not self.takes("{"):
            raise Refused("procedure", "procedures are not called here", at, "use MATCH; search and schema have tools of their own")
        query = self._query(ends_with_return=False)
        self.expect("}")
        if self.token.word == "IN":
            raise Refused("transactions", "CALL … IN TRANSACTIONS is for writing", self.token.at, "use a plain CALL { … }")
        return CallQuery(query, imports, optional, at=at)

    def _imports(self) -> tuple[str, ...]:
        self.expect("(")
        found: list[str] = []
        while not self.takes(")"):
            if found:
                self.expect(",")
            found.append("*" if self.takes("*") else self.name("a variable"))
        return tuple(found)
