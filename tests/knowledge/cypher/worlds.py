"""A small graph in every setting that a guard can stand in, with and without things outside of the scope."""

import hashlib
import json
from dataclasses import replace
from pathlib import Path

from knowledge.cypher.guard import Guard
from knowledge.cypher.limits import Limits
from knowledge.database import ddl
from knowledge.database.connection import Database
from knowledge.profile.profile import GraphProfile, LabelProfile, RelationProfile
from knowledge.reading.kg import Kg
from knowledge.reading.meter import Unmetered
from knowledge.scope import Scope
from tests.conftest import wipe
from tests.knowledge.reading.test_scope import FACTS, HIDDEN_PLACES, NATIVE_PLACES, SEEN, hidden_things
from tests.knowledge.reading.world import NOW, NativeWorld, Node, World

HERE = Path(__file__).parent
SETTINGS = ("memory", "native", "whole")
TEAM = Scope(frozenset({"team"}))
_EVERYTHING = """
MATCH (n) RETURN labels(n) AS labels, properties(n) AS said, '' AS type, {} AS ends
UNION ALL MATCH (a)-[r]->(b) RETURN [] AS labels, properties(r) AS said, type(r) AS type, {a: properties(a), b: properties(b)} AS ends
"""


def rows(file: str) -> list[dict[str, str]]:
    return [json.loads(line) for line in (HERE / file).read_text(encoding="utf-8").splitlines()]


def world_of(database: Database, setting: str) -> World:
    """The seen things alone. `whole` is a native graph whose profile knows no access and no dates."""
    wipe(database)
    Node.shape = "memory" if setting == "memory" else "native"
    if setting == "memory":
        ddl.ensure(database, "memory")
    built = World(database) if setting == "memory" else NativeWorld(database)
    built.write(SEEN, FACTS)
    if setting != "memory":
        database.write("MERGE (n:GavelNamespace {group_id: 'team'}) SET n.version = 1")
    return built


def hide(world: World) -> None:
    """Things outside of the scope, of every kind that the shape has."""
    for name, place in HIDDEN_PLACES.items():
        if not isinstance(world, NativeWorld) or name in NATIVE_PLACES:
            world.write(*hidden_things(place))


def kg_of(world: World, setting: str) -> Kg:
    if setting != "whole" or not isinstance(world, NativeWorld):
        return world.kg()
    labels, types = dict.fromkeys(sorted(world.labels), LabelProfile()), dict.fromkeys(sorted(world.types), RelationProfile())
    profile = GraphProfile(shape="native", namespace="team", labels=labels, relations=types)
    return Kg(world.database, profile, now=lambda: NOW)


def guard_of(world: World, setting: str, scope: Scope = TEAM, **limits: float) -> Guard:
    return Guard(kg_of(world, setting), scope, Unmetered(), replace(Limits(), **limits))


def fingerprint(database: Database) -> str:
    """Equal while no node, relationship, property, index or constraint changes, bookkeeping included."""
    content = sorted(json.dumps(row, sort_keys=True, default=str) for row in database.read(_EVERYTHING))
    names = sorted(row["name"] for row in database.read("SHOW INDEXES YIELD name") + database.read("SHOW CONSTRAINTS YIELD name"))
    return hashlib.sha256("\n".join([*content, *names]).encode()).hexdigest()
