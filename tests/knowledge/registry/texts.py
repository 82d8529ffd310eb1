"""Registry files for tests: a sound one, and the same with one thing changed."""

from pathlib import Path

from knowledge.registry.file import parse_registry
from knowledge.registry.registry import Registry

SAMPLE = Path(__file__).parents[3] / "docs" / "NAMESPACE_REGISTRY.yaml"
TEXT = """\
version: 3
namespaces:
  team:
    purpose: What the team agreed on.
    owner: any_agent
    allowed_types: [Lesson, Agreement]
    size_limit: 10
    write_policy: self_service
  harbour_notes:
    purpose: Ships, berths and tides.
    owner: mira@port
    allowed_types: [Sighting]
    size_limit: {episodes: 5, facts: 50, bytes: 9000}
    write_policy: owner_only
    suggested_alternative: team
    single_valued: [moored_at]
    retention_days: 30
    join: none
    display_name: Harbour
domains:
  decisions:
    purpose: Decisions of {project}.
    allowed_types: [Decision]
    size_limit: 20
    write_policy: self_service
    suggested_alternative: team
    display_name: Decisions ({project})
projects:
  apollo: [apollo-planner, apollo-writer]
"""


def changed(old: str, new: str) -> str:
    """The sound text with one part replaced."""
    assert TEXT.count(old) == 1, f"{old!r} must stand in the text once"
    return TEXT.replace(old, new)


def sound() -> Registry:
    return parse_registry(TEXT, "registry.yaml")
