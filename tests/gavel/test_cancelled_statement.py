"""A cancelled run ends the statement that the real database is working on."""

import threading
import time
from dataclasses import dataclass
from typing import Any

from evals.benchmarks.toy import ToyKg, ToyReader
from graphs.context import RunContext
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
        self.database.read(LONG, seconds=self.meter.charge(), tag=self.meter.tag)
        return []


def running(database: Database, tag: str) -> int:
    return int(database.read("SHOW TRANSACTIONS YIELD metaData WHERE metaData.gavel = $tag RETURN count(*) AS n", {"tag": tag})[0]["n"])


def seconds_to_cancel(database: Database) -> float:
    """Ask, wait until the database works on the answer, cancel, and wait for the result."""
    kg, context, ended = ToyKg(), RunContext(), dict[str, Any]()

    def open_reader(scope: Scope, meter: Meter) -> ToyReader:
        return SlowReader(kg, scope, meter, database)

    kg.open = open_reader  # type: ignore[method-assign]
    kg.terminate = database.terminate  # type: ignore[assignment]
    asking = threading.Thread(target=lambda: ended.update(toy_graph(kg).invoke({"question": FACT}, context=context)))
    asking.start()
    deadline = time.monotonic() + 20
    while context._run is None or not running(database, context.run.id):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    since = time.monotonic()
    context.cancel()
    asking.join(20)
    took = time.monotonic() - since
    assert ended["stop_reason"] == "cancelled" and ended["answer"] and not running(database, context.run.id)
    return took


def test_cancelling_terminates_the_statement_in_flight_within_two_seconds(shared_database: Database) -> None:
    seconds_to_cancel(shared_database)  # a young server compiles what it is asked first
    assert seconds_to_cancel(shared_database) < 2
