"""How much of the true top 10 a search inside a scope finds, against brute force. `python -m evals.benchmarks.recall`."""

import argparse
import json
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from evals.benchmarks.servers import fresh
from knowledge.clocks import moment
from knowledge.database import ddl
from knowledge.database.connection import Database
from knowledge.embedding.choice import embedder
from knowledge.embedding.embedder import Embedder, Vectors
from knowledge.identity import entity_uuid, fold
from knowledge.profile.profile import GraphProfile
from knowledge.reading.contract import SearchMode
from knowledge.reading.kg import Kg
from knowledge.reading.meter import Unmetered
from knowledge.reading.reader import Reader
from knowledge.scope import Scope
from knowledge.search import vectors
from knowledge.search.text import any_word

GOAL = 0.99
TOP = 10
SHARES = {"ten": 0.10, "two": 0.02, "tiny": 0.001}
REST = "rest"
WORDS = 6_000
PAGE = 1_000
PAST = "2020"
_CREATE = """
UNWIND $rows AS row
CREATE (n:Entity) SET n = row.said, n.valid_from = datetime(row.valid_from), n.valid_to = datetime('9999-12-31T00:00:00Z'),
  n.known_from = datetime('2020-01-01T00:00:00Z'), n.known_to = datetime('9999-12-31T00:00:00Z')
"""
_ALL_HITS = f"CALL db.index.fulltext.queryNodes('{ddl.ENTITY_TEXT}', $query) YIELD node, score RETURN node.uuid AS id, score"


@dataclass(frozen=True)
class Population:
    """Entities with their vectors and where they stand, row by row."""

    names: tuple[str, ...]
    ids: tuple[str, ...]
    vectors: Vectors
    namespaces: NDArray[np.str_]
    public: NDArray[np.bool_]
    old: NDArray[np.bool_]

    def seen(self, scope: Scope) -> NDArray[np.bool_]:
        """Which rows the scope sees."""
        access = self.public | ("secret" in scope.access_levels)
        return np.isin(self.namespaces, sorted(scope.namespaces)) & access & (self.old | (scope.as_of is None))


@dataclass(frozen=True)
class Recall:
    """One line of the table: the share of the true top 10 that was found, over all queries, and how long a search took."""

    search: str
    scope: str
    entities: int
    recall: float
    p50: float
    p95: float


def names(count: int, seed: int = 7) -> tuple[str, ...]:
    """Distinct two-word names over common English and Chinese words, the same for every run."""
    from wordfreq import top_n_list

    drawn = np.random.default_rng(seed)
    english = [word for word in top_n_list("en", WORDS) if len(word) > 3]
    chinese = [word for word in top_n_list("zh", WORDS) if len(word) > 1]
    found: dict[str, None] = {}
    while len(found) < count:
        found[" ".join(drawn.choice(english, 2)) if drawn.random() < 0.8 else "".join(drawn.choice(chinese, 2))] = None
    return tuple(found)


def population(texts: Sequence[str], model: Embedder, seed: int = 7) -> Population:
    """Namespaces that hold 10, 2 and 0.1 %, the rest in a fourth; seven of ten are public, half are true since long ago."""
    drawn = np.random.default_rng(seed)
    where = drawn.random(len(texts))
    spaces = np.full(len(texts), REST, dtype="<U4")
    edge = 0.0
    for name, share in SHARES.items():
        spaces[(where >= edge) & (where < edge + share)] = name
        edge += share
    ids = tuple(entity_uuid(space, "", text) for space, text in zip(spaces, texts, strict=True))
    embedded = np.concatenate([model.embed(texts[at : at + PAGE]) for at in range(0, len(texts), PAGE)])
    return Population(tuple(texts), ids, embedded, spaces, drawn.random(len(texts)) < 0.7, drawn.random(len(texts)) < 0.5)


def scopes() -> dict[str, Scope]:
    """The scopes of the table, by what they hold."""
    both, two = frozenset({"public", "secret"}), frozenset({"two"})
    return {
        "100 %": Scope(frozenset({REST, *SHARES}), both),
        **{f"{share:.1%}".replace(".0", "").replace("%", " %"): Scope(frozenset({name}), both) for name, share in SHARES.items()},
        "2 %, public": Scope(two),
        "2 %, as of 2020": Scope(two, both, as_of=moment(PAST)),
        "2 %, public, as of 2020": Scope(two, as_of=moment(PAST)),
    }


def write(database: Database, people: Population, model: Embedder) -> None:
    """The population as a memory with full-text and vector indexes, all online."""
    ddl.ensure(database, "memory")
    for at in range(0, len(people.names), PAGE):
        database.write(_CREATE, {"rows": [_row(people, row) for row in range(at, min(at + PAGE, len(people.names)))]})
        page = vectors.Page(people.ids[at : at + PAGE], people.names[at : at + PAGE])
        vectors.write(database, "entity", model.model, page, people.vectors[at : at + PAGE])
    ddl.create_vector_index(database, "entity", model.model, model.dimensions)
    ddl.create_vector_index(database, "fact", model.model, model.dimensions)
    database.read("CALL db.awaitIndexes(600)", seconds=610)


def measure(database: Database, people: Population, model: Embedder, queries: Sequence[str]) -> list[Recall]:
    """Search by vector and by words in every scope."""
    kg = Kg(database, GraphProfile(), model)
    questions = model.embed(queries)
    rows = []
    for name, scope in scopes().items():
        reader, seen = kg.reader(scope, Unmetered()), people.seen(scope)
        by_vector = [_scored(people.ids, question @ people.vectors.T, seen) for question in questions]
        rows.append(_line("vector", name, reader, "semantic", queries, by_vector, int(seen.sum())))
        by_words = [_word_scores(database, people, query, seen) for query in queries]
        rows.append(_line("words", name, reader, "keyword", queries, by_words, int(seen.sum())))
    return rows


Scores = dict[str, float]


def _line(
    search: str, name: str, reader: Reader, mode: SearchMode, queries: Sequence[str], truths: Sequence[Scores], entities: int
) -> Recall:
    seconds, found, wanted = [], 0, 0
    for query, truth in zip(queries, truths, strict=True):
        began = time.perf_counter()
        hits = reader.search_entities(query, mode=mode, limit=TOP)
        seconds.append(time.perf_counter() - began)
        found += correct([hit.item.id for hit in hits], truth)
        wanted += min(TOP, len(truth))
    p50, p95 = np.percentile(seconds, [50, 95]) * 1_000
    return Recall(search, name, entities, found / wanted if wanted else 1.0, round(float(p50), 1), round(float(p95), 1))


def correct(found: Sequence[str], truth: Scores) -> int:
    """How many distinct hits score at least as high as the last of the true top 10: of equals, any will do."""
    least = sorted(truth.values(), reverse=True)[:TOP][-1] if truth else 0.0
    return min(TOP, len({each for each in found if truth.get(each, -1.0) >= least - 1e-5}))


def _scored(ids: tuple[str, ...], scores: NDArray[np.float32], seen: NDArray[np.bool_]) -> Scores:
    return {ids[int(at)]: float(scores[at]) for at in np.flatnonzero(seen)}


def _word_scores(database: Database, people: Population, query: str, seen: NDArray[np.bool_]) -> Scores:
    """Every hit of the whole index, unlimited, filtered here."""
    allowed = {people.ids[int(at)] for at in np.flatnonzero(seen)}
    return {row["id"]: row["score"] for row in database.read(_ALL_HITS, {"query": any_word(query)}) if row["id"] in allowed}


def _row(people: Population, at: int) -> dict[str, object]:
    said = {
        "uuid": people.ids[at], "group_id": str(people.namespaces[at]), "name": people.names[at], "key": people.names[at], "kind": "",
        "folded_name": fold(people.names[at]), "search_text": fold(people.names[at]), "aliases": [], "folded_aliases": [], "summary": "",
        "access_level": "public" if people.public[at] else "secret", "visibility_group": "",
    }  # fmt: skip
    return {"said": said, "valid_from": "2010-01-01T00:00:00Z" if people.old[at] else "2022-01-01T00:00:00Z"}


def main() -> int:
    """Print the table and write it to a report; exit code 1 where a server that filters inside its index misses the goal."""
    arguments = _arguments()
    model = embedder()
    texts = names(arguments.entities + arguments.queries)
    people = population(texts[: arguments.entities], model)
    with fresh(arguments.neo4j_version) as bench:
        write(bench.database, people, model)
        rows = measure(bench.database, people, model, texts[arguments.entities :])
        must = bench.database.capability.vector_filters
    for row in rows:
        _say(f"{row.search:7} {row.scope:25} {row.entities:7,} recall@10 {row.recall:.4f}  p50 {row.p50:7.1f} ms  p95 {row.p95:7.1f} ms")
    report = Path(arguments.report)
    report.parent.mkdir(parents=True, exist_ok=True)
    figures = {"neo4j": arguments.neo4j_version, "model": model.model, "rows": [asdict(row) for row in rows]}
    report.write_text(json.dumps(figures, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    return int(must and any(row.recall < GOAL for row in rows))


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--entities", type=int, default=20_000)
    parser.add_argument("--queries", type=int, default=50)
    parser.add_argument("--neo4j-version", default="2026.09")
    parser.add_argument("--report", default="reports/recall.json")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
