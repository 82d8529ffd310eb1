"""The guarded write beside the bare one, in one run: `python -m evals.benchmarks.guarded_writes [--episodes N]`.

Verdict: judged and durable, without the database. Guarded: judged, journalled, applied and read back. Bare: one CREATE per episode.
"""

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from knowledge.database.connection import Database
from knowledge.database.embedded import EmbeddedServer
from knowledge.journal.journal import Journal
from knowledge.registry.contract import ANY_AGENT, Contract, SizeLimit
from knowledge.registry.registry import Registry
from knowledge.remember.inbox import Inbox
from knowledge.remember.proposal import Proposal
from knowledge.remember.worker import Worker
from knowledge.scope import Principal, Scope

NAMESPACE = "lessons"
BATCH = 500
SINGLE = 200
GROWTH = (1_000, 10_000, 100_000)
BARE_ONE = "CREATE (e:Episodic) SET e = $row, e.created_at = datetime($now)"
BARE_MANY = "UNWIND $rows AS row CREATE (e:Episodic) SET e = row, e.created_at = datetime($now)"
NOW = "2026-01-01T00:00:00Z"


class Bench:
    """A journal and a database of its own. `made` counts what was proposed, so that no two bodies are alike."""

    def __init__(self, folder: Path, database: Database) -> None:
        contract = Contract(NAMESPACE, "what was learned", ANY_AGENT, ("Lesson",), SizeLimit(10_000_000), "self_service")
        registry = Registry(1, "", {NAMESPACE: contract})
        journal = Journal.in_folder(folder)
        agent = Principal("bench", "agent", Scope(frozenset({NAMESPACE})), frozenset({NAMESPACE}))
        self.inbox = Inbox(journal, lambda: registry, agent)
        self.worker = Worker(journal, lambda: registry, lambda: database)
        self.database = database
        self.made = 0

    def proposals(self, count: int) -> list[Proposal]:
        self.made += count
        return [_proposal(number) for number in range(self.made - count, self.made)]

    def batched(self, count: int) -> None:
        for _ in range(0, count, BATCH):
            self.inbox.submit_many(self.proposals(BATCH))
        self.worker.drain()

    def verdicts(self, count: int) -> list[float]:
        """Seconds of each."""
        return [_seconds(lambda one=one: self.inbox.submit(one)) for one in self.proposals(count)]  # type: ignore[misc]

    def singles(self, count: int) -> None:
        for one in self.proposals(count):
            self.inbox.submit(one)
            self.worker.drain()

    def bare_singles(self, count: int) -> None:
        for number in range(count):
            self.database.write(BARE_ONE, {"row": _row(number), "now": NOW})

    def bare_batches(self, count: int) -> None:
        for start in range(0, count, BATCH):
            self.database.write(BARE_MANY, {"rows": [_row(number) for number in range(start, start + BATCH)], "now": NOW})


def main() -> None:
    """One line of JSON per measurement."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--episodes", type=int, default=10_000, help="how many in batches, and up to how many the namespace grows")
    most = options.parse_args().episodes
    with tempfile.TemporaryDirectory() as folder:
        server = EmbeddedServer(Path(folder) / "db", "2026.09")
        try:
            running = server.start()
            with Database.connect(running.uri, running.user, running.password) as database:
                _measure(Bench(Path(folder), database), most)
        finally:
            server.stop()


def _measure(bench: Bench, most: int) -> None:
    bench.batched(BATCH)
    bench.bare_batches(BATCH)
    guarded, bare = _seconds(lambda: bench.batched(most)), _seconds(lambda: bench.bare_batches(most))
    _tell("batched", count=most, guarded_per_second=most / guarded, bare_per_second=most / bare, ratio=guarded / bare)
    verdicts = sorted(bench.verdicts(SINGLE))
    bench.worker.drain()
    _tell("verdict", count=SINGLE, p50_ms=1000 * verdicts[SINGLE // 2], p95_ms=1000 * verdicts[int(SINGLE * 0.95)])
    guarded, bare = _seconds(lambda: bench.singles(SINGLE)), _seconds(lambda: bench.bare_singles(SINGLE))
    _tell("single", count=SINGLE, guarded_per_second=SINGLE / guarded, bare_per_second=SINGLE / bare, ratio=guarded / bare)
    for size in (size for size in GROWTH if size <= most):
        bench.batched(max(0, size - bench.made))
        verdicts = sorted(bench.verdicts(SINGLE))
        took = _seconds(bench.worker.drain)
        held = bench.inbox.visible()[0][1].episodes
        _tell("growth", episodes=held, verdict_p95_ms=1000 * verdicts[int(SINGLE * 0.95)], applied_per_second=SINGLE / took)


def _proposal(number: int) -> Proposal:
    body = f"Lesson number {number}: a deadlock is tried again with jitter, never at once, and never more than {number % 7} times."
    return Proposal(name=f"Lesson: Neo4j - number {number}", episode_body=body, group_id=NAMESPACE, source_description="a benchmark")


def _row(number: int) -> dict[str, object]:
    proposal = _proposal(number)
    return {"uuid": f"bare-{time.perf_counter_ns()}-{number}", "group_id": "bare", "name": proposal.name, "content": proposal.episode_body}


def _seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def _tell(what: str, **figures: float) -> None:
    sys.stdout.write(json.dumps({"what": what, **{name: round(figure, 2) for name, figure in figures.items()}}) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
