"""Rows as they leave the guard: plain values, and elements as records with the properties that may be seen."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from knowledge.cypher.kinds import NODE, PATH, PLAIN, Kind
from knowledge.cypher.scoped import Column
from knowledge.reading.dialect import Dialect
from knowledge.records import Entity, Fact

LONGEST_LIST = 64
Plain = None | bool | int | float | str | list[object] | dict[str, object]


@dataclass(frozen=True)
class Seen:
    """A node or a relationship of a result: its record, and its properties (plain values, vectors left out)."""

    record: Entity | Fact
    properties: Mapping[str, object]


@dataclass(frozen=True)
class SeenPath:
    """A path of a result, in walking order."""

    nodes: tuple[Seen, ...]
    facts: tuple[Seen, ...]


def shown(row: Mapping[str, object], columns: tuple[Column, ...], dialect: Dialect) -> dict[str, object]:
    """One row by column name. Plain values are JSON: times are ISO texts, points and the like are texts."""
    return {column.name: _of_kind(row[column.name], column.kind, dialect) for column in columns}


def seen_ids(value: object) -> Iterator[str]:
    """The ids of the elements of a result. What was returned as a plain value, such as a name, has none."""
    if isinstance(value, Seen):
        if isinstance(value.record, Fact):
            yield from (value.record.subject.id, value.record.object.id)
        yield value.record.id
    elif isinstance(value, SeenPath):
        yield from seen_ids([*value.nodes, *value.facts])
    elif isinstance(value, Mapping):
        yield from seen_ids(list(value.values()))
    elif isinstance(value, list):
        for inner in value:
            yield from seen_ids(inner)


def _of_kind(value: object, kind: Kind, dialect: Dialect) -> object:
    if kind in PLAIN or value is None:
        return plain(value)
    if isinstance(value, list):
        return [_of_kind(item, kind[1:-1], dialect) for item in value]
    assert isinstance(value, dict)
    if kind == PATH:
        return _path(value, dialect)
    return _node(value, dialect) if kind == NODE else _fact(value, dialect)


def _node(value: dict[str, dict[str, object]], dialect: Dialect) -> Seen:
    return Seen(dialect.entity(value["entity"]), _properties(value))


def _fact(value: dict[str, dict[str, object]], dialect: Dialect) -> Seen:
    subject, object_ = dialect.entity(value["subject"]), dialect.entity(value["object"])
    return Seen(dialect.record(value["fact"], subject, object_), _properties(value))


def _path(value: dict[str, list[dict[str, dict[str, object]]]], dialect: Dialect) -> SeenPath:
    nodes = tuple(_node(node, dialect) for node in value["nodes"])
    return SeenPath(nodes, tuple(_fact(fact, dialect) for fact in value["facts"]))


def _properties(value: dict[str, dict[str, object]]) -> dict[str, object]:
    said = value["properties"]
    return {name: plain(each) for name, each in said.items() if each is not None and not _is_vector(each)}


def _is_vector(value: object) -> bool:
    return isinstance(value, list) and len(value) > LONGEST_LIST and all(isinstance(number, float) for number in value)


def plain(value: object) -> object:
    """A value of the driver as JSON."""
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    written: Callable[[], str] = getattr(value, "iso_format", value.__str__)
    return written()
