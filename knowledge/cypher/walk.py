"""Going through a syntax tree without naming its kinds."""

from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass, replace
from typing import TypeVar, cast

from knowledge.cypher.syntax import Label, Labels, Located, Node, Path, Relationship

T = TypeVar("T")


def below(tree: object, within: tuple[type, ...] = ()) -> Iterator[object]:
    """Every node of the tree, itself first, in the order of the text; nodes of the kinds `within` are not entered."""
    if isinstance(tree, tuple):
        for item in tree:
            yield from below(item, within)
    elif is_dataclass(tree):
        yield tree
        if isinstance(tree, within):
            return
        for field in fields(tree):
            if field.name != "at":
                yield from below(getattr(tree, field.name), within)


def changed(tree: T, change: Callable[[Located], Located]) -> T:
    """The same tree with `change` applied to every node that stands at a place, from the leaves up."""
    if isinstance(tree, tuple):
        return cast(T, tuple(changed(item, change) for item in tree))
    if not is_dataclass(tree) or isinstance(tree, type):
        return tree
    parts = {field.name: changed(getattr(tree, field.name), change) for field in fields(tree) if field.name != "at"}
    rebuilt = replace(tree, **parts)
    return cast(T, change(rebuilt)) if isinstance(rebuilt, Located) else cast(T, rebuilt)


def named(labels: Labels | None) -> Iterator[Label]:
    """The labels that an expression names, `%` left out."""
    return (part for part in below(labels) if isinstance(part, Label) and part.name != "%")


def ends(path: Path) -> Iterator[tuple[Node, Relationship, Node]]:
    """Each relationship of a path with the nodes beside it."""
    for left, middle, right in zip(path.elements, path.elements[1:], path.elements[2:], strict=False):
        if isinstance(left, Node) and isinstance(middle, Relationship) and isinstance(right, Node):
            yield left, middle, right


def words(tree: object) -> set[str]:
    """Every text that stands in the tree: names, keys, strings."""
    found: set[str] = set()
    for part in below(tree):
        if is_dataclass(part):
            found |= {value for field in fields(part) if isinstance(value := getattr(part, field.name), str)}
    return found
