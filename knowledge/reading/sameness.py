"""Several nodes that are one entity: those to which the same key was given, in namespaces that join.

The relationship `GAVEL_SAME_KEY` leads from each to the others; whether both may be seen together is asked at every reading.
"""

from typing import TYPE_CHECKING, NamedTuple, Protocol

from knowledge.database.ddl import SAME_KEY

if TYPE_CHECKING:
    from knowledge.reading.dialect import Dialect

    class Joining(Dialect, Protocol):
        """A dialect of a scope in which entities may be joined; `state` is the node whose properties count."""

        def state(self, variable: str) -> str: ...


class Around(NamedTuple):
    """Where the facts of an entity stand: a clause, empty where that is the node itself, and the variable that it binds to each node."""

    clause: str
    node: str


class Way(NamedTuple):
    """A step of a path: the pattern between its two nodes, and the predicate."""

    pattern: str
    predicate: str


class Alone:
    """The part of a `Dialect` where every node is an entity of its own."""

    @property
    def joining(self) -> tuple[str, ...]:
        return ()

    def one(self, variable: str) -> str:
        return variable

    def identity(self, variable: str) -> str:
        return variable

    def grouped(self, variable: str) -> str:
        return variable

    def around(self, variable: str) -> Around:
        return Around("", variable)

    def way(self: "Dialect", fact: str, start: str, end: str, chosen: str) -> Way:
        return Way(self.fact(fact, "both"), f"{chosen}{self.sees_fact(fact)}")


def one(d: "Joining", variable: str) -> str:
    """Of nodes that are one entity the one whose namespace is first by its id."""
    first = "(twin.group_id < own.group_id OR twin.group_id = own.group_id AND twin.visibility_group < own.visibility_group)"
    found = f"UNWIND [{variable}] AS own MATCH (own)-[:{SAME_KEY}]-(twin:Entity) WHERE {_together(d, 'own', 'twin')}"
    others = f"{found} AND {first} RETURN twin ORDER BY twin.group_id, twin.visibility_group LIMIT 1"
    return f"coalesce(head(COLLECT {{ {others} }}), {variable})"


def identity(variable: str) -> str:
    """The key where there may be others of it, else the id of the node."""
    return f"CASE WHEN {variable}.key <> {variable}.name AND {variable}.group_id IN $joining THEN {variable}.key ELSE {variable}.uuid END"


def grouped(variable: str) -> str:
    """Any one of the nodes stands for the entity."""
    return f"{identity(variable)} AS same_{variable}, head(collect({variable})) AS {variable}"


def around(d: "Joining", variable: str) -> Around:
    """The node and all others that are one entity with it."""
    node = f"{variable}_same"
    return Around(
        f"MATCH ({variable})-[:{SAME_KEY}*0..1]-({node}:Entity) WHERE {node} = {variable} OR {_together(d, variable, node)}\n", node
    )


def way(d: "Joining", fact: str, start: str, end: str, chosen: str) -> Way:
    """Over a fact, or from a node to another that is one entity with it."""
    bridge = f"{fact}:{SAME_KEY} AND {start}.group_id IN $joining AND {end}.group_id IN $joining"
    return Way(f"-[{fact}:RELATES_TO|{SAME_KEY}]-", f"({bridge} OR {chosen}{d.sees_fact(fact)})")


def entity_fields(d: "Joining", variable: str) -> str:
    """One map for all: named as the first is, called as any of them is. `also` lists the ids of the others."""
    nodes = f"UNWIND [{variable}] AS own MATCH (own)-[:{SAME_KEY}*0..1]-(twin:Entity) WHERE twin = own OR {_together(d, 'own', 'twin')}"
    states = (
        f"{nodes} WITH twin ORDER BY twin.group_id, twin.visibility_group"
        f" RETURN {{id: twin.uuid, namespace: twin.group_id, state: {d.state('twin')}}}"
    )
    return (
        f"head([same IN [COLLECT {{ {states} }}] | {{ref: elementId({variable}), id: same[0].id, name: same[0].state.name,"
        " kind: head([s IN same WHERE s.state.kind <> '' | s.state.kind]), namespace: same[0].namespace,"
        " aliases: reduce(all = [], s IN same | all + s.state.name + coalesce(s.state.aliases, [])),"
        " summary: head([s IN same WHERE s.state.summary <> '' | s.state.summary]), also: [s IN same[1..] | s.id]}])"
    )


def _together(d: "Joining", own: str, twin: str) -> str:
    joined = " AND ".join(f"{node}.group_id IN $joining AND {node}.key <> {node}.name" for node in (own, twin))
    return f"{joined} AND {d.sees_node(twin)}"
