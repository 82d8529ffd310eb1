"""Graphs are tested with every role at work: the rules are never sure enough for a mind to go on without its model."""

from tests.agents.llm.conftest import doubtful_rules

__all__ = ["doubtful_rules"]
