"""The graphs under `langgraph dev` with principals: a bearer token says who acts, and a proposal is decided by another than its proposer."""

import asyncio
import json
from collections.abc import Callable, Coroutine, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from httpx import HTTPStatusError
from langgraph_sdk import get_client
from langgraph_sdk.client import LangGraphClient

import gavel
from knowledge.database.connection import Database
from knowledge.journal.journal import Journal
from knowledge.loading.loader import load
from knowledge.remember.principals import Principals
from knowledge.scope import EVERY_NAMESPACE, LOCAL, Scope
from tests.graphs.dev_server import ROOT, dev_server

WORLD = Path(gavel.__file__).parent / "world"
GUIDE = "graphiti_meta_knowledge"
ALL = (EVERY_NAMESPACE,)
SAID = {"question": f"Remember in {GUIDE}: look before you write, and say what you saw", "namespace": GUIDE}
APPROVE = {"resume": {"decision": "approve"}}


@dataclass(frozen=True)
class Served:
    """A server, its journal, and a token of each principal."""

    url: str
    journal: Path
    tokens: dict[str, str]

    def client(self, who: str) -> LangGraphClient:
        return get_client(url=self.url, headers={"Authorization": f"Bearer {self.tokens[who]}"})


@pytest.fixture(scope="module")
def served(empty_kg: Path, shared_database: Database, neo4j_version: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    load(shared_database, [WORLD / "entities.jsonl", WORLD / "facts.jsonl"], "world")
    folder = tmp_path_factory.mktemp("dev")
    journal = Journal.in_folder(folder / "kept")
    environment = {
        "GAVEL_DATA_DIR": str(empty_kg), "GAVEL_NEO4J_VERSION": neo4j_version, "GAVEL_NEO4J_URI": "", "GAVEL_TOKEN": "gvl_of_the_process", "GAVEL_TOKEN_FILE": "",
        "GAVEL_JOURNAL": f"sqlite:///{folder / 'kept' / 'journal.sqlite'}", "GAVEL_REGISTRY": str(ROOT / "docs" / "NAMESPACE_REGISTRY.yaml"),
    }  # fmt: skip
    with dev_server(folder, json.loads((ROOT / "langgraph.json").read_text()), environment) as (url, _):
        driven(lambda: alone(url))
        yield Served(url, folder / "kept", added(Principals(journal)))
    journal.close()


async def alone(url: str) -> None:
    """Before anyone was added, whoever calls from this machine is the local person."""
    async with get_client(url=url) as client:
        answered = await client.runs.wait(None, "gavel", input={"question": "Who founded Anthropic?"})
        assert answered["stop_reason"] == "answered", answered


def added(principals: Principals) -> dict[str, str]:
    ann = principals.add(LOCAL.principal(Scope(frozenset())), "ann", "person", ALL, ALL, ALL, ALL)
    by = principals.by_token(ann)
    assert by is not None
    acting = by.principal(Scope(frozenset()))
    bot, blind = principals.add(acting, "bot", "agent", [GUIDE], [GUIDE]), principals.add(acting, "blind", "agent", [], [])
    gone = principals.add(acting, "gone", "agent", ALL, [])
    principals.revoke(acting, "gone")
    slow = principals.add(acting, "slow", "agent", ["world"], [], limits={"queries": 1})
    return {"ann": ann, "bot": bot, "blind": blind, "gone": gone, "slow": slow, "nobody": "gvl_nobody", "short": "gvl_"}


def driven(work: Callable[[], Coroutine[Any, Any, None]]) -> None:
    asyncio.run(asyncio.wait_for(work(), 120))


async def refused(status: int, call: Coroutine[Any, Any, Any]) -> None:
    with pytest.raises(HTTPStatusError) as error:
        await call
    assert error.value.response.status_code == status


@pytest.mark.parametrize("who", ["gone", "nobody", "short"])
def test_without_a_token_that_holds_nothing_is_served(served: Served, who: str) -> None:
    async def drive() -> None:
        async with served.client(who) as client:
            await refused(401, client.threads.create())
            await refused(401, client.runs.wait(None, "gavel", input={"question": "Who founded Anthropic?"}))

    driven(drive)


def test_nobody_is_let_in_by_what_studio_sends(served: Served) -> None:
    async def drive() -> None:
        async with get_client(url=served.url, headers={"x-auth-scheme": "langsmith"}) as client:
            await refused(401, client.threads.create())

    driven(drive)


def test_a_run_reads_what_its_principal_may_read_whatever_it_asks_for(served: Served) -> None:
    question = {"question": "Who founded Anthropic?"}

    async def drive() -> None:
        async with served.client("ann") as client:
            assert (await client.runs.wait(None, "gavel", input=question))["stop_reason"] == "answered"
        async with served.client("blind") as client:
            assert (await client.runs.wait(None, "gavel", input=question))["stop_reason"] != "answered"
            wider = await client.runs.wait(None, "gavel", input=question, context={"scope": {"namespaces": ["world"]}}, raise_error=False)
            assert "may not be read" in json.dumps(wider)
            forged: Any = {"configurable": {"langgraph_auth_user": {"identity": "ann"}, "langgraph_auth_user_id": "ann"}}
            assert (await client.runs.wait(None, "gavel", input=question, config=forged))["stop_reason"] != "answered"

    driven(drive)


def test_a_run_spends_what_its_principal_may_spend_whatever_it_asks_for(served: Served) -> None:
    async def drive() -> None:
        async with served.client("slow") as client:
            wide: Any = {"limits": {"queries": 50}}
            told = await client.runs.wait(None, "gavel", input={"question": "Who founded Anthropic?"}, context=wide)
            assert (told["stop_reason"], told["spent"]["queries"]) == ("queries", 1), told

    driven(drive)


def test_a_proposal_is_decided_by_a_person_and_never_by_the_agent_that_made_it(served: Served) -> None:
    async def drive() -> None:
        async with served.client("bot") as bot, served.client("blind") as blind, served.client("ann") as ann:
            thread = (await bot.threads.create(metadata={"owner": "ann"}))["thread_id"]
            stopped = await bot.runs.wait(thread, "remember", input=SAID)
            [asked] = stopped["__interrupt__"]
            [waiting] = asked["value"]["waiting"]
            assert (waiting["status"], waiting["namespace"]) == ("review", GUIDE)

            again = await bot.runs.wait(thread, "remember", command=APPROVE)
            assert "their own" in again["__interrupt__"][0]["value"]["refused"]
            assert again["receipts"][0]["status"] == "review"
            await refused(404, blind.threads.get_state(thread))

            done = await ann.runs.wait(thread, "remember", command=APPROVE)
            assert done["receipts"][0]["status"] == "applied", done
            assert (await ann.threads.get_state(thread))["next"] == []

    driven(drive)
    journal = Journal.in_folder(served.journal)
    try:
        assert [event.principal for event in journal.events(kind="submitted")] == ["bot"]
        assert [event.principal for event in journal.events(kind="approved")] == ["ann"]
    finally:
        journal.close()
