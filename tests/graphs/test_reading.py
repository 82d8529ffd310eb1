"""A run reads each thing once; a task that goes in circles is stopped."""

import dataclasses
from typing import Any

import pytest

from agents.contract import TaskResult, within_budget
from evals.benchmarks.toy import SCOPE, ToyKg, ToyReader
from evals.benchmarks.toy_brains import BRAINS
from graphs.budget import Ledger, Limits, RunMeter
from graphs.reading import LoopRule, ReadMemory, RunReader
from graphs.trace import NoRedaction, Trace
from knowledge.errors import OutOfBudget, StatementError
from knowledge.reading.contract import Aggregation
from knowledge.records import Step, Walk
from tests.graphs.scripted import ONE_ROUND, toy_graph


class Bench:
    """A kg with a ledger, and readers over them."""

    def __init__(self, **limits: Any) -> None:
        self.kg, self.ledger = ToyKg(), Ledger(Limits(**limits))
        self.meter, self.memory = RunMeter(self.ledger, "t"), ReadMemory()
        self.trace = Trace("t", lambda: 0.0, NoRedaction())

    def reader(self, task: str = "", similarity: Any = None) -> RunReader:
        inner = ToyReader(self.kg, SCOPE, self.meter)
        return RunReader(inner, self.meter, self.trace, self.memory, "navigator", task, LoopRule(similarity) if task else None)


def test_the_same_read_is_sent_once_in_a_run_whoever_asks() -> None:
    bench = Bench()
    one, other = bench.reader("a"), bench.reader("b")
    assert one.expand(["id-Auro"]) == other.expand(["id-Auro"]) == bench.reader().expand(("id-Auro",))
    assert (len(bench.kg.log), bench.ledger.spent()["queries"]) == (1, 1)
    assert [e.detail["cached"] for e in bench.trace.events] == [False, True, True]


def test_every_read_reaches_the_kg_with_its_arguments() -> None:
    bench = Bench()
    reader, walk = bench.reader(), Walk(("id-Auro",), (Step("made", "out"),))
    reader.link(["auro"]), reader.suggest("aur"), reader.relations(["id-Auro"]), reader.context(["id-Auro"]), reader.expand(["id-Auro"])
    reader.follow([walk]), reader.paths([("id-Auro", "id-Belo")]), reader.aggregate(Aggregation("count", walk))
    reader.search_entities("Auro"), reader.search_facts("Auro")
    assert reader.schema().facts == 11 and reader.scope is SCOPE
    assert [e.detail["method"] for e in bench.trace.events] == [text.split()[0] for text in bench.kg.log]
    assert len(bench.kg.log) == bench.ledger.spent()["queries"] == 10


def test_different_arguments_are_different_reads() -> None:
    bench = Bench()
    reader = bench.reader("a")
    reader.expand(["id-Auro"]), reader.expand(["id-Auro"], limit=5), reader.expand(["id-Auro"], direction="in"), reader.expand(["id-Belo"])
    assert len(bench.kg.log) == 4


def test_a_task_that_repeats_itself_gets_the_earlier_result_and_is_then_stopped() -> None:
    bench = Bench()
    reader = bench.reader("a")
    assert reader.expand(["id-Auro"]) == reader.expand(["id-Auro"])
    with pytest.raises(OutOfBudget, match="loop"):
        reader.expand(["id-Auro"])
    assert len(bench.kg.log) == 1 and bench.ledger.running
    assert bench.reader("b").expand(["id-Auro"])


def test_outside_a_task_repeating_is_free() -> None:
    bench = Bench()
    assert len({id(bench.reader().expand(["id-Auro"])) for _ in range(5)}) == 1


@pytest.mark.parametrize(("likeness", "statements"), [(0.91, 1), (0.9, 2), (0.1, 2)])
def test_two_successive_searches_that_mean_the_same_are_one(likeness: float, statements: int) -> None:
    bench = Bench()
    reader = bench.reader("a", similarity=lambda one, other: likeness)
    assert reader.search_facts("who made Auro") and reader.search_facts("the maker of Auro")
    assert len(bench.kg.log) == statements


def test_searches_are_compared_with_the_one_before_and_only_of_their_kind() -> None:
    bench = Bench()
    reader = bench.reader("a", similarity=lambda one, other: 1.0)
    reader.search_facts("Auro"), reader.search_entities("Auro"), reader.search_entities("Belo", limit=3)
    assert len(bench.kg.log) == 3


def test_without_vectors_equal_words_are_the_same_search() -> None:
    bench = Bench()
    reader = bench.reader("a")
    reader.search_facts("Who made Auro?"), reader.search_facts("who made auro")
    assert len(bench.kg.log) == 1


def test_a_failed_read_is_not_remembered() -> None:
    bench = Bench()
    bench.kg.broken = frozenset({"Auro"})
    for _ in range(2):
        with pytest.raises(StatementError):
            bench.reader().expand(["id-Auro"])
    assert len(bench.kg.log) == bench.ledger.spent()["queries"] == 2
    assert [e.detail["rows"] for e in bench.trace.events] == [0, 0]


def test_a_stopped_task_keeps_what_it_found() -> None:
    def circles(view: Any, reader: Any) -> TaskResult:
        result = TaskResult()
        with within_budget(result):
            for _ in range(5):
                result.keep(reader.expand(view["starts"]))
                result.found = list(result.evidence)
        return result

    result = toy_graph(brains=dataclasses.replace(BRAINS, navigator=circles)).invoke({"question": ONE_ROUND})
    first = result["plan"]["r1.0.0"]
    assert (first["status"], first["error"]) == ("completed", "stopped: loop") and "Belo-made-Dunka" in result["evidence"]
