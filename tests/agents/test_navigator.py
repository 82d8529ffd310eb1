"""What came first and last is told by the dates of facts, and only where all of them are seen."""

from typing import Any, cast

import pytest

from agents.exchange import new_task
from agents.navigator import DATED_FACTS, navigate
from knowledge.records import Entity, Fact

HOME = Entity("harbour", "Harbour")


class Berths:
    """A reader that knows nothing but who has berthed at the harbour, and when."""

    def __init__(self, *dates: str) -> None:
        self._facts = [Fact(f"f{n}", Entity(f"s{n}", f"Ship {n}"), "berthed", HOME, valid_from=date) for n, date in enumerate(dates)]

    def expand(self, ids: Any, *, relations: Any, direction: Any, limit: int) -> list[Fact]:
        assert (list(ids), list(relations), direction) == (["harbour"], ["berthed"], "in")
        return self._facts[:limit]


def ranked(reader: Berths, measure: str) -> Any:
    spec: Any = {"steps": [{"relation": "berthed", "direction": "in"}], "measure": measure}
    task = new_task("t", "by_date", "who berthed", starts=["harbour"], spec=spec)
    return navigate({"task": task, "starts": ["harbour"], "ends": []}, cast(Any, reader))


@pytest.mark.parametrize(("measure", "names"), [("lowest", ["Ship 1", "Ship 2", "Ship 0"]), ("highest", ["Ship 0", "Ship 2", "Ship 1"])])
def test_dated_facts_are_ranked_and_undated_ones_left_out(measure: str, names: list[str]) -> None:
    result = ranked(Berths("2021-05", "2019", "2020", ""), measure)
    assert [value["name"] for value in result.values] == names
    assert len(result.evidence) == 3


def test_nothing_is_first_among_more_facts_than_can_be_seen() -> None:
    result = ranked(Berths(*["2020"] * (DATED_FACTS + 1)), "lowest")
    assert not result.values
    assert "too many" in result.error
