"""Loading a large graph against a bare UNWIND loop that writes the same, in the same run. `python -m evals.benchmarks.load`."""

import argparse
import json
import multiprocessing
import os
import signal
import sys
import tempfile
from dataclasses import asdict
from multiprocessing.connection import Connection
from pathlib import Path
from typing import cast

from evals.benchmarks.bare import bare
from evals.benchmarks.search import searched
from evals.benchmarks.servers import Bench, Spent, fresh
from gavel import settings
from knowledge.database.connection import Database
from knowledge.embedding.choice import embedder
from knowledge.loading.canonical import canonical_hash
from knowledge.loading.lines import content_hash
from knowledge.loading.loader import load
from knowledge.loading.report import LoadReport
from knowledge.profile.profile import Shape
from knowledge.progress import Step
from knowledge.search import index

NAMESPACE = "benchmark"
GOAL = 1.5
Figures = dict[str, object]


def main() -> int:
    """Print the figures and write them to a report; exit code 1 where a load is slower than the goal or does not equal its twin."""
    arguments = _arguments()
    shapes: tuple[Shape, ...] = ("memory", "native") if arguments.shape == "both" else (arguments.shape,)
    with tempfile.TemporaryDirectory() as folder:
        file = _file(settings.load().datasets / "metaqa" / "kb.tsv", arguments.rows, Path(folder))
        figures = {shape: measure(file, shape, arguments.neo4j_version, arguments.repeats, arguments.vectors) for shape in shapes}
    report = Path(arguments.report)
    report.parent.mkdir(parents=True, exist_ok=True)
    report.write_text(json.dumps({"neo4j": arguments.neo4j_version, "shapes": figures}, indent=2) + "\n", encoding="utf-8")
    _say(f"written to {report}")
    return int(not all(each["passed"] for each in figures.values()))


def measure(file: Path, shape: Shape, version: str, repeats: int, vectors: bool) -> Figures:
    """All figures of one shape. Bare loop and load take turns, each on a fresh server; of several turns the fastest of each counts."""
    facts = sum(1 for _ in file.open("rb"))
    _say(f"\n{shape} shape, {facts:,} facts, Neo4j {version}")
    turns = [(_bare(file, shape, version, facts), _timed(file, shape, version, facts)) for _ in range(repeats)]
    (loops, hashes), loads = zip(*(loop for loop, _ in turns), strict=True), [load for _, load in turns]
    loop, loaded = min(loops, key=lambda spent: spent.wall), min(loads, key=lambda spent: spent.wall)
    ratio, processor = loaded.wall / loop.wall, loaded.processor / loop.processor
    _say(f"  {ratio:.2f} times the bare loop's wall time, {processor:.2f} times its processor time (goal {GOAL})")
    checks = {"killed and resumed equals unbroken": killed(file, shape, version, facts) == hashes[0]}
    figures, content, same = _again(file, shape, version, facts, vectors)
    checks |= {"equals the bare loop": content == hashes[0], "second load changes nothing": same}
    for name, held in checks.items():
        _say(f"  {name}: {held}")
    figures |= {"facts": facts, "bare loop": asdict(loop), "load": asdict(loaded), "facts per second": facts / loaded.wall}
    return {**figures, **checks, "ratio": ratio, "processor ratio": processor, "passed": all(checks.values()) and ratio <= GOAL}


def _bare(file: Path, shape: Shape, version: str, facts: int) -> tuple[Spent, str]:
    with fresh(version) as bench:
        spent = bench.spent(lambda: bare(bench.database, file, NAMESPACE, shape, content_hash(file)))
        _tell("bare loop", spent, facts)
        return spent, canonical_hash(bench.database, NAMESPACE)


def _timed(file: Path, shape: Shape, version: str, facts: int) -> Spent:
    with fresh(version) as bench:
        spent = bench.spent(lambda: load(bench.database, [file], NAMESPACE, shape))
        _tell("load", spent, facts)
        return spent


def _again(file: Path, shape: Shape, version: str, facts: int, vectors: bool) -> tuple[Figures, str, bool]:
    """A second load over a first, the size of the store, and the vectors; with the canonical hash, and whether the second load left it."""
    with fresh(version) as bench:
        load(bench.database, [file], NAMESPACE, shape)
        size = bench.megabytes()
        content = canonical_hash(bench.database, NAMESPACE)
        second: list[LoadReport] = []
        spent = bench.spent(lambda: second.append(load(bench.database, [file], NAMESPACE, shape)))
        _tell("second load", spent, facts)
        same = second[0].known == facts and canonical_hash(bench.database, NAMESPACE) == content
        _say(f"  database: {size:.0f} MB")
        figures: Figures = {"megabytes": size, "second load": asdict(spent)}
        if vectors and shape == "memory":
            figures["vectors"] = _vectors(bench)
        return figures, content, same


def _vectors(bench: Bench) -> Figures:
    model = embedder(settings.load().embedder)
    built = index.build(bench.database, model)
    size = bench.megabytes()
    found = searched(bench.database, model, NAMESPACE)
    figures: Figures = {
        **asdict(built),
        "texts per second": built.texts / built.embedding_seconds,
        "vectors per second": built.vectors / built.writing_seconds,
        "megabytes": size,
        "search_entities": asdict(found),
    }
    _say(
        f"  vectors: {built.vectors:,} in {built.seconds:.0f} s; {figures['texts per second']:,.0f} texts/s embedded, "
        f"{figures['vectors per second']:,.0f} vectors/s written, indexes {built.indexing_seconds:.0f} s, database {size:.0f} MB"
    )
    _say(f"  search_entities, hybrid, {found.entities:,} entities: p50 {found.p50} ms, p95 {found.p95} ms, name first {found.first:.3f}")
    return figures


def killed(file: Path, shape: Shape, version: str, facts: int) -> str:
    """The canonical hash after a load that was killed with SIGKILL half way and then run again."""
    with fresh(version) as bench:
        spawn = multiprocessing.get_context("spawn")
        here, there = spawn.Pipe(duplex=False)
        child = spawn.Process(target=_child, args=(there, bench.running.uri, bench.running.password, file, shape))
        child.start()
        while here.recv() < facts // 2:
            pass
        os.kill(cast(int, child.pid), signal.SIGKILL)
        child.join()
        report = load(bench.database, [file], NAMESPACE, shape)
        _say(f"  killed half way: {report.resumed:,} rows were committed, {report.created:,} written by the second run")
        return canonical_hash(bench.database, NAMESPACE)


def _child(rows: Connection, uri: str, password: str, file: Path, shape: Shape) -> None:
    def tell(step: Step) -> None:
        rows.send(step.items)

    with Database.connect(uri, "neo4j", password) as database:
        load(database, [file], NAMESPACE, shape, progress=tell)


def _file(path: Path, rows: int, folder: Path) -> Path:
    if not path.exists():
        sys.exit(f"{path} is missing; set GAVEL_DATASETS to the folder of the question sets")
    if not rows:
        return path
    part = folder / path.name
    with path.open(encoding="utf-8") as lines:
        part.write_text("".join(line for _, line in zip(range(rows), lines, strict=False)), encoding="utf-8")
    return part


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=0, help="only the first rows of the file")
    parser.add_argument("--shape", choices=("memory", "native", "both"), default="both")
    parser.add_argument("--repeats", type=int, default=1, help="turns of bare loop and load; the fastest of each counts")
    parser.add_argument("--no-vectors", dest="vectors", action="store_false")
    parser.add_argument("--neo4j-version", default=settings.load().neo4j_version)
    parser.add_argument("--report", default="reports/load.json")
    return parser.parse_args()


def _tell(what: str, spent: Spent, facts: int) -> None:
    _say(
        f"  {what:12} {spent.wall:7.1f} s, {facts / spent.wall:7,.0f} facts/s; "
        f"processor {spent.client:.1f} s here, {spent.server:.1f} s in the server"
    )


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
