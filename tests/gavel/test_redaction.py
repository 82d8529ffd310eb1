"""Secrets and values that the owner names stay out of every trace."""

import pytest

from gavel.redaction import redaction
from tests.graphs.scripted import TWO_ROUNDS, toy_graph
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
    assert redaction(["sk-open-sesame"], ["email", "phone"])(text) == kept


def test_without_anything_to_hide_a_text_stays_as_it_is() -> None:
    assert redaction([], [])("Ada -email-> x") == "Ada -email-> x"


def test_a_secret_reaches_neither_the_stream_nor_what_is_kept() -> None:
    recorder = Recorder()
    graph = toy_graph(recorder=recorder, redact=redaction(["Auro"], []))
    streamed = list(graph.stream({"question": TWO_ROUNDS}, stream_mode="custom"))
    assert "Auro" not in str(streamed) + str(recorder.records[0].events)
    assert "***" in str(recorder.records[0].events)
