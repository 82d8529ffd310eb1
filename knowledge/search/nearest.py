"""Vector search in Cypher that is right inside a scope: an exact scan while it is small, else a filter inside the index with exact re-scoring."""

from dataclasses import dataclass

from knowledge.database.capability import Capability

EXACT_MOST = 1_000
EXACT_MOST_WITHOUT_FILTERS = 10_000
FETCHED = 200
FETCHED_WITHOUT_FILTERS = 2_000


@dataclass(frozen=True)
class Stored:
    """Where vectors stand. `bare` is a pattern with `variable` alone, `pattern` one with its end nodes too; `members` are predicates that
    a range index serves and that leave at least the scope; `scope` are those that the vector index can check, `ends` all others.
    """

    index: str
    variable: str
    bare: str
    pattern: str
    members: str
    scope: str
    ends: str = "true"


def nearest(stored: Stored, capability: Capability, most: int) -> str:
    """Clauses that bind the variable and `score` (cosine, 0 to 1) to the `$vector`'s nearest in scope, best first, at most `most`.

    With vector filters the scan is exact up to `EXACT_MOST` members, above it the index filters and `FETCHED` are scored again. Without
    them it is exact up to `EXACT_MOST_WITHOUT_FILTERS` in scope; above it the index may miss some (`FETCHED_WITHOUT_FILTERS` looked at).
    """
    v = stored.variable
    counted = stored.members if capability.vector_filters else f"{stored.scope} AND {stored.ends}"
    exact_most = EXACT_MOST if capability.vector_filters else EXACT_MOST_WITHOUT_FILTERS
    indexed = _filtered(stored) if capability.vector_filters else _overfetched(stored)
    return (
        f"WITH COUNT {{ MATCH {stored.pattern} WHERE {counted} RETURN 1 LIMIT {exact_most + 1} }} <= {exact_most} AS small\n"
        f"CALL (small) {{ WITH * WHERE small MATCH {stored.pattern} WHERE {stored.members} AND {stored.scope} AND {stored.ends} RETURN {v}\n"
        f"UNION ALL WITH * WHERE NOT small {indexed} RETURN {v} }}\n"
        f"WITH {v}, vector.similarity.cosine({v}.gavel_vec, $vector) AS score ORDER BY score DESC LIMIT {most}"
    )


def _filtered(stored: Stored) -> str:
    return (
        f"MATCH {stored.bare} SEARCH {stored.variable} IN (VECTOR INDEX {stored.index} FOR $vector WHERE {stored.scope} LIMIT {FETCHED})"
        f" MATCH {stored.pattern} WHERE {stored.ends}"
    )


def _overfetched(stored: Stored) -> str:
    kind, column = ("Nodes", "node") if stored.bare == stored.pattern else ("Relationships", "relationship")
    return (
        f"CALL db.index.vector.query{kind}('{stored.index}', {FETCHED_WITHOUT_FILTERS}, $vector) YIELD {column} AS {stored.variable}"
        f" MATCH {stored.pattern} WHERE {stored.scope} AND {stored.ends}"
    )
