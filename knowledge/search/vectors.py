"""Vectors of the memory shape: which elements lack one of a model, their texts, and how vectors are written."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from neo4j.vector import Vector

from knowledge.database.connection import Database
from knowledge.embedding.embedder import Vectors

Element = Literal["entity", "relation", "fact"]
ELEMENTS: tuple[Element, ...] = ("entity", "relation", "fact")
LABELS: dict[Element, str] = {
    "entity": "vectors of entities",
    "relation": "vectors of relation types",
    "fact": "vectors of facts",
}
PAGE = 1_000
SUMMARY_CHARACTERS = 300


@dataclass(frozen=True)
class _Kind:
    pattern: str
    id: str
    text: str
    setter: str


_KINDS: dict[Element, _Kind] = {
    "entity": _Kind(
        "(x:Entity)",
        "x.uuid",
        f"x.name + CASE WHEN coalesce(x.summary, '') = '' THEN '' ELSE '. ' + left(x.summary, {SUMMARY_CHARACTERS}) END",
        "db.create.setNodeVectorProperty",
    ),
    "relation": _Kind("(x:GavelRelationType)", "x.id", "trim(replace(x.name, '_', ' '))", "db.create.setNodeVectorProperty"),
    "fact": _Kind("()-[x:RELATES_TO]->()", "x.uuid", "coalesce(x.fact, x.name)", "db.create.setRelationshipVectorProperty"),
}
_LACKS = "(x.gavel_vec_model IS NULL OR x.gavel_vec_model <> $model)"


@dataclass(frozen=True)
class Page:
    """Elements that lack a vector: their ids and the texts that stand for them."""

    ids: tuple[str, ...]
    texts: tuple[str, ...]


def entity_text(name: str, summary: str) -> str:
    """What is embedded of an entity, as the statement for stored ones says it."""
    return f"{name}. {summary[:SUMMARY_CHARACTERS]}" if summary else name


def total(database: Database, element: Element) -> int:
    """How many elements there are."""
    return int(database.read(f"MATCH {_KINDS[element].pattern} RETURN count(x) AS n")[0]["n"])


def lacking(database: Database, element: Element, model: str) -> int:
    """How many elements have no vector of the model."""
    return int(database.read(f"MATCH {_KINDS[element].pattern} WHERE {_LACKS} RETURN count(x) AS n", {"model": model})[0]["n"])


def pages(database: Database, element: Element, model: str) -> Iterator[Page]:
    """All that lack a vector, in the order of their ids; what is added meanwhile may be missed."""
    kind = _KINDS[element]
    statement = (
        f"MATCH {kind.pattern} WHERE {kind.id} > $after AND {_LACKS} "
        f"RETURN {kind.id} AS id, {kind.text} AS text ORDER BY {kind.id} LIMIT {PAGE}"
    )
    after = ""
    while rows := database.read(statement, {"model": model, "after": after}):
        yield Page(tuple(row["id"] for row in rows), tuple(row["text"] for row in rows))
        after = rows[-1]["id"]


def write(database: Database, element: Element, model: str, page: Page, vectors: Vectors) -> int:
    """Store one vector per element whose text is still the embedded one, and return how many that were.

    Vectors travel packed where the server takes that, else as lists of floats.
    """
    kind = _KINDS[element]
    sent = [Vector.from_numpy(v) for v in vectors] if database.capability.vector_values else vectors.tolist()
    rows = [{"id": i, "text": t, "vector": v} for i, t, v in zip(page.ids, page.texts, sent, strict=True)]
    found = database.write(
        f"UNWIND $rows AS row MATCH {kind.pattern} WHERE {kind.id} = row.id AND {kind.text} = row.text "
        f"CALL {kind.setter}(x, 'gavel_vec', row.vector) SET x.gavel_vec_model = $model RETURN count(x) AS written",
        {"rows": rows, "model": model},
    )
    return int(found[0]["written"])


def forget(database: Database, element: Element) -> None:
    """Let every element lack a vector."""
    statement = (
        f"MATCH {_KINDS[element].pattern} WHERE x.gavel_vec_model IS NOT NULL WITH x LIMIT 5000 "
        "REMOVE x.gavel_vec, x.gavel_vec_model RETURN count(x) AS n"
    )
    while database.write(statement)[0]["n"]:
        pass
