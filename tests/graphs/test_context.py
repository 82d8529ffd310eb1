"""What a caller may ask for, and what is refused before anything runs."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from evals.benchmarks.toy import SCOPE, ToyKg, ToyReader, person
from graphs.budget import Limits
from graphs.context import RunContext, ScopeRequest, Services
from knowledge.errors import ConfigError, ScopeError
from knowledge.reading.meter import Meter
from knowledge.scope import Scope
from tests.graphs.scripted import FACT, TWO_ROUNDS, toy_graph

GRAPH = toy_graph()


@pytest.mark.parametrize(
    ("context", "says"),
    [
        ({"limits": {"querys": 3}}, "limits.querys: unknown; limits are rounds, turns, queries"),
        ({"limits": {"rounds": 0}}, "limits.rounds: Input should be greater than or equal to 1"),
        ({"limits": {"tokens": "many"}}, "limits.tokens"),
        ({"scope": {"as_of": "last summer"}}, "scope.as_of: .*is no date; write 2019"),
        ({"scope": {"namespace": "demo"}}, "scope.namespace: unknown.*scope has namespaces"),
        ({"namespaces": ["demo"]}, "namespaces: unknown"),
        (7, "context"),
    ],
)
def test_a_wrong_context_names_its_field_and_what_to_write(context: Any, says: str) -> None:
    with pytest.raises(ConfigError, match=f"(?s){says}"):
        GRAPH.invoke({"question": FACT}, context=context)


@pytest.mark.parametrize(
    ("scope", "says"), [({"namespaces": ["demo", "secret"]}, "secret may not be read; readable: demo, other"), ({"access_levels": ["top"]}, "top may not")]
)  # fmt: skip
def test_more_than_the_principal_may_see_is_refused(scope: Any, says: str) -> None:
    with pytest.raises(ScopeError, match=says):
        GRAPH.invoke({"question": FACT}, context={"scope": scope})


def test_the_reader_is_bound_to_the_narrowed_scope_and_both_clocks() -> None:
    seen: list[Scope] = []
    kg = ToyKg()

    def look(scope: Scope, meter: Meter) -> ToyReader:
        seen.append(scope)
        return ToyReader(kg, scope, meter)

    kg.open = look  # type: ignore[method-assign]
    toy_graph(kg).invoke({"question": FACT}, context={"scope": {"namespaces": ["demo"], "as_of": "2019", "known_at": "2020-05-07"}})
    (scope,) = seen
    assert scope.namespaces == {"demo"} and str(scope.as_of) == "2019"
    assert scope.known_at == datetime(2020, 5, 8, tzinfo=UTC) - timedelta(microseconds=1)


def test_an_unset_scope_is_all_that_may_be_seen_and_an_empty_one_is_nothing() -> None:
    assert ScopeRequest().within(SCOPE) == SCOPE
    assert ScopeRequest(namespaces=[]).within(SCOPE).namespaces == frozenset()


def test_a_context_used_twice_gives_each_run_its_own_ledger() -> None:
    context = RunContext(limits=Limits(rounds=3))
    results = [GRAPH.invoke({"question": TWO_ROUNDS}, context=context) for _ in range(3)]
    assert [r["spent"]["rounds"] for r in results] == [2, 2, 2] and len({r["trace_id"] for r in results}) == 3
    assert context.run.id == results[-1]["trace_id"]


def test_a_context_shared_by_runs_at_the_same_time_keeps_them_exact() -> None:
    context = RunContext(limits=Limits(queries=6))
    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(lambda _: GRAPH.invoke({"question": TWO_ROUNDS}, context=context), range(16)))
    assert {(r["spent"]["queries"], r["spent"]["turns"], r["answer"]) for r in results} == {(4, 10, "Ilmo")}


def test_the_run_is_in_no_schema_and_an_unused_context_has_none() -> None:
    assert set(RunContext.model_json_schema()["properties"]) == {"scope", "limits"}
    with pytest.raises(ConfigError, match="not been used"):
        RunContext().run


def test_a_claimed_context_leaves_the_callers_limits_as_they_were() -> None:
    given = RunContext(limits=Limits(turns=1))
    bound = RunContext.claim(given, Services(ToyKg().open, person))
    assert bound is not given and bound.limits == given.limits and bound.run is given.run
