"""The asking graph over the toy kg, as `langgraph dev` loads it. What Belo is asked about takes half a minute; ended runs go to a file."""

import os
from pathlib import Path

from evals.benchmarks.toy import ToyKg, person
from evals.benchmarks.toy_brains import BRAINS
from graphs.ask import build
from graphs.trace import RunRecord
from knowledge.reading.meter import Meter


class SlowKg(ToyKg):
    """Slow about one entity only."""

    def run(self, text: str, meter: Meter) -> None:
        self.latency = 25.0 if "id-Belo" in text else 0.0
        super().run(text, meter)


class Journal:
    """One line per ended run."""

    def finished(self, record: RunRecord) -> None:
        with Path(os.environ["TOY_JOURNAL"]).open("a") as lines:
            lines.write(f"{record.question}: {record.result['stop_reason']}\n")


_kg = SlowKg()
graph = build(_kg.open, BRAINS, person, terminate=_kg.terminate, recorder=Journal())
