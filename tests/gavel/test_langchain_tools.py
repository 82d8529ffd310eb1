"""The guarded write as a LangChain tool: for the writer alone, also when it is built; refusals are told to the model."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain_core.messages import AIMessage, BaseMessage, ToolMessage

import gavel
from gavel import app as apps
from gavel.app import App
from gavel.langchain_tools import add_memory_tool
from gavel.settings import Settings
from knowledge.errors import ScopeError
from knowledge.remember.inbox import WRITER
from tests.gavel.test_cli_json import REGISTRY
from tests.graphs.scripted import Scripted
from tests.knowledge.remember.world import Office, lesson

TOLD = {
    "name": "Lesson: Neo4j - deadlocks",
    "episode_body": "Retry a deadlock with jitter.",
    "group_id": "lessons",
    "source_description": "a run",
}


@pytest.fixture
def office(tmp_path: Path) -> Iterator[Office]:
    made = Office(tmp_path)
    yield made
    made.journal.close()


def called(**given: Any) -> AIMessage:
    return AIMessage("", tool_calls=[{"name": "add_memory", "args": given, "id": "1", "type": "tool_call"}])


@pytest.mark.parametrize("holder", ["door", "planner", "navigator", "supervisor", "", "Writer"])
def test_it_is_built_for_the_writer_alone_and_below_it_the_inbox_refuses_the_rest(office: Office, holder: str) -> None:
    with pytest.raises(ScopeError, match="for the writer alone"):
        add_memory_tool(office.inbox(holder=holder))
    if holder != "door":
        assert office.inbox(holder=holder).submit(lesson()).verdict.code == "forged"


def test_an_agent_writes_with_it_and_reads_the_refusal(office: Office) -> None:
    replies = iter(
        [called(**TOLD), called(**{**TOLD, "name": "no name"}), called(**{**TOLD, "operations": [{"op": "burn"}]}), AIMessage("done")]
    )

    def policy(messages: list[BaseMessage], names: list[str]) -> AIMessage:
        return next(replies)

    agent = create_agent(Scripted(policy=policy), [add_memory_tool(office.inbox(holder=WRITER))])
    told = [one for one in agent.invoke({"messages": ["remember"]})["messages"] if isinstance(one, ToolMessage)]
    assert told[0].artifact.status == "accepted" and told[0].artifact.id in told[0].text
    assert "is no name" in told[1].text and told[2].status == "error"
    assert len(office.journal.events(kind="submitted")) == 2


def test_its_parameters_are_graphitis_and_the_inbox_is_none_of_them(office: Office) -> None:
    schema = add_memory_tool(office.inbox(holder=WRITER)).args
    assert {"name", "episode_body", "group_id", "source", "source_description", "uuid"} <= set(schema) and "inbox" not in schema


def test_the_tool_of_this_process_acts_for_its_principal(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("GAVEL_REGISTRY", str(REGISTRY))
    monkeypatch.setenv("GAVEL_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("GAVEL_NEO4J_URI", "bolt://127.0.0.1:1")
    with App(Settings()) as app:
        monkeypatch.setattr(apps, "current", lambda: app)
        told = gavel.memory_tool("my-agent", "ann").invoke({**TOLD, "group_id": "technical_patterns"})
        [event] = app.memory.journal.events(kind="submitted")
        assert "accepted" in told and event.about["agent_id"] == "my-agent" and event.about["on_behalf_of"] == "ann"
