"""`python -m evals.wording [NAME…]`: Hits@1, answer-set F1 and time per question of every question set, without a database."""

import argparse
import json
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from evals.wording.memory_graph import MemoryGraph
from gavel import settings
from knowledge.profile.importer import read_profile
from knowledge.profile.profile import GraphProfile
from knowledge.reading.induce import declared_kinds, induce
from knowledge.records import Entity
from knowledge.wording.engine import Wording
from knowledge.wording.ranking import Executed, rank
from knowledge.wording.reading import Reading

HITS = 6
TRIES = 18
TIE = 1e-9
Row = Mapping[str, object]


@dataclass(frozen=True)
class QuestionSet:
    """Files relative to the folder of data sets. `profile`: an owner's profile lies beside the graph and is used."""

    graph: str
    questions: tuple[str, ...]
    profile: bool = False


def _metaqa(part: str) -> tuple[str, ...]:
    return tuple(f"metaqa/{hops}hop_dev_{part}.jsonl" for hops in (1, 2, 3))


SETS = {
    "metaqa_work": QuestionSet("metaqa", _metaqa("work")),
    "metaqa_natural": QuestionSet("metaqa", ("metaqa/natural_dev.jsonl",)),
    "metaqa_report": QuestionSet("metaqa", _metaqa("report")),
    "metaqa_work+profile": QuestionSet("metaqa", _metaqa("work"), profile=True),
    "metaqa_natural+profile": QuestionSet("metaqa", ("metaqa/natural_dev.jsonl",), profile=True),
    "metaqa_report+profile": QuestionSet("metaqa", _metaqa("report"), profile=True),
    "yago": QuestionSet("yago_natural", ("yago_natural/natural_dev.jsonl",)),
    "yago+profile": QuestionSet("yago_natural", ("yago_natural/natural_dev.jsonl",), profile=True),
    "family": QuestionSet("family_natural", ("family_natural/natural_dev.jsonl",)),
    **{name: QuestionSet(f"probes/{name}", (f"probes/{name}/dev.jsonl",)) for name in ("company", "football", "music", "scholars")},
}


@dataclass(frozen=True)
class Result:
    """One question. `hits`: share of the gold among the answers that tie for the first place."""

    question: str
    hits: float
    f1: float
    walks: int
    milliseconds: float
    reading: Reading | None


def answer(graph: MemoryGraph, wording: Wording, question: str) -> tuple[list[Executed], int, float]:
    """(readings that reach something, walks tried, milliseconds of reading without links and walks)"""
    began = time.perf_counter()
    spans = wording.spans(question)
    spent = time.perf_counter() - began
    links = graph.link(spans)
    uses = graph.relations(c.entity.id for found in links.values() for c in found)
    began = time.perf_counter()
    readings = wording.read(question, links, uses)
    spent += time.perf_counter() - began
    executed: list[Executed] = []
    tried = 0
    for reading in readings[:TRIES]:
        tried += 1
        reached = sorted(graph.follow(reading.walk))
        if reached:
            executed.append(Executed(reading, [Entity(name, name) for name in reached]))
        if len(executed) == HITS:
            break
    return executed, tried, spent * 1000


def names(executed: Executed) -> list[str]:
    """The answers as the question sets write them: the size of the set where "how many" asks for one that is not a number itself."""
    found = [entity.name for entity in executed.reached]
    return [str(len(found))] if executed.reading.counts and not all(name.isdigit() for name in found) else found


def score(question: str, gold: set[str], executed: list[Executed], walks: int, milliseconds: float) -> Result:
    """Hits@1 over the answers that tie for the first place; F1 of the best reading's answers."""
    if not executed:
        return Result(question, 0.0, 0.0, walks, milliseconds, None)
    first = set(names(executed[0]))
    f1 = 2 * len(first & gold) / (len(first) + len(gold))
    if executed[0].reading.counts and len(first) == 1:
        hits = float(first == gold)
    else:
        ranked = rank(executed)
        tied = [entity.name for entity, value in ranked if value > ranked[0][1] - TIE]
        hits = sum(name in gold for name in tied) / len(tied)
    return Result(question, hits, f1, walks, milliseconds, executed[0].reading)


def load_questions(folder: Path, files: Iterable[str]) -> list[Row]:
    """The rows of several files, in order."""
    rows: list[Row] = []
    for file in files:
        rows += [cast(Row, json.loads(line)) for line in (folder / file).read_text(encoding="utf-8").splitlines()]
    return rows


def evaluate(graph: MemoryGraph, wording: Wording, rows: Iterable[Row]) -> list[Result]:
    """Questions are lower-cased and their brackets removed."""
    results = []
    for row in rows:
        text = str(row.get("text") or str(row["question"]).replace("[", "").replace("]", "")).lower()
        executed, walks, spent = answer(graph, wording, text)
        results.append(score(text, {str(a) for a in cast(list[object], row["answers"])}, executed, walks, spent))
    return results


def build(folder: Path, *, profile: bool) -> tuple[MemoryGraph, Wording, float]:
    """Graph, engine and the engine's own seconds."""
    graph = MemoryGraph.read(folder / "kb.tsv")
    owner = read_profile(folder / "profile.json") if profile else GraphProfile()
    schema = induce(graph.census(), version="1", declared=declared_kinds(owner))
    began = time.perf_counter()
    return graph, Wording(schema, owner), time.perf_counter() - began


def mean(values: Sequence[float]) -> float:
    """The arithmetic mean of at least one value."""
    return sum(values) / len(values)


def line(name: str, results: list[Result], seconds: float) -> str:
    """One row of the table."""
    ordered = sorted(r.milliseconds for r in results)
    return (
        f"{name:24} n {len(results):4}  hits@1 {mean([r.hits for r in results]):.3f}  f1 {mean([r.f1 for r in results]):.3f}  "
        f"walks {mean([r.walks for r in results]):4.1f}  ms p50 {ordered[len(ordered) // 2]:5.1f} "
        f"p95 {ordered[int(len(ordered) * 0.95)]:5.1f}  build {seconds:.2f} s\n"
    )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"question sets, all when none is named: {', '.join(SETS)}")
    parser.add_argument("--datasets", type=Path, default=settings.load().datasets)
    parser.add_argument("--rows", type=Path, help="write one JSON line per question to this file")
    options = parser.parse_args()
    built: dict[tuple[str, bool], tuple[MemoryGraph, Wording, float]] = {}
    if unknown := set(options.names) - set(SETS):
        parser.error(f"no question set {', '.join(sorted(unknown))}; choose from {', '.join(SETS)}")
    for name in options.names or SETS:
        chosen = SETS[name]
        key = chosen.graph, chosen.profile
        if key not in built:
            built = {key: build(options.datasets / chosen.graph, profile=chosen.profile)}
        graph, wording, seconds = built[key]
        results = evaluate(graph, wording, load_questions(options.datasets, chosen.questions))
        sys.stdout.write(line(name, results, seconds))
        if options.rows:
            with options.rows.open("a", encoding="utf-8") as file:
                file.writelines(json.dumps({"set": name, "question": r.question, "hits": r.hits, "f1": r.f1}) + "\n" for r in results)


if __name__ == "__main__":
    main()
