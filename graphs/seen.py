"""What a read showed: the entities in its result, and the relations of its facts."""

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass

from knowledge.records import Entity, Fact, GraphSchema

MOST_SEEN = 50
_PLAIN = (str, bytes, int, float, bool, type(None), GraphSchema)


def seen_in(result: object) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """(ids of entities, names of relations), each once and in order, at most 50."""
    entities: dict[str, None] = {}
    relations: dict[str, None] = {}
    for record in _records(result):
        if isinstance(record, Entity):
            entities[record.id] = None
        else:
            relations[record.relation] = None
    return tuple(entities)[:MOST_SEEN], tuple(relations)[:MOST_SEEN]


def _records(value: object) -> Iterator[Entity | Fact]:
    """Every record inside of lists, mappings and other records."""
    if isinstance(value, _PLAIN):
        return
    if isinstance(value, Entity):
        yield value
    elif isinstance(value, Mapping):
        yield from (record for one in value.values() for record in _records(one))
    elif isinstance(value, list | tuple):
        yield from (record for one in value for record in _records(one))
    elif is_dataclass(value):
        if isinstance(value, Fact):
            yield value
        yield from (record for field in fields(value) for record in _records(getattr(value, field.name)))
