"""What an expression may hold: a node, a fact, a path, a plain value, or lists of these in brackets, such as `[node]`."""

from collections.abc import Iterable

NODE, FACT, PATH, VALUE, NULL = "node", "fact", "path", "value", "null"
PLAIN = frozenset({VALUE, NULL})
Kind = str


def list_of(kind: Kind) -> Kind:
    """The kind of a list of such things; lists of plain values are plain values."""
    return VALUE if kind in PLAIN else f"[{kind}]"


def member(kind: Kind) -> Kind | None:
    """The kind of a list's members, None for what is no list."""
    if kind in PLAIN:
        return VALUE
    return kind[1:-1] if kind.startswith("[") else None


def joined(kinds: Iterable[Kind]) -> Kind | None:
    """The one kind of all, null apart; None where they differ."""
    different = {VALUE if kind == NULL else kind for kind in kinds if kind != NULL}
    if len(different) > 1:
        return None
    return next(iter(different), NULL)
