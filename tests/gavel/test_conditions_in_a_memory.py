"""Questions with filters over the dates of facts and over their number, in a dated memory: rules only."""

import json
from pathlib import Path

import pytest

from tests.gavel.conftest import Gavel

WORKSHOPS = """subject,relation,object,valid_from,valid_to
Ada Moss,FOUNDED,Mill Pottery,1998,
Ben Oyelaran,FOUNDED,Quay Glass,2012-04,
Cem Aksoy,FOUNDED,Tarn Weavers,2019,
Mill Pottery,EMPLOYS,Dana Reyes,2001,
Mill Pottery,EMPLOYS,Eli Brandt,2003,
Mill Pottery,EMPLOYS,Fay Lindqvist,2010,
Quay Glass,EMPLOYS,Gil Haddad,2013,
"""


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("Which workshops were founded after 2000?", ["Quay Glass", "Tarn Weavers"]),
        ("Which workshops were founded before 2012-05?", ["Mill Pottery", "Quay Glass"]),
        ("Which workshops employ more than 2 people?", ["Mill Pottery"]),
    ],
)
def test_the_dates_of_facts_and_their_number_filter_in_a_memory(
    gavel: Gavel, environment: pytest.MonkeyPatch, tmp_path: Path, question: str, answers: list[str]
) -> None:
    file = tmp_path / "workshops.csv"
    file.write_text(WORKSHOPS, encoding="utf-8")
    profile = tmp_path / "workshops.yaml"
    profile.write_text("kinds:\n  workshop: [workshop]\nrelations:\n  FOUNDED: {object: workshop}\n  EMPLOYS: {subject: workshop}\n")
    environment.setenv("GAVEL_PROFILE", str(profile))
    gavel("load", str(file), "--namespace", "workshops")
    result = json.loads(gavel("ask", question, "--format", "json").out)
    assert sorted(one["name"] for one in result["answers"]) == answers
    assert result["evidence"]
