"""Search in the memory shape: full-text and vector indexes, the scope applied to every row before any limit."""

from typing import TYPE_CHECKING

from knowledge.database.ddl import ENTITY_TEXT, FACT_TEXT, vector_index
from knowledge.reading.dialect import About, Clause
from knowledge.search.nearest import Stored, nearest
from knowledge.search.text import any_word, like_words

if TYPE_CHECKING:
    from knowledge.reading.memory import MemoryDialect


def entities(d: "MemoryDialect", about: About) -> Clause:
    """Entities that share a word with the text, and those with a near vector."""
    return _entities(d, about, any_word(about.text))


def like(d: "MemoryDialect", about: About) -> Clause:
    """The same, where a word may also be misspelt or cut short."""
    return _entities(d, about, like_words(about.text))


def facts(d: "MemoryDialect", about: About) -> Clause:
    """Facts that share a word with the text, and those with a near vector."""
    query = any_word(about.text)
    ends = f"{d.sees_node('a')} AND {d.sees_node('b')}"
    branches = []
    if about.words and query:
        branches.append(
            f"CALL db.index.fulltext.queryRelationships('{FACT_TEXT}', $query) YIELD relationship AS r, score"
            f" WITH r, score, startNode(r) AS a, endNode(r) AS b WHERE {d.sees_fact('r')} AND {ends}"
            f" RETURN 'words' AS source, score, r LIMIT {about.most}"
        )
    if about.vector:
        stored = Stored(
            index=vector_index("fact", d.model),
            variable="r",
            bare="()-[r:RELATES_TO]->()",
            pattern="(a:Entity)-[r:RELATES_TO]->(b:Entity)",
            members="a.group_id IN $namespaces AND a.folded_name >= '' AND r.group_id IN $namespaces AND r.gavel_vec_model = $model",
            scope=f"{d.sees_fact('r')} AND r.gavel_vec_model = $model",
            ends=ends,
        )
        branches.append(f"{nearest(stored, d.capability, about.most)} RETURN 'vector' AS source, score, r")
    return _united(branches, "r", _parameters(d, about, query))


def _entities(d: "MemoryDialect", about: About, query: str) -> Clause:
    branches = [*_entities_by_words(d, about, query), *_entities_by_vector(d, about)]
    return _united(branches, "n", _parameters(d, about, query))


def _entities_by_words(d: "MemoryDialect", about: About, query: str) -> list[str]:
    if not (about.words and query):
        return []
    return [
        f"CALL db.index.fulltext.queryNodes('{ENTITY_TEXT}', $query) YIELD node AS n, score"
        f" WITH n, score WHERE {_of_kind(about)}{d.sees_node('n')} RETURN 'words' AS source, score, n LIMIT {about.most}"
    ]


def _entities_by_vector(d: "MemoryDialect", about: About) -> list[str]:
    if not about.vector:
        return []
    in_index = f"{_of_kind(about)}{d.open_to('n')} AND n.gavel_vec_model = $model"
    stored = Stored(
        index=vector_index("entity", d.model),
        variable="n",
        bare="(n:Entity)",
        pattern="(n:Entity)",
        members="n.group_id IN $namespaces AND n.folded_name >= '' AND n.gavel_vec_model = $model",
        scope=in_index if d.past else f"{in_index} AND {d.holds('n')}",
        ends=d.sees_node("n") if d.past else "true",
    )
    return [f"{nearest(stored, d.capability, about.most)} RETURN 'vector' AS source, score, n"]


def _of_kind(about: About) -> str:
    return "n.kind IN $kinds AND " if about.kinds else ""


def _parameters(d: "MemoryDialect", about: About, query: str) -> dict[str, object]:
    return {"query": query, "vector": list(about.vector), "kinds": list(about.kinds), "model": d.model}


def _united(branches: list[str], variable: str, parameters: dict[str, object]) -> Clause:
    """One subquery; without a branch (a text without words, and no vectors) it has no rows."""
    nothing = f"UNWIND [] AS {variable} RETURN 'words' AS source, 0.0 AS score, {variable}"
    return Clause(f"CALL () {{ {' UNION ALL '.join(branches) or nothing} }}", parameters)
