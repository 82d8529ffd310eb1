"""What a caller of the guard sees: advice in refusals, caps while rows arrive, elements as records."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from knowledge.clocks import moment
from knowledge.cypher.guard import Guard
from knowledge.cypher.limits import Limits
from knowledge.cypher.plan import check_plan
from knowledge.cypher.refusal import Refusal, Refused
from knowledge.cypher.rows import Seen, SeenPath
from knowledge.cypher.verdict import Allowed, Result
from knowledge.database.connection import Database
from knowledge.errors import OutOfBudget
from knowledge.reading.meter import Unmetered
from knowledge.records import Entity, Fact
from knowledge.scope import Scope
from tests.knowledge.cypher.films import films
from tests.knowledge.cypher.worlds import TEAM, guard_of, hide, world_of
from tests.knowledge.reading.world import Node, Place, World

FILMS = Scope(frozenset({"films"}))


@pytest.fixture(scope="module")
def guard(shared_database: Database) -> Guard:
    return Guard(films(shared_database), FILMS, Unmetered())


def ran(guard: Guard, text: str, **parameters: object) -> Result:
    verdict = guard.check(text, parameters)
    assert isinstance(verdict, Allowed), verdict
    result = guard.run(verdict)
    assert isinstance(result, Result), result
    return result


@pytest.mark.parametrize(
    ("text", "code", "advice"),
    [
        ("MATCH (m:Film) RETURN m", "unknown_label", "look at the schema"),
        ("MATCH (m:Movi) RETURN m", "unknown_label", "did you mean Movie"),
        ("MATCH (p:Person)-[:ACTS_IN]->(m) RETURN m", "unknown_relation", "ACTED_IN"),
        ("MATCH (m:Movie)-[:ACTED_IN]->(p:Person) RETURN p", "direction", "(:Person)-[:ACTED_IN]->(:Movie)"),
        ("MATCH (m:Movie) WHERE m.titel = 'Up' RETURN m", "unknown_property", "did you mean title"),
        ("MATCH (p:Person {nam: 'Ann'}) RETURN p", "unknown_property", "name"),
        ("MATCH (m:电景) RETURN m", "unknown_label", "电影"),
        ("MATCH (p:Person) RETURN toLowerr(p.name) AS x", "function", "toLower"),
        ("MATCH (p:Person) RETURN q.name AS x", "syntax", "MATCH"),
        ("MATCH (p:Person) WITH p.name RETURN 1 AS x", "syntax", "AS"),
        ("MATCH (p:Person) RETURN count(p.name, p.born) AS x", "server_syntax", ""),
    ],
)
def test_a_refusal_says_what_to_write_instead(guard: Guard, text: str, code: str, advice: str) -> None:
    verdict = guard.check(text)
    assert isinstance(verdict, Refusal), verdict
    assert verdict.code == code
    assert advice in verdict.instead


def test_the_servers_own_message_is_given_in_the_statements_own_names(guard: Guard) -> None:
    verdict = guard.check("MATCH (p:Person) RETURN sum(p.born, p.salary) AS both")
    assert isinstance(verdict, Refusal)
    assert "v_" not in verdict.message and "sum" in verdict.message


def test_elements_come_back_as_records_with_their_properties(guard: Guard) -> None:
    row = ran(guard, "MATCH p = (a:Person {name: 'Ann'})-[r:KNOWS]->(b) RETURN a, r, p, collect(b) AS bs, a.born AS born").rows[0]
    assert isinstance(row["a"], Seen) and isinstance(row["a"].record, Entity) and row["a"].properties["born"] == 1970
    assert isinstance(row["r"], Seen) and isinstance(row["r"].record, Fact) and row["r"].properties == {"since": 2010}
    assert isinstance(row["p"], SeenPath) and [node.record.name for node in row["p"].nodes] == ["Ann", "Bob"]
    assert [seen.record.name for seen in row["bs"]] == ["Bob"]
    assert row["born"] == 1970


def test_columns_keep_the_names_that_were_asked_for(guard: Guard) -> None:
    assert list(ran(guard, "MATCH (m:Movie) RETURN m.title, count( * ), max(m.rating) AS `the best`").rows[0]) == [
        "m.title", "count( * )", "the best",
    ]  # fmt: skip


def test_parameters_travel_and_others_are_refused(guard: Guard) -> None:
    assert ran(guard, "MATCH (p:Person {name: $name}) RETURN p.born AS b", name="Ann").rows == ({"b": 1970},)
    missing = guard.check("MATCH (p:Person {name: $name}) RETURN p")
    assert isinstance(missing, Refusal) and missing.code == "unknown_parameter"
    large = guard.check("RETURN size($xs) AS n", {"xs": ["x" * 1000] * 200})
    assert isinstance(large, Refusal) and large.code == "list_size"


def test_bytes_are_capped_while_rows_arrive(guard: Guard) -> None:
    small = Guard(guard._kg, FILMS, Unmetered(), replace(Limits(), size=2_000))
    result = ran(small, "UNWIND range(1, 90) AS x RETURN x, '" + "y" * 300 + "' AS y")
    assert result.truncated and 0 < len(result.rows) < 7


def test_a_statement_that_fails_while_it_runs_is_a_refusal(guard: Guard) -> None:
    verdict = guard.check("MATCH (p:Person) RETURN date(p.name) AS d")
    assert isinstance(verdict, Allowed)
    result = guard.run(verdict)
    assert isinstance(result, Refusal) and result.code == "failed" and result.layer == "run"


def test_a_statement_that_takes_too_long_is_ended(guard: Guard) -> None:
    quick = Guard(guard._kg, FILMS, Unmetered(), replace(Limits(), seconds=0.2, listed=10**9, product=1e15, estimated=1e15))
    verdict = guard_verdict(quick, "UNWIND range(1, 100000) AS a UNWIND range(1, 10000) AS b RETURN sum(a * b) AS s")
    result = quick.run(verdict)
    assert isinstance(result, Refusal) and "longer" in result.message


def guard_verdict(guard: Guard, text: str) -> Allowed:
    for _ in range(5):
        verdict = guard.check(text)
        if isinstance(verdict, Allowed):
            return verdict
    raise AssertionError(verdict)


def test_a_path_without_an_end_gets_one_and_says_so(guard: Guard) -> None:
    verdict = guard.check("MATCH (a:Person {name: 'Ann'})-[:KNOWS*]->(b) RETURN b.name AS x LIMIT 3")
    assert isinstance(verdict, Allowed)
    assert verdict.added == ("paths end after 5 steps",)


def test_the_meter_is_asked_before_every_statement(guard: Guard) -> None:
    class Empty(Unmetered):
        def charge(self, statement: str) -> float:
            raise OutOfBudget("queries")

    with pytest.raises(OutOfBudget):
        Guard(guard._kg, FILMS, Empty()).check("RETURN 1 AS x")


@pytest.mark.parametrize(
    "operator", ["Create", "SetProperty", "LoadCSV", "ShowTransactions", "ProcedureCall", "AllNodesScan", "Foreach", "ThatIsNew"]
)
def test_an_operator_that_is_not_known_to_read_only_is_refused_wherever_it_stands(operator: str) -> None:
    plan = {
        "operatorType": "ProduceResults@neo4j",
        "args": {},
        "children": [{"operatorType": f"{operator}@neo4j", "args": {"Details": "x"}}],
    }
    with pytest.raises(Refused):
        check_plan(plan, Limits(), scoped=False)


@pytest.mark.parametrize(("operator", "rows", "code"), [("Expand(All)", 2e6, "too_many_rows"), ("CartesianProduct", 2e5, "product")])
def test_estimates_are_held_against_limits_and_told_only_where_nothing_is_hidden(operator: str, rows: float, code: str) -> None:
    plan = {"operatorType": operator, "args": {"EstimatedRows": rows}}
    for tells in (True, False):
        with pytest.raises(Refused) as refused:
            check_plan(plan, Limits(), scoped=not tells)
        assert refused.value.code == code
        assert (str(int(rows)) in refused.value.message) is tells


@pytest.mark.parametrize(("rows", "scoped", "passes"), [(10, True, True), (5_000, True, False), (10, False, False)])
def test_a_scan_of_everything_passes_only_within_a_scope_and_where_there_is_little(rows: float, scoped: bool, passes: bool) -> None:
    for operator in ("AllNodesScan", "UndirectedAllRelationshipsScan"):
        plan = {"operatorType": operator, "args": {"EstimatedRows": rows}}
        if passes:
            check_plan(plan, Limits(), scoped=scoped)
        else:
            with pytest.raises(Refused):
                check_plan(plan, Limits(), scoped=scoped)


def test_advice_names_only_what_the_scope_sees(shared_database: Database) -> None:
    world = world_of(shared_database, "memory")
    hide(world)
    world.write([Node("x", "submarine", place=Place(access="secret"))], [])
    verdict = guard_of(world, "memory").check("MATCH (n:submarin) RETURN n")
    assert isinstance(verdict, Refusal) and "submarine" not in str(verdict)


@pytest.fixture(scope="module")
def hiding(shared_database: Database) -> World:
    """A memory with things outside of the scope, for tests that only read and follow each other."""
    world = world_of(shared_database, "memory")
    hide(world)
    return world


@pytest.mark.parametrize(
    ("scope", "count"),
    [
        (TEAM, 3),
        (replace(TEAM, namespaces=frozenset()), 0),
        (replace(TEAM, access_levels=frozenset()), 0),
        (replace(TEAM, access_levels=frozenset({"public", "secret"})), 9),
        (replace(TEAM, as_of=moment("2005")), 9),
        (replace(TEAM, known_at=datetime(2026, 1, 2, tzinfo=UTC)), 9),
        (Scope(frozenset({"team2"})), 6),
    ],
)
def test_every_part_of_a_scope_counts(hiding: World, scope: Scope, count: int) -> None:
    assert ran(guard_of(hiding, "memory", scope), "MATCH (n:Entity) WHERE n.kind = 'person' RETURN count(n) AS c").rows == ({"c": count},)


def test_an_earlier_state_of_belief_is_read_as_it_was_believed(shared_database: Database) -> None:
    world = world_of(shared_database, "memory")
    shared_database.write(
        "MATCH (n:Entity {name: 'Alice'}) SET n.known_from = datetime('2026-06-01T00:00:00Z'), n.name = 'Alicia'"
        " CREATE (v:GavelEntityVersion) SET v = n {.group_id, .kind, .access_level, .visibility_group, .valid_from, .valid_to},"
        " v.name = 'Alice', v.entity_uuid = n.uuid, v.known_from = datetime('2026-01-01T00:00:00Z'), v.known_to = datetime('2026-06-01T00:00:00Z')"
    )
    text = "MATCH (n:person)-[:works_at]->(c) RETURN n.name AS x ORDER BY x"
    now = ran(guard_of(world, "memory"), text).rows
    then = ran(guard_of(world, "memory", replace(TEAM, known_at=datetime(2026, 3, 1, tzinfo=UTC))), text).rows
    assert [row["x"] for row in now] == ["Alicia", "Bob"]
    assert [row["x"] for row in then] == ["Alice", "Bob"]
