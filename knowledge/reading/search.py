"""Search by words and vectors within the scope, and suggestions for names that nothing answers to exactly."""

from collections.abc import Sequence

from rapidfuzz.fuzz import ratio, token_sort_ratio

from knowledge.database.connection import Row
from knowledge.identity import fold, words
from knowledge.reading.contract import Hit, SearchMode
from knowledge.reading.dialect import About, Clause
from knowledge.reading.link import degree
from knowledge.reading.session import Gathered, Session, gathered
from knowledge.records import Candidate, Entity, Fact, Match
from knowledge.search.fusion import fused

CONSIDERED = 50
SIMILAR = 0.75
RELATED = 0.5


def search_entities(session: Session, about: About, mode: SearchMode, limit: int) -> list[Hit[Entity]]:
    """Entities by one ranking, or by both fused. Scores are BM25, cosine (0 to 1) or the fused score."""
    d = session.dialect
    rows = _sent(session, d.entities_about(about), f"{d.entity_fields('n')} AS entity")
    found = {entity.id: entity for row in rows if (entity := d.entity(row["entity"]))}
    return [
        Hit(found[id_], score)
        for id_, score in _ranked([(row, d.entity(row["entity"]).id, row["entity"]["name"]) for row in rows], mode)[:limit]
    ]


def search_facts(session: Session, about: About, mode: SearchMode, limit: int) -> list[Hit[Fact]]:
    """As `search_entities`, over facts."""
    d = session.dialect
    found = d.facts_about(about)
    statement = (
        f"{found.clause}\nWITH collect({{source: source, score: score, fact: r}}) AS hits WITH hits, [h IN hits | h.fact] AS facts\n"
        f"{gathered(d, 'facts')}"
        "RETURN fact_rows, entity_rows, [h IN hits | {source: h.source, score: h.score, fact: elementId(h.fact)}] AS hits"
    )
    rows = session.send(statement, found.parameters)
    facts = {ref: fact for row in rows for ref, fact in Gathered(d, row).facts.items()}
    hits = [(hit, hit["fact"], facts[hit["fact"]].text) for row in rows for hit in row["hits"]]
    return [Hit(facts[ref], score) for ref, score in _ranked(hits, mode)[:limit]]


def suggest(session: Session, about: About, limit: int) -> list[Candidate]:
    """Partial, fuzzy and vector matches, most similar first, then by degree."""
    d = session.dialect
    rows = _sent(session, d.entities_like(about), f"{d.entity_fields('n')} AS entity, {degree(d, 'n')} AS degree")
    best: dict[str, Candidate] = {}
    for row in rows:
        candidate = _candidate(about.text, d.entity(row["entity"]), row)
        if candidate and (candidate.entity.id not in best or candidate.similarity > best[candidate.entity.id].similarity):
            best[candidate.entity.id] = candidate
    return sorted(best.values(), key=lambda c: (-c.similarity, -c.degree, c.entity.name, c.entity.id))[:limit]


def _sent(session: Session, found: Clause, returned: str) -> list[Row]:
    return session.send(f"{found.clause}\nRETURN source, score, {returned}", found.parameters)


def _ranked(rows: Sequence[tuple[Row, str, str]], mode: SearchMode) -> list[tuple[str, float]]:
    """References with their scores, best first, from (row, reference, text); equals stand in the order of their texts."""
    rankings: dict[str, dict[str, float]] = {"words": {}, "vector": {}}
    for row, ref, _ in sorted(rows, key=lambda hit: (-hit[0]["score"], hit[2])):
        rankings[row["source"]].setdefault(ref, row["score"])
    if mode == "hybrid":
        return fused([list(rankings["words"]), list(rankings["vector"])])
    return list(rankings["words" if mode == "keyword" else "vector"].items())


def _candidate(text: str, entity: Entity, row: Row) -> Candidate | None:
    match, similarity = resemblance(text, (entity.name, *entity.aliases))
    if row["source"] == "vector" and row["score"] > similarity and match != "partial":
        match, similarity = "vector", row["score"]
    if similarity < (RELATED if match == "vector" else SIMILAR) and match != "partial":
        return None
    return Candidate(text, entity, match, round(similarity, 4), row["degree"])


def resemblance(text: str, names: Sequence[str]) -> tuple[Match, float]:
    """How the text resembles the closest of the names: part of it (0.6 to 1 by the share it covers), or alike in letters (0 to 1)."""
    wanted, folded = set(words(text)), fold(text)
    match: Match = "fuzzy"
    best = 0.0
    for name in map(fold, names):
        part = wanted <= set(name.split()) or (not folded.isascii() and folded in name)
        alike = max(ratio(folded, name), token_sort_ratio(folded, name)) / 100
        similarity = max(alike, 0.6 + 0.4 * min(1.0, len(folded) / max(1, len(name)))) if part and wanted else alike
        if similarity > best:
            match, best = "partial" if part and wanted else "fuzzy", similarity
    return match, best
