"""What a caller may ask for, and what is refused before anything runs."""

import asyncio
import copy
import pickle
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from pydantic import ValidationError

from evals.benchmarks.toy import SCOPE, ToyKg, ToyReader, person
from graphs.budget import Limits
from graphs.context import RunContext, ScopeRequest, Services
from graphs.trace import RunRecord
from knowledge.clocks import moment
from knowledge.errors import ConfigError, ScopeError
from knowledge.reading.meter import Meter
from knowledge.scope import LIMITED, Scope
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


def test_limits_of_the_principal_cut_what_is_asked_for_and_never_raise_it() -> None:
    limits = {"queries": 7, "turns": 3, "wall_time": 9.5}
    services = Services(ToyKg().open, lambda: replace(person(), limits=limits))
    held = RunContext.claim({"limits": {"queries": 50, "turns": 2, "rounds": 4}}, services).limits
    assert (held.queries, held.turns, held.wall_time, held.rounds) == (7, 2, 9.5, 4)
    assert RunContext.claim(None, services).limits == Limits().within(limits)
    assert RunContext.claim({"limits": {"queries": 50}}, Services(ToyKg().open, person)).limits == Limits(queries=50)


def test_what_a_principal_is_limited_in_are_limits_of_a_run_with_the_same_least_values() -> None:
    for name, least in LIMITED.items():
        assert getattr(Limits(**{name: least}), name) == least  # type: ignore[arg-type]
        with pytest.raises(ValidationError):
            Limits(**{name: least - 1})  # type: ignore[arg-type]


def test_a_run_ends_at_its_principals_limit_and_its_record_says_which_limits_held() -> None:
    kept: list[RunRecord] = []

    class Keeper:
        def finished(self, record: RunRecord) -> None:
            kept.append(record)

    graph = toy_graph(principal=lambda: replace(person(), limits={"queries": 2}), recorder=Keeper())
    result = graph.invoke({"question": TWO_ROUNDS}, context={"limits": {"queries": 50, "rounds": 3}})
    assert (result["stop_reason"], result["spent"]["queries"]) == ("queries", 2)
    [record] = kept
    assert record.limits == Limits(queries=2, rounds=3).model_dump()


@pytest.mark.parametrize("date", ["0001", "0001-01-01", "9999-12-31", "2019-05-07T12:00:00.000001+02:00", "20190507"])
def test_a_date_at_the_end_of_time_is_never_taken_for_now(date: str) -> None:
    asked = ScopeRequest(as_of=f" {date} ", known_at=date).within(SCOPE)
    assert asked.as_of == moment(date)
    assert asked.known_at == moment(date).end - timedelta(microseconds=1)


@pytest.mark.parametrize(
    "date", ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00", "9999-12-31T23:59:59.999999Z", "99999", "2019-02-30"]
)
def test_a_date_beyond_what_can_be_kept_is_refused(date: str) -> None:
    for clock in ("as_of", "known_at"):
        with pytest.raises(ConfigError, match=f"scope.{clock}.*is no date"):
            GRAPH.invoke({"question": FACT}, context={"scope": {clock: date}})


def test_scopes_with_other_clocks_never_share_what_is_cached() -> None:
    dates = ["0001", "9999-12-31", "2019", "2019-01", "2019-01-01", "2019-01-01T00:00:00Z"]
    scopes = [SCOPE, *(Scope(SCOPE.namespaces, as_of=moment(date)) for date in dates)]
    assert len({scope.fingerprint for scope in scopes}) == len(scopes)


@pytest.mark.parametrize("given", ["Who?", 5, [], {"question": 5}, {"question": ["Who?"]}, {"question": b"Who?"}])
def test_what_is_no_question_is_refused_before_anything_runs(given: Any) -> None:
    for ask in (GRAPH.invoke, lambda q: asyncio.run(GRAPH.ainvoke(q))):
        with pytest.raises(ConfigError, match="the question must be text"):
            ask(given)


def test_a_used_context_can_be_copied_and_pickled_without_its_runs() -> None:
    context = RunContext(limits=Limits(queries=7), scope=ScopeRequest(as_of="2019"))
    GRAPH.invoke({"question": FACT}, context=context)
    for copied in (copy.deepcopy(context), pickle.loads(pickle.dumps(context))):
        assert (copied.limits, copied.scope) == (context.limits, context.scope)
        with pytest.raises(ConfigError, match="has not been used"):
            _ = copied.run
        assert GRAPH.invoke({"question": FACT}, context=copied)["stop_reason"]
