"""An emptied database to write a small world into."""

from collections.abc import Callable

import pytest

from knowledge.database import ddl
from knowledge.database.connection import Database
from knowledge.profile.profile import Shape
from tests.knowledge.reading.world import LetterEmbedder, NativeWorld, Node, World


@pytest.fixture(scope="module")
def new_world(shared_database: Database) -> Callable[..., World]:
    """Empties the database and returns a world to write into."""

    def new(embedder: LetterEmbedder | None = None, shape: Shape = "memory") -> World:
        while shared_database.write("MATCH (n) WITH n LIMIT 5000 DETACH DELETE n RETURN count(*) AS gone")[0]["gone"]:
            pass
        Node.shape = shape
        if shape == "native":
            return NativeWorld(shared_database, embedder)
        ddl.ensure(shared_database, "memory")
        return World(shared_database, embedder)

    return new
