"""A gap may hold anything that a question held: its task can be proposed all the same."""

from typing import cast

import pytest

from agents.exchange import Gap
from agents.gap_tasks import gap_drafts
from knowledge.remember.proposal import Proposal


@pytest.mark.parametrize("types", [["Gap"], []])
@pytest.mark.parametrize("text", ["", "a: b\nc - d", "é：x" * 100_000, "\u202eevil", "nul\x00", " - ", "\n\n", "\ud800"])
def test_whatever_a_gap_says_its_task_is_a_proposal_with_a_fit_name(text: str, types: list[str]) -> None:
    asked = {"about": text, "relation": text, "why": text}
    gap = cast(Gap, {"kind": "missing_relation", "priority": 1, "required": True, "closable": True, **asked})
    [(draft, _)] = gap_drafts([gap], {"id": "tasks", "purpose": "", "types": types, "direct": True, "room": -1})
    made = Proposal.read({**draft, "idempotency_key": "once"})
    assert made.named and made.named.type == "Gap" and len(made.episode_body) < 10_000
