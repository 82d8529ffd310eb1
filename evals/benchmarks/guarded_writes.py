"""The guarded write beside the bare one, in one run: `python -m evals.benchmarks.guarded_writes [--episodes N] [--races [ROUNDS]]`.

Verdict: judged and durable, without the database. Guarded: judged, journalled, applied and read back. Bare: one CREATE per episode.
Growth: the same in one namespace that grows; commit is the transaction of one batch in the database, and the look that it is there.
Goals on two idle cores: a verdict's p95 at most 3 ms, 1,000 guarded writes a second in batches, and none of it slower in a full namespace.
Races, alone where they are asked for: 32 processes want the last place of a namespace, and exactly one may have it, in every round.
"""

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from evals.benchmarks.races import race
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
WAITING = 5_000
SINGLE = 200
COMPARED = 10_000
GROWTH = (1_000, 10_000, 100_000)
RACES = 50
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
        self.worker = Worker(journal, lambda: registry, lambda: database, self._passed)
        self.database = database
        self.commits: list[float] = []
        self.made = 0

    def _passed(self, point: str) -> None:
        if point == "ready":
            self._ready = time.perf_counter()
        elif point == "verified":
            self.commits.append(time.perf_counter() - self._ready)

    def proposals(self, count: int) -> list[Proposal]:
        self.made += count
        return [_proposal(number) for number in range(self.made - count, self.made)]

    def batched(self, count: int) -> None:
        for start in range(0, count, WAITING):
            for _ in range(start, min(start + WAITING, count), BATCH):
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
    options.add_argument("--episodes", type=int, default=10_000, help="up to how many the namespace grows")
    options.add_argument(
        "--races", type=int, nargs="?", const=RACES, default=0, help=f"run so many rounds of races instead, {RACES} unless told"
    )
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        if chosen.races:
            _race(Path(folder), chosen.races)
            return
        server = EmbeddedServer(Path(folder) / "db", "2026.09")
        try:
            running = server.start()
            with Database.connect(running.uri, running.user, running.password) as database:
                _measure(Bench(Path(folder), database), chosen.episodes)
        finally:
            server.stop()


def _race(folder: Path, rounds: int) -> None:
    run = race(folder, rounds)
    _tell("races", **run)
    if run["failures"]:
        raise SystemExit(1)


def _measure(bench: Bench, most: int) -> None:
    bench.batched(BATCH)
    bench.bare_batches(BATCH)
    _grow(bench, most)
    count = min(most, COMPARED)
    guarded, bare = _seconds(lambda: bench.batched(count)), _seconds(lambda: bench.bare_batches(count))
    _tell("batched", count=count, guarded_per_second=count / guarded, bare_per_second=count / bare, ratio=guarded / bare)
    guarded, bare = _seconds(lambda: bench.singles(SINGLE)), _seconds(lambda: bench.bare_singles(SINGLE))
    _tell("single", count=SINGLE, guarded_per_second=SINGLE / guarded, bare_per_second=SINGLE / bare, ratio=guarded / bare)


def _grow(bench: Bench, most: int) -> None:
    for size in (size for size in GROWTH if size <= most):
        more = (size - bench.made) // BATCH * BATCH
        bench.commits.clear()
        took = _seconds(lambda more=more: bench.batched(more))  # type: ignore[misc]
        commits = sorted(bench.commits)
        verdicts = sorted(bench.verdicts(SINGLE))
        bench.worker.drain()
        held = bench.inbox.visible()[0][1].episodes
        _tell("growth", episodes=held, writes_per_second=more / took, commit_p50_ms=1000 * commits[len(commits) // 2],
              commit_last_ms=1000 * bench.commits[len(commits) - 1], **_of(verdicts))  # fmt: skip


def _of(verdicts: Sequence[float]) -> dict[str, float]:
    return {"verdict_p50_ms": 1000 * verdicts[len(verdicts) // 2], "verdict_p95_ms": 1000 * verdicts[int(len(verdicts) * 0.95)]}


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
