"""What may be written where, and what a refusal says."""

from dataclasses import replace

import pytest

from knowledge.errors import DataError
from knowledge.registry.contract import SizeLimit
from knowledge.registry.registry import Registry
from knowledge.remember.guard import Guard, Holdings
from knowledge.remember.proposal import Proposal
from knowledge.remember.verdict import Verdict
from knowledge.scope import Principal
from tests.knowledge.remember.world import ALPHA, BOT, CONTRACTS, LESSONS, OWNER, PERSON, REGISTRY, lesson, principal

EMPTY = Holdings()


def judged(
    proposal: Proposal, who: Principal = BOT, held: Holdings = EMPTY, registry: Registry = REGISTRY, **delegated: frozenset[str]
) -> Verdict:
    return Guard(registry, who, **delegated).judge(proposal, held)


@pytest.mark.parametrize(
    ("who", "namespace", "outcome", "code"),
    [
        (BOT, "lessons", "accept", "ok"),
        (PERSON, "lessons", "accept", "ok"),
        (principal("bot", writes=frozenset()), "lessons", "review", "no_grant"),
        (BOT, "guide", "review", "approval"),
        (PERSON, "guide", "review", "approval"),
        (OWNER, "alpha", "accept", "ok"),
        (BOT, "alpha", "review", "not_owner"),
        (PERSON, "alpha", "review", "not_owner"),
        (principal("alpha-bot", writes=frozenset({"lessons"})), "alpha", "review", "no_grant"),
        (principal("bot", reads=frozenset(), writes=frozenset()), "lessons", "reject", "unknown_namespace"),
    ],
)
def test_the_policy_the_owner_and_the_grant_decide_together(who: Principal, namespace: str, outcome: str, code: str) -> None:
    verdict = judged(lesson(namespace=namespace), who)
    assert (verdict.outcome, verdict.code) == (outcome, code), verdict


@pytest.mark.parametrize(
    "name", ["Lesson", "Lesson: Neo4j", "Lesson - Neo4j", "Neo4j", "Lesson:Neo4j - x", "Lesson: - x", "Lesson: a -b", "Lesson: a\n - b"]
)
def test_a_name_that_is_not_type_topic_aspect_is_invalid(name: str) -> None:
    verdict = judged(lesson(name=name))
    assert (verdict.outcome, verdict.code) == ("invalid", "name") and "Lesson, Pattern" in verdict.message


def test_a_type_of_another_namespace_is_sent_there() -> None:
    verdict = judged(lesson(name="Pattern: Retries - jitter", namespace="alpha"))
    assert (verdict.outcome, verdict.code, verdict.suggestion) == ("reject", "type", "lessons")
    nowhere = judged(lesson(name="Recipe: Soup - leek"))
    assert (nowhere.outcome, nowhere.suggestion) == ("reject", "") and "Lesson, Pattern" in nowhere.message


@pytest.mark.parametrize(
    ("limit", "held", "operations", "full"),
    [
        (SizeLimit(episodes=3), Holdings(episodes=2), 0, False),
        (SizeLimit(episodes=3), Holdings(episodes=3), 0, True),
        (SizeLimit(facts=5), Holdings(facts=5), 0, False),
        (SizeLimit(facts=5), Holdings(facts=4), 1, False),
        (SizeLimit(facts=5), Holdings(facts=4), 2, True),
        (SizeLimit(bytes=10), Holdings(), 0, True),
        (SizeLimit(), Holdings(10**9, 10**9, 10**9), 3, False),
    ],
)
def test_a_full_namespace_refuses_and_names_where_to_go(limit: SizeLimit, held: Holdings, operations: int, full: bool) -> None:
    registry = Registry(1, "", {**CONTRACTS, "alpha": replace(ALPHA, size_limit=limit)})
    told = [{"op": "add_relation", "subject": f"a{i}", "relation": "knows", "object": "b"} for i in range(operations)]
    verdict = judged(lesson(namespace="alpha", operations=told), OWNER, held, registry)
    assert (verdict.code == "capacity") is full and (verdict.suggestion == "lessons") is full


def test_what_is_there_already_is_not_written_twice_and_not_shown_to_who_may_not_read_it() -> None:
    twin = Holdings(twin="r1")
    assert judged(lesson(), held=twin).code == "duplicate" and "r1" in judged(lesson(), held=twin).message
    blind = judged(lesson(), principal("bot", reads=frozenset()), twin)
    assert blind.outcome == "review" and "r1" not in blind.message and "same content" not in blind.message


@pytest.mark.parametrize(
    "namespace", ["lesson", "LESSONS", "lessons2", "less\u200bons", "ｌessons", "lеssons", "lessons\n", "les%", "l_ssons", "", "x" * 200]
)
def test_look_alikes_are_unknown(namespace: str) -> None:
    verdict = judged(lesson(namespace=namespace))
    assert verdict.code in ("unknown_namespace", "namespace") and not verdict.stands
    assert verdict.suggestion == LESSONS.id


def test_a_hidden_namespace_is_never_named() -> None:
    stranger = principal("bot", reads=frozenset({"guide"}), writes=frozenset())
    verdict = judged(lesson(namespace="alpha"), stranger)
    unregistered = judged(lesson(namespace="alphb"), stranger)
    assert verdict.code == unregistered.code == "unknown_namespace"
    assert verdict.message.replace("alpha", "alphb") == unregistered.message
    full = judged(lesson(namespace="guide"), stranger, Holdings(episodes=15))
    assert full.code == "capacity" and full.suggestion == "" and "lessons" not in full.message


def test_a_delegate_writes_where_the_owner_lets_it_and_never_past_approval() -> None:
    assert judged(lesson(namespace="alpha"), delegated=frozenset({"alpha"})).code == "delegation"
    assert judged(lesson(namespace="guide"), delegated=frozenset({"guide"})).outcome == "review"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"episode_body": ""}, "episode_body"),
        ({"episode_body": "   "}, "blank"),
        ({"episode_body": "a\x00b"}, "U+0000"),
        ({"name": "Lesson: \u202e - x"}, "U+202E"),
        ({"episode_body": "x" * 200_001}, "episode_body"),
        ({"source": "rumour"}, "source"),
        ({"valid_at": "last spring"}, "valid_at"),
        ({"colour": "red"}, "colour"),
        ({"operations": [{"op": "drop_everything"}]}, "operations.0"),
        ({"operations": [{"op": "add_relation", "subject": "", "relation": "r", "object": "o"}]}, "subject"),
        ({"operations": [{"op": "add_entity", "name": "A"}] * 201}, "operations"),
    ],
)
def test_what_cannot_be_read_is_said_in_one_sentence(given: dict[str, object], said: str) -> None:
    with pytest.raises(DataError, match="the proposal cannot be read") as raised:
        lesson(**given)
    assert said in str(raised.value)


@pytest.mark.parametrize(
    ("owner", "who", "outcome"),
    [
        ("human_curated", BOT, "review"), ("human_curated", PERSON, "accept"), ("project_agent", BOT, "review"), ("project_agent", OWNER, "accept"),
        ("project_agent", PERSON, "review"), ("any_agent", BOT, "accept"), ("bot", BOT, "accept"), ("bot", OWNER, "review"),
    ],
)  # fmt: skip
def test_who_owns_a_namespace_writes_into_it_alone(owner: str, who: Principal, outcome: str) -> None:
    contract = replace(LESSONS, owner=owner, write_policy="owner_only", project="alpha")
    registry = Registry(1, "", {"lessons": contract}, projects={"alpha": frozenset({"alpha-bot"})})
    assert judged(lesson(), who, registry=registry).outcome == outcome
