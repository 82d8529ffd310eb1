"""Noun phrases of an English clause as operands: names, "the ROLE of A and B", "A's ROLE", "their respective ROLE"."""

import re
from dataclasses import replace

from knowledge.wording.frame_clause import Clause
from knowledge.wording.frame_model import Operand

_OWN = r"(?:(?:respective|own|individual|various|different|main|major)\s+)*"
_DET = r"(?:(?:any|some|all|both|each|either|one|none)\s+of\s+)?"
_THEIR = re.compile(rf"{_DET}(?:their|its|his|her)\s+{_OWN}(?P<role>\S.*)$", re.I)
_THEM = re.compile(
    r"(?:(?:both|each|either|all|any|some)\s+of\s+)?"
    r"(?:they|them|it|both|each|either|each other|one another|(?:the|these|those)\s+(?:two|three|both)(?:\s+[a-z]+)?)(?:\s+both)?$",
    re.I,
)
_RESPECTIVE = re.compile(rf"{_DET}(?:the\s+)?respective\s+(?P<role>\S.*?)(?:\s+of\s+(?P<of>\S.*))?$", re.I)
_ROLE_OF = re.compile(
    rf"{_DET}(?:(?:the|an?|any|some|all)\s+)?{_OWN}(?P<role>[^\ue000-\uf8ff]+?)\s+(?:of|behind|for|from|in|at)\s+(?P<of>\S.*)$", re.I
)
_POSSESSIVE = re.compile(rf"(?P<of>\S.*?)(?:'s|s'|')\s+{_OWN}(?P<role>\S.*)$", re.I)
_ELLIPTIC = re.compile(r"^(?:those|that|the ones?|the one)\s+(?:of|behind|for|from|in|at)\s+(?P<of>\S.*)$", re.I)
_LEAD = re.compile(r"^(?:the|both|either|between|among|of)\s+", re.I)
_AND = re.compile(r",\s*(?:and|or)\s+|\s+(?:and|or|&|versus|vs\.?)\s+|\s*&\s*|,\s+", re.I)


def operands(clause: Clause, text: str) -> tuple[Operand, ...]:
    """The things that a noun phrase names, one operand each; empty where it names nothing."""
    text = text.strip(" ,;:'\"")
    if not text:
        return ()
    return _pronoun(clause, text) or _coordinated(clause, text)


def split_set(text: str) -> tuple[str, str]:
    """(noun phrase, rest): the phrase ends with its first plural noun and the "of …" that belongs to it, else with its first noun."""
    words = text.split()
    lead = re.match(rf"{_DET}(?:(?:their|its|his|her|the|any|some|all|respective|of)\s+)*{_OWN}", text, re.I)
    at = len((lead[0] if lead else "").split())
    plural = next((i for i in range(at, len(words)) if _is_plural(words[i])), at)
    end = plural + 1
    while end + 1 < len(words) and words[end].lower() in ("of", "and") and words[end + 1].lower() not in ("each", "one"):
        end += 3 if words[end + 1].lower() in ("the", "a", "an") else 2
    return " ".join(words[:end]), " ".join(words[end:])


def _is_plural(word: str) -> bool:
    plain = word.lower().rstrip(",")
    return plain in ("people", "men", "women", "children", "alumni", "staff") or (
        plain.endswith("s") and not plain.endswith(("ss", "'s", "us", "is")) and len(plain) > 3
    )


def _pronoun(clause: Clause, text: str) -> tuple[Operand, ...]:
    if _THEM.match(text):
        return tuple(Operand(s, "", clause.language) for s in clause.subjects)
    if found := _THEIR.match(text):
        return tuple(Operand(s, clause.named(found["role"]), clause.language) for s in clause.subjects)
    found = _RESPECTIVE.match(text)
    if found:
        owners = operands(clause, found["of"]) if found["of"] else ()
        names = [o.mention for o in owners] or list(clause.subjects)
        return tuple(Operand(s, clause.named(found["role"]), clause.language) for s in names)
    return ()


def _coordinated(clause: Clause, text: str) -> tuple[Operand, ...]:
    """ "the R of A and B", "A's R and B's", "A and B's R", "A and B": a role on one side only is shared where the other side is bare."""
    whole = _ROLE_OF.match(text)
    if whole and not _AND.search(whole["role"]) and not _ELLIPTIC.match(text):
        pieces = [p for p in _AND.split(whole["of"]) if p.strip()]
        owners = [o for p in pieces for o in _owner(clause, p)]
        return _shared_role(owners, clause.named(whole["role"]))
    pieces = [p for p in _AND.split(text) if p.strip()]
    return _shared_role([o for p in pieces for o in _owner(clause, p)], "")


def _shared_role(found: list[Operand], role: str) -> tuple[Operand, ...]:
    last = role or (found[-1].role if found and len({o.role for o in found if o.role}) == 1 and not found[0].role else "")
    first = next((o.role for o in found if o.role), "") if found and not found[-1].role else ""
    return tuple(replace(o, role=o.role or last or first) for o in found if o.mention)


def _owner(clause: Clause, piece: str) -> list[Operand]:
    piece = piece.strip()
    if them := _pronoun(clause, piece):
        return list(them)
    if found := _ELLIPTIC.match(piece):
        return [clause.operand(found["of"])]
    if found := _ROLE_OF.match(piece):
        return [clause.operand(_LEAD.sub("", found["of"]), found["role"])]
    if found := _POSSESSIVE.match(piece):
        return [clause.operand(found["of"], found["role"])]
    return [clause.operand(re.sub(r"(?:'s|s')$", "", _LEAD.sub("", piece)))]
