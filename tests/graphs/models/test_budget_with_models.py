"""Whatever providers do and however small the limits are: the ledger is right, and nothing but an answer comes out."""

import asyncio
import random
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from evals.loopback.played import Asked, Played
from evals.loopback.server import LoopbackOpenAI
from graphs.budget import Ledger
from graphs.context import RunContext
from graphs.door import AskGraph
from graphs.models import calls
from tests.graphs.scripted import FACT, ONE_ROUND, TWO_ROUNDS
from tests.graphs.thinking import ABOUT, assert_whole, explorer, thinking

QUICK, FULL, AT_ONCE = 100, 1500, 20
QUESTIONS = [FACT, ONE_ROUND, TWO_ROUNDS, ABOUT]
WELL = 0.6
"""Share of the replies without a fault."""


class Settled:
    """By ledger, how much more each call cost than was reserved for it."""

    def __init__(self) -> None:
        self._errors: dict[int, list[int]] = {}
        self._settle, self._lock = Ledger.settle, threading.Lock()

    def settle(self, ledger: Ledger, reserved: int, used: int | None, **how: Any) -> None:
        with self._lock:
            self._errors.setdefault(id(ledger), []).append((reserved if used is None else used) - reserved)
        self._settle(ledger, reserved, used, **how)

    def largest(self, ledger: Ledger) -> int:
        return max([0, *self._errors.get(id(ledger), [])])

    def calls(self, ledger: Ledger) -> int:
        return len(self._errors.get(id(ledger), []))


@pytest.fixture
def settled(monkeypatch: pytest.MonkeyPatch) -> Settled:
    monkeypatch.setattr(calls, "FIRST_WAIT", 0.02)
    kept = Settled()

    def settle(ledger: Ledger, reserved: int, used: int | None, **how: Any) -> None:
        kept.settle(ledger, reserved, used, **how)

    monkeypatch.setattr(Ledger, "settle", settle)
    return kept


@dataclass
class Whim:
    """A provider with moods; the same seed gives the same moods."""

    rng: random.Random

    def __call__(self, asked: Asked) -> Played:
        played = explorer(asked) if self.rng.random() < WELL else self._fault()
        return replace(played, tokens=self._tokens(asked), delay=played.delay or self.rng.choice([0, 0, 0, 0.02]))

    def _fault(self) -> Played:
        text = self.rng.choice(["", "no", "{}", '{"a":' * 3000, '{"tasks": []}', "long " * 3000, '{"answers": ["a9"], "facts": ["f9"]}'])
        return self.rng.choice([
            Played(text), Played(text), Played(calls=[("to_oracle", {})]), Played(calls=[("to_planner", {"task": text[:100]})]),
            Played(status=self.rng.choice([400, 401, 408, 429, 500, 503]), message=self.rng.choice(["tools", "no", "response_format"])),
            Played(status=429, headers={"retry-after": str(self.rng.choice([0, 0.05, 2, 4000]))}),
            Played(text, cut=self.rng.randrange(6)), Played("so on " * 100, drip=self.rng.choice([0.001, 0.1])), Played(delay=3),
        ])  # fmt: skip

    def _tokens(self, asked: Asked) -> tuple[int, int] | None:
        shown = sum(len(text) for _, text in asked.messages)
        return self.rng.choice(
            [None, (0, 0), (shown // 5, self.rng.randrange(asked.most or 1)), (shown // 2, asked.most), (shown, 2 * asked.most)]
        )


@dataclass
class Trial:
    """One run: who plays the models, what it may cost, and what came of it."""

    seed: int
    settled: Settled
    context: RunContext = field(init=False)
    took: float = 0.0

    def __post_init__(self) -> None:
        self.rng = random.Random(self.seed)
        small = {
            "model_calls": [0, 1, 2, 3, 5], "tokens": [0, 100, 600, 1500, 4000], "turns": [0, 2, 5], "queries": [0, 1, 3], "rounds": [1, 2],
            "wall_time": [0.0, 0.1, 0.4], "closing_tokens": [0, 200], "repeats": [0, 1],
        }  # fmt: skip
        tight = self.rng.sample(sorted(small), k=self.rng.choice([1, 1, 2, 3]))
        self.limits: dict[str, Any] = {"wall_time": 1.5, "tokens": 20_000} | {unit: self.rng.choice(small[unit]) for unit in tight}
        self.question = {"question": self.rng.choice(QUESTIONS)}

    def begin(self, open_: ExitStack) -> AskGraph:
        self.context = RunContext.model_validate({"limits": self.limits})
        server = open_.enter_context(LoopbackOpenAI(Whim(self.rng)))
        return thinking(server.url, self.rng.choice([0.05, 0.3, 5.0]))

    def in_thread(self) -> None:
        with ExitStack() as open_:
            graph, began = self.begin(open_), time.monotonic()
            self.result = graph.invoke(self.question, context=self.context)
            self.took = time.monotonic() - began

    async def in_loop(self) -> None:
        with ExitStack() as open_:
            graph, began = self.begin(open_), time.monotonic()
            self.result = await graph.ainvoke(self.question, context=self.context)
            self.took = time.monotonic() - began

    def overshoot(self) -> int:
        """Tokens beyond the limit; at most what one call cost more than was reserved for it."""
        ledger, told = self.context.run.ledger, f"seed {self.seed}: {self.limits} {self.result['spent']}"
        assert_whole(self.result, **self.limits)
        assert ledger.outstanding == 0, told
        spent = ledger.spent()
        assert {unit: spent[unit] for unit in ("tokens", "model_calls", "roles")} == {
            unit: self.result["spent"][unit] for unit in ("tokens", "model_calls", "roles")
        }, told  # fmt: skip
        assert spent["model_calls"] == self.settled.calls(ledger), told
        beyond = max(0, spent["tokens"] - self.limits["tokens"])
        assert beyond <= self.settled.largest(ledger), told
        assert self.took < self.limits["wall_time"] + 3, told
        return beyond


async def _at_once(trials: Sequence[Trial]) -> None:
    await asyncio.gather(*(trial.in_loop() for trial in trials))


def run_all(seeds: range, settled: Settled) -> None:
    """Half of the runs in threads, half on event loops, twenty at a time."""
    trials = [Trial(seed, settled) for seed in seeds]
    threaded, looped = trials[::2], trials[1::2]
    with ThreadPoolExecutor(AT_ONCE) as pool:
        list(pool.map(Trial.in_thread, threaded))
    for at in range(0, len(looped), AT_ONCE):
        asyncio.run(_at_once(looped[at : at + AT_ONCE]))
    beyond = [trial.overshoot() for trial in trials]
    made = sum(trial.result["spent"]["model_calls"] for trial in trials)
    print(
        f"\n{len(trials)} runs, {made} calls, largest overshoot {max(beyond)} tokens, slowest {max(trial.took for trial in trials):.2f} s"
    )
    assert made > len(trials) / 2


def test_a_hundred_runs_with_moody_providers_keep_their_budgets(settled: Settled) -> None:
    run_all(range(QUICK), settled)


@pytest.mark.full
def test_many_runs_with_moody_providers_keep_their_budgets(settled: Settled) -> None:
    run_all(range(QUICK, QUICK + FULL), settled)
