from agents.exchange import RoundSummary, Task, TaskSummary
from agents.planner import plan
from tests.agents.cases import done, fact, failed, part, reading, understood


def summary(*tasks: Task) -> RoundSummary:
    shown: list[TaskSummary] = [
        {key: t[key] for key in ("id", "part", "strategy", "goal", "spec", "status", "found", "error")}
        for t in tasks  # type: ignore[misc]
    ]
    return {"round": 1, "tasks": shown, "facts": 1, "entities": 1, "confidence": 0.5}


def planned(*parts, rounds=()):
    view = {"asked": "", "understanding": understood(*parts), "round": len(rounds) + 1, "schema": "", "gaps": [], "rounds": list(rounds)}
    return plan(view, None).plan


def test_every_part_that_can_be_read_gets_one_task_in_the_first_round():
    tasks = planned(part("a", of="Ann", relations=("owns",)), part("b", of="Bob", relations=("owns", "rents")))
    assert [(t["part"], t["starts"], t["spec"]["steps"][0]["relation"]) for t in tasks.values()] == [
        (0, ["ann"], "owns"),
        (1, ["bob"], "owns"),
    ]


def test_a_reading_that_found_nothing_gives_way_to_the_next_one_and_then_to_none():
    both = part("a", of="Ann", relations=("owns", "rents"))
    first = failed(done(both, 0, []))
    assert next(iter(planned(both, rounds=[summary(first)]).values()))["spec"]["steps"][0]["relation"] == "rents"
    assert planned(both, rounds=[summary(first, {**first, "id": "r2.0"})]) == {}


def test_a_part_that_is_answered_is_not_asked_again():
    one = part("a", of="Ann", relations=("owns", "rents"))
    assert planned(one, rounds=[summary(done(one, 0, [fact("Ann", "owns", "Mill")]))]) == {}


def test_a_connection_of_sets_waits_for_both_sets_and_then_takes_them_from_their_tasks():
    left, right = part("mills", of="Ann", relations=("owns",)), part("farms", of="Bob", relations=("owns",))
    between = {**part("rivals", "connect"), "operands": [0, 1], "readings": [{**reading("", "vies"), "strategy": "connect", "starts": []}]}
    assert [t["part"] for t in planned(left, right, between).values()] == [0, 1]
    half = summary(done(left, 0, [fact("Ann", "owns", "Mill")]), failed(done(right, 1, [])))
    assert planned(left, right, between, rounds=[half]) == {}
    full = summary(done(left, 0, [fact("Ann", "owns", "Mill")]), done(right, 1, [fact("Bob", "owns", "Farm")]))
    (task,) = planned(left, right, between, rounds=[full]).values()
    assert (task["needs"], task["ends_from"], task["starts"]) == (["r1.0"], ["r1.1"], [])


def test_a_plain_name_beside_a_set_stands_for_itself():
    left, right = part("mills", of="Ann", relations=("owns",)), part("Bob", of="Bob")
    between = {**part("rivals", "connect"), "operands": [0, 1], "readings": [{**reading("", "vies"), "strategy": "connect", "starts": []}]}
    (task,) = planned(left, right, between, rounds=[summary(done(left, 0, [fact("Ann", "owns", "Mill")]))]).values()
    assert (task["needs"], task["ends"], task["ends_from"]) == (["r1.0"], ["bob"], [])
