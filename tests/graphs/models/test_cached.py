"""A reply from LangChain's cache is a call like any other to the ledger."""

import dataclasses
from collections.abc import Iterator

import pytest
from langchain_core.caches import InMemoryCache
from langchain_core.globals import set_llm_cache

from evals.benchmarks.toy_brains import BRAINS
from evals.loopback.plain_sense import plain_sense
from evals.loopback.server import LoopbackOpenAI
from gavel.brains import MINDS
from gavel.models import models
from gavel.settings import Settings
from tests.graphs.scripted import FACT, toy_graph


@pytest.fixture
def cache() -> Iterator[None]:
    set_llm_cache(InMemoryCache())
    yield
    set_llm_cache(None)


def test_cached_replies_count_and_cost_as_they_did_the_first_time(cache: None) -> None:
    with LoopbackOpenAI(plain_sense) as server:
        graph = toy_graph(
            brains=dataclasses.replace(BRAINS, minds=MINDS), models=models(Settings(model="openai:played", model_base_url=server.url))
        )
        first, second = (graph.invoke({"question": FACT})["spent"] for _ in range(2))
        assert len(server.asked) == first["model_calls"] > 1
    assert (second["model_calls"], second["tokens"]) == (first["model_calls"], first["tokens"])
