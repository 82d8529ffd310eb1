"""How much of the true top 10 a search by meaning finds in each namespace, measured on what is stored."""

from dataclasses import dataclass, replace

from knowledge.reading.kg import Kg
from knowledge.reading.meter import Unmetered
from knowledge.reading.reader import Reader
from knowledge.reading.session import Session
from knowledge.scope import Scope

TOP = 10
QUERIES = 10
NAMESPACES = 5
TIE = 1e-5


@dataclass(frozen=True)
class Recall:
    """The share of the `TOP` nearest of a brute-force scan that the search found, over the names of `QUERIES` of its entities."""

    namespace: str
    entities: int
    recall: float


def recall(kg: Kg, scope: Scope, principal: str = "") -> list[Recall]:
    """One line for each of the `NAMESPACES` largest namespaces of the scope. Empty where the kg has no vectors or keeps them aside."""
    if kg.aside or not kg.semantic:
        return []
    session = _session(kg, scope, principal)
    d = session.dialect
    rows = session.send(
        f"MATCH (n:Entity) WHERE n.gavel_vec_model = $model AND {d.sees_node('n')} WITH n.group_id AS namespace, count(*) AS entities\n"
        f"RETURN namespace, entities ORDER BY entities DESC, namespace LIMIT {NAMESPACES}",
        {"model": _model(kg)},
    )
    return [
        Recall(row["namespace"], row["entities"], _measured(kg, replace(scope, namespaces=frozenset({row["namespace"]})), principal))
        for row in rows
    ]


def _measured(kg: Kg, scope: Scope, principal: str) -> float:
    session, reader = _session(kg, scope, principal), kg.reader(scope, Unmetered(principal))
    found = wanted = 0
    for name in _names(session, _model(kg)):
        vector = kg.vector(name)
        if not vector:
            continue
        truth = _nearest(session, vector, _model(kg))
        wanted += len(truth)
        found += _correct(reader, name, truth[-1])
    return found / wanted if wanted else 1.0


def _names(session: Session, model: str) -> list[str]:
    """Names of some entities, in the order of their ids, which are hashes."""
    d = session.dialect
    rows = session.send(
        f"MATCH (n:Entity) WHERE n.gavel_vec_model = $model AND {d.sees_node('n')} RETURN n.name AS name ORDER BY n.uuid LIMIT {QUERIES}",
        {"model": model},
    )
    return [row["name"] for row in rows]


def _nearest(session: Session, vector: tuple[float, ...], model: str) -> list[float]:
    """The scores of the true top, best first."""
    d = session.dialect
    rows = session.send(
        f"MATCH (n:Entity) WHERE n.gavel_vec_model = $model AND {d.sees_node('n')}"
        f" RETURN vector.similarity.cosine(n.gavel_vec, $vector) AS score ORDER BY score DESC LIMIT {TOP}",
        {"model": model, "vector": list(vector)},
    )
    return [row["score"] for row in rows]


def _correct(reader: Reader, name: str, least: float) -> int:
    """How many hits score as high as the last of the true top: of equals, any will do."""
    hits = {hit.item.id: hit.score for hit in reader.search_entities(name, mode="semantic", limit=TOP)}
    return sum(score >= least - TIE for score in hits.values())


def _session(kg: Kg, scope: Scope, principal: str) -> Session:
    return kg.session(scope, Unmetered(principal), "recall")


def _model(kg: Kg) -> str:
    return kg.embedder.model if kg.embedder else ""
