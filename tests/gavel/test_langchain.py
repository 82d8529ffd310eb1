"""LangChain's seams against a real database."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from langchain_core.runnables import RunnableLambda
from langchain_neo4j import Neo4jGraph

import gavel
from gavel.langchain import GavelRetriever, database_of
from knowledge.database.connection import Database
from knowledge.database.embedded import Running
from knowledge.loading.loader import load
from knowledge.scope import Scope

WORLD = Path(gavel.__file__).parent / "world"


@pytest.fixture
def connected(database: Database, server: Running) -> Iterator[Neo4jGraph]:
    load(database, [WORLD / "entities.jsonl", WORLD / "facts.jsonl"], "world")
    graph = Neo4jGraph(server.uri, server.user, server.password, refresh_schema=False)
    try:
        yield graph
    finally:
        graph.close()


def test_a_neo4j_graph_is_accepted_and_facts_come_as_documents(connected: Neo4jGraph) -> None:
    retriever = GavelRetriever.over(connected, mode="keyword", k=3)
    documents = retriever.invoke("who founded OpenAI")
    assert len(documents) == 3
    assert {d.metadata["relation"] for d in documents} == {"founded"}
    assert all(d.id == d.metadata["id"] and d.page_content for d in documents)


def test_entities_can_be_asked_for(connected: Neo4jGraph) -> None:
    found = GavelRetriever.over(connected, of="entities", mode="keyword").invoke("OpenAI")
    assert found[0].metadata["name"] == "OpenAI"


def test_a_retriever_fits_into_a_chain(connected: Neo4jGraph) -> None:
    chain = GavelRetriever.over(connected, mode="keyword", k=1) | RunnableLambda(lambda documents: documents[0].metadata["object"])
    assert chain.invoke("Sam Altman founded") == "OpenAI"


def test_the_scope_holds(connected: Neo4jGraph) -> None:
    assert GavelRetriever.over(connected, scope=Scope(frozenset({"elsewhere"}))).invoke("OpenAI") == []


def test_the_connection_stays_the_graphs_own(connected: Neo4jGraph) -> None:
    assert database_of(database_of(connected)).read("RETURN 1 AS one") == [{"one": 1}]
    assert connected.query("RETURN 1 AS one") == [{"one": 1}]
