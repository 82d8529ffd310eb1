"""The ids of what came back: of every entity and fact in the rows of a statement, in whatever list or map they stand."""

from collections.abc import Iterator, Mapping

from knowledge.reading.dialect import Dialect, Fields
from knowledge.records import Entity


def ids_in(dialect: Dialect, rows: object) -> Iterator[str]:
    """Entities first. A graph without ids of its own gets those that its records have."""
    entities: dict[str, Entity] = {}
    facts: list[Fields] = []
    for fields in _elements(rows):
        if "relation" in fields:
            facts.append(fields)
        elif isinstance(fields.get("id"), str):
            yield from ids_of(fields)
        elif fields["ref"] not in entities:
            entities[fields["ref"]] = dialect.entity(fields)
            yield entities[fields["ref"]].id
    for fields in facts:
        if isinstance(fields.get("id"), str):
            yield fields["id"]
        elif fields["subject"] in entities and fields["object"] in entities:
            yield dialect.record(fields, entities[fields["subject"]], entities[fields["object"]]).id


def ids_of(fields: Fields) -> Iterator[str]:
    """The id of an entity, then those of the other nodes that are one entity with it."""
    yield fields["id"]
    yield from fields.get("also", ())


def _elements(value: object) -> Iterator[Fields]:
    """The maps that `entity_fields` and `fact_fields` have made: those that name an element of the database."""
    if isinstance(value, Mapping):
        if "ref" in value:
            yield dict(value)
        else:
            for inner in value.values():
                yield from _elements(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _elements(inner)
