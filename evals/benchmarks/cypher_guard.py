"""What the guard for model-written Cypher makes of read statements written for other graphs. `python -m evals.benchmarks.cypher_guard`."""

import argparse
import json
import sys
from collections import Counter
from dataclasses import asdict, dataclass
from pathlib import Path

from evals.benchmarks.nl2cypher import Described, Statement, described, statements
from evals.benchmarks.servers import fresh
from gavel import settings as settings_of_gavel
from knowledge.cypher.guard import Guard
from knowledge.cypher.refusal import Refusal
from knowledge.database.connection import Database
from knowledge.database.ddl import quoted
from knowledge.errors import StatementError
from knowledge.reading.introspect import introspect
from knowledge.reading.kg import Kg
from knowledge.reading.meter import Unmetered
from knowledge.scope import Scope

NAMESPACE = "skeleton"
_EXAMPLES = 8


@dataclass
class Judged:
    """Counts. `parsed`: what the server itself understands. `allowed`: what passes where the scope is the whole database.

    `scoped`: what of that the scoped grammar takes. `misnamed`: refused for a name that the described graph has not got, which is right.
    """

    statements: int = 0
    parsed: int = 0
    allowed: int = 0
    scoped: int = 0
    misnamed: int = 0
    bounded: int = 0

    @property
    def share(self) -> float:
        """Allowed of those that the server understands and whose names are there."""
        return self.allowed / max(1, self.parsed - self.misnamed)


def skeleton(database: Database, graph: Described) -> Kg:
    """A database that holds one node per label and one relationship per triple, with every property; its nodes are replaced."""
    database.write("MATCH (n) DETACH DELETE n")
    for label in graph.labels.keys() | {end for subject, _, object_ in graph.triples for end in (subject, object_)}:
        database.write(f"CREATE (:{quoted(label)} {_written(graph.labels.get(label, {}))})")
    for subject, type_, object_ in graph.triples:
        database.write(
            f"MATCH (a:{quoted(subject)}) MATCH (b:{quoted(object_)}) WITH a, b LIMIT 1"
            f" CREATE (a)-[:{quoted(type_)} {_written(graph.types.get(type_, {}))}]->(b)"
        )
    return Kg(database, introspect(database, NAMESPACE))


def judged(database: Database, asked: list[Statement], graphs: dict[str, Described]) -> tuple[Judged, list[tuple[Refusal, str]]]:
    """Counts over all statements, and the refusals that are not about names."""
    counts, refused = Judged(), list[tuple[Refusal, str]]()
    for name in dict.fromkeys(statement.database for statement in asked):
        guard = Guard(skeleton(database, graphs[name]), Scope(frozenset({NAMESPACE})), Unmetered())
        for statement in (s for s in asked if s.database == name):
            _judge(database, guard, statement, counts, refused)
    return counts, refused


def _judge(database: Database, guard: Guard, statement: Statement, counts: Judged, refused: list[tuple[Refusal, str]]) -> None:
    counts.statements += 1
    try:
        database.explain(f"EXPLAIN {statement.text}")
    except StatementError:
        return
    counts.parsed += 1
    verdict = guard.check(statement.text)
    if isinstance(verdict, Refusal):
        counts.misnamed += verdict.layer == "names"
        if verdict.layer != "names":
            refused.append((verdict, statement.text))
        return
    counts.allowed += 1
    counts.scoped += verdict.scoped
    counts.bounded += bool(verdict.added)


def _written(properties: dict[str, str]) -> str:
    return "{" + ", ".join(f"{quoted(name)}: {value}" for name, value in properties.items()) + "}"


def main() -> None:
    """Print the counts and the refusals, on an empty server of its own."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--datasets", type=Path, default=settings_of_gavel.load().datasets)
    parser.add_argument("--neo4j-version", default=settings_of_gavel.load().neo4j_version)
    options = parser.parse_args()
    with fresh(options.neo4j_version) as bench:
        counts, refused = judged(bench.database, statements(options.datasets), described(options.datasets))
    sys.stdout.write(json.dumps({**asdict(counts), "share": round(counts.share, 4)}) + "\n")
    for code, number in Counter(refusal.code for refusal, _ in refused).most_common():
        sys.stdout.write(f"{code}: {number}\n")
    for refusal, text in refused[:_EXAMPLES]:
        sys.stdout.write(f"  {refusal}\n    {' '.join(text.split())}\n")


if __name__ == "__main__":
    main()
