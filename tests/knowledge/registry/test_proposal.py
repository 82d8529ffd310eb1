"""A proposed registry is the present one with one namespace more, to the letter of every comment."""

import difflib
from dataclasses import replace

import pytest

from knowledge.errors import RegistryError
from knowledge.registry.contract import PROJECT_AGENT, Contract, SizeLimit
from knowledge.registry.file import parse_registry
from knowledge.registry.proposal import proposed, rendered
from tests.knowledge.registry.texts import SAMPLE, TEXT, sound

PLAIN = Contract("tides", "When the water is high.", "any_agent", ("Table",), SizeLimit(7), "self_service")
FULL = Contract(
    id="winds",
    purpose="Yes: 'winds' # and {gusts},\n&more *stars - in two lines",
    owner=PROJECT_AGENT,
    allowed_types=("No", "7", "Best Practice", "风"),
    size_limit=SizeLimit(0, None, 9),
    write_policy="explicit_approval_required",
    suggested_alternative="team",
    single_valued=frozenset({"blows_from", "null"}),
    retention_days=1,
    join="none",
    display_name="~",
    project="apollo",
)


def lines_added(before: str, after: str) -> list[str]:
    """The new lines; fails where an old one is gone, other than that of the version."""
    differences = list(difflib.ndiff(before.splitlines(), after.splitlines()))
    assert [line for line in differences if line.startswith("- ") and not line.startswith("- version: ")] == []
    return [line[2:] for line in differences if line.startswith("+ ")]


@pytest.mark.parametrize("contract", [PLAIN, FULL])
@pytest.mark.parametrize("text", [TEXT, SAMPLE.read_text() + "  apollo: []\n", TEXT.replace("\n", "\r\n"), TEXT.split("domains:")[0]])
def test_nothing_else_changes(text: str, contract: Contract) -> None:
    text = text.replace("projects: {}\n", "projects:\n")
    if "projects" not in text and contract.project:
        contract = replace(contract, project="", owner="mira")
    if "  team:" not in text:
        contract = replace(contract, suggested_alternative="")
    before, after = parse_registry(text, "before"), parse_registry(proposed(text, contract), "after")
    assert after.contracts == {**before.contracts, contract.id: contract}
    assert (after.version, after.domains, after.projects) == (before.version + 1, before.domains, before.projects)
    assert lines_added(text, proposed(text, contract))[0].startswith("version: ")


def test_every_comment_stays_where_it_belongs() -> None:
    text = SAMPLE.read_text()
    assert lines_added(text, proposed(text, PLAIN)) == [
        "version: 2 # grows with every change",
        "  tides:",
        "    purpose: When the water is high.",
        "    owner: any_agent",
        "    allowed_types: [Table]",
        "    size_limit: 7",
        "    write_policy: self_service",
        "",
    ]
    after = proposed(text, PLAIN)
    assert after.index("session_reflections:") < after.index("  tides:") < after.index("# Every project has one namespace")


def test_a_comment_at_the_end_of_an_entry_stays_with_it() -> None:
    text = TEXT.replace("    display_name: Harbour\n", "    display_name: Harbour\n    # until the pier is built\n")
    after = proposed(text, PLAIN)
    assert after.index("# until the pier") < after.index("  tides:") < after.index("domains:")


@pytest.mark.parametrize(
    "text",
    [
        "version: 1\nnamespaces: {} # none yet\n",
        "version: 1\nnamespaces: {}",
        "namespaces: {}\nversion: 1\n",
        '{"version": 1, "namespaces": {}}',
        '{"namespaces": {}, "version": 1}\n',
        "version: 1\nnamespaces:\n    old:\n        {purpose: p, owner: o, allowed_types: [A], size_limit: 1, write_policy: owner_only}",
        "version: 1\nnamespaces: {old: {purpose: p, owner: o, allowed_types: [A], size_limit: 1, write_policy: owner_only},\n}\n",
        "version: 1\nnamespaces:\n  old:\n    owner: o\n    allowed_types:\n    - A\n    size_limit: 1\n    write_policy: owner_only\n"
        "    purpose: |\n      Two\n      lines.\n\n\n# the end\n",
        "version: 1\nnamespaces:\n  old:\n    owner: o\n    size_limit: 1\n    write_policy: owner_only\n    purpose: p\n"
        "    allowed_types:\n    - A # the only one\n",
        "version: 1\nnamespaces:\n  old:\n    owner: o\n    allowed_types: [A]\n    size_limit: 1\n    write_policy: owner_only\n    purpose: >-\n      p",
    ],
)
def test_any_layout_of_the_file_takes_another_namespace_and_one_more(text: str) -> None:
    after = proposed(proposed(text, PLAIN), replace(PLAIN, id="winds"))
    before = parse_registry(text, "before").contracts
    assert parse_registry(after, "after").contracts == {**before, "tides": PLAIN, "winds": replace(PLAIN, id="winds")}
    assert parse_registry(after, "after").version == 3
    assert [comment for comment in ("# none yet", "# the end", "# the only one") if comment in text] == [
        comment for comment in ("# none yet", "# the end", "# the only one") if comment in after
    ]


def test_a_rendered_contract_reads_back_as_itself() -> None:
    text = TEXT + "# more\n"
    for contract in sound().all():
        indented = "".join(f"  {line}\n" for line in rendered(replace(contract, id="again")).splitlines())
        read = parse_registry(text.replace("domains:\n", f"{indented}domains:\n", 1), "f").contracts["again"]
        assert replace(read, id=contract.id) == contract


@pytest.mark.parametrize(
    ("contract", "message"),
    [
        (replace(PLAIN, id="team"), "team is registered already; change its entry"),
        (replace(PLAIN, id="TEAM"), "TEAM looks like team"),
        (replace(PLAIN, id="Apollo-decisions"), "looks like Apollo-decisions"),
        (replace(PLAIN, id="te am"), "is no id, since it holds ' '"),
        (replace(PLAIN, purpose=""), "lacks purpose"),
        (replace(PLAIN, purpose="a\x00b"), "holds a control character"),
        (replace(PLAIN, purpose="a\nowner: me"), ""),
        (replace(PLAIN, owner="a b"), "no id of a person or an agent"),
        (replace(PLAIN, allowed_types=()), "lacks allowed_types"),
        (replace(PLAIN, size_limit=SizeLimit(-1)), "is -1"),
        (replace(PLAIN, size_limit=SizeLimit()), "limits nothing"),
        (replace(PLAIN, suggested_alternative="tides"), "is the namespace itself"),
        (replace(PLAIN, suggested_alternative="nowhere"), "'nowhere' is no namespace here"),
        (replace(PLAIN, id="x\n  y", purpose="p"), "is no id"),
    ],
)
def test_a_contract_that_cannot_work_is_not_proposed(contract: Contract, message: str) -> None:
    if not message:
        assert parse_registry(proposed(TEXT, contract), "f").contracts["tides"] == contract
        return
    with pytest.raises(RegistryError, match=message):
        proposed(TEXT, contract)


def test_a_namespace_of_a_project_may_get_an_entry_of_its_own() -> None:
    own = replace(PLAIN, id="apollo_decisions")
    assert parse_registry(proposed(TEXT, own), "f").find("apollo_decisions") == own


def test_nothing_is_proposed_for_a_file_with_problems() -> None:
    with pytest.raises(RegistryError, match="the registry:1: version"):
        proposed(TEXT.replace("version: 3", "version: three"), PLAIN)
