"""Runs as LangSmith receives them, told by its own environment variables alone."""

import gzip
import json
import threading
from collections.abc import Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from langchain_core.tracers.langchain import wait_for_all_tracers
from langsmith import run_trees
from langsmith.utils import get_env_var

from evals.benchmarks.toy_brains import BRAINS
from evals.loopback.plain_sense import plain_sense
from evals.loopback.server import LoopbackOpenAI
from gavel.brains import MINDS
from gavel.langsmith_client import redact_langsmith
from gavel.models import models
from gavel.redaction import Redaction
from gavel.settings import Settings
from tests.graphs.scripted import ONE_ROUND, toy_graph

SECRET = "Belo"
INGEST = {"use_multipart_endpoint": False, "size_limit": 100, "size_limit_bytes": 20_000_000, "scale_up_nthreads_limit": 1}
INFO = {"version": "0.10.0", "batch_ingest_config": {**INGEST, "scale_up_qsize_trigger": 100}}


class LangSmith(ThreadingHTTPServer):
    """Keeps the runs that it is sent, by id."""

    daemon_threads = True

    def __init__(self) -> None:
        self.runs: dict[str, dict[str, Any]] = {}
        super().__init__(("127.0.0.1", 0), _Handler)
        self.url = f"http://127.0.0.1:{self.server_port}"

    @property
    def calls(self) -> list[dict[str, Any]]:
        """Requests to a provider; the supervisor's adapter around its model is told as a model too."""
        return [run for run in self.runs.values() if any(str(tag).startswith("gavel:") for tag in run.get("tags") or [])]


class _Handler(BaseHTTPRequestHandler):
    server: LangSmith

    def log_message(self, format: str, *args: object) -> None:
        """Nothing is printed."""

    def do_GET(self) -> None:
        self._reply(INFO)

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        batch = json.loads(gzip.decompress(body) if self.headers.get("content-encoding") == "gzip" else body)
        for run in [*batch.get("post", []), *batch.get("patch", [])]:
            known = self.server.runs.setdefault(run["id"], {})
            known.update({key: value for key, value in run.items() if value is not None})
        self._reply({})

    def _reply(self, value: object) -> None:
        body = json.dumps(value).encode()
        self.send_response(200)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@pytest.fixture
def langsmith(monkeypatch: pytest.MonkeyPatch) -> Iterator[LangSmith]:
    server = LangSmith()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    for name, value in {"TRACING": "true", "ENDPOINT": server.url, "API_KEY": "lsv2_test", "PROJECT": "gavel"}.items():
        monkeypatch.setenv(f"LANGSMITH_{name}", value)
    monkeypatch.setattr(run_trees, "_CLIENT", None)
    get_env_var.cache_clear()
    yield server
    run_trees.get_cached_client().cleanup()
    server.shutdown()
    server.server_close()
    monkeypatch.undo()
    get_env_var.cache_clear()


def spent_by_a_run(redaction: Redaction) -> dict[str, Any]:
    """What a run with a model says that it spent, once LangSmith has been told."""
    redact_langsmith(redaction)
    with LoopbackOpenAI(plain_sense) as server:
        roles = models(Settings(model="openai:played", model_base_url=server.url))
        spent = toy_graph(brains=replace(BRAINS, minds=MINDS), models=roles).invoke({"question": ONE_ROUND})["spent"]
    wait_for_all_tracers()
    return dict(spent)


def test_a_run_arrives_as_one_tree_that_holds_every_model_call(langsmith: LangSmith) -> None:
    spent = spent_by_a_run(Redaction([SECRET], []))
    calls = langsmith.calls
    assert len(calls) == spent["model_calls"] > 3
    assert len({run["trace_id"] for run in langsmith.runs.values()}) == 1
    roots = [run for run in langsmith.runs.values() if not run.get("parent_run_id")]
    assert len(roots) == 1 and all(run["parent_run_id"] in langsmith.runs for run in calls)
    assert "hometown of the creator of ***" in str(calls)
    assert SECRET not in str(langsmith.runs).replace(f"id-{SECRET}", "").replace(f"{SECRET}-made", "")


def test_with_properties_to_hide_it_is_told_no_text(langsmith: LangSmith) -> None:
    spent = spent_by_a_run(Redaction([], ["born"]))
    assert len(langsmith.calls) == spent["model_calls"]
    assert not any(run.get("inputs") or run.get("outputs") for run in langsmith.runs.values())
