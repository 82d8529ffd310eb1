"""A namespace that holds too much: the plan names what would be the next to go, and leaves it to a person."""

from datetime import UTC, datetime, timedelta

import pytest

from knowledge.cleaning.audit import Audit, planned
from knowledge.cleaning.faults import Fault
from knowledge.cleaning.memories import Memory
from knowledge.cleaning.plan import Archive, Keep, Merge
from knowledge.registry.contract import SizeLimit

BEGAN = datetime(2026, 1, 1, tzinfo=UTC)


def memories(n: int, namespace: str = "full") -> list[Memory]:
    """The oldest last, to be found by its age alone; ten bytes each."""
    return [Memory(f"{namespace}{n - at}", namespace, "a name", "body", "text", "", "", BEGAN - timedelta(days=at), 0) for at in range(n)]


def plan(held: list[Memory], limit: SizeLimit, *faults: Fault) -> dict[str, str]:
    return {action.memory: action.why for action in planned(Audit({}, faults, held, {"full": limit})) if isinstance(action, Keep)}


@pytest.mark.parametrize(
    ("limit", "next_to_go"),
    [
        (SizeLimit(episodes=5), []),
        (SizeLimit(episodes=3), ["full1", "full2"]),
        (SizeLimit(bytes=50), []),
        (SizeLimit(bytes=49), ["full1"]),
        (SizeLimit(episodes=4, bytes=30), ["full1", "full2"]),
        (SizeLimit(), []),
    ],
)
def test_the_oldest_are_named_until_the_rest_fits(limit: SizeLimit, next_to_go: list[str]) -> None:
    found = plan([*memories(5), *memories(9, "elsewhere")], limit)
    assert sorted(found) == next_to_go and all("the next to go" in why for why in found.values())


def test_what_goes_anyway_makes_room_and_what_has_another_fault_is_named_before_the_oldest() -> None:
    held = memories(6)
    stale = Fault("stale", "full", "full1", "", "it is old")
    same = Fault("duplicated", "full", "full2", "", "says the same", to="full3")
    moved = Fault("misplaced", "full", "full3", "", "it belongs elsewhere", to="elsewhere")
    unnamed = Fault("unnamed", "full", "full6", "", "it has no name")
    assert plan(held, SizeLimit(episodes=3), stale, same, moved, unnamed) == {"full6": "it has no name"}
    found = plan(held, SizeLimit(episodes=1), stale, same, moved, unnamed)
    assert list(found) == ["full6", "full4"] and found["full6"].startswith("it has no name; full is over its limit")
    actions = planned(Audit({}, [stale, same, moved, unnamed], held, {"full": SizeLimit(episodes=1)}))
    assert {type(action) for action in actions if action.memory in ("full1", "full2")} == {Archive, Merge}, (
        "what a rule decides stays decided"
    )
