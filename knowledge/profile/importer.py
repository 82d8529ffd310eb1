"""Reads an owner's profile from a file: our own YAML or JSON, or the owner format with `role` and words per kind."""

import json
from pathlib import Path
from typing import cast

import yaml
from pydantic import ValidationError

from knowledge.errors import ConfigError
from knowledge.profile.profile import GraphProfile

Raw = dict[str, object]


def read_profile(path: Path) -> GraphProfile:
    """ConfigError when the file cannot be read, is no profile, or holds an unknown key.

    The owner format is JSON like ours, except that a relation has `role` for `roles` and keys that start with `_` are notes.
    """
    try:
        text = path.read_text(encoding="utf-8")
        raw = json.loads(text) if path.suffix == ".json" else yaml.safe_load(text)
    except (OSError, UnicodeDecodeError, ValueError, yaml.YAMLError, RecursionError) as error:
        raise ConfigError(f"{path} cannot be read as a profile: {error}; write YAML or JSON as `gavel schema` shows it") from error
    if not isinstance(raw, dict):
        raise ConfigError(f"{path} is no profile; write an object with kinds and relations as `gavel schema` shows it")
    try:
        return GraphProfile.model_validate(_in_our_words(cast(Raw, raw)))
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"])) or "the top"
        raise ConfigError(f"{path}: {place}: {first['msg']}; correct it as `gavel schema` shows it") from error


def _in_our_words(raw: Raw) -> Raw:
    """Without notes, and with `roles` where the owner wrote `role`."""
    plain = {key: value for key, value in raw.items() if not str(key).startswith("_")}
    relations = plain.get("relations")
    if isinstance(relations, dict):
        plain["relations"] = {name: _relation(value) for name, value in relations.items() if not str(name).startswith("_")}
    return plain


def _relation(raw: object) -> object:
    if not isinstance(raw, dict):
        return raw
    return {"roles" if key == "role" else key: value for key, value in raw.items() if not str(key).startswith("_")}
