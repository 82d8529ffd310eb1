"""Which names look alike, and which name an agent or a session."""

import pytest

from knowledge.registry.names import agent_named, skeleton
from tests.knowledge.registry.test_registry import LOOK_ALIKES

ALIKE = ["team", "TEAM", "Team", "ｔｅａｍ", "тeam", "tеam", "teаm", "te\u200bam", "téam", "\ufeffteam", "te\x00am", "ΤΕΑΜ", "ТЕАМ", "𝐭eam"]


@pytest.mark.parametrize("other", ALIKE)
def test_names_that_a_reader_may_take_for_each_other_share_a_skeleton(other: str) -> None:
    assert skeleton(other) == skeleton("team")


@pytest.mark.parametrize(
    ("one", "other"),
    [("a_b", "a-b"), ("a_b", "a b"), ("a_b", "a__b"), ("a_b", "a–b"), ("a_b", "a‿b"), ("Oslo", "0slo"), ("Ida", "lda"), ("il", "1I")],
)
def test_gaps_noughts_and_ones_are_confusable(one: str, other: str) -> None:
    assert skeleton(one) == skeleton(other)


@pytest.mark.parametrize(("one", "other"), [("team", "team2"), ("team", "teams"), ("team", "tea"), ("ab", "a_b"), ("团队", "团体")])
def test_different_names_keep_different_skeletons(one: str, other: str) -> None:
    assert skeleton(one) != skeleton(other)


def test_a_skeleton_is_its_own_skeleton() -> None:
    assert [other for _, other in LOOK_ALIKES if skeleton(skeleton(other)) != skeleton(other)] == []


@pytest.mark.parametrize(
    "namespace",
    [
        "claude_session_123",
        "session_123",
        "SESSION-123",
        "session123",
        "planner_session_9f86d081",
        "chat_20261130",
        "claudeSession42",
        "session_2026-11-30",
        "x_conversation_6ba7b810-9dad-11d1-80b4-00c04fd430c8",
        "thread-7",
        "run_17_notes",
        "session_k3x9q2",
    ],
)
def test_an_id_of_one_session_is_refused_as_one(namespace: str) -> None:
    reason = agent_named(namespace)
    assert f"{namespace!r} names one " in reason and "name what its memories are about" in reason


@pytest.mark.parametrize(
    "namespace",
    [
        "claude_desktop_memories",
        "claudeMemories",
        "CLAUDE",
        "chatgpt-notes",
        "gpt-4o_memory",
        "my_agent_context",
        "agent7",
        "agent_7_knowledge",
        "cursor_workspace",
        "copilot_v2_logs",
        "assistant",
        "ｃｌａｕｄｅ＿ｍｅｍｏｒｙ",
        "chat_gpt",
    ],
)
def test_an_id_of_an_agent_is_refused_as_one(namespace: str) -> None:
    assert "names who remembers" in agent_named(namespace)


@pytest.mark.parametrize(
    "namespace",
    [
        "technical_patterns",
        "session_reflections",
        "agent_design_patterns",
        "claude_api_patterns",
        "training_sessions",
        "run_books",
        "",
        "session_2fa_lessons",
        "chat_moderation",
        "thread_safety",
        "knowledge",
        "memory_leaks",
        "robots",
        "obsession_9",
        "team2",
        "q4_2026",
    ],
)
def test_an_id_of_a_subject_is_none_of_both(namespace: str) -> None:
    assert agent_named(namespace) == ""
