"""`gavel ask` remembers what its human asks, over the real database and journal; what an answer lacks becomes a task after it."""

import json
import time
from pathlib import Path

import pytest

from gavel.app import App
from gavel.settings import Settings
from knowledge.database.connection import Database
from knowledge.registry.file import read_registry
from tests.conftest import wipe
from tests.gavel.conftest import Gavel
from tests.gavel.test_cli_json import REGISTRY, kg_of_the_session

__all__ = ["kg_of_the_session"]
GAPS = """\
  knowledge_gaps:
    purpose: What answers lacked, for whoever can find it out.
    owner: any_agent
    allowed_types: [Gap]
    size_limit: 100
    write_policy: self_service
"""


@pytest.fixture
def registered(kg_of_the_session: None, environment: pytest.MonkeyPatch, shared_database: Database, tmp_path: Path) -> None:
    wipe(shared_database)
    before, after = REGISTRY.read_text().split("namespaces:\n", 1)
    (tmp_path / "registry.yaml").write_text(f"{before}namespaces:\n{GAPS}{after}")
    assert read_registry(tmp_path / "registry.yaml").find("knowledge_gaps")
    environment.setenv("GAVEL_REGISTRY", str(tmp_path / "registry.yaml"))


@pytest.mark.parametrize("said", ["Remember that Boreal moved to Oslo.", "记住：Boreal 搬到了奥斯陆。"])
def test_what_is_said_is_applied_when_the_answer_comes(gavel: Gavel, registered: None, shared_database: Database, said: str) -> None:
    told = json.loads(gavel("ask", said, "--format", "json").out)
    [receipt] = told["receipts"]
    assert receipt["status"] == "applied" and receipt["receipt"] in told["answer"] and told["stop_reason"] == "answered"
    assert "Boreal" in shared_database.read("MATCH (e:Episodic) RETURN e.content AS body")[0]["body"]
    assert "writer" in gavel("provenance", receipt["receipt"], "--format", "json").out


def test_a_gap_becomes_a_task_when_the_answer_is_out(
    gavel: Gavel, registered: None, environment: pytest.MonkeyPatch, shared_database: Database, tmp_path: Path
) -> None:
    (tmp_path / "facts.tsv").write_text("Boreal\tfounded_by\tMara\nCobalt\tfounded_by\tIvo\nMara\tborn_in\tOslo\n")
    assert gavel("load", "facts.tsv", "--namespace", "firms").code == 0
    environment.setenv("GAVEL_GAP_NAMESPACE", "knowledge_gaps")
    told = json.loads(gavel("ask", "Where was Ivo born?", "--format", "json").out)
    assert told["gaps"] and not told["answers"], told
    gavel("ask", "Where was Ivo born?")
    rows = shared_database.read(
        "MATCH (e:Episodic {group_id: 'knowledge_gaps'}) RETURN e.name AS name, e.run_id AS run, e.agent_id AS agent"
    )
    assert len(rows) == len(told["gaps"]), "asked twice, each gap is one task"
    assert all(row["name"].startswith("Gap: ") and row["agent"] == "writer" for row in rows) and rows[0]["run"] == told["trace_id"]


def test_closing_waits_for_the_background_and_leaves_no_connection_open(registered: None) -> None:
    with App(Settings()) as app:
        done: list[object] = []
        app.memory.later(lambda: (time.sleep(0.2), done.append(app.database.read("RETURN 1 AS one"))))
    assert done == [[{"one": 1}]] and app._connected is None
