import json
from pathlib import Path

import pytest

from knowledge.errors import ConfigError
from knowledge.profile.importer import read_profile


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_the_owner_format_is_read(tmp_path: Path) -> None:
    raw = {
        "_note": "by the owner",
        "kinds": {"ship": ["ship", "vessel"]},
        "relations": {
            "captain": {"_why": "x", "subject": "ship", "object": "person", "role": ["skipper"], "forward": ["who commands the ship"]}
        },
    }
    profile = read_profile(write(tmp_path, "profile.json", json.dumps(raw)))
    assert profile.kinds == {"ship": ("ship", "vessel")}
    assert profile.relations["captain"].roles == ("skipper",)
    assert profile.relations["captain"].forward == ("who commands the ship",)


def test_our_own_yaml_is_read(tmp_path: Path) -> None:
    text = "shape: native\nnamespace: sea\nlabels:\n  Ship: {name: title}\nrelations:\n  captain: {roles: [skipper]}\n"
    profile = read_profile(write(tmp_path, "profile.yaml", text))
    assert (profile.shape, profile.namespace) == ("native", "sea")
    assert profile.labels["Ship"].name == "title"
    assert profile.relations["captain"].roles == ("skipper",)


@pytest.mark.parametrize(
    ("text", "message"),
    [("[1, 2]", "is no profile"), ("{", "cannot be read"), ('{"relations": {"captain": {"colour": 1}}}', "relations.captain.colour")],
)
def test_what_is_no_profile_is_refused_with_its_place(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        read_profile(write(tmp_path, "profile.json", text))


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"absent\.json"):
        read_profile(tmp_path / "absent.json")


def test_an_end_of_a_relation_may_hold_several_kinds(tmp_path: Path) -> None:
    text = "relations:\n  owns: {subject: [firm, person], object: ship}\n  rows: {object: ''}\n"
    relations = read_profile(write(tmp_path, "profile.yaml", text)).relations
    assert (relations["owns"].subject, relations["owns"].object) == (("firm", "person"), ("ship",))
    assert relations["owns"].model_dump(mode="json", exclude_defaults=True) == {"subject": ["firm", "person"], "object": "ship"}
    assert relations["rows"].object == ()


@pytest.mark.parametrize("suffix", ["yaml", "json"])
def test_a_profile_nested_beyond_measure_is_refused(suffix: str, tmp_path: Path) -> None:
    (tmp_path / f"deep.{suffix}").write_text("[" * 50_000)
    with pytest.raises(ConfigError, match="cannot be read as a profile"):
        read_profile(tmp_path / f"deep.{suffix}")
