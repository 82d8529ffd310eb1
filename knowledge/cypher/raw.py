"""Statements as they are, for a scope that hides nothing: only `*` in the last RETURN is spelt out."""

from collections.abc import Iterator
from dataclasses import replace

from knowledge.cypher.kinds import VALUE
from knowledge.cypher.scoped import Column
from knowledge.cypher.syntax import CallQuery, Clause, Group, Item, Path, Projection, Query, Unwind, Variable


def raw(query: Query) -> tuple[Query, tuple[Column, ...]]:
    """The same statement, and its columns."""
    endings = [_spelt_out(branch) for branch in query.branches]
    branches = tuple((*branch[:-1], ending) for branch, ending in zip(query.branches, endings, strict=True))
    return Query(branches, query.everything), tuple(Column(item.name, VALUE) for item in endings[0].items)


def _spelt_out(branch: tuple[Clause, ...]) -> Projection:
    last = branch[-1]
    assert isinstance(last, Projection)
    if not last.star:
        return last
    starred = [Item(Variable(name), name) for name in sorted(_visible(branch[:-1]))]
    return replace(last, star=False, items=(*starred, *last.items))


def _visible(clauses: tuple[Clause, ...]) -> set[str]:
    """The variables that are there after these clauses."""
    names: set[str] = set()
    for clause in clauses:
        if isinstance(clause, Projection):
            names = {item.name for item in clause.items} | (names if clause.star else set())
        elif isinstance(clause, Unwind):
            names.add(clause.variable)
        elif isinstance(clause, CallQuery):
            names |= _returned(clause)
        else:
            names |= {name for path in clause.paths for name in _bound(path) if name}
    return names


def _returned(clause: CallQuery) -> set[str]:
    last = clause.query.branches[0][-1]
    if not isinstance(last, Projection):
        return set()
    return _visible(clause.query.branches[0][:-1]) if last.star else {item.name for item in last.items}


def _bound(path: Path) -> Iterator[str]:
    yield path.variable
    for element in path.elements:
        if isinstance(element, Group):
            yield from _bound(element.path)
        else:
            yield element.variable
