"""Questions with filters, orders, limits and groups over the typed properties of a native graph: rules only."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import cast

import pytest

from evals.sets.brains.harbour import build_harbour
from graphs.state import Result
from knowledge.database.connection import Database
from tests.conftest import wipe
from tests.gavel.conftest import Gavel

PROFILE = Path(__file__).parents[2] / "evals" / "sets" / "brains" / "profile.yaml"


@pytest.fixture
def harbour(shared_database: Database, environment: pytest.MonkeyPatch) -> None:
    """The native graph of the brains set, alone in the database, written once: the names of a native graph are kept while its counts stay the same."""
    if not shared_database.read("MATCH (n:Captain) RETURN count(n) AS captains")[0]["captains"]:
        wipe(shared_database)
        build_harbour(shared_database)
    environment.setenv("GAVEL_PROFILE", str(PROFILE))


def asking(gavel: Gavel) -> Callable[[str], Result]:
    return lambda question: cast(Result, json.loads(gavel("ask", question, "--format", "json").out))


def told(result: Result) -> list[object]:
    return [one["name"] if one["id"] else one["value"] for one in result["answers"]]


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("the three highest-paid captains born after 1970", ["Sade Bello", "Lin Haoran", "Yuki Tan"]),
        ("1970年以后出生的工资最高的三位船长", ["Sade Bello", "Lin Haoran", "Yuki Tan"]),
        ("the 2 longest ships", ["Red Heron", "Moonraker"]),
        ("How many ships per line?", ["Fjordline", "Meridian Freight", "Harmony Sea", "Blue Anchor"]),
        ("How many ships were built before 2000?", [3.0]),
    ],
)
def test_typed_properties_filter_order_limit_and_count(harbour: None, gavel: Gavel, question: str, answers: list[object]) -> None:
    result = asking(gavel)(question)
    assert told(result) == answers
    assert result["stop_reason"] == "answered" and result["spent"]["model_calls"] == 0


def test_a_filter_keeps_what_a_name_leads_to(harbour: None, gavel: Gavel) -> None:
    result = asking(gavel)("Which ships of Fjordline were built after 2000?")
    assert sorted(map(str, told(result))) == ["Grey Petrel", "Northern Lily"]
    assert {fact["relation"] for fact in result["evidence"].values()} == {"OWNS"}
    assert set(result["citations"]) <= set(result["evidence"])


def test_a_question_that_means_no_recorded_attribute_gets_no_made_up_filter(harbour: None, gavel: Gavel) -> None:
    result = asking(gavel)("Which captains were married after 1990?")
    assert not result["answers"] or result["confidence"] < 0.5


def test_where_nothing_meets_every_condition_the_closest_is_told_as_such(harbour: None, gavel: Gavel) -> None:
    result = asking(gavel)("Which captains with a salary above 100000 were born before 1970?")
    assert result["confidence"] < 0.25 and not result["can_answer_now"]
    assert "Closest recorded" in result["answer"]
    assert any("nothing meets every condition" in gap["why"] for gap in result["gaps"])


def test_a_count_of_none_is_an_answer(harbour: None, gavel: Gavel) -> None:
    assert told(asking(gavel)("How many ships were built before 1900?")) == [0.0]
