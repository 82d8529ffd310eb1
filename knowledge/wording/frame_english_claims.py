"""English yes/no questions: which part is claimed, and what question is left without it."""

import re
from dataclasses import replace

from knowledge.wording.frame_clause import Clause
from knowledge.wording.frame_model import Frame
from knowledge.wording.frame_text import MASK

_BE = r"(?:is|are|was|were|isn't|aren't|wasn't|weren't)"
_DO = r"(?:do|does|did|don't|doesn't|didn't|has|have|had|hasn't|haven't|can|could|will|would)"
_LEAD = re.compile(r"^(?:is it (?:true|correct|right|the case) that|true or false:?|whether|if|it is true that)\s+", re.I)
_TAG = re.compile(
    r",?\s+(?:right|correct|true|or not|is that (?:right|true|correct)|isn't (?:it|he|she|that)|didn't (?:it|he|she|they))$", re.I
)
_POLAR = re.compile(rf"^(?:{_BE}|{_DO})\s+\S", re.I)
_CHOICE = re.compile(rf"^{_BE} .*[^\s,\ue000-\uf8ff],? or (?:an? |the )?[^\s\ue000-\uf8ff]+$", re.I)
_THERE = re.compile(rf"^(?:{_BE} there|there {_BE})\s+(?:(?:any|an?|some|no)\s+)?(?P<core>.+)$", re.I)
_STILL = r"(?:(?:still|now|also|actually|really|ever|once|currently|direct) )*"
_IN = r"(?:of|for|in|at|behind|to|from|on)"
_SPECIFIC: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(p, re.I), how)
    for p, how in (
        (rf"^{_BE} (?:the )?(?P<b>{MASK}) and (?:the )?(?P<a>{MASK}) {_STILL}(?P<verb>[^\ue000-\uf8ff]+)$", "pair"),
        (
            rf"^(?:do|does|did|has|have|had) (?:the )?(?P<b>{MASK}) and (?:the )?(?P<a>{MASK}) {_STILL}(?P<verb>[^\s\ue000-\uf8ff]+)$",
            "pair",
        ),
        (
            rf"^{_BE} (?P<a>.+?) (?P<det>the|an?|one of the|among the|also the|really the)\s(?P<role>[^\ue000-\uf8ff]+?) {_IN} (?P<b>.+)$",
            "role",
        ),
        (rf"^{_BE} (?P<det>the) (?P<role>[^\ue000-\uf8ff]+?) {_IN} (?P<b>{MASK}|.+) (?:really |actually |called )?(?P<a>{MASK})$", "role"),
        (rf"^(?P<a>.+?) {_BE} (?P<det>the|an?|one of the|among the) (?P<role>[^\ue000-\uf8ff]+?) {_IN} (?P<b>.+)$", "role"),
        (rf"^{_BE} (?:the )?(?P<a>{MASK}) (?:the )?(?P<b>{MASK})(?:'s|') (?P<role>[^\ue000-\uf8ff]+)$", "owned"),
        (rf"^{_BE} (?P<b>\S.*?)(?:'s|s') (?P<role>[^\ue000-\uf8ff]+?) (?:really |actually |called )?(?P<a>{MASK})$", "owned"),
        (rf"^{_BE} (?P<b>\S.*?) (?P<verb>[^\s\ue000-\uf8ff]+) (?P<prep>by|in|at|from|to|with|on|for|into|as|under) (?P<a>.+)$", "passive"),
        (
            rf"^(?:the )?(?P<b>{MASK}) {_BE} (?P<verb>[^\s\ue000-\uf8ff]+) (?P<prep>by|in|at|from|to|with|on|for|into|as|under) (?P<a>.+)$",
            "passive",
        ),
        (
            rf"^(?:{_DO} )?(?:the )?(?P<b>{MASK}) (?P<verb>[^\ue000-\uf8ff]+?) (?:the |an? )?(?P<a>{MASK})(?P<end>[^\ue000-\uf8ff]*)$",
            "active",
        ),
        (rf"^{_DO} (?:the )?(?P<b>{MASK}) (?P<verb>[^\ue000-\uf8ff]+?) (?P<prep>in|at|to|from|by|as|on) (?P<a>.+)$", "active"),
        (
            rf"^(?:do|does|did|has|have|had) (?:the )?(?P<b>{MASK}) (?:have |had |got )?(?:any |an? |some |more than one )?(?P<role>[^\ue000-\uf8ff]+)$",
            "has",
        ),
        (rf"^{_BE} (?:the )?(?P<b>{MASK}) (?P<a>.+)$", "is"),
    )
)


def yes_no(clause: Clause) -> Frame | None:
    """ "is A the R of B", "was B directed by A", "did A direct B", "is there any R of B"; unknown shapes keep the whole clause as core.

    A choice ("is A a B or a C") asks for the value, not for yes or no.
    """
    lead, tag = _LEAD.search(clause.text), _TAG.search(clause.text)
    text = _TAG.sub("", _LEAD.sub("", clause.text))
    if not (lead or tag or _POLAR.match(text) or _THERE.match(text)):
        return None
    if not tag and _CHOICE.search(text):
        return clause.frame("fact", 0.8)
    found = _THERE.match(text)
    if found:
        return replace(clause.frame("yes_no", 0.85, found["core"]), polar=True)
    for pattern, how in _SPECIFIC:
        found = pattern.match(text)
        if found:
            return _claim(clause, found, how)
    return replace(clause.frame("yes_no", 0.7, re.sub(rf"^(?:{_BE}|{_DO})\s+", "", text, flags=re.I)), polar=True)


def _claim(clause: Clause, found: re.Match[str], how: str) -> Frame:
    groups = {"verb": "", "prep": "", "role": "", "a": "", "end": "", **{k: v or "" for k, v in found.groupdict().items()}}
    b, role = groups["b"], groups["role"]
    verb = " ".join(w for w in (groups["verb"], groups["prep"], groups["end"].strip()) if w)
    claim = clause.operand(groups["a"]) if groups["a"] else None
    core = {
        "role": f"the {role} of {b}",
        "owned": f"{b}'s {role}",
        "passive": f"{b} {verb}",
        "active": f"{b} {verb}",
        "pair": f"{b} {verb}",
        "has": f"{b}'s {role}",
        "is": b,
    }[how]
    operand = clause.operand(b, role) if role else clause.operand(b)
    relation = clause.named(role or verb)
    return replace(clause.frame("yes_no", 0.9, core), operands=(operand,), relation=relation, claim=claim, polar=True)
