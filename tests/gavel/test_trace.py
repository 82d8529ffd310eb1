"""`gavel trace`: a run as a tree whose spans add up to what the ledger counted."""

import json

import pytest

from evals.benchmarks.toy import ToyKg
from evals.loopback.plain_sense import plain_sense
from evals.loopback.played import Asked, Played
from evals.loopback.server import LoopbackOpenAI
from gavel.brains import MINDS
from gavel.runs import Run
from gavel.span_tree import Span, totals, tree
from tests.gavel.conftest import Gavel
from tests.gavel.test_conditions_in_a_memory import WORKSHOPS
from tests.graphs.test_doors import Recorder


def every(span: Span) -> list[Span]:
    return [span, *(inner for one in span.inside for inner in every(one))]


@pytest.mark.parametrize("faulty", [False, True])
def test_spans_add_up_to_the_ledger(faulty: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    import dataclasses

    from evals.benchmarks.toy_brains import BRAINS
    from gavel import models
    from gavel.settings import Settings
    from graphs.models import calls
    from tests.graphs.scripted import TWO_ROUNDS, toy_graph

    monkeypatch.setattr(calls, "FIRST_WAIT", 0.01)
    count = iter(range(10_000))

    def now_and_then(asked: Asked) -> Played:
        return Played(status=500) if next(count) % 3 == 0 else plain_sense(asked)

    recorder = Recorder()
    with LoopbackOpenAI(now_and_then if faulty else plain_sense) as server:
        settings = Settings(model="openai:played", model_base_url=server.url, prices={"openai:played": (2.0, 8.0)})
        graph = toy_graph(ToyKg(), brains=dataclasses.replace(BRAINS, minds=MINDS), models=models.models(settings), recorder=recorder)
        spent = graph.invoke({"question": TWO_ROUNDS})["spent"]
        assert len(server.asked) == spent["model_calls"] > 3
    run = Run.of(recorder.records[0])
    added = totals(run.events)
    assert (added.queries, added.model_calls, added.tokens) == (spent["queries"], spent["model_calls"], spent["tokens"])
    assert added.money == pytest.approx(spent["money"]) and added.money > 0
    spans = every(tree(run))
    assert [span.id for span in spans if span.kind == "run"] == [0]
    assert {event.span for event in run.events if event.kind in ("turn", "thought", "model", "statement")} == {
        span.id for span in spans
    } - {0}
    assert all(inner.began >= span.began - 1 and inner.ended <= span.ended + 1 for span in spans for inner in span.inside)
    calls_made = [span for span in spans if span.kind == "model" and not span.detail["why"]]
    assert all(span.detail["sent"] and span.detail["reply"] and span.detail["prompt"] for span in calls_made)


def test_the_last_run_is_drawn_listed_and_found_by_its_beginning(gavel: Gavel, tmp_path: "object", environment: pytest.MonkeyPatch) -> None:
    from pathlib import Path

    file = Path(str(tmp_path)) / "workshops.csv"
    file.write_text(WORKSHOPS, encoding="utf-8")
    gavel("load", str(file), "--namespace", "workshops")
    result = json.loads(gavel("ask", "Who founded Quay Glass?", "--format", "json").out)
    drawn = gavel("trace")
    assert drawn.code == 0 and result["trace_id"] in drawn.out and "intake" in drawn.out and "MATCH" not in drawn.out
    assert "MATCH" in gavel("trace", "--cypher").out
    told = json.loads(gavel("trace", result["trace_id"][:10], "--format", "json").out)
    assert (told["question"], told["queries"]) == ("Who founded Quay Glass?", result["spent"]["queries"])
    assert {span["kind"] for span in told["spans"]} == {"thought"}
    listed = json.loads(gavel("trace", "--list", "5", "--format", "json").out)
    assert listed[0]["trace_id"] == result["trace_id"]
    assert "gavel ask" in gavel("trace", "zzz").err and gavel("trace", "zzz").code == 2


def test_an_estimate_is_said_before_and_compared_after(gavel: Gavel) -> None:
    for _ in range(5):
        gavel("ask", "Who founded Quay Glass?")
    asked = gavel("ask", "Who founded Tarn Weavers?", "--estimate", "--format", "json")
    compared = json.loads(asked.err.strip().splitlines()[-1])["estimate"]
    assert compared["runs"] >= 5 and compared["units"]["queries"]["low"] <= compared["units"]["queries"]["spent"]
    assert json.loads(asked.out)["answers"][0]["name"] == "Cem Aksoy"
