"""What the record of accesses adds to a question: pairs of runs with and without it, in turn. `python -m evals.benchmarks.access URI PASSWORD`.

The database is emptied, and the bundled sample world loaded into it.
"""

import argparse
import statistics
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

import gavel
from gavel.brains import rules
from graphs.ask import build
from graphs.door import AskGraph
from knowledge.access.access import Unwitnessed, Witness
from knowledge.access.log import AccessLog
from knowledge.cypher.reader import GuardedReader
from knowledge.database.connection import Database
from knowledge.loading.loader import load
from knowledge.profile.profile import GraphProfile
from knowledge.reading.kg import Kg
from knowledge.scope import LOCAL, PUBLIC, Scope

WORLD = Path(gavel.__file__).parent / "world"
QUESTIONS = ("Who founded Anthropic?", "Where do the founders of Anthropic work?", "How many companies are there?")
WARM_UP = 15
PUBLIC_ONLY = Scope(frozenset({"world"}))
RESTRICTED = Scope(frozenset({"world"}), frozenset({PUBLIC, "internal"}))


def graph(database: Database, witness: Witness, scope: Scope, folder: Path) -> AskGraph:
    """Answers by rules, without an embedder."""
    kg = Kg(database, GraphProfile(), folder=folder, witness=witness)
    return build(lambda given, meter: GuardedReader(kg, given, meter), rules(lambda: kg.profile, folder), lambda: LOCAL.principal(scope))


def compared(one: AskGraph, other: AskGraph, pairs: int) -> tuple[list[float], list[float]]:
    """Milliseconds of all questions by each, in turn, so that what else goes on falls on both."""
    taken: Mapping[AskGraph, list[float]] = {one: [], other: []}
    for number in range(pairs + WARM_UP):
        for each in (one, other) if number % 2 else (other, one):
            began = time.perf_counter()
            for question in QUESTIONS:
                each.invoke({"question": question})
            taken[each].append((time.perf_counter() - began) * 1000)
    return taken[one][WARM_UP:], taken[other][WARM_UP:]


def main() -> int:
    """Print both medians and the median of the ratios of pairs, for public reads and for restricted ones."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("uri")
    parser.add_argument("password")
    parser.add_argument("--pairs", type=int, default=40)
    given = parser.parse_args()
    with Database.connect(given.uri, "neo4j", given.password) as database, tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        database.write("MATCH (n) DETACH DELETE n")
        load(database, [WORLD / "entities.jsonl", WORLD / "facts.jsonl"], "world")
        log = AccessLog(folder / "access.sqlite", 0)
        for what, scope in (("public", PUBLIC_ONLY), ("restricted", RESTRICTED)):
            without, with_it = compared(graph(database, Unwitnessed(), scope, folder), graph(database, log, scope, folder), given.pairs)
            ratio = statistics.median(b / a for a, b in zip(without, with_it, strict=True))
            sys.stdout.write(
                f"{what:12} without {statistics.median(without):7.1f} ms  with {statistics.median(with_it):7.1f} ms  ratio {ratio:.3f}\n"
            )
        log.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
