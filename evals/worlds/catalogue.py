"""Every world that questions are asked over: the files to load and the owner's profile."""

from dataclasses import dataclass
from pathlib import Path

from evals.sets.kinds.gold import SAMPLE
from evals.worlds.variant import write_variant
from knowledge.errors import ConfigError

PROBES = ("company", "football", "music", "scholars")
VARIANT_SEEDS = (1, 2)


@dataclass(frozen=True)
class World:
    """`profile` None: nobody has described this graph."""

    name: str
    files: tuple[Path, ...]
    profile: Path | None = None

    @property
    def namespace(self) -> str:
        """The namespace that it is loaded into."""
        return self.name.replace("/", "-")


def world(name: str, datasets: Path, scratch: Path) -> World:
    """The world of that name. A disguised one (`variant-<seed>`) is written into `scratch`. ConfigError where a data set is missing."""
    if name == "sample":
        return World(name, (SAMPLE / "entities.jsonl", SAMPLE / "facts.jsonl"), SAMPLE / "profile.yaml")
    if name.startswith("variant-"):
        folder = write_variant(SAMPLE, scratch / name, int(name.removeprefix("variant-"))).folder
        return World(name, (folder / "entities.jsonl", folder / "facts.jsonl"), folder / "profile.yaml")
    folder = datasets / name
    profile = folder / "profile.json"
    return World(name, (required(folder / "kb.tsv"),), profile if profile.exists() else None)


def required(path: Path) -> Path:
    """The file itself, or ConfigError that says how to point the evals at the data sets."""
    if not path.is_file():
        raise ConfigError(f"{path} is missing; set GAVEL_DATASETS to the folder that holds the data sets (each in a folder with kb.tsv)")
    return path
