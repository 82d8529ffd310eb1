"""A memory's name says its type, its topic, and what of the topic."""

import pytest

from knowledge.registry.memory_name import MemoryName, memory_name


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Lesson: Tides - Mind the neap", ("Lesson", "Tides", "Mind the neap")),
        ("Anti-Pattern: Retry loops - No jitter", ("Anti-Pattern", "Retry loops", "No jitter")),
        ("Best Practice: A-B tests - One metric - stated first", ("Best Practice", "A-B tests", "One metric - stated first")),
        ("Lesson: C: drive - Full", ("Lesson", "C: drive", "Full")),
        ("课: 潮汐 - 小潮", ("课", "潮汐", "小潮")),
        ("L: T - A", ("L", "T", "A")),
    ],
)
def test_a_name_is_read_and_written_back(text: str, parts: tuple[str, str, str]) -> None:
    read = memory_name(text)
    assert read == MemoryName(*parts)
    assert str(read) == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Lesson",
        "Lesson: Tides",
        "Tides - Neap",
        "Lesson:Tides - Neap",
        "Lesson: Tides-Neap",
        ": Tides - Neap",
        "Lesson:  - Neap",
        "Lesson: Tides - ",
        "Lesson: Tides -  ",
        " Lesson: Tides - Neap",
        "Lesson: Tides - Neap ",
        "Lesson : Tides - Neap",
        "Lesson: Tides - Neap\n",
        "Lesson: Ti\ndes - Neap",
        "Les\x00son: Tides - Neap",
        "Lesson： Tides - Neap",
        " : x - y",
    ],
)
def test_any_other_text_is_no_name(text: str) -> None:
    assert memory_name(text) is None


def test_a_long_text_without_an_end_is_refused_at_once() -> None:
    assert memory_name("Lesson: " + "a -" * 20_000) is None
    assert memory_name("a " * 20_000) is None
