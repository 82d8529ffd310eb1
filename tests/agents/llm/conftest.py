"""Minds are tested where their word counts: the rules are never sure enough to go on without them."""

import pytest

from agents.llm import planner, reasoner


@pytest.fixture(autouse=True)
def doubtful_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    """No reading and no proof counts as sure."""
    monkeypatch.setattr(planner, "SURE", 2.0)
    monkeypatch.setattr(reasoner, "SURE", 2.0)
