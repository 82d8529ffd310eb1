"""From mentions to entities, and what an entity takes part in."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence

from rapidfuzz.fuzz import ratio

from knowledge.identity import fold
from knowledge.reading.dialect import Dialect, Fields
from knowledge.reading.returned import ids_of
from knowledge.reading.session import Session
from knowledge.records import Candidate, Entity, Match, RelationUse

_RANK: Mapping[Match, int] = {"exact": 0, "alias": 1, "folded": 2}


def link(session: Session, mentions: Sequence[str], limit: int) -> dict[str, list[Candidate]]:
    """Candidates per folded mention, best first: exact (equal but for case), alias, folded; then by degree. Mentions without one are left out."""
    wanted = list(dict.fromkeys(mentions))
    if not wanted:
        return {}
    d = session.dialect
    found = d.named(wanted)
    statement = f"{found.clause}\nRETURN mention, {d.entity_fields('n')} AS entity, {degree(d, 'n')} AS degree"
    candidates: dict[str, dict[str, Candidate]] = defaultdict(dict)
    for row in session.send(statement, found.parameters):
        candidate = matched(row["mention"], d.entity(row["entity"]), row["degree"])
        if candidate:
            candidates[candidate.mention][candidate.entity.id] = candidate
    return {mention: _ranked(candidates[mention].values())[:limit] for mention in wanted if mention in candidates}


def matched(mention: str, entity: Entity, degree: int) -> Candidate | None:
    """How the entity answers to the folded mention, or None where it does not."""
    if entity.name.casefold() == mention:
        return Candidate(mention, entity, "exact", 1.0, degree)
    if mention in map(fold, entity.aliases):
        return Candidate(mention, entity, "alias", 1.0, degree)
    if fold(entity.name) == mention:
        return Candidate(mention, entity, "folded", min(0.99, ratio(entity.name.casefold(), mention) / 100), degree)
    return None


def relations(session: Session, ids: Sequence[str]) -> dict[str, list[RelationUse]]:
    """The relations of each entity within the scope, most facts first; entities out of scope are left out."""
    if not ids:
        return {}
    d = session.dialect
    around = d.around("n")
    uses = " UNION ALL ".join(
        f"{around.clause}MATCH ({around.node}){d.fact('r', way)}{d.node('m')} WHERE {d.sees_fact('r')} AND {d.sees_node('m')}"
        f" RETURN {d.relation('r')} AS relation, '{way}' AS direction, count(*) AS facts"
        for way in ("out", "in")
    )
    statement = (
        f"{d.starts('n', '$keys')}\nCALL (n) {{ {uses} }}\n"
        f"WITH n, collect(DISTINCT [relation, direction, facts]) AS uses RETURN {d.entity_fields('n')} AS entity, uses"
    )
    rows = session.send(statement, {"keys": d.keys(ids)})
    return {id_: sorted((RelationUse(*u) for u in row["uses"]), key=_frequency) for row in rows for id_ in _asked(d, row["entity"], ids)}


def context(session: Session, ids: Sequence[str]) -> list[Entity]:
    """The entities of these ids that are in scope, in the order of the ids."""
    if not ids:
        return []
    d = session.dialect
    rows = session.send(f"{d.starts('n', '$keys')}\nRETURN {d.entity_fields('n')} AS entity", {"keys": d.keys(ids)})
    found = {id_: d.entity(row["entity"]) for row in rows for id_ in _asked(d, row["entity"], ids)}
    return [found[i] for i in dict.fromkeys(ids) if i in found]


def degree(dialect: Dialect, variable: str) -> str:
    """An expression: how many facts in scope the node has with entities in scope."""
    around = dialect.around(variable)
    return (
        f"COUNT {{ {around.clause}MATCH ({around.node}){dialect.fact('dr', 'both')}{dialect.node('dn')}"
        f" WHERE {dialect.sees_fact('dr')} AND {dialect.sees_node('dn')} }}"
    )


def _asked(dialect: Dialect, fields: Fields, ids: Sequence[str]) -> set[str]:
    """Under which of the ids the entity was asked for."""
    entity = dialect.entity(fields).id
    return {entity, *ids_of(fields)} & set(ids) if dialect.joining else {entity}


def _ranked(candidates: Collection[Candidate]) -> list[Candidate]:
    return sorted(candidates, key=lambda c: (_RANK[c.match], -c.similarity, -c.degree, c.entity.name, c.entity.id))


def _frequency(use: RelationUse) -> tuple[int, str, str]:
    return -use.count, use.relation, use.direction
