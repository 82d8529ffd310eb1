"""What a connected database says about its own condition."""

from dataclasses import dataclass

from knowledge.database.connection import Database


@dataclass(frozen=True)
class IndexState:
    """One index: `state` is ONLINE, POPULATING or FAILED, `percent` how far it is filled."""

    name: str
    kind: str
    state: str
    percent: float


def index_states(database: Database) -> list[IndexState]:
    """Every index but the server's own look-ups, by name."""
    rows = database.read(
        "SHOW INDEXES YIELD name, type, state, populationPercent WHERE type <> 'LOOKUP' "
        "RETURN name, type, state, populationPercent AS percent ORDER BY name"
    )
    return [IndexState(row["name"], row["type"], row["state"], row["percent"]) for row in rows]


def milliseconds(database: Database) -> float:
    """One round trip."""
    from time import perf_counter

    began = perf_counter()
    database.read("RETURN 1 AS one")
    return (perf_counter() - began) * 1000
