"""From a memory of Graphiti to a clean one on the command line: adopt, audit, plan, clean with an approval, take back, let go."""

import json
from pathlib import Path

import pytest
import yaml

from knowledge.database.connection import Database
from tests.conftest import wipe
from tests.gavel.conftest import Gavel
from tests.gavel.test_cli_json import REGISTRY, kg_of_the_session
from tests.knowledge.adoption.graphiti_world import everything
from tests.knowledge.cleaning.cluttered import SPACE, clutter

__all__ = ["kg_of_the_session"]


@pytest.fixture
def tokens(
    gavel: Gavel, kg_of_the_session: None, environment: pytest.MonkeyPatch, shared_database: Database, tmp_path: Path
) -> dict[str, str]:
    """A cluttered memory, a person who may do everything and an agent that may write everywhere."""
    (tmp_path / "registry.yaml").write_text(REGISTRY.read_text())
    environment.setenv("GAVEL_REGISTRY", str(tmp_path / "registry.yaml"))
    wipe(shared_database)
    clutter(shared_database)
    ann = json.loads(gavel("principal", "add", "ann", "--kind", "person", "--everything", "--format", "json").out)["token"]
    environment.setenv("GAVEL_TOKEN", ann)
    bot = gavel("principal", "add", "sweeper", "--kind", "agent", "--reads", "*", "--writes", "*", "--format", "json")
    return {"ann": ann, "sweeper": json.loads(bot.out)["token"]}


def test_a_cluttered_memory_is_cleaned_and_put_back(
    gavel: Gavel, tokens: dict[str, str], environment: pytest.MonkeyPatch, shared_database: Database, tmp_path: Path
) -> None:
    as_it_was = everything(shared_database)
    assert "97 live memories" in gavel("namespace", "audit").out and everything(shared_database) == as_it_was
    seen = json.loads(gavel("audit", "--access", "--format", "json").out)
    assert (
        {one["tool"] for one in seen if one["principal"] == "ann"} == {"audit"}
        and SPACE in seen[0]["namespaces"]
        and any(one["ids"] for one in seen)
    )
    (tmp_path / "p.yaml").write_text("id: abcdefgh\nactions: []\n")
    assert "gavel adopt" in gavel("namespace", "clean", "p.yaml").err
    assert "nothing was changed" in gavel("adopt", "--dry-run").out and everything(shared_database) == as_it_was
    assert gavel("adopt").code == 0
    told = gavel("namespace", "audit", SPACE, "--kind", "misplaced", "--plan", "plan.yaml")
    assert told.code == 0 and "technical_patterns does" in told.out
    plan = yaml.safe_load((tmp_path / "plan.yaml").read_text())
    plan["actions"] = [action for action in plan["actions"] if action.get("to") == "technical_patterns"][:4]
    (tmp_path / "plan.yaml").write_text(yaml.safe_dump(plan))
    environment.setenv("GAVEL_TOKEN", tokens["sweeper"])
    dry = gavel("namespace", "clean", "plan.yaml", "--dry-run").out
    assert dry.count("would") == 5 and "needs approval" in dry
    waits = gavel("namespace", "clean", "plan.yaml")
    assert waits.code == 0 and "4 waits" in waits.out
    environment.setenv("GAVEL_TOKEN", tokens["ann"])
    waiting = [one["receipt"] for one in json.loads(gavel("inbox", "list", "--format", "json").out)]
    assert len(waiting) == 4 and gavel("inbox", "approve", *waiting).code == 0
    environment.setenv("GAVEL_TOKEN", tokens["sweeper"])
    done = json.loads(gavel("namespace", "clean", "plan.yaml", "--format", "json").out)
    assert done["counts"] == {"done": 4}
    assert in_sight(shared_database) == {SPACE: 93, "technical_patterns": 4}
    environment.setenv("GAVEL_TOKEN", tokens["ann"])
    assert "written into" in gavel("adopt", "--undo").err
    assert gavel("namespace", "clean", "plan.yaml", "--undo").code == 0
    assert in_sight(shared_database) == {SPACE: 97}


def test_adopted_by_mistake_it_is_let_go_as_it_was(
    gavel: Gavel, tokens: dict[str, str], environment: pytest.MonkeyPatch, shared_database: Database
) -> None:
    before = everything(shared_database)
    environment.setenv("GAVEL_TOKEN", tokens["sweeper"])
    assert "by a person who may write everywhere" in gavel("adopt").err and everything(shared_database) == before
    environment.setenv("GAVEL_TOKEN", tokens["ann"])
    assert gavel("adopt").code == 0 and gavel("adopt", "--undo").code == 0
    assert everything(shared_database) == before
    told = json.loads(gavel("stats", "--format", "json").out)
    assert [one["episodes"] for one in told if one["namespace"] == SPACE] == [0]


def in_sight(database: Database) -> dict[str, int]:
    return {row["space"]: row["n"] for row in database.read("MATCH (e:Episodic) RETURN e.group_id AS space, count(*) AS n ORDER BY space")}
