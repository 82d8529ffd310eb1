"""Whole statements of the scoped grammar, translated clause by clause."""

from dataclasses import dataclass

from knowledge.cypher.fresh import Fresh
from knowledge.cypher.kinds import Kind, member
from knowledge.cypher.refusal import Refused
from knowledge.cypher.scoped_match import ScopedMatch
from knowledge.cypher.surface import Surface
from knowledge.cypher.syntax import CallQuery, Clause, Item, Match, Projection, Query, Unwind, Variable
from knowledge.cypher.typed import Typer, element_as_value


@dataclass(frozen=True)
class Column:
    """One column of a result: its name, and what it holds (see `kinds`)."""

    name: str
    kind: Kind


def scoped(query: Query, surface: Surface) -> tuple[Query, tuple[Column, ...]]:
    """The statement with the scope on every element, and its columns. Refused (`Refused`) for what the scoped grammar has not got."""
    fresh = Fresh(query)
    branches = [_Branch(surface, fresh).translated(branch) for branch in query.branches]
    columns = branches[0][1]
    for branch, others in branches[1:]:
        if others != columns:
            raise Refused(
                "syntax", "the branches of UNION return different columns", branch[-1].at, "give the same names and kinds to each"
            )
    return Query(tuple(branch for branch, _ in branches), query.everything), columns


class _Branch:
    def __init__(self, surface: Surface, fresh: Fresh) -> None:
        self._typer, self._fresh = Typer(surface), fresh

    def translated(self, branch: tuple[Clause, ...]) -> tuple[tuple[Clause, ...], tuple[Column, ...]]:
        clauses = tuple(self._clause(clause) for clause in branch)
        return clauses, tuple(Column(name, kind) for name, kind in self._typer.variables.items())

    def _clause(self, clause: Clause) -> Clause:
        if isinstance(clause, Match):
            return ScopedMatch(self._typer, self._fresh).translated(clause)
        if isinstance(clause, Unwind):
            return self._unwind(clause)
        if isinstance(clause, CallQuery):
            raise Refused("subquery", "CALL { … } is not used here", clause.at, "carry what you need on with WITH")
        return self._projection(clause)

    def _unwind(self, clause: Unwind) -> Unwind:
        source, kind = self._typer.typed(clause.source)
        inner = member(kind)
        if inner is None:
            raise element_as_value(kind, clause.source.at)
        self._typer.variables[clause.variable] = inner
        return Unwind(source, clause.variable, at=clause.at)

    def _projection(self, p: Projection) -> Projection:
        """`WITH *` carries on everything that is there; `RETURN *` is spelt out."""
        carries = p.star and p.word == "WITH"
        given = [*(self._starred(p) if not carries else ()), *p.items]
        typed = [(item, *self._typer.typed(item.expression)) for item in given]
        after = {**(self._typer.variables if carries else {}), **{item.name: kind for item, _, kind in typed}}
        if p.word == "WITH":
            _check_named(given)
        with self._typer.bound(after):
            order = tuple((self._typer.value(key), falling) for key, falling in p.order)
            where = self._typer.value(p.where) if p.where else None
        self._typer.variables = after
        items = tuple(Item(written, item.name) for item, written, _ in typed)
        skip, limit = (self._typer.value(part) if part else None for part in (p.skip, p.limit))
        return Projection(p.word, items, p.distinct, carries, order, skip, limit, where, at=p.at)

    def _starred(self, p: Projection) -> list[Item]:
        """The variables that `*` stands for."""
        names = [name for name in sorted(self._typer.variables) if name not in self._fresh.made] if p.star else []
        if p.star and not names:
            raise Refused("syntax", "there is nothing that * could stand for", p.at, "name what to return")
        return [Item(Variable(name), name) for name in names]


def _check_named(items: list[Item]) -> None:
    for item in items:
        if not item.aliased and not isinstance(item.expression, Variable):
            raise Refused("syntax", f"{item.name} needs a name in WITH", item.expression.at, f"write {item.name} AS x")
