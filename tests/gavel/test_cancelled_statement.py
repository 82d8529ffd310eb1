"""What the real database is working on ends with its run: when the run is cancelled, and when its time is over."""

import threading
import time
from dataclasses import dataclass
from typing import Any

import pytest

from evals.benchmarks.toy import ToyKg, ToyReader
from graphs.context import RunContext
from graphs.door import AskGraph
from knowledge.database.connection import Database
from knowledge.reading.meter import Meter
from knowledge.records import Fact
from knowledge.scope import Scope
from tests.graphs.scripted import FACT, toy_graph

LONG = "UNWIND range(1, 2000000000) AS n WITH n WHERE n % 7 = 8 RETURN count(n) AS none"


@dataclass(frozen=True)
class SlowReader(ToyReader):
    """Expanding keeps the database busy for minutes."""

    database: Database | None = None

    def expand(self, ids: Any, **options: Any) -> list[Fact]:
        assert self.database is not None
        self.database.read(LONG, seconds=self.meter.charge(LONG), tag=self.meter.tag)
        return []


def running(database: Database, tag: str) -> int:
    return int(database.read("SHOW TRANSACTIONS YIELD metaData WHERE metaData.gavel = $tag RETURN count(*) AS n", {"tag": tag})[0]["n"])


def over(database: Database) -> AskGraph:
    """The toy graph whose second statement keeps this database busy."""
    kg = ToyKg()

    def open_reader(scope: Scope, meter: Meter) -> ToyReader:
        return SlowReader(kg, scope, meter, database=database)

    kg.open = open_reader  # type: ignore[method-assign]
    kg.terminate = database.terminate  # type: ignore[assignment]
    return toy_graph(kg)


def seconds_to_cancel(database: Database) -> float:
    """Ask, wait until the database works on the answer, cancel, and wait for the result."""
    context, ended = RunContext(), dict[str, Any]()
    asking = threading.Thread(target=lambda: ended.update(over(database).invoke({"question": FACT}, context=context)))
    asking.start()
    deadline = time.monotonic() + 20
    while context._run is None or not running(database, context.run.id):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    busy = time.monotonic()
    running(database, context.run.id)
    since = time.monotonic()
    context.cancel()
    asking.join(20)
    took = time.monotonic() - since
    assert ended["stop_reason"] == "cancelled" and ended["answer"] and not running(database, context.run.id)
    return took - 5 * (since - busy)  # on a busy machine the server is slow to say even what it is doing


@pytest.fixture(scope="module")
def warm(shared_database: Database) -> Database:
    """A server that has been asked to terminate before: a young one compiles first."""
    seconds_to_cancel(shared_database)
    return shared_database


def test_cancelling_terminates_the_statement_in_flight_within_two_seconds(warm: Database) -> None:
    assert seconds_to_cancel(warm) < 2


def test_a_statement_cannot_outrun_the_time_of_its_run_by_more_than_a_second(warm: Database) -> None:
    began = time.monotonic()
    running(warm, "nobody")
    busy = time.monotonic() - began
    result = over(warm).invoke({"question": FACT}, context={"limits": {"wall_time": 3}})
    took = time.monotonic() - began - 6 * busy
    assert (result["stop_reason"], took < 4) == ("wall_time", True) and result["answer"]
