"""The forms that models reply in."""

import pytest
from pydantic import BaseModel, ValidationError

from agents.llm.gap_detector import Missed
from agents.llm.intake import Reading
from agents.llm.navigator import Choice, Mended
from agents.llm.planner import PlanDraft
from agents.llm.reasoner import Verdict


@pytest.mark.parametrize("form", [Reading, PlanDraft, Choice, Mended, Verdict, Missed])
def test_an_object_about_something_else_is_no_reply(form: type[BaseModel]) -> None:
    with pytest.raises(ValidationError):
        form.model_validate({"nonsense": 1})
