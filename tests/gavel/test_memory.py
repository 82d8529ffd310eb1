"""The writing half of a process while its database is away: nothing is lost, and it is said."""

from pathlib import Path

import pytest

from gavel.app import App
from gavel.settings import Settings
from knowledge.remember.proposal import Proposal, Provenance
from tests.gavel.conftest import Gavel

REGISTRY = Path(__file__).parents[2] / "docs" / "NAMESPACE_REGISTRY.yaml"
LINE = ("remember", "Retry with jitter, never at once.", "--name", "Lesson: Neo4j - deadlocks", "-n", "technical_patterns")


@pytest.fixture
def away(gavel: Gavel, environment: pytest.MonkeyPatch, tmp_path: Path) -> Gavel:
    environment.setenv("GAVEL_DATA_DIR", str(tmp_path / "data"))
    environment.setenv("GAVEL_REGISTRY", str(REGISTRY))
    environment.setenv("GAVEL_NEO4J_URI", "bolt://127.0.0.1:1")
    return gavel


def test_a_memory_is_accepted_while_the_database_is_away_and_that_is_told(away: Gavel) -> None:
    told = away(*LINE)
    assert told.code == 0 and told.out.startswith("accepted") and "applied later" in told.err
    again = away(*LINE)
    assert "as before" in again.out and again.out.split()[3] == told.out.split()[3]


def test_health_says_what_is_away_and_fails(away: Gavel) -> None:
    told = away("health")
    assert told.code == 1 and "database away" in told.out


def test_what_waits_for_approval_does_not_need_the_database(away: Gavel) -> None:
    with App(Settings()) as app:
        proposal = Proposal.read(
            {"name": "Core Lesson: Begin - look first", "episode_body": "look first, then write", "group_id": "graphiti_meta_knowledge"}
        )
        receipt = app.memory.inbox(app.proposer(), Provenance()).submit(proposal)
        assert receipt.status == "review" and app.memory.approvals(app.proposer()).own() == 1
