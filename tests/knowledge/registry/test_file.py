"""A registry file is used whole or not at all, and every problem is told with its line."""

import hashlib
import re
from pathlib import Path

import pytest

from knowledge.errors import ConfigError, RegistryError
from knowledge.registry.contract import Contract, SizeLimit
from knowledge.registry.file import parse_registry, read_registry
from tests.knowledge.registry.texts import SAMPLE, TEXT, changed, sound


def domain(name: str) -> str:
    return f"  {name}: {{purpose: p, allowed_types: [Decision], size_limit: 1, write_policy: self_service}}\n"


DOMAIN = domain("decis1ons")


def problems(text: str) -> list[str]:
    with pytest.raises(RegistryError) as refused:
        parse_registry(text, "registry.yaml")
    assert str(refused.value) == "\n".join(refused.value.problems)
    return list(refused.value.problems)


def test_every_key_of_a_contract_is_read() -> None:
    assert sound().contracts["harbour_notes"] == Contract(
        id="harbour_notes",
        purpose="Ships, berths and tides.",
        owner="mira@port",
        allowed_types=("Sighting",),
        size_limit=SizeLimit(episodes=5, facts=50, bytes=9000),
        write_policy="owner_only",
        suggested_alternative="team",
        single_valued=frozenset({"moored_at"}),
        retention_days=30,
        join="none",
        display_name="Harbour",
    )


def test_what_is_left_out_has_its_default_and_a_bare_limit_counts_episodes() -> None:
    team = sound().contracts["team"]
    assert (team.size_limit, team.join, team.retention_days, team.single_valued) == (SizeLimit(10, None, None), "key", None, frozenset())


def test_version_and_digest_name_the_text() -> None:
    assert (sound().version, sound().digest) == (3, hashlib.sha256(TEXT.encode()).hexdigest())
    assert parse_registry(TEXT + "# a note\n", "f").digest != sound().digest


def test_the_sample_registry_is_sound_and_says_what_was_agreed() -> None:
    registry = read_registry(SAMPLE)
    told = {each.id: (each.owner, each.allowed_types, each.size_limit.episodes, each.write_policy) for each in registry.all()}
    approval = "explicit_approval_required"
    assert told == {
        "graphiti_meta_knowledge": ("human_curated", ("Getting Started", "Core Lesson", "Procedure"), 15, approval),
        "graphiti_reference_docs": ("human_curated", ("Documentation", "Code Example", "API Reference"), 50, approval),
        "technical_patterns": ("any_agent", ("Pattern", "Lesson", "Analysis", "Anti-Pattern", "Best Practice"), 100, "self_service"),
        "session_reflections": ("any_agent", ("Reflection", "Lesson", "Insight"), 200, "self_service"),
    }
    assert registry.version == 1
    assert registry.contracts["graphiti_meta_knowledge"].suggested_alternative == "technical_patterns"


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("version: 3\n", "", "1: lacks version"),
        ("version: 3", "version: 0", "1: version: is 0; write a whole number"),
        ("version: 3", "version: 1.5", "1: version: is a number ('1.5'); write a whole number"),
        ("version: 3", "version: '3'", "1: version: is text; write a whole number"),
        ("version: 3", "version: 0x10", "1: version: is a number ('0x10')"),
        ("version: 3", "version: 3\nversion: 4", "2: version: stands twice, first in line 1"),
        ("version: 3", "version: 3\nowner: me", "2: owner: is no key here; write one of version, namespaces, domains, projects"),
        ("  harbour_notes:\n", "  te am:\n", "9: namespaces.'te am': is no id, since it holds ' '; write 1 to 64 of A-Z"),
        ("  harbour_notes:\n", "  tеam:\n", r"9: namespaces.tеam: is no id, since it holds '\u0435'"),
        ("  harbour_notes:\n", f"  {'x' * 65}:\n", "is no id, since it has 65 characters"),
        ("  harbour_notes:\n", "  77:\n", "9: namespaces: has a number ('77') for a key; put the key in quotes"),
        ("  harbour_notes:\n", "  TEAM:\n", "9: namespaces.TEAM: TEAM looks like team (line 3); choose an id"),
        ("  harbour_notes:\n", "  team:\n", "9: namespaces.team: stands twice, first in line 3; keep one"),
        ("    purpose: What the team agreed on.\n", "", "3: namespaces.team: lacks purpose; add it"),
        ("purpose: What the team agreed on.", "purpose: ' '", "4: namespaces.team.purpose: is empty; write one sentence"),
        ("purpose: What the team agreed on.", "purpose:", "4: namespaces.team.purpose: is nothing; write one sentence"),
        ("purpose: What the team agreed on.", "purpose: [a]", "4: namespaces.team.purpose: is a list; write one sentence"),
        ("purpose: What the team agreed on.", 'purpose: "a\\0b"', "4: namespaces.team.purpose: holds a control character"),
        ("purpose: What the team agreed on.", 'purpose: "\\ud800"', "4: namespaces.team.purpose: holds a control character"),
        ("owner: any_agent", "owner: any agent", "5: namespaces.team.owner: 'any agent' is no id of a person or an agent"),
        (
            "owner: any_agent",
            "owner: Any-Agent",
            "5: namespaces.team.owner: 'Any-Agent' can be taken for any_agent; write any_agent exactly",
        ),
        ("owner: any_agent", "owner: 7", "5: namespaces.team.owner: is a number ('7'); write human_curated, any_agent, project_agent, or"),
        ("owner: any_agent", "owner: me\n    ownr: me", "6: namespaces.team.ownr: is no key here; write owner"),
        ("owner: any_agent", "owner: project_agent", "3: namespaces.team: is owned by project_agent and lacks project; add the project"),
        ("owner: any_agent", "owner: project_agent\n    project: mir", "6: namespaces.team.project: names the project 'mir', which is not"),
        ("owner: any_agent", "owner: mira\n    project: apollo", "6: namespaces.team.project: is read only where owner is project_agent"),
        ("[Lesson, Agreement]", "[]", "6: namespaces.team.allowed_types: is empty, so nothing could be remembered; write a list of types"),
        ("[Lesson, Agreement]", "!each [Lesson]", "6: namespaces.team.allowed_types: is a value tagged '!each'; write a list of types"),
        ("[Lesson, Agreement]", "Lesson", "6: namespaces.team.allowed_types: is text; write a list of types"),
        ("[Lesson, Agreement]", "[Lesson, no]", "6: namespaces.team.allowed_types: is yes or no ('no'); write a list of types"),
        ("[Lesson, Agreement]", "[Lesson, lesson]", "6: namespaces.team.allowed_types: names 'lesson' twice; keep one"),
        ("[Lesson, Agreement]", "['Lesson: A']", "6: namespaces.team.allowed_types: 'Lesson: A' is no type"),
        ("[Lesson, Agreement]", '["a\\nb"]', "6: namespaces.team.allowed_types: 'a\\nb' has a tab or several lines"),
        ("[Lesson, Agreement]", "[Lesson, '']", "6: namespaces.team.allowed_types: is empty; write a list of types"),
        ("size_limit: 10", "size_limit: -1", "7: namespaces.team.size_limit: is -1; write the most live items, 0 or more"),
        ("size_limit: 10", "size_limit: many", "7: namespaces.team.size_limit: is text; write the most live items"),
        ("size_limit: 10", "size_limit: 010", "7: namespaces.team.size_limit: is a number ('010'); write the most live items"),
        ("size_limit: 10", "size_limit: !!str 10", "7: namespaces.team.size_limit: is text; write the most live items"),
        ("size_limit: 10", "size_limit: 1_0", "7: namespaces.team.size_limit: is a number ('1_0'); write the most live items"),
        ("size_limit: 10", "size_limit: 9999999999999999", "7: namespaces.team.size_limit: is a number ('9999999999999999')"),
        ("size_limit: 10", "size_limit: {}", "7: namespaces.team.size_limit: limits nothing; write at least one of episodes, facts, bytes"),
        ("size_limit: 10", "size_limit: {byte: 3}", "7: namespaces.team.size_limit.byte: is no key here; write bytes"),
        ("facts: 50", "facts: -50", "13: namespaces.harbour_notes.size_limit.facts: is -50; write the most live items, 0 or more"),
        (
            "write_policy: owner_only",
            "write_policy: open",
            "14: namespaces.harbour_notes.write_policy: is 'open'; write one of self_service,",
        ),
        ("    suggested_alternative: team\n    single", "    suggested_alternative: crew\n    single", "15: namespaces.harbour_notes.sugg"),
        ("    suggested_alternative: team\n    single", "    suggested_alternative: harbour_notes\n    single", "is the namespace itself"),
        (
            "    suggested_alternative: team\n    disp",
            "    suggested_alternative: crew\n    disp",
            "26: domains.decisions.suggested_alternative: ",
        ),
        ("[moored_at]", "moored_at", "16: namespaces.harbour_notes.single_valued: is text; write a list of relations"),
        ("retention_days: 30", "retention_days: 0", "17: namespaces.harbour_notes.retention_days: is 0; write the days"),
        ("join: none", "join: null", "18: namespaces.harbour_notes.join: is nothing; write one of key, none"),
        ("join: none", "join: keys", "18: namespaces.harbour_notes.join: is 'keys'; write one of key, none"),
        ("display_name: Harbour", "display_name: ''", "19: namespaces.harbour_notes.display_name: is empty; write a name for people"),
        ("    purpose: Decisions of {project}.\n", "", "21: domains.decisions: lacks purpose; add it"),
        ("    size_limit: 20", "    owner: me\n    size_limit: 20", "24: domains.decisions.owner: is no key here; write one of purpose, "),
        ("apollo: [apollo-planner, apollo-writer]", "apollo: [a b]", "29: projects.apollo: 'a b' is no id of a person or an agent"),
        (
            "apollo: [apollo-planner, apollo-writer]",
            "apollo: planner",
            "29: projects.apollo: is text; write a list of the ids of its agents",
        ),
        ("apollo: [", "ap%llo: [", "29: projects.'ap%llo': is no id, since it holds '%'"),
        ("apollo: [", "apollo: []\n  Apollo: [", "30: projects.Apollo: Apollo looks like apollo (line 29)"),
        ("[apollo-planner, apollo-writer]", "[any_agent]", "29: projects.apollo: 'any_agent' stands for any_agent, and not for one agent"),
        ("[Lesson, Agreement]", '["a\\tb"]', "6: namespaces.team.allowed_types: 'a\\tb' has a tab or several lines"),
        ("  decisions:\n", f"{DOMAIN}  decisions:\n", "22: domains.decisions: decisions looks like decis1ons (line 21)"),
    ],
)
def test_each_problem_is_told_with_its_line_and_what_to_write(old: str, new: str, problem: str) -> None:
    (told,) = problems(changed(old, new))
    assert problem in told
    assert re.match(r"registry\.yaml:\d+: .+; .+", told)
    assert problem[0].isalpha() or told.startswith(f"registry.yaml:{problem}")


@pytest.mark.parametrize("key", ["purpose", "owner", "allowed_types", "size_limit", "write_policy"])
def test_no_required_key_may_be_missing(key: str) -> None:
    told = problems(re.sub(rf"(  team:\n(?:    .*\n)*?)    {key}: .*\n", r"\1", TEXT, count=1))
    assert told == [f"registry.yaml:3: namespaces.team: lacks {key}; add it"]


@pytest.mark.parametrize(("entry", "kind"), [("5", "a number ('5')"), ("soon", "text"), ("[a, b]", "a list"), ("", "nothing")])
def test_an_entry_that_is_no_mapping_is_told_once(entry: str, kind: str) -> None:
    instead = "write keys such as purpose, owner, allowed_types, size_limit, write_policy"
    assert problems(f"version: 1\nnamespaces:\n  team: {entry}\n") == [f"registry.yaml:3: namespaces.team: is {kind}; {instead}"]


def test_what_is_nested_too_deep_is_told_where_it_becomes_so() -> None:
    assert "is a list" in problems("[" * 8 + "]" * 8)[0]
    assert "is nested more than 8 deep" in problems("[" * 9 + "]" * 9)[0]


def test_missing_keys_are_told_together() -> None:
    assert problems("version: 1\nnamespaces:\n  team: {purpose: p, owner: o, size_limit: 1}\n") == [
        "registry.yaml:3: namespaces.team: lacks allowed_types, write_policy; add them"
    ]


def test_a_limit_of_nothing_closes_a_namespace() -> None:
    text = changed("size_limit: 10", "size_limit: 0").replace("facts: 50", "facts: 0")
    found = parse_registry(text, "f").contracts
    assert (found["team"].size_limit, found["harbour_notes"].size_limit) == (SizeLimit(0), SizeLimit(5, 0, 9000))


def test_all_problems_are_told_at_once_in_the_order_of_the_lines() -> None:
    text = changed("size_limit: 10", "size_limit: ten").replace("version: 3", "version: x").replace("join: none", "join: all")
    assert [told.split(": ")[:2] for told in problems(text)] == [
        ["registry.yaml:1", "version"],
        ["registry.yaml:7", "namespaces.team.size_limit"],
        ["registry.yaml:18", "namespaces.harbour_notes.join"],
    ]


def test_two_pairs_that_spell_one_id_are_refused() -> None:
    text = changed("projects:\n", "projects:\n  a: []\n  a_b: []\n").replace("domains:\n", f"domains:\n{domain('c')}{domain('b_c')}")
    assert problems(text) == ["registry.yaml:32: projects.a_b: makes a_b_c, which line 31 makes too; rename one"]


def test_an_id_made_by_the_pattern_may_not_look_like_a_written_one() -> None:
    text = changed("  harbour_notes:\n", "  Apollo-Decisions:\n")
    assert problems(text) == [
        "registry.yaml:29: projects.apollo: apollo_decisions looks like Apollo-Decisions (line 9); choose an id that nobody takes for another"
    ]


def test_an_entry_of_its_own_may_stand_for_one_of_the_pattern() -> None:
    assert parse_registry(changed("  harbour_notes:\n", "  apollo_decisions:\n"), "f").contracts["apollo_decisions"].owner == "mira@port"


def test_more_namespaces_than_can_be_looked_through_are_refused() -> None:
    many = "".join(f"  p{chr(97 + n % 26)}{chr(97 + n // 26 % 26)}x{n}: []\n" for n in range(10_500))
    (told,) = problems(changed("projects:\n", "projects:\n" + many))
    assert "make more than 10,000 namespaces" in told


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "registry.yaml:1: is empty; write version and namespaces"),
        ("# nothing yet\n", "registry.yaml:1: is empty; write version and namespaces"),
        ("- team\n", "registry.yaml:1: is a list; write keys such as version, namespaces"),
        ("version: 1\nnamespaces:\n", "registry.yaml:2: namespaces: is nothing; write a mapping of ids, or {} for none"),
        ("version: 1\nnamespaces: [a\n", "registry.yaml:3: is no YAML"),
        ("version: 1\n\tnamespaces: {}\n", "registry.yaml:2: is no YAML"),
        ("version: 1\nnamespaces: {}\n---\nversion: 2\n", "registry.yaml:3: is no YAML"),
        ("version: 1\nnamespaces: {}\n\x00", "registry.yaml:3: holds a character that YAML does not allow"),
        ("version: 1\nnamespaces: {}\n# \ud800", "registry.yaml:3: holds a character that YAML does not allow"),
        ('version: 1\nnamespaces:\n  "\\UFFFFFFFF": {}\n', "registry.yaml:2: is followed by an escape that is no character"),
        ("version: &one 1\nnamespaces: {}\n", "registry.yaml:1: holds an anchor or an alias"),
        ("version: 1\nnamespaces: *none\n", "registry.yaml:2: holds an anchor or an alias"),
        ("[" * 50_000, "registry.yaml:1: is nested more than 8 deep"),
        ("a: " * 50_000, "registry.yaml:1: is no YAML"),
        ("#" * 262_145, "registry.yaml:1: has 262,145 characters; keep it within 262,144"),
        (
            "version: 1\nnamespaces: !!python/object/apply:os.system ['true']\n",
            "registry.yaml:2: namespaces: is a value tagged 'os.system'",
        ),
        ("version: 1\nnamespaces: !!set {a}\n", "registry.yaml:2: namespaces: is a value tagged 'set'"),
        ("version: !!int 'x'\nnamespaces: {}\n", "registry.yaml:1: version: is a number ('x'); write a whole number"),
        ("version: 1\nnamespaces: {}\n? [a, b]\n: c\n", "registry.yaml:3: has a list for a key; put the key in quotes"),
        ("version: 1\nnamespaces: {}\n<<: {domains: {}}\n", "registry.yaml:3: has a value tagged 'merge' ('<<') for a key"),
    ],
)
def test_hostile_text_is_refused_with_its_line(text: str, problem: str) -> None:
    (told,) = problems(text)
    assert told.startswith(problem)


def test_a_billion_laughs_are_refused_where_they_begin() -> None:
    lines = ["version: 1", "a: &a [x, x, x, x, x, x, x, x, x]"]
    lines += [f"{after}: &{after} [{', '.join([f'*{before}'] * 9)}]" for before, after in zip("abcdefghi", "bcdefghij", strict=True)]
    told = problems("\n".join(lines))
    assert told[0].startswith("registry.yaml:2: holds an anchor")
    assert {line.split(": ")[1].split(";")[0] for line in told} == {"holds an anchor or an alias (& or *)"}


def test_a_key_cannot_break_a_message_into_lines_of_its_own() -> None:
    (told,) = problems(changed("  harbour_notes:\n", '  "a\\nregistry.yaml:9: all is well":\n'))
    assert "\n" not in told and "'a\\nregistry.yaml:9: all is well'" in told


def test_windows_line_ends_and_a_byte_order_mark_are_read() -> None:
    assert parse_registry("\ufeff" + TEXT.replace("\n", "\r\n"), "f").contracts == sound().contracts


def test_a_file_that_is_not_there_is_named_with_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"absent\.yaml: cannot be read .*; write one that begins with `version: 1`"):
        read_registry(tmp_path / "absent.yaml")
    with pytest.raises(RegistryError, match="cannot be read"):
        read_registry(tmp_path)


def test_a_file_without_an_end_is_not_read_to_the_end() -> None:
    with pytest.raises(RegistryError, match="is larger than 1,048,576 bytes"):
        read_registry(Path("/dev/zero"))


def test_a_project_needs_no_agents() -> None:
    assert parse_registry(changed("[apollo-planner, apollo-writer]", "[]"), "f").agents_of("apollo") == frozenset()


def test_a_file_that_is_no_utf8_is_refused_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "registry.yaml"
    file.write_bytes(TEXT.replace("What the team", "Caf\u00e9").encode("latin-1"))
    with pytest.raises(RegistryError, match=r"registry\.yaml:4: is no UTF-8 \(byte 0xe9\); save the file as UTF-8"):
        read_registry(file)
