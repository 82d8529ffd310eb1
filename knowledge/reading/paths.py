"""The best short paths between pairs of entities: every node and fact of a path is in scope while it is searched, not afterwards."""

from collections.abc import Sequence

from knowledge.errors import ConfigError
from knowledge.reading.dialect import Dialect
from knowledge.reading.session import Gathered, Session, gathered
from knowledge.records import Path

MOST_HOPS = 5
CONSIDERED = 50
HUB = 200
CROSSINGS = 2
"""How often a path may go on at another node of the same entity, its ends apart."""


def paths(session: Session, pairs: Sequence[tuple[str, str]], hops: int, most: int, relations: Sequence[str]) -> list[list[Path]]:
    """Up to `most` paths without repeated nodes per pair. ConfigError for more than five hops.

    Paths over `relations` alone come first, then the shortest, the most confident, and those over less connected entities, which say more.
    Of each pair the `CONSIDERED` shortest are ranked.
    """
    if not 1 <= hops <= MOST_HOPS:
        raise ConfigError(f"paths of {hops} hops cannot be searched; use 1 to {MOST_HOPS}")
    d = session.dialect
    asked = [
        {"pair": i, "from": d.keys([a]), "to": d.keys([b])} for i, (a, b) in enumerate(pairs) if a != b and d.keys([a]) and d.keys([b])
    ]
    found: list[list[Path]] = [[] for _ in pairs]
    if not asked:
        return found
    for row in session.send(_statement(d, hops, bool(relations)), {"pairs": asked, "most": most, "relations": list(relations)}):
        gathered_row = Gathered(d, row)
        found[row["pair"]] = [gathered_row.path(pairs[row["pair"]][0], facts) for facts in row["paths"]]
    return found


def _statement(d: Dialect, hops: int, preferring: bool) -> str:
    search = _search(d, hops, "")
    if preferring:
        over_relations = _search(d, hops, f"{d.relation('r')} IN $relations AND ")
        search = f"{over_relations} UNION {search}"
    first, last = d.around("a"), d.around("b")
    return (
        f"UNWIND $pairs AS pair\n{d.starts('a', 'pair.from')}\n{d.starts('b', 'pair.to')}\n{first.clause}{last.clause}"
        f"CALL ({first.node}, {last.node}) {{ {search} }}\n"
        f"{_proper(d, hops)}\n"
        f"WITH pair, ns, rs, any(r IN rs WHERE NOT {d.relation('r')} IN $relations) AS strays\n"
        "ORDER BY pair, strays, size(rs) WITH pair, collect({ns: ns, rs: rs, strays: strays}) AS ranked\n"
        "UNWIND ranked AS p WITH pair, p, ranked[CASE WHEN size(ranked) < $most THEN size(ranked) ELSE $most END - 1] AS last\n"
        "WHERE p.strays < last.strays OR p.strays = last.strays AND size(p.rs) <= size(last.rs)\n"
        f"WITH pair, p, {_hubs(d, 'p.ns[1..-1]')} AS hubs\n"
        "ORDER BY pair, p.strays, size(p.rs),"
        f" reduce(sure = 1.0, r IN p.rs | sure * {d.confidence('r')}) DESC, hubs, [n IN p.ns | {d.name('n')}]\n"
        "WITH pair, collect(p.rs)[..$most] AS best\n"
        "CALL (best) { UNWIND best AS rs UNWIND rs AS f RETURN collect(DISTINCT f) AS facts }\n"
        f"{gathered(d, 'facts')}"
        "RETURN pair, fact_rows, entity_rows, [rs IN best | [f IN rs | elementId(f)]] AS paths"
    )


def _search(d: Dialect, hops: int, chosen: str) -> str:
    pattern, over = d.way("r", "x", "y", chosen)
    inside = f"{over} AND {d.sees_node('x')} AND {d.sees_node('y')}"
    longest = hops + CROSSINGS if d.joining else hops
    return (
        f"MATCH p = SHORTEST {CONSIDERED} ({d.around('a').node}) ({d.node('x')}{pattern}{d.node('y')} WHERE {inside}){{1,{longest}}}"
        f" ({d.around('b').node}) RETURN nodes(p) AS ns, relationships(p) AS rs"
    )


def _proper(d: Dialect, hops: int) -> str:
    """Clauses that leave the paths without a repeated entity, each with its entities and its facts."""
    if not d.joining:
        return "WITH pair.pair AS pair, ns, rs WHERE none(i IN range(1, size(ns) - 1) WHERE ns[i] IN ns[..i])"
    return (
        f"WITH pair.pair AS pair, [r IN rs WHERE r:RELATES_TO] AS rs, head(collect(ns)) AS ns WHERE size(rs) <= {hops}\n"
        f"WITH pair, rs, COLLECT {{ UNWIND ns AS n WITH {d.grouped('n')} RETURN n }} AS ns WHERE size(ns) = size(rs) + 1"
    )


def _hubs(d: Dialect, nodes: str) -> str:
    """How connected the nodes of a list are in scope, each counted up to `HUB`."""
    around = d.around("n")
    return (
        f"reduce(all = 0, k IN COLLECT {{ UNWIND {nodes} AS n RETURN COUNT {{ {around.clause}MATCH ({around.node}){d.fact('h', 'both')}{d.node('m')}"
        f" WHERE {d.sees_fact('h')} AND {d.sees_node('m')} RETURN 1 LIMIT {HUB} }} }} | all + k)"
    )
