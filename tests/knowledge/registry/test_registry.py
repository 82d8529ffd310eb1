"""A namespace is what is declared, to the letter; whatever only looks like one is nothing."""

from collections.abc import Iterator
from dataclasses import FrozenInstanceError, replace

import pytest

from knowledge.registry.contract import PROJECT_AGENT, Contract, SizeLimit
from tests.knowledge.registry.texts import sound

REGISTERED = ("team", "harbour_notes", "apollo_decisions")
HOMOGLYPHS = {"a": "аα", "e": "е", "o": "оο0", "t": "т", "c": "с", "s": "ѕ", "i": "іı1l", "p": "р", "_": "-‿＿"}
INVISIBLE = ("\u200b", "\u200d", "\u2060", "\ufeff", "\u00ad", "\u0301", "\u202e", "\x00", "\n", "\r", "\t", " ")


def perturbed(namespace: str) -> Iterator[str]:
    """Everything that a reader, a pattern language or a careless comparison may take for the id."""
    yield from (namespace.upper(), namespace.capitalize(), namespace.swapcase(), namespace + "2", namespace + "0", namespace[:-1], "")
    yield "".join(chr(ord(character) + 0xFEE0) for character in namespace)
    for at, character in enumerate(namespace):
        before, after = namespace[:at], namespace[at + 1 :]
        yield from (before + wildcard + after for wildcard in "%_*?.")
        yield from (before + other + after for other in HOMOGLYPHS.get(character, ""))
        yield from (before + character.upper() + after, before + chr(ord(character) + 0xFEE0) + after)
    for at in range(len(namespace) + 1):
        yield from (namespace[:at] + unseen + namespace[at:] for unseen in INVISIBLE)
    yield from (namespace + suffix for suffix in ("%", "*", ".*", "_", "-", "/", "\\", "' OR '1'='1", "`", '"'))


LOOK_ALIKES = [(namespace, other) for namespace in REGISTERED for other in perturbed(namespace) if other != namespace]


def test_registered_ids_are_found() -> None:
    assert [found.id for namespace in REGISTERED if (found := sound().find(namespace))] == list(REGISTERED)


def test_no_look_alike_of_a_registered_id_is_found() -> None:
    registry = sound()
    assert len(LOOK_ALIKES) > 700
    assert [(namespace, other) for namespace, other in LOOK_ALIKES if registry.find(other)] == []


def test_two_registered_look_alikes_would_not_cross_either() -> None:
    team = sound().contracts["team"]
    both = replace(sound(), contracts={"team": team, "team2": replace(team, id="team2", owner="somebody")})
    assert [contract and contract.owner for contract in map(both.find, ("team", "team2", "Team", "team_", "te%"))] == [
        "any_agent",
        "somebody",
        None,
        None,
        None,
    ]


def test_an_id_that_could_not_be_one_is_not_found_even_if_something_put_it_there() -> None:
    team = sound().contracts["team"]
    assert replace(sound(), contracts={"te%": team, "x" * 65: team}).find("te%") is None
    assert replace(sound(), contracts={"te%": team, "x" * 65: team}).find("x" * 65) is None


def test_a_project_and_a_domain_make_a_namespace_that_the_agents_of_the_project_own() -> None:
    assert sound().find("apollo_decisions") == Contract(
        id="apollo_decisions",
        purpose="Decisions of apollo.",
        owner=PROJECT_AGENT,
        allowed_types=("Decision",),
        size_limit=SizeLimit(episodes=20),
        write_policy="self_service",
        suggested_alternative="team",
        display_name="Decisions (apollo)",
        project="apollo",
    )


@pytest.mark.parametrize(
    "namespace", ["gemini_decisions", "apollo_plans", "apollo", "decisions", "_decisions", "apollo_", "apollo-decisions"]
)
def test_an_undeclared_project_or_domain_makes_nothing(namespace: str) -> None:
    assert sound().find(namespace) is None


def test_an_entry_of_its_own_wins_over_the_pattern() -> None:
    own = replace(sound().contracts["team"], id="apollo_decisions")
    registry = replace(sound(), contracts={"apollo_decisions": own})
    assert registry.find("apollo_decisions") == own
    assert registry.all() == [own]


def test_an_id_that_two_pairs_spell_is_nothing() -> None:
    decisions = sound().domains["decisions"]
    registry = replace(sound(), domains={"c": decisions, "b_c": decisions}, projects={"a": frozenset(), "a_b": frozenset()})
    assert registry.find("a_b_c") is None
    assert sorted(contract.id for contract in registry.all()) == ["a_b_b_c", "a_c", "harbour_notes", "team"]


def test_parts_with_underscores_are_taken_apart_at_every_one() -> None:
    decisions = sound().domains["decisions"]
    registry = replace(sound(), domains={"open_decisions": decisions}, projects={"north_pier": frozenset()})
    found = registry.find("north_pier_open_decisions")
    assert found is not None and found.project == "north_pier"


def test_a_domain_suggests_no_namespace_as_its_own_alternative() -> None:
    decisions = replace(sound().domains["decisions"], suggested_alternative="apollo_decisions")
    registry = replace(sound(), domains={"decisions": decisions}, projects={"apollo": frozenset(), "mir": frozenset()})
    found = {contract.id: contract.suggested_alternative for contract in registry.all()}
    assert (found["apollo_decisions"], found["mir_decisions"]) == ("", "apollo_decisions")


def test_agents_are_those_of_the_declared_project() -> None:
    assert sound().agents_of("apollo") == {"apollo-planner", "apollo-writer"}
    assert sound().agents_of("Apollo") == sound().agents_of("") == frozenset()


def test_all_keeps_to_the_given_namespaces_and_an_empty_choice_is_none() -> None:
    assert [contract.id for contract in sound().all()] == ["team", "harbour_notes", "apollo_decisions"]
    assert [contract.id for contract in sound().all({"apollo_decisions", "team", "other"})] == ["team", "apollo_decisions"]
    assert sound().all(()) == []
    assert sound().all("team harbour_notes") == [], "letters are no namespaces"


def test_a_registry_and_its_contracts_cannot_be_changed() -> None:
    registry = sound()
    with pytest.raises(FrozenInstanceError):
        registry.version = 4  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError):
        registry.contracts["team"].owner = "me"  # type: ignore[misc]
    for section in (registry.contracts, registry.domains, registry.projects):
        with pytest.raises(TypeError):
            section["me"] = section  # type: ignore[index]
