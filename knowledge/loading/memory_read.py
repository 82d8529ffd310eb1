"""What the kg holds of the entities and facts that a batch is about, read inside the batch's transaction."""

import json
from collections.abc import Iterable, Sequence

from neo4j import ManagedTransaction

from knowledge.clocks import OPEN_END
from knowledge.database.connection import Row
from knowledge.loading import memory_cypher as cypher
from knowledge.loading.memory_entities import EntityState
from knowledge.loading.memory_facts import KnownFact, Observation
from knowledge.loading.period import Period
from knowledge.loading.properties import instant, iso


def entity_states(transaction: ManagedTransaction, uuids: Sequence[str]) -> dict[str, EntityState]:
    """The current state of each entity that exists."""
    rows = transaction.run(cypher.ENTITIES, uuids=list(uuids)).value("entity")
    return {row["uuid"]: _state(row) for row in rows}


def known_facts(transaction: ManagedTransaction, facts: Iterable[str]) -> dict[str, KnownFact]:
    """What is believed of each fact that is known. One that no evidence was ever kept of stands on its live edge alone."""
    found = transaction.run(cypher.FACTS, facts=list(facts), open_end=iso(OPEN_END)).data()
    known: dict[str, KnownFact] = {}
    for row in found:
        fact = known.setdefault(row["fact"], KnownFact())
        fact.versions += 1
        if row["live"]:
            fact.live, fact.access_level, fact.live_valid_to = row["uuid"], row["access_level"], iso(instant(row["valid_to"]))
    kept = transaction.run(cypher.EVIDENCE, facts=list(known)).data() if known else []
    apart = {row["fact"] for row in kept}
    standing = [row for row in kept if row["stands"]] + [row for row in found if row["live"] and row["fact"] not in apart]
    for row in standing:
        known[row["fact"]].observations.append(_observation(row))
    return known


def _observation(row: Row) -> Observation:
    return Observation(
        row["fact"], row["source"], row["place"], iso(instant(row["valid_to"])), row["confidence"], row["access_level"], row["at"]
    )


def _state(row: Row) -> EntityState:
    return EntityState(
        row["uuid"],
        row["key"],
        row["name"],
        row["kind"],
        tuple(row["aliases"]),
        row["summary"],
        json.loads(row["properties"]) if row["properties"] else {},
        row["confidence"],
        row["access_level"],
        row["visibility_group"],
        Period(
            instant(row["valid_from"]),
            instant(row["valid_to"]),
            row["valid_from_precision"],
            row["valid_to_precision"],
            row["valid_from_text"] or "",
            row["valid_to_text"] or "",
        ),
        tuple(row["seen"] or ()),
    )
