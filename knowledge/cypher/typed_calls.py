"""The functions of the scoped grammar that take nodes, relationships, paths or lists of them; all others take plain values."""

from collections.abc import Callable, Sequence
from typing import Protocol

from knowledge.cypher.kinds import FACT, NODE, PATH, PLAIN, VALUE, Kind, joined, list_of, member
from knowledge.cypher.refusal import Refused
from knowledge.cypher.surface import Surface
from knowledge.cypher.syntax import Call, Expression, Fragment

Use = Callable[[str], Expression]


class Elements(Protocol):
    """What a rule needs of the typer."""

    surface: Surface

    def on_element(self, element: Expression, use: Use) -> Expression: ...


Rule = Callable[[Elements, Call, Sequence[Expression], Sequence[Kind]], tuple[Expression, Kind]]


def plain_call(_: Elements, call: Call, arguments: Sequence[Expression], kinds: Sequence[Kind]) -> tuple[Expression, Kind]:
    """Values in, a value out."""
    if not PLAIN.issuperset(kinds):
        raise _wrong(call)
    return _called(call, arguments), VALUE


def _anything(_: Elements, call: Call, arguments: Sequence[Expression], kinds: Sequence[Kind]) -> tuple[Expression, Kind]:
    return _called(call, arguments), VALUE


def _collected(_: Elements, call: Call, arguments: Sequence[Expression], kinds: Sequence[Kind]) -> tuple[Expression, Kind]:
    return _called(call, arguments), list_of(_one(call, kinds))


def _member(_: Elements, call: Call, arguments: Sequence[Expression], kinds: Sequence[Kind]) -> tuple[Expression, Kind]:
    return _called(call, arguments), _inner(call, kinds)


def _same(_: Elements, call: Call, arguments: Sequence[Expression], kinds: Sequence[Kind]) -> tuple[Expression, Kind]:
    _inner(call, kinds)
    return _called(call, arguments), kinds[0]


def _first_known(_: Elements, call: Call, arguments: Sequence[Expression], kinds: Sequence[Kind]) -> tuple[Expression, Kind]:
    kind = joined(kinds)
    if kind is None:
        raise _wrong(call)
    return _called(call, arguments), kind


def _sized(_: Elements, call: Call, arguments: Sequence[Expression], kinds: Sequence[Kind]) -> tuple[Expression, Kind]:
    _inner(call, kinds)
    return _called(call, arguments), VALUE


def _from(wanted: Kind, given: Kind) -> Rule:
    def rule(_: Elements, call: Call, arguments: Sequence[Expression], kinds: Sequence[Kind]) -> tuple[Expression, Kind]:
        if _one(call, kinds) != wanted:
            raise _wrong(call)
        return _called(call, arguments), given

    return rule


def _told(wanted: Kind, told: Callable[[Surface, str], Expression]) -> Rule:
    """What the surface says of an element."""

    def rule(typer: Elements, call: Call, arguments: Sequence[Expression], kinds: Sequence[Kind]) -> tuple[Expression, Kind]:
        if _one(call, kinds) != wanted:
            raise _wrong(call)
        return typer.on_element(arguments[0], lambda name: told(typer.surface, name)), VALUE

    return rule


def _properties(typer: Elements, call: Call, arguments: Sequence[Expression], kinds: Sequence[Kind]) -> tuple[Expression, Kind]:
    kind = _one(call, kinds)
    if kind not in (NODE, FACT):
        raise _wrong(call)
    return typer.on_element(arguments[0], lambda name: typer.surface.properties(name, fact=kind == FACT)), VALUE


def _internal(_: Elements, call: Call, arguments: Sequence[Expression], kinds: Sequence[Kind]) -> tuple[Expression, Kind]:
    raise Refused("internal", f"{call.name}() tells what is the database's own", call.at, "use a property that names the thing")


def _no_keys(_: Elements, call: Call, arguments: Sequence[Expression], kinds: Sequence[Kind]) -> tuple[Expression, Kind]:
    if not PLAIN.issuperset(kinds):
        raise Refused("dynamic", "keys() of a node or relationship is not used here", call.at, "the schema lists the properties")
    return _called(call, arguments), VALUE


CALLS: dict[str, Rule] = {
    "count": _anything,
    "collect": _collected,
    "head": _member,
    "last": _member,
    "tail": _same,
    "reverse": _same,
    "size": _sized,
    "isEmpty": _sized,
    "coalesce": _first_known,
    "nodes": _from(PATH, list_of(NODE)),
    "relationships": _from(PATH, list_of(FACT)),
    "length": _from(PATH, VALUE),
    "startNode": _from(FACT, NODE),
    "endNode": _from(FACT, NODE),
    "type": _told(FACT, lambda surface, name: Fragment(surface.relation(name))),
    "labels": _told(NODE, lambda surface, name: Fragment(surface.labels(name))),
    "properties": _properties,
    "keys": _no_keys,
    "id": _internal,
    "elementId": _internal,
}


def _called(call: Call, arguments: Sequence[Expression]) -> Call:
    return Call(call.name, tuple(arguments), call.distinct, call.star)


def _one(call: Call, kinds: Sequence[Kind]) -> Kind:
    if len(kinds) != 1:
        raise Refused("syntax", f"{call.name}() takes one argument", call.at)
    return kinds[0]


def _inner(call: Call, kinds: Sequence[Kind]) -> Kind:
    """The kind of the items of the only argument, which must be a list."""
    inner = member(_one(call, kinds))
    if inner is None:
        raise _wrong(call)
    return inner


def _wrong(call: Call) -> Refused:
    return Refused("element_as_value", f"{call.name}() does not take that kind of thing", call.at, "name a property, such as .name")
