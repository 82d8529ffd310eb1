"""How long a hybrid search takes over a kg that is loaded and embedded."""

import time
from dataclasses import dataclass

import numpy as np

from knowledge.database.connection import Database
from knowledge.embedding.embedder import Embedder
from knowledge.profile.profile import GraphProfile
from knowledge.reading.kg import Kg
from knowledge.reading.meter import Unmetered
from knowledge.scope import Scope

QUERIES = 200
_SAMPLE = "MATCH (n:Entity) WHERE n.group_id = $namespace RETURN n.name AS name ORDER BY n.uuid LIMIT $most"


@dataclass(frozen=True)
class Searched:
    """Milliseconds of `search_entities` in hybrid mode, the embedding of the query included; `first` is the share that found the name."""

    entities: int
    queries: int
    p50: float
    p95: float
    first: float


def searched(database: Database, embedder: Embedder, namespace: str) -> Searched:
    """Searches for the names of `QUERIES` entities, drawn by their ids, which are hashes; ten more before them are not counted."""
    entities = database.read("MATCH (n:Entity) WHERE n.group_id = $namespace RETURN count(n) AS n", {"namespace": namespace})[0]["n"]
    names = [row["name"] for row in database.read(_SAMPLE, {"namespace": namespace, "most": QUERIES + 10})]
    reader = Kg(database, GraphProfile(), embedder).reader(Scope(frozenset({namespace})), Unmetered())
    milliseconds, first = [], 0
    for name in names:
        began = time.perf_counter()
        hits = reader.search_entities(name, mode="hybrid", limit=10)
        milliseconds.append((time.perf_counter() - began) * 1_000)
        first += hits[0].item.name == name
    p50, p95 = np.percentile(milliseconds[10:], [50, 95])
    return Searched(entities, len(names) - 10, round(float(p50), 1), round(float(p95), 1), first / len(names))
