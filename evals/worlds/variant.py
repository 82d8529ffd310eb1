"""The sample world in disguise: every name a seeded pseudonym, every relation a synonym, the demo questions about two other companies."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import yaml

from evals.worlds.demo import DEMO_PAIR, PAIRS, DemoQuestion, demo_questions
from evals.worlds.pseudonyms import CHINESE, Pseudonyms

Record = dict[str, object]
SYNONYMS: Mapping[str, str] = {
    "founded": "established", "leads": "heads", "employs": "hires", "invests": "funds", "competes": "rivals", "develops": "builds",
    "launched": "released", "powers": "drives", "approach": "technique", "headquarters": "seat", "country": "nation",
    "supplies": "provides", "acquired": "bought", "investigates": "probes", "fined": "penalised", "issued": "enacted", "applies": "binds",
}  # fmt: skip


@dataclass(frozen=True)
class Variant:
    """Where the disguised world lies, what became of each name, and the questions to ask about it."""

    folder: Path
    pair: tuple[str, str]
    names: Mapping[str, str]
    questions: tuple[DemoQuestion, ...]


def write_variant(world: Path, folder: Path, seed: int) -> Variant:
    """Write entities.jsonl, facts.jsonl and profile.yaml of the disguised world into a folder. The same seed writes the same bytes."""
    pseudonyms = Pseudonyms(seed)
    entities = [_entity(row, pseudonyms) for row in _rows(world / "entities.jsonl")]
    facts = [_fact(row, pseudonyms) for row in _rows(world / "facts.jsonl")]
    profile = yaml.safe_load((world / "profile.yaml").read_text(encoding="utf-8"))
    profile["relations"] = {SYNONYMS[name]: words for name, words in profile["relations"].items()}
    folder.mkdir(parents=True, exist_ok=True)
    _write(folder / "entities.jsonl", entities)
    _write(folder / "facts.jsonl", facts)
    (folder / "profile.yaml").write_text(yaml.safe_dump(profile, allow_unicode=True, sort_keys=False), encoding="utf-8")
    pair = _other_pair(seed)
    return Variant(folder, pair, dict(pseudonyms.names), demo_questions(*(_called(name, entities, pseudonyms) for name in pair)))


def _other_pair(seed: int) -> tuple[str, str]:
    others = [pair for pair in PAIRS if pair != DEMO_PAIR]
    return others[seed % len(others)]


def _entity(row: Record, pseudonyms: Pseudonyms) -> Record:
    aliases = row["aliases"]
    assert isinstance(aliases, list)
    name = pseudonyms.of(str(row["name"]))
    return {**row, "name": name, "aliases": [pseudonyms.of(alias) for alias in aliases], "summary": ""}


def _fact(row: Record, pseudonyms: Pseudonyms) -> Record:
    subject, object_ = pseudonyms.of(str(row["subject"])), pseudonyms.of(str(row["object"]))
    relation = SYNONYMS[str(row["relation"])]
    return {**row, "subject": subject, "relation": relation, "object": object_, "fact": f"{subject} {relation} {object_}."}


def _called(name: str, entities: list[Record], pseudonyms: Pseudonyms) -> tuple[str, str]:
    """The new name as English and as Chinese readers use it."""
    wanted = pseudonyms.of(name)
    aliases = next(row["aliases"] for row in entities if row["name"] == wanted)
    assert isinstance(aliases, list)
    known = [wanted, *aliases]
    english = next((each for each in known if not CHINESE.search(each)), wanted)
    return english, next((each for each in known if CHINESE.search(each)), wanted)


def _rows(path: Path) -> list[Record]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def _write(path: Path, rows: list[Record]) -> None:
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
