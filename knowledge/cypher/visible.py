"""Which variables are there at a place of a statement."""

from collections.abc import Iterable, Iterator

from knowledge.cypher.syntax import CallQuery, Clause, Group, Path, Projection, Unwind


def visible(clauses: tuple[Clause, ...], before: Iterable[str] = ()) -> set[str]:
    """The variables that are there after these clauses, where those of `before` were there."""
    names = set(before)
    for clause in clauses:
        if isinstance(clause, Projection):
            names = {item.name for item in clause.items} | (names if clause.star else set())
        elif isinstance(clause, Unwind):
            names.add(clause.variable)
        elif isinstance(clause, CallQuery):
            names |= _returned(clause)
        else:
            names |= {name for path in clause.paths for name in bound(path)}
    return names


def bound(path: Path) -> Iterator[str]:
    """The names that a path gives."""
    if path.variable:
        yield path.variable
    for element in path.elements:
        if isinstance(element, Group):
            yield from bound(element.path)
        elif element.variable:
            yield element.variable


def _returned(clause: CallQuery) -> set[str]:
    last = clause.query.branches[0][-1]
    if not isinstance(last, Projection):
        return set()
    return visible(clause.query.branches[0][:-1]) if last.star else {item.name for item in last.items}
