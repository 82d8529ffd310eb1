"""The raw triples of a world as plain sets and dictionaries, read from its files without any part of the product."""

import json
import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

Adjacent = dict[tuple[str, str], set[str]]


@dataclass(frozen=True)
class Triple:
    """One fact as its file states it. Dates are the file's own text, empty where open."""

    subject: str
    relation: str
    object: str
    valid_from: str = ""
    valid_to: str = ""


@dataclass
class Triples:
    """What holds at `now` (an ISO date): facts that have ended before it are left out."""

    out: Adjacent = field(default_factory=lambda: defaultdict(set))
    back: Adjacent = field(default_factory=lambda: defaultdict(set))
    names: set[str] = field(default_factory=set)
    aliases: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    kinds: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        triples: Iterable[Triple],
        aliases: Iterable[tuple[str, str]] = (),
        kinds: Iterable[tuple[str, str]] = (),
        now: str = "2026-01-01",
    ) -> "Triples":
        world = cls()
        for each in triples:
            world.names |= {each.subject, each.object}
            if holds(each, now):
                world.out[each.subject, each.relation].add(each.object)
                world.back[each.object, each.relation].add(each.subject)
        for name, alias in aliases:
            world.aliases[name].add(alias)
        world.kinds.update(kinds)
        return world

    def step(self, name: str, relation: str, direction: str) -> set[str]:
        """Neighbours over one relation; `any` follows it both ways."""
        found: set[str] = set()
        if direction in ("out", "any"):
            found |= self.out.get((name, relation), set())
        if direction in ("in", "any"):
            found |= self.back.get((name, relation), set())
        return found

    def neighbours(self) -> dict[str, set[str]]:
        """Every name with all that it has a fact with, whatever relation and direction."""
        near: dict[str, set[str]] = defaultdict(set)
        for (subject, _), objects in self.out.items():
            for each in objects:
                near[subject].add(each)
                near[each].add(subject)
        return near

    def called(self, mention: str) -> set[str]:
        """Names that a mention may mean: equal but for case, accents, punctuation and a closing remark in brackets, or by alias."""
        wanted = plain(mention)
        return {name for name in self.names if wanted in {plain(name), plain(bare(name)), *map(plain, self.aliases.get(name, ()))}}


def holds(triple: Triple, now: str) -> bool:
    """Whether the fact is true at the date. An end is inclusive at its own precision."""
    return (not triple.valid_from or triple.valid_from <= now) and (not triple.valid_to or triple.valid_to >= now[: len(triple.valid_to)])


def plain(text: str) -> str:
    """Lower-case letters and digits only, words joined by one space."""
    decomposed = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", text).casefold())
    return " ".join(re.findall(r"\w+", "".join(c for c in decomposed if not unicodedata.combining(c))))


def bare(name: str) -> str:
    """The name without a closing remark in brackets."""
    return re.sub(r"\s*\([^()]*\)$", "", name)


def tab_separated(path: Path) -> list[Triple]:
    """Triples of a file with subject, relation and object in three columns and no header."""
    rows = (line.split("\t") for line in path.read_text(encoding="utf-8").splitlines() if line)
    return [Triple(row[0], row[1], row[2]) for row in rows]


def json_lines(folder: Path) -> tuple[list[Triple], list[tuple[str, str]], list[tuple[str, str]]]:
    """Triples, (name, alias) and (name, kind) pairs of a folder with entities.jsonl and facts.jsonl."""
    entities = [json.loads(line) for line in (folder / "entities.jsonl").read_text(encoding="utf-8").splitlines()]
    facts = [json.loads(line) for line in (folder / "facts.jsonl").read_text(encoding="utf-8").splitlines()]
    triples = [Triple(row["subject"], row["relation"], row["object"], row["valid_from"], row["valid_to"]) for row in facts]
    aliases = [(row["name"], alias) for row in entities for alias in row["aliases"]]
    return triples, aliases, [(row["name"], row["kind"]) for row in entities]
