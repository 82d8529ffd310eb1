"""Secrets and values that the owner names stay out of every trace."""

from dataclasses import replace

import pytest

from evals.benchmarks.toy_brains import BRAINS
from evals.loopback.plain_sense import plain_sense
from evals.loopback.server import LoopbackOpenAI
from gavel.brains import MINDS
from gavel.models import models
from gavel.redaction import Redaction
from gavel.settings import Settings
from knowledge.cypher.verdict import Result
from knowledge.records import Entity
from tests.graphs.scripted import ONE_ROUND, TWO_ROUNDS, toy_graph
from tests.graphs.test_doors import Recorder


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("key sk-open-sesame was refused", "key *** was refused"),
        ("f1 Ada -email-> ada@mill.example (2019 – now)", "f1 Ada -email-> *** (2019 – now)"),
        ("f1 Ada -email-> ada@mill.example\nf2 Ada -owns-> Mill", "f1 Ada -email-> ***\nf2 Ada -owns-> Mill"),
        ('{"email": "ada@mill.example", "name": "Ada"}', '{"email": ***, "name": "Ada"}'),
        ("MATCH (n {email: 'a\\'b@x'}) WHERE n.phone = 123 RETURN n", "MATCH (n {email: ***}) WHERE n.phone = *** RETURN n"),
        ("her e-mail and emails are no property", "her e-mail and emails are no property"),
    ],
)
def test_values_are_hidden_where_a_text_says_whose_they_are(text: str, kept: str) -> None:
    assert Redaction(["sk-open-sesame"], ["email", "phone"]).hide(text) == kept


def test_without_anything_to_hide_a_text_stays_as_it_is() -> None:
    assert Redaction([], []).hide("Ada -email-> x") == "Ada -email-> x"


def test_a_secret_reaches_neither_the_stream_nor_what_is_kept() -> None:
    recorder = Recorder()
    graph = toy_graph(recorder=recorder, redaction=Redaction(["Auro"], []))
    streamed = list(graph.stream({"question": TWO_ROUNDS}, stream_mode="custom"))
    assert "Auro" not in str(streamed) + str(recorder.records[0].events)
    assert "***" in str(recorder.records[0].events)


def kept_of(question: str, redaction: Redaction, model: bool = False) -> str:
    """All that is kept and streamed of one run, with or without a model."""
    recorder = Recorder()
    with LoopbackOpenAI(plain_sense) as server:
        roles = models(Settings(model="openai:played", model_base_url=server.url)) if model else {}
        graph = toy_graph(recorder=recorder, redaction=redaction, models=roles, brains=replace(BRAINS, minds=MINDS))
        streamed = list(graph.stream({"question": question}, stream_mode="custom"))
    assert streamed
    return str(recorder.records)


@pytest.mark.parametrize("model", [False, True])
def test_what_a_named_relation_leads_to_is_kept_nowhere(model: bool) -> None:
    assert "Dunka" in kept_of(ONE_ROUND, Redaction([], []), model) and "Dunka" in kept_of(ONE_ROUND, Redaction([], ["wrote"]), model)
    kept = kept_of(ONE_ROUND, Redaction([], ["Made"]), model)
    assert "Dunka" not in kept.replace("id-Dunka", "").replace("Belo-made-Dunka", "").replace("Dunka-born", "")


def test_what_is_computed_over_a_named_property_counts_as_its_value() -> None:
    hidden = Redaction([], ["email"])
    rows = Result(({"e": "ada@mill.example", "n": 3, "known": True, "who": Entity("1", "Ada")},))
    assert hidden.values(("cypher", "MATCH (n) RETURN n.email AS e", ()), rows) == {"ada@mill.example", "3", "Ada"}
    assert hidden.values(("cypher", "MATCH (n) RETURN n.emails AS e", ()), rows) == set()
    assert hidden.values(("cypher", "MATCH (n) RETURN n", ()), Result(({"n": {"email": "a@b", "name": "Ada"}},))) == {"a@b"}


def test_values_are_hidden_as_whole_words() -> None:
    assert Redaction([], ["age"]).hide("born 1912, aged 12, id 12", frozenset({"12"})) == "born 1912, aged ***, id ***"
