"""A small dated graph as somebody would load it first: no profile, single facts, names of several words."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import cast

import pytest

from graphs.state import Result
from knowledge.database.connection import Database
from tests.gavel.conftest import Gavel

ROWS = """subject,relation,object,valid_from,valid_to
Ines Duarte,REPORTS_TO,Kofi Mensah,2022-03,
Lars Holm,REPORTS_TO,Ines Duarte,2021,
Mei Chen,REPORTS_TO,Ines Duarte,2023-06,
Ines Duarte,WORKS_IN,Research,2019,
Lars Holm,WORKS_IN,Research,2018,
Mei Chen,WORKS_IN,Support,2020,
Kofi Mensah,HEADS,Sund Robotics,2015,
Research,LOCATED_IN,Porto,,
Support,LOCATED_IN,Tampere,,
Porto,LIES_IN,Portugal,,
Lars Holm,WORKS_ON,Project Heron,2022,
Mei Chen,WORKS_ON,Project Heron,2022,
Project Heron,DEPENDS_ON,Ledger Service,,
Ledger Service,WRITTEN_IN,Rust,,
Ledger Service,WRITTEN_BY,Lars Holm,2020,
Sund Robotics,ACQUIRED,Quay Analytics,2021-11-04,
Quay Analytics,FOUNDED_BY,Mei Chen,2014,
"""


@pytest.fixture
def ask(gavel: Gavel, shared_database: Database, tmp_path: Path) -> Callable[[str], Result]:
    """Asks over the rows, which the first test loads."""
    if not shared_database.read("MATCH (n:GavelNamespace {group_id: 'staff'}) RETURN 1 AS one"):
        file = tmp_path / "staff.csv"
        file.write_text(ROWS, encoding="utf-8")
        gavel("load", str(file), "--namespace", "staff")
    return lambda question: cast(Result, json.loads(gavel("ask", question, "--format", "json").out))


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("Who founded the company that Sund Robotics acquired?", ["Mei Chen"]),
        ("Which projects does Lars Holm work on?", ["Project Heron"]),
        ("Which department does Lars Holm work in?", ["Research"]),
        ("What is Ledger Service written in?", ["Rust"]),
        ("Who is Ledger Service written by?", ["Lars Holm"]),
        ("What does Project Heron depend on, and what is that written in?", ["Rust"]),
        ("Who works in the department located in Porto?", ["Ines Duarte", "Lars Holm"]),
        ("When did Sund Robotics acquire Quay Analytics?", ["2021-11-04"]),
        ("when did sund robotics acquire quay analytics", ["2021-11-04"]),
        ("Since when has Lars Holm reported to Ines Duarte?", ["2021"]),
        ("When was Quay Analytics founded?", ["2014"]),
        ("tell me about heron", ["Lars Holm", "Ledger Service", "Mei Chen"]),
        ("who does ines report to?", ["Kofi Mensah"]),
        ("Is Lars Holm in Research?", ["yes"]),
        ("Is Lars Holm in Support?", ["no"]),
        ("Is Lars Holm in Porto?", ["yes"]),
        ("Is Mei Chen in Portugal?", ["no"]),
        ("Is Lars Holm in Portugal?", ["yes"]),
        ("Do Lars Holm and Mei Chen work on a common project?", ["yes"]),
        ("Do Lars Holm and Mei Chen work in the same department?", ["no"]),
        ("Who founded Quay Analytics and when?", ["2014", "Mei Chen"]),
        ("Was Quay Analytics acquired, and by whom?", ["Sund Robotics"]),
        ("Does Ines Duarte have a manager, and who is it?", ["Kofi Mensah"]),
        ("Did Lars Holm work on Project Heron, and since when?", ["2022", "yes"]),
        ("Who works on Project Heron, and how many?", ["2", "Lars Holm", "Mei Chen"]),
        ("Was Quay Analytics acquired by Sund Robotics, and if so, when?", ["2021-11-04", "yes"]),
        ("Quay Analytics: founder?", ["Mei Chen"]),
        ("Who was Quay Analytics acquired by?", ["Sund Robotics"]),
        ("quay analytics founder", ["Mei Chen"]),
        ("Who was the first to report to Ines Duarte?", ["Lars Holm"]),
        ("Who most recently reported to Ines Duarte?", ["Mei Chen"]),
        ("Who was the last to work on the project that depends on Ledger Service?", ["Lars Holm", "Mei Chen"]),
    ],
)
def test_questions_find_their_answers(ask: Callable[[str], Result], question: str, answers: list[str]) -> None:
    result = ask(question)
    assert sorted(each["name"] for each in result["answers"]) == answers
    assert result["paths"] or answers == ["no"]


@pytest.mark.parametrize(
    "question", ["When did Kofi Mensah leave Sund Robotics?", "Since when does Project Heron depend on Ledger Service?"]
)
def test_a_date_that_is_not_recorded_is_a_missing_value(ask: Callable[[str], Result], question: str) -> None:
    result = ask(question)
    assert result["answers"] == []
    assert [gap["kind"] for gap in result["gaps"]] == ["missing_value"]
