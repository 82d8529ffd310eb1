"""The facts around entities."""

from collections.abc import Sequence

from knowledge.reading.session import Gathered, Session, gathered
from knowledge.records import Direction, Fact


def expand(session: Session, ids: Sequence[str], relations: Sequence[str], direction: Direction | None, limit: int) -> list[Fact]:
    """Facts of these entities, grouped in the order of the ids; every entity and every relation of it gets its share of `limit`."""
    keys = session.dialect.keys(ids)
    if not keys:
        return []
    d = session.dialect
    around = d.around("n")
    chosen = f"{d.relation('r')} IN $relations AND " if relations else ""
    statement = (
        f"{d.starts('n', '$keys')}\n"
        f"CALL (n) {{ {around.clause}MATCH ({around.node}){d.fact('r', direction or 'both')}{d.node('m')}"
        f" WHERE {chosen}{d.sees_fact('r')} AND {d.sees_node('m')}"
        f" WITH {d.relation('r')} AS relation, startNode(r) = {around.node} AS forward, collect(r) AS of_relation"
        " RETURN of_relation[..$limit] AS of_relation }\n"
        "UNWIND range(0, size(of_relation) - 1) AS turn WITH of_relation[turn] AS r, min(turn) AS turn ORDER BY turn LIMIT $limit\n"
        "WITH collect(r) AS facts\n"
        f"{gathered(d, 'facts')}RETURN fact_rows, entity_rows"
    )
    rows = session.send(statement, {"keys": keys, "relations": list(relations), "limit": limit})
    facts = [fact for row in rows for fact in Gathered(d, row).facts.values()]
    order = {entity: place for place, entity in enumerate(ids)}
    last = len(order)
    return sorted(facts, key=lambda f: (min(order.get(f.subject.id, last), order.get(f.object.id, last)), f.relation))
