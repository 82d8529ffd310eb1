"""Whether a memory may go into a namespace, and where else."""

from dataclasses import replace

import pytest

from knowledge.registry.placement import Objection, name_objection, objection
from tests.knowledge.registry.texts import sound

ALL = ("team", "harbour_notes", "apollo_decisions")


@pytest.mark.parametrize(
    ("namespace", "type"), [("team", ""), ("team", "Lesson"), ("harbour_notes", "Sighting"), ("apollo_decisions", "Decision")]
)
def test_what_fits_meets_no_objection(namespace: str, type: str) -> None:
    assert objection(sound(), namespace, ALL, type) is None


@pytest.mark.parametrize(
    ("namespace", "type", "what", "instead"),
    [
        ("harbour_notes", "Lesson", "harbour_notes takes Sighting, and not 'Lesson'", ("team",)),
        ("harbour_notes", "Recipe", "harbour_notes takes Sighting, and not 'Recipe'", ("team",)),
        ("team", "lesson", "team takes Lesson, Agreement, and not 'lesson': write 'Lesson'", ("team",)),
        ("Team", "", "'Team' is not registered", ("team",)),
        ("te%am", "", "'te%am' is no namespace id, which has 1 to 64 of A-Z a-z 0-9 _ -", ("team",)),
        ("teams", "Lesson", "'teams' is not registered", ("team",)),
        ("teams", "Sighting", "'teams' is not registered", ("harbour_notes",)),
        ("elsewhere", "Decision", "'elsewhere' is not registered", ("apollo_decisions",)),
    ],
)
def test_an_objection_names_where_the_memory_should_go(namespace: str, type: str, what: str, instead: tuple[str, ...]) -> None:
    assert objection(sound(), namespace, ALL, type) == Objection(what, instead)


@pytest.mark.parametrize(("namespace", "type"), [("team", "Recipe"), ("volcanoes", ""), ("volcanoes", "Recipe"), ("\x00" * 500, "")])
def test_where_none_can_be_named_the_way_to_find_one_is(namespace: str, type: str) -> None:
    found = objection(sound(), namespace, ALL, type)
    assert found is not None and found.instead == ()
    assert str(found).endswith("; `gavel namespace list` shows those that there are")


def test_an_id_of_an_agent_or_a_session_is_refused_with_the_reason() -> None:
    found = objection(sound(), "claude_desktop_memories", ALL, "Lesson")
    assert found is not None and found.what.startswith("'claude_desktop_memories' names who remembers") and found.instead == ("team",)


def test_a_registered_id_is_not_refused_for_its_name() -> None:
    registry = replace(sound(), contracts={"claude_desktop_memories": sound().contracts["team"]})
    assert objection(registry, "claude_desktop_memories", ("claude_desktop_memories",), "Lesson") is None


@pytest.mark.parametrize("type", ["", "Lesson", "Recipe"])
def test_a_hidden_namespace_is_spoken_of_as_one_that_is_not_registered(type: str) -> None:
    hidden = objection(sound(), "team", ("harbour_notes",), type)
    absent = objection(replace(sound(), contracts={}, domains={}), "team", ("harbour_notes",), type)
    assert hidden is not None and absent is not None
    assert str(hidden) == str(absent)
    assert "'team' is not registered" in hidden.what


def test_neither_a_hidden_alternative_nor_a_hidden_taker_is_named() -> None:
    for type in ("Lesson", "Recipe", "Decision"):
        found = objection(sound(), "harbour_notes", ("harbour_notes",), type)
        assert found is not None and found.instead == ()
        assert "team" not in str(found) and "apollo" not in str(found)


def test_a_name_must_have_its_form_and_agree_with_the_type() -> None:
    assert name_objection("Lesson: Tides - Neap") is None
    assert name_objection("Lesson: Tides - Neap", "Lesson") is None
    assert "does not read `Type: Topic - Aspect`" in str(name_objection("Tides"))
    assert "begins with the type 'Lesson', and the type is said to be 'Pattern'" in str(name_objection("Lesson: Tides - Neap", "Pattern"))


def test_an_objection_reads_as_one_sentence_with_what_to_use() -> None:
    assert str(objection(sound(), "harbour_notes", ALL, "Lesson")) == "harbour_notes takes Sighting, and not 'Lesson'; use team"
