"""Statements as they are, for a scope that hides nothing: only `*` in the last RETURN is spelt out."""

from dataclasses import replace

from knowledge.cypher.kinds import VALUE
from knowledge.cypher.scoped import Column
from knowledge.cypher.syntax import Clause, Item, Projection, Query, Variable
from knowledge.cypher.visible import visible


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
    starred = [Item(Variable(name), name) for name in sorted(visible(branch[:-1]))]
    return replace(last, star=False, items=(*starred, *last.items))
