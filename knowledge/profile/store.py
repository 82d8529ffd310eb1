"""Profiles of native graphs in the data folder, one file per graph; the owner may correct it."""

from pathlib import Path

import yaml

from knowledge.profile.importer import read_profile
from knowledge.profile.profile import GraphProfile

_FOLDER = "profiles"


def profile_path(folder: Path, graph: str) -> Path:
    """Where the profile of a graph is kept; it need not exist. `graph` names the database: `ddl.graph_identity`."""
    return folder / _FOLDER / f"{graph}.yaml"


def save_profile(folder: Path, graph: str, profile: GraphProfile) -> Path:
    """Write the profile, replacing what was there."""
    path = profile_path(folder, graph)
    path.parent.mkdir(parents=True, exist_ok=True)
    said = profile.model_dump(mode="json", exclude_defaults=True)
    temporary = path.with_suffix(".part")
    temporary.write_text(yaml.safe_dump(said, allow_unicode=True, sort_keys=False), encoding="utf-8")
    temporary.replace(path)
    return path


def load_profile(folder: Path, graph: str) -> GraphProfile | None:
    """The kept profile, or None. ConfigError where the file is no profile."""
    path = profile_path(folder, graph)
    return read_profile(path) if path.exists() else None
