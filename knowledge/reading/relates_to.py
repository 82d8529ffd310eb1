"""The words for `(:Entity)-[:RELATES_TO]->(:Entity)`, where the relation type is a property, as Graphiti has it and so have we."""

from collections.abc import Sequence

from knowledge.reading.dialect import Arrow, Dialect, Key

_ARROWS = {"out": "-[{0}:RELATES_TO]->", "in": "<-[{0}:RELATES_TO]-", "both": "-[{0}:RELATES_TO]-"}


class RelatesTo:
    """The part of a `Dialect` that finds and names nodes and facts. An entity's id is its `uuid`."""

    def starts(self: Dialect, variable: str, keys: str) -> str:
        given = f"{variable}_given" if self.joining else variable
        found = f"MATCH ({given}:Entity) WHERE {given}.uuid IN {keys} AND {self.sees_node(given)}"
        return f"{found} WITH *, {self.one(given)} AS {variable}" if self.joining else found

    def keys(self, ids: Sequence[str]) -> Sequence[Key]:
        return list(ids)

    def node(self, variable: str) -> str:
        return f"({variable}:Entity)"

    def fact(self, variable: str, direction: Arrow) -> str:
        return _ARROWS[direction].format(variable)

    def relation(self, variable: str) -> str:
        return f"{variable}.name"

    def name(self, variable: str) -> str:
        return f"{variable}.name"
