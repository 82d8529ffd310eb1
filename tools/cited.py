"""Compact text for a model, in which everything can be cited by its evidence id, cut to an allowance of tokens."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from knowledge.records import Entity, Fact, Path

T = TypeVar("T")
ALLOWANCE = 1_500
CHARACTERS_PER_TOKEN = 4
SUMMARY_CHARACTERS = 160


@dataclass(frozen=True)
class Cited(Generic[T]):
    """What a tool returns: the text for a model, and the same as typed data for state."""

    text: str
    artifact: T


def estimated_tokens(text: str) -> int:
    """Four ASCII characters to a token, every other character one: an upper estimate for the tokenizers in use."""
    ascii_characters = sum(c.isascii() for c in text)
    return -(-ascii_characters // CHARACTERS_PER_TOKEN) + len(text) - ascii_characters


def cut(lines: Sequence[str], *, empty: str, allowance: int = ALLOWANCE) -> str:
    """The lines as far as the allowance reaches, at least one; what is left out is counted. `empty` where there is no line."""
    if not lines:
        return empty
    kept, spent = 0, 0
    for line in lines:
        spent += estimated_tokens(line) + 1
        if kept and spent > allowance:
            break
        kept += 1
    left = len(lines) - kept
    note = [f"({left} more left out: ask for less, or more narrowly)"] if left else []
    return "\n".join([*lines[:kept], *note])


def by_words_note(mode: str, semantic: bool) -> list[str]:
    """What to say where a search by meaning was asked for and could not be had."""
    return [] if semantic or mode == "keyword" else ["(searched by words only: there are no vectors; `gavel index build` makes them)"]


def entity_line(entity: Entity) -> str:
    """`[id] Name (kind) also: alias. Summary`."""
    kind = f" ({entity.kind})" if entity.kind else ""
    also = f" also: {', '.join(entity.aliases)}" if entity.aliases else ""
    about = entity.summary[:SUMMARY_CHARACTERS]
    return f"[{entity.id}] {entity.name}{kind}{also}{f'. {about}' if about else ''}"


def fact_line(fact: Fact) -> str:
    """`[id] Subject -relation-> Object (from – to; source)`, then the sentence where it says more than the triple."""
    span = f"{fact.valid_from or '…'} – {fact.valid_to or 'now'}" if fact.valid_from or fact.valid_to else ""
    notes = "; ".join(note for note in (span, fact.source) if note)
    return f"[{fact.id}] {fact.subject.name} -{fact.relation}-> {fact.object.name}{f' ({notes})' if notes else ''}{_told(fact)}"


def path_line(path: Path) -> str:
    """The chain as one line of names and arrows, with the ids of its facts behind it."""
    here, chain = path.start.id, path.start.name
    for fact in path.facts:
        forward = fact.subject.id == here
        end = fact.object if forward else fact.subject
        chain += f" -{fact.relation}-> {end.name}" if forward else f" <-{fact.relation}- {end.name}"
        here = end.id
    held = [f"{f.subject.name} -{f.relation}-> {f.object.name}" for f in path.conditions]
    ids = ", ".join(f.id for f in (*path.facts, *path.conditions))
    return f"{chain}{f' where {chr(32).join(held)}' if held else ''} [{ids}]"


def listed(facts: Iterable[Fact]) -> str:
    """The ids of facts as a citation."""
    return ", ".join(fact.id for fact in facts)


def _told(fact: Fact) -> str:
    said = fact.text.rstrip(".").casefold()
    triple = f"{fact.subject.name} {fact.relation.replace('_', ' ')} {fact.object.name}".casefold()
    return f": {fact.text}" if said and said != triple else ""
