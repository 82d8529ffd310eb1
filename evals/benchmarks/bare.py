"""The loops that a load is measured against: they read the file, make the same rows and send them with UNWIND, and do nothing else."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

from knowledge.clocks import OPEN_END, OPEN_START
from knowledge.database import ddl
from knowledge.database.connection import Database
from knowledge.identity import entity_uuid, fact_id, fold
from knowledge.profile.profile import Shape

BATCH = 1_000
Triple = tuple[str, str, str]
_START, _END = OPEN_START.isoformat(), OPEN_END.isoformat()
_CLOCKS = "{0}.valid_from = start, {0}.valid_to = end, {0}.known_from = now, {0}.known_to = end, {0}.created_at = now"
_DATES = "WITH datetime($now) AS now, datetime($start) AS start, datetime($end) AS end "
_NODES = f"{_DATES} UNWIND $rows AS row MERGE (n:Entity {{uuid: row.uuid}}) ON CREATE SET n = row, {_CLOCKS.format('n')}"
_EDGES = (
    f"{_DATES} UNWIND $rows AS row MATCH (a:Entity {{uuid: row.subject}}) MATCH (b:Entity {{uuid: row.object}}) "
    f"CREATE (a)-[r:RELATES_TO]->(b) SET r = row.edge, {_CLOCKS.format('r')}"
)
_RELATIONS = (
    "UNWIND $names AS name MERGE (t:GavelRelationType {group_id: $namespace, name: name}) ON CREATE SET t.id = $namespace + '/' + name"
)
_THINGS = "UNWIND $names AS name MERGE (n:Thing {name: name})"
_TYPED = "UNWIND $rows AS row MATCH (a:Thing {name: row[0]}) MATCH (b:Thing {name: row[1]}) CREATE (a)-[:"
_SHARED: dict[str, object] = {
    "confidence": 1.0,
    "observation_count": 1,
    "access_level": "public",
    "visibility_group": "",
    "valid_from_precision": "instant",
    "valid_to_precision": "instant",
}


def bare(database: Database, file: Path, namespace: str, shape: Shape, source: str) -> None:
    """Write the triples of a TSV file into an empty database: no checks, nothing known before, no way back after a kill."""
    ddl.ensure(database, shape)
    if shape == "native":
        ddl.create_name_constraint(database, "Thing")
    write = _memory if shape == "memory" else _native
    for triples in _batches(file):
        database.transact(_transaction(write(triples, namespace, source)))


Statement = tuple[str, dict[str, object]]


def _transaction(statements: Sequence[Statement]) -> Callable[[object], None]:
    def work(transaction: object) -> None:
        run = transaction.run  # type: ignore[attr-defined]
        for statement, parameters in statements:
            run(statement, parameters).consume()

    return work


def _batches(file: Path) -> Iterator[list[Triple]]:
    batch: list[Triple] = []
    with file.open(encoding="utf-8") as lines:
        for line in lines:
            subject, relation, object_ = line.rstrip("\n").split("\t")
            batch.append((subject, relation, object_))
            if len(batch) == BATCH:
                yield batch
                batch = []
    if batch:
        yield batch


def _memory(triples: list[Triple], namespace: str, source: str) -> list[Statement]:
    dates: dict[str, object] = {"now": datetime.now(UTC).isoformat(), "start": _START, "end": _END}
    names = dict.fromkeys(name for subject, _, object_ in triples for name in (subject, object_))
    uuids = {name: entity_uuid(namespace, "", name) for name in names}
    nodes = [_node(namespace, name, uuid) for name, uuid in uuids.items()]
    edges = [{"subject": uuids[s], "object": uuids[o], "edge": _edge(namespace, (s, r, o), source)} for s, r, o in triples]
    relations: dict[str, object] = {"namespace": namespace, "names": list({relation for _, relation, _ in triples})}
    return [(_NODES, {**dates, "rows": nodes}), (_EDGES, {**dates, "rows": edges}), (_RELATIONS, relations)]


def _node(namespace: str, name: str, uuid: str) -> dict[str, object]:
    folded = fold(name)
    said = {"uuid": uuid, "group_id": namespace, "key": name, "name": name, "folded_name": folded, "search_text": folded}
    return {**said, "kind": "", "aliases": [], "folded_aliases": [], "summary": "", "properties": "", **_SHARED}


def _edge(namespace: str, triple: Triple, source: str) -> dict[str, object]:
    subject, relation, object_ = triple
    fact = f"{subject} {relation.replace('_', ' ')} {object_}"
    uuid = fact_id(namespace, "", subject, relation, object_, _START)
    said = {"uuid": uuid, "fact_id": uuid, "group_id": namespace, "name": relation, "fact": fact, "search_text": fold(fact)}
    return {**said, "from_key": subject, "to_key": object_, "source": source, "episodes": [], **_SHARED}


def _native(triples: list[Triple], namespace: str, source: str) -> list[Statement]:
    names = list(dict.fromkeys(name for subject, _, object_ in triples for name in (subject, object_)))
    groups: dict[str, list[list[str]]] = defaultdict(list)
    for subject, relation, object_ in triples:
        groups[relation].append([subject, object_])
    typed: list[Statement] = [(f"{_TYPED}{ddl.quoted(relation)}]->(b)", {"rows": rows}) for relation, rows in groups.items()]
    return [(_THINGS, {"names": names}), *typed]
