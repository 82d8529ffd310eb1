"""No attack of the corpus gets through, in any setting: refused by the layer that is named, or compiled so that nothing hidden shows."""

import pytest

from knowledge.cypher.refusal import Refusal
from knowledge.cypher.verdict import Allowed, Result
from knowledge.database.connection import Database
from tests.knowledge.cypher.worlds import SETTINGS, fingerprint, guard_of, hide, rows, world_of

ATTACKS = rows("attacks.jsonl")
LEAST = 150
QUICK = 3
"""Of the attacks that the server plans, the quick suite tries every third; those that are refused before are all tried."""


def in_setting(setting: str) -> list[dict[str, str]]:
    meant = {"both", setting} | ({"scoped"} if setting != "whole" else set())
    return [attack for attack in ATTACKS if attack["at"] in meant]


def refused_ones(setting: str) -> list[dict[str, str]]:
    return [attack for attack in in_setting(setting) if attack["layer"] != "compiled"]


def compiled_ones(setting: str) -> list[dict[str, str]]:
    return [attack for attack in in_setting(setting) if attack["layer"] == "compiled"]


def test_the_corpus_is_large_enough_and_holds_nothing_twice() -> None:
    assert len({(attack["text"], attack["at"]) for attack in ATTACKS}) == len(ATTACKS) >= LEAST


def test_the_quick_share_has_attacks_of_every_kind() -> None:
    compiled = compiled_ones("memory")
    assert {attack["kind"] for attack in compiled[::QUICK]} == {attack["kind"] for attack in compiled}


@pytest.mark.parametrize("every", [QUICK, pytest.param(1, marks=pytest.mark.full)])
@pytest.mark.parametrize("setting", SETTINGS)
def test_every_attack_is_refused_by_the_layer_that_is_named_and_nothing_changes(
    shared_database: Database, setting: str, every: int
) -> None:
    world = world_of(shared_database, setting)
    if setting != "whole":
        hide(world)
    before = fingerprint(shared_database)
    guard = guard_of(world, setting)
    wrong = {}
    for attack in refused_ones(setting) + compiled_ones(setting)[::every]:
        verdict = guard.check(attack["text"])
        layer = verdict.layer if isinstance(verdict, Refusal) else "compiled"
        if layer != attack["layer"]:
            wrong[attack["text"]] = f"{attack['layer']} expected, {layer}: {verdict if isinstance(verdict, Refusal) else verdict.text}"
        if isinstance(verdict, Allowed):
            guard.run(verdict)
    assert not wrong
    assert fingerprint(shared_database) == before


@pytest.mark.parametrize("every", [QUICK, pytest.param(1, marks=pytest.mark.full)])
@pytest.mark.parametrize("setting", ["memory", "native"])
def test_what_is_compiled_gives_the_same_rows_whether_hidden_things_are_there_or_not(
    shared_database: Database, setting: str, every: int
) -> None:
    world = world_of(shared_database, setting)
    compiled = [attack["text"] for attack in compiled_ones(setting)[::every]]
    alone = answers(guard_of(world, setting), compiled)
    hide(world)
    beside = answers(guard_of(world, setting), compiled)
    assert {text: (alone[text], beside[text]) for text in compiled if alone[text] != beside[text]} == {}
    assert not any("hidden" in str(rows).casefold() for rows in beside.values())


def answers(guard, texts):
    verdicts = {text: guard.check(text) for text in texts}
    results = {text: guard.run(verdict) if isinstance(verdict, Allowed) else verdict for text, verdict in verdicts.items()}
    return {text: sorted(map(str, result.rows)) if isinstance(result, Result) else result for text, result in results.items()}
