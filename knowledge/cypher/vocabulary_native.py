"""The properties of a native graph, looked up in some elements of each label and type within the scope."""

from collections import defaultdict
from collections.abc import Iterable, Mapping

from knowledge.cypher.surface_native import OURS
from knowledge.cypher.vocabulary import Ends, Vocabulary
from knowledge.database.ddl import literal, quoted
from knowledge.reading.session import Session

SAMPLED = 1_000
LONGEST_LIST = 64


def sampled(session: Session, labels: Mapping[str, int], relations: Mapping[str, Ends]) -> Vocabulary:
    """One statement. Long lists are vectors and no properties to speak of. Where all of a relation was looked at, its ends are certain."""
    parts = [_nodes(session, label) for label in labels] + [_facts(session, type_) for type_ in relations]
    nodes: defaultdict[str, set[str]] = defaultdict(set)
    facts: defaultdict[str, set[str]] = defaultdict(set)
    certain, found = set(), dict(relations)
    for row in session.send(" UNION ALL ".join(parts), {"sampled": SAMPLED, "longest": LONGEST_LIST}) if parts else []:
        into = facts if row["fact"] else nodes
        into[row["of"]] = {key for key in row["keys"] if not key.startswith(OURS)}
        if row["seen"] < SAMPLED:
            certain.add(row["of"])
            if row["fact"]:
                found[row["of"]] = (frozenset(row["subjects"]), frozenset(row["objects"]))
    return Vocabulary(frozenset(labels), found, _frozen(nodes, labels), _frozen(facts, relations), frozenset(certain))


def _nodes(session: Session, label: str) -> str:
    return f"MATCH (n:{quoted(label)}) WHERE {session.dialect.sees_node('n')} {_keys(label, fact='false', subjects='[]', objects='[]')}"


def _facts(session: Session, type_: str) -> str:
    seen = " AND ".join([session.dialect.sees_fact("n"), *(session.dialect.sees_node(end) for end in "ab")])
    return f"MATCH (a)-[n:{quoted(type_)}]->(b) WHERE {seen} {_keys(type_, fact='true', subjects='labels(startNode(n))', objects='labels(endNode(n))')}"


def _keys(name: str, *, fact: str, subjects: str, objects: str) -> str:
    """One row: the name, how many elements were looked at, their keys, and the labels at their ends."""
    keys = "[key IN keys(n) WHERE NOT (n[key] IS :: LIST<ANY> AND size(n[key]) > $longest)]"
    return (
        f"WITH n LIMIT $sampled WITH count(n) AS seen, collect({keys}) AS keys,"
        f" collect({subjects}) AS subjects, collect({objects}) AS objects"
        f" RETURN {literal(name)} AS of, {fact} AS fact, seen, {_once('keys')} AS keys, {_once('subjects')} AS subjects, {_once('objects')} AS objects"
    )


def _once(lists: str) -> str:
    """The members of all lists, each once."""
    return f"reduce(all = [], some IN {lists} | all + [each IN some WHERE NOT each IN all])"


def _frozen(found: Mapping[str, set[str]], names: Iterable[str]) -> dict[str, frozenset[str]]:
    return {name: frozenset(found.get(name, ())) for name in names}
