"""`gavel principal …`, and what every command does once a principal was added: whoever has no token is nobody."""

import json
import multiprocessing
from collections.abc import Iterator
from pathlib import Path

import pytest

from gavel.app import App
from gavel.settings import Settings
from knowledge.remember.proposal import Proposal, Provenance
from knowledge.scope import EVERYONE, PUBLIC
from tests.gavel.conftest import Gavel

EVERYTHING = ("principal", "add", "ann", "--kind", "person", "--everything")
FACTS = "Alder\tmade_by\tBoreal\n"


@pytest.fixture
def own(gavel: Gavel, environment: pytest.MonkeyPatch, tmp_path: Path) -> Gavel:
    """With a journal that is this test's own."""
    environment.setenv("GAVEL_JOURNAL", f"sqlite:///{tmp_path / 'journal.sqlite'}")
    (tmp_path / "facts.tsv").write_text(FACTS)
    return gavel


@pytest.fixture
def tokens(own: Gavel, environment: pytest.MonkeyPatch) -> Iterator[dict[str, str]]:
    """Of ann, who has everything, and of bot, an agent who may read one namespace. The tests choose who they are."""
    assert own("load", "facts.tsv", "--namespace", "team").code == 0
    assert own("load", "facts.tsv", "--namespace", "secret").code == 0
    ann = own(*EVERYTHING).out.strip()
    environment.setenv("GAVEL_TOKEN", ann)
    bot = own("principal", "add", "bot", "--kind", "agent", "--reads", "team", "--reads", "elsewhere").out.strip()
    environment.delenv("GAVEL_TOKEN")
    yield {"ann": ann, "bot": bot}


def test_the_single_user_is_told_and_looking_makes_no_journal(gavel: Gavel, environment: pytest.MonkeyPatch, tmp_path: Path) -> None:
    environment.setenv("GAVEL_DATA_DIR", str(tmp_path / "data"))
    told = gavel("principal", "list", "--format", "json")
    assert (json.loads(told.out), told.code) == ([], 0) and "the one local person" in told.err
    assert not (tmp_path / "data" / "journal.sqlite").exists()


def test_the_token_is_shown_once(own: Gavel, environment: pytest.MonkeyPatch) -> None:
    told = own(*EVERYTHING)
    token = told.out.strip()
    assert token.startswith("gvl_") and token not in told.err
    environment.setenv("GAVEL_TOKEN", token)
    listed, config = own("principal", "list"), own("config", "--format", "json")
    assert "ann" in listed.out and token not in listed.out + config.out and token[4:] not in listed.out + config.out


@pytest.mark.parametrize(
    "command",
    [
        ("ask", "Who made Alder?"), ("load", "facts.tsv", "--namespace", "x"), ("demo",), ("trace",), ("schema",), ("principal", "list"),
        ("principal", "add", "eve", "--kind", "person", "--everything"), ("principal", "revoke", "ann"), ("principal", "rotate", "ann"),
        ("inbox", "list"),
        ("remember", "text", "--name", "Lesson: A - b", "--namespace", "technical_patterns"), ("namespace", "changes"),
        ("namespace", "approve", "x"), ("receipt", "x"), ("inbox", "delegate", "bot", "team"), ("inbox", "approve", "x"),
        ("journal", "baseline"), ("journal", "snapshot", "team", "s"), ("journal", "forget", "s"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("token", [None, "gvl_nobody"])
def test_without_a_token_of_somebody_nothing_is_done(
    own: Gavel, environment: pytest.MonkeyPatch, command: tuple[str, ...], token: str | None
) -> None:
    environment.setenv("GAVEL_TOKEN", own(*EVERYTHING).out.strip())
    environment.setenv("GAVEL_TOKEN", token or "")
    told = own(*command)
    assert (told.out, told.code) == ("", 2)
    assert ("nobody acts without a token" if token is None else "is nobody's, or was revoked") in told.err


def test_a_principal_sees_what_was_given_and_the_database_holds(
    own: Gavel, environment: pytest.MonkeyPatch, tokens: dict[str, str]
) -> None:
    environment.setenv("GAVEL_TOKEN", tokens["bot"])
    with App(Settings()) as app:
        scope = app.principal().scope
        assert (scope.namespaces, scope.access_levels, scope.visibility_groups) == ({"team"}, {PUBLIC}, {EVERYONE})
        assert app.proposer() == app.principal() and app.principal().writes == frozenset()
    refused = own("ask", "Who made Alder?", "--namespace", "secret")
    assert refused.code != 0 and "secret may not be read; readable: team" in refused.err
    assert json.loads(own("ask", "Who made Alder?", "--format", "json").out)["stop_reason"] == "answered"


def test_an_agent_neither_loads_nor_sees_the_runs_of_others_nor_says_who_there_is(
    own: Gavel, environment: pytest.MonkeyPatch, tokens: dict[str, str]
) -> None:
    environment.setenv("GAVEL_TOKEN", tokens["bot"])
    assert "a person does it who may write everywhere" in own("load", "facts.tsv", "--namespace", "team").err
    for command in (("baseline",), ("snapshot", "secret", "secret.snapshot"), ("forget", "secret.snapshot")):
        assert "past every scope" in own("journal", *command).err and not Path("secret.snapshot").exists()
    assert "persons to whom everything was given" in own("trace").err
    assert "by a person who may write everywhere" in own("principal", "add", "eve", "--kind", "agent").err
    assert "by a person who may write everywhere" in own("principal", "revoke", "ann").err
    assert [each["id"] for each in json.loads(own("principal", "list", "--format", "json").out)] == ["bot"]


def test_the_doctor_says_who_this_is(own: Gavel, environment: pytest.MonkeyPatch, tokens: dict[str, str]) -> None:
    def principal() -> dict[str, str]:
        return {each["check"]: each for each in json.loads(own("doctor", "--format", "json").out)}["principal"]

    assert principal()["state"] == "failure" and "nobody acts without a token" in principal()["advice"]
    environment.setenv("GAVEL_TOKEN", tokens["bot"])
    found = principal()
    assert found["state"] == "ok" and found["found"].startswith("bot, an agent by its token: reads team (access public), writes nothing")
    environment.setenv("GAVEL_TOKEN", tokens["ann"])
    assert principal()["found"].startswith("ann, a person by its token: reads secret, team")


def test_a_revoked_token_ends_at_once(own: Gavel, environment: pytest.MonkeyPatch, tokens: dict[str, str]) -> None:
    environment.setenv("GAVEL_TOKEN", tokens["ann"])
    assert own("principal", "revoke", "bot").code == 0
    environment.setenv("GAVEL_TOKEN", tokens["bot"])
    assert "was revoked" in own("ask", "Who made Alder?").err


def test_a_rotated_token_ends_at_once_and_the_new_one_opens_the_same(
    own: Gavel, environment: pytest.MonkeyPatch, tokens: dict[str, str]
) -> None:
    environment.setenv("GAVEL_TOKEN", tokens["bot"])
    before = own("principal", "list").out
    told = own("principal", "rotate", "bot")
    token = told.out.strip()
    assert token.startswith("gvl_") and token != tokens["bot"] and token not in told.err and "shown this once" in told.err
    assert "was revoked" in own("ask", "Who made Alder?").err
    environment.setenv("GAVEL_TOKEN", token)
    assert own("principal", "list").out == before
    assert "bot is neither" in own("principal", "rotate", "ann").err
    environment.setenv("GAVEL_TOKEN", tokens["ann"])
    assert json.loads(own("principal", "rotate", "bot", "--format", "json").out)["token"] != token
    environment.setenv("GAVEL_TOKEN", token)
    assert "was revoked" in own("principal", "list").err


def test_a_limited_principal_spends_no_more_through_any_door_whatever_it_asks_for(
    own: Gavel, environment: pytest.MonkeyPatch, tokens: dict[str, str]
) -> None:
    environment.setenv("GAVEL_REGISTRY", str(Path(__file__).parents[2] / "docs" / "NAMESPACE_REGISTRY.yaml"))
    environment.setenv("GAVEL_TOKEN", tokens["ann"])
    given = ("--reads", "*", "--max-queries", "1", "--max-turns", "9", "--max-model-calls", "0")
    token = own("principal", "add", "slow", "--kind", "agent", *given).out.strip()
    assert "queries 1" in own("principal", "list").out
    environment.setenv("GAVEL_TOKEN", token)
    told = json.loads(own("ask", "Who made Alder?", "--max-queries", "50", "--max-turns", "3", "--format", "json").out)
    assert (told["stop_reason"], told["spent"]["queries"]) == ("queries", 1)
    with App(Settings()) as app:
        held = [app.runs.recent(1)[0].limits]
        app.graph().invoke({"question": "Who made Alder?"})
        held.append(app.runs.recent(1)[0].limits)
        app.remember_graph().invoke({"question": "Remember that Alder was made by Boreal in 2020"}, context={"limits": {"queries": 9}})
        held.append(app.runs.recent(1)[0].limits)
    assert [(each["queries"], each["turns"], each["model_calls"]) for each in held] == [(1, 3, 0), (1, 9, 0), (1, 9, 0)]
    assert "at most 1 queries a run" in own("doctor").out
    environment.setenv("GAVEL_TOKEN", tokens["ann"])
    assert json.loads(own("trace", told["trace_id"], "--format", "json").out)["limits"] == held[0]
    assert "queries 1," in own("trace", told["trace_id"]).out


def test_a_claimed_agent_id_is_recorded_and_decides_nothing(environment: pytest.MonkeyPatch, tokens: dict[str, str]) -> None:
    environment.setenv("GAVEL_REGISTRY", str(Path(__file__).parents[2] / "docs" / "NAMESPACE_REGISTRY.yaml"))
    environment.setenv("GAVEL_TOKEN", tokens["ann"])
    told = {"name": "Procedure: Work - steps", "episode_body": "look before you write", "group_id": "graphiti_meta_knowledge"}
    with App(Settings()) as app:
        ann = app.proposer()
        receipt = app.memory.inbox(ann, Provenance(agent_id="bot")).submit(Proposal.read(told))
        [decision] = app.memory.approvals(ann).approve([receipt.id])
        [event] = app.memory.journal.events(kind="submitted")
    assert (receipt.status, decision.done) == ("review", False) and "their own" in decision.message
    assert event.principal == "ann" and event.about["agent_id"] == "bot"


def test_a_forked_process_opens_the_journal_anew_and_leaves_its_parents_alone(
    environment: pytest.MonkeyPatch, tokens: dict[str, str]
) -> None:
    environment.setenv("GAVEL_TOKEN", tokens["bot"])
    with App(Settings()) as app:
        before, journal = app.grants(), app.memory.journal
        answers = multiprocessing.get_context("fork").SimpleQueue()
        child = multiprocessing.get_context("fork").Process(target=lambda: answers.put((app.grants(), app.memory.journal is journal)))
        child.start()
        child.join(30)
        assert child.exitcode == 0 and answers.get() == (before, False)
        assert app.grants() == before and app.memory.journal is journal


def test_a_delegation_is_given_to_somebody(own: Gavel, environment: pytest.MonkeyPatch, tokens: dict[str, str]) -> None:
    environment.setenv("GAVEL_REGISTRY", str(Path(__file__).parents[2] / "docs" / "NAMESPACE_REGISTRY.yaml"))
    environment.setenv("GAVEL_TOKEN", tokens["ann"])
    assert "'bоt' is no principal" in own("inbox", "delegate", "bоt", "technical_patterns").err
    assert own("inbox", "delegate", "bot", "technical_patterns").code == 0
