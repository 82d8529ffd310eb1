"""Runs as OpenTelemetry spans, as a collector receives them over HTTP."""

import gzip
import threading
from collections.abc import Iterator
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span

from evals.benchmarks.toy import ToyKg
from gavel.otel import Exporter
from tests.graphs.scripted import TWO_ROUNDS, toy_graph


class Collector(ThreadingHTTPServer):
    """Keeps the spans that it is sent."""

    daemon_threads = True

    def __init__(self) -> None:
        self.spans: list[Span] = []
        super().__init__(("127.0.0.1", 0), _Handler)
        self.endpoint = f"http://127.0.0.1:{self.server_port}/v1/traces"


class _Handler(BaseHTTPRequestHandler):
    server: Collector

    def log_message(self, format: str, *args: object) -> None:
        """Nothing is printed."""

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        if self.headers.get("content-encoding") == "gzip":
            body = gzip.decompress(body)
        request = ExportTraceServiceRequest.FromString(body)
        self.server.spans += [span for one in request.resource_spans for scope in one.scope_spans for span in scope.spans]
        self.send_response(200)
        self.send_header("content-length", "0")
        self.end_headers()


@pytest.fixture
def collector() -> Iterator[Collector]:
    server = Collector()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


def attributes(span: Span) -> dict[str, object]:
    return {one.key: getattr(one.value, str(one.value.WhichOneof("value"))) for one in span.attributes}


def test_a_run_arrives_as_one_tree_whose_reads_are_those_of_the_ledger(collector: Collector) -> None:
    exporter = Exporter(collector.endpoint)
    result = toy_graph(ToyKg(), recorder=exporter).invoke({"question": TWO_ROUNDS})
    exporter.close()
    roots = [span for span in collector.spans if not span.parent_span_id]
    assert [root.name for root in roots] == ["gavel.ask"]
    assert attributes(roots[0])["gavel.question"] == TWO_ROUNDS
    known = {span.span_id for span in collector.spans}
    assert all(span.parent_span_id in known for span in collector.spans if span.parent_span_id)
    assert len({span.trace_id for span in collector.spans}) == 1
    reads = [span for span in collector.spans if span.name.startswith("statement ") and not attributes(span).get("gavel.cached")]
    assert len(reads) == result["spent"]["queries"]
    began = datetime.fromtimestamp(roots[0].start_time_unix_nano / 1e9, UTC)
    assert abs((datetime.now(UTC) - began).total_seconds()) < 60
    assert all(span.start_time_unix_nano <= span.end_time_unix_nano for span in collector.spans)


def test_a_collector_that_is_away_costs_no_answer(caplog: pytest.LogCaptureFixture) -> None:
    exporter = Exporter("http://127.0.0.1:9/v1/traces")
    assert toy_graph(ToyKg(), recorder=exporter).invoke({"question": TWO_ROUNDS})["stop_reason"] == "answered"
    exporter.close()
