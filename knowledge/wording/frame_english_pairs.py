"""English questions about two things: what connects them, how they differ, which one has more."""

import re
from dataclasses import replace

from knowledge.wording.frame_clause import Clause
from knowledge.wording.frame_english_sets import operands, split_set
from knowledge.wording.frame_english_shared import COUNTS, either, same
from knowledge.wording.frame_english_shared import shared as shared_by_all
from knowledge.wording.frame_model import Extreme, Frame, Operand
from knowledge.wording.frame_text import MASK, word_set

_LINK = r"(?:relationships?|relations?|connections?|links?|ties?|associations?|paths?|chains?|routes?)"
_LINKED = r"(?:related|connected|linked|tied|associated|affiliated)"
_RESPECT = r"(?:in terms of|in regards? to|with (?:respect|regard) to|in respect of|regarding|concerning|when it comes to|as regards|as for|in|on|by|for|about)"
_EACH = r"(?:each other|one another|the other)"
_PREFIX = r"(?:(?:analy[sz]e|explain|discuss|describe|show|find|give|tell|list|identify|outline|determine|check|say|see|me|us|out)\s+)*+(?:on\s+)?"
_ANY = r"(?:(?:the|an?|any|some|what|which|main|key)\s+)*"

_HOW = r"(?:how|in (?:what|which) (?:ways?|respects?|sense)|(?:through|via|by|over) (?:whom|what|which)(?: \S+)?)"

_CONNECT = tuple(
    re.compile(p, re.I)
    for p in (
        rf"^{_PREFIX}(?:what|who|which \S+|how)(?: \S+)? (?:connects?|links?|relates?|ties|joins|bridges|unites?) (?P<both>.+)$",
        rf"^{_PREFIX}{_HOW} (?:is|are|was|were) (?P<both>.+?) {_LINKED}(?: (?:to|with) (?:{_EACH}|(?P<b>.+)))?$",
        rf"^{_PREFIX}how (?P<both>.+?) (?:is|are|was|were) {_LINKED}(?: (?:to|with) (?:{_EACH}|(?P<b>.+)))?$",
        rf"^{_PREFIX}{_HOW} (?:does|do|did) (?P<both>.+?) (?:relate|connect|link)(?: (?:to|with) (?:{_EACH}|(?P<b>.+)))?$",
        rf"^{_PREFIX}(?:what(?:'s| is| are| was| were)? |is there |are there )?{_ANY}(?:shortest |direct )?{_LINK} (?:is there |are there |exists? )?"
        r"(?:between|from|linking|connecting|joining|among) (?P<both>.+)$",
        rf"^{_PREFIX}what {_LINK} (?:does|do|did) (?P<both>.+?) (?:have|share)(?: (?:to|with) (?:{_EACH}|(?P<b>.+)))?$",
        rf"^{_PREFIX}what (?:does|do|did) (?P<both>.+?) have to do with (?:{_EACH}|(?P<b>.+))$",
        rf"^(?P<polar>is|are|was|were|whether|if) (?P<both>.+?) (?:(?:is|are|was|were) )?(?:somehow |in any way |directly )?{_LINKED}"
        rf"(?: (?:to|with) (?:{_EACH}|(?P<b>.+)))?$",
    )
)
_EXISTS = re.compile(
    rf"^(?:{_PREFIX}(?:whether|if) )?(?:(?:there (?:is|are|was|were|exists?)|is there|are there|was there|were there|does there exist) )"
    rf"{_ANY}(?P<rel>.+?) (?:between|among|amongst|linking|connecting) (?P<both>.+)$",
    re.I,
)
_WHAT_BETWEEN = re.compile(
    rf"^{_PREFIX}(?:what|which) (?P<rel>.+?) (?:is there|are there|exists?|is|are) (?:between|among) (?P<both>.+)$", re.I
)
_POLAR = re.compile(rf"^(?:{_PREFIX}(?P<if>whether|if) )?(?P<aux>do|does|did|are|is|were|was|have|has|can|will)?\s*(?P<rest>.+)$", re.I)
_RELATED_END = re.compile(
    rf"\s*(?:(?:with|against|to|of|in|for|from|by)\s+)?(?:(?:with|against|to|of|in)\s+)?(?:{_EACH}|themselves)\s*$", re.I
)
_FILLER = re.compile(r"^(?:(?:is|are|was|were|do|does|did|have|has|also|actually|ever|currently|any|an?|the|in|direct)\s+)+", re.I)

_COMPARE = tuple(
    re.compile(p, re.I)
    for p in (
        rf"^{_PREFIX}(?:compare|contrast|comparing|compare and contrast)\s+(?:the\s+)?(?P<both>.+?)(?:,? {_RESPECT} (?P<asp>.+))?$",
        rf"^{_PREFIX}(?:a |the )?comparison (?:of|between) (?P<both>.+?)(?:,? {_RESPECT} (?P<asp>.+))?$",
        rf"^{_PREFIX}(?:what|how|in what way|in which way|in which respect|where)s? (?:do|does|did) (?P<both>.+?) differ(?: from (?P<b>.+?))?"
        rf"(?:,? {_RESPECT} (?P<asp>.+))?$",
        rf"^{_PREFIX}how (?P<both>.+?) differs?(?: from (?P<b>.+?))?(?:,? {_RESPECT} (?P<asp>.+))?$",
        rf"^{_PREFIX}(?:what(?:'s| is| are)? )?{_ANY}(?:differences?|contrasts?|distinctions?) {_RESPECT} (?P<asp>.+?) between (?P<both>.+)$",
        rf"^{_PREFIX}(?:what(?:'s| is| are)? )?{_ANY}(?P<asp>\S+ )?(?:differences?|contrasts?|distinctions?) (?:is there |are there |exists? )?between (?P<both>.+?)"
        rf"(?:,? {_RESPECT} (?P<asp2>.+))?$",
        rf"^{_PREFIX}(?:what|which \S+) (?:distinguish(?:es)?|differentiates?|separates?|sets?) (?P<both>.+?) (?:apart )?from (?P<b>.+)$",
        rf"^{_PREFIX}how (?:is|are|was|were) (?P<both>.+?) (?:different|distinct)(?: from (?:{_EACH}|(?P<b>.+?)))?(?:,? {_RESPECT} (?P<asp>.+))?$",
        rf"^{_PREFIX}(?P<both>\S+(?: \S+){{0,5}}? (?:versus|vs\.?|v\.) [^,:]+?)(?:(?:[,:]| {_RESPECT}) (?P<asp>.+))?$",
    )
)
_SAME = tuple(
    re.compile(p, re.I)
    for p in (
        rf"^{_PREFIX}what (?:\S+ )?(?:do|does|did) (?P<both>.+?) (?:have in common|share)(?: with (?P<b>.+?))?(?:,? {_RESPECT} (?P<asp>.+))?$",
        rf"^{_PREFIX}(?:what |which |how many )(?P<asp>.+?) (?:do|does|did) (?P<both>.+?) (?:have in common|share)(?: with (?P<b>.+))?$",
        rf"^{_PREFIX}(?:what(?:'s| is| are)? )?{_ANY}(?:similarit(?:y|ies)|commonalit(?:y|ies)|common (?P<asp>\S+)) (?:between|of) (?P<both>.+?)"
        rf"(?:,? {_RESPECT} (?P<asp2>.+))?$",
        rf"^{_PREFIX}how (?:is|are|was|were) (?P<both>.+?) (?:similar|alike)(?: to (?:{_EACH}|(?P<b>.+?)))?(?:,? {_RESPECT} (?P<asp>.+))?$",
        r"^(?P<polar>do|does|did|whether|if|have|has) (?P<both>.+?) (?:have |share |has |shares |get |won |win )?(?:the same|a common|an identical) (?P<asp>.+)$",
        r"^(?P<polar>do|does|did|whether|if) (?P<both>.+?) share (?:an?|any|some) (?P<asp>.+)$",
        r"^(?P<polar>are|is|were|was|whether|if) (?P<both>.+?) (?:(?:(?P<how>\S+) )?(?:by|from|in|of|with|at|for|on)\s)?the same (?P<asp>.+)$",
        r"^(?P<polar>are|is|were|was) (?P<both>.+?) both (?P<asp>.+)$",
    )
)
COMPARATIVES: dict[str, Extreme] = {
    **dict.fromkeys(word_set("older earlier sooner former first oldest earliest"), "earliest"),
    **dict.fromkeys(word_set("newer younger later last latest newest youngest"), "latest"),
    **dict.fromkeys(word_set("more most"), "most"),
    **dict.fromkeys(word_set("fewer less fewest least"), "least"),
    **dict.fromkeys(
        word_set(
            "higher larger bigger greater longer taller heavier richer better wider deeper faster stronger highest largest biggest "
            "greatest longest tallest heaviest richest best"
        ),
        "highest",
    ),
    **dict.fromkeys(
        word_set("lower smaller shorter lighter poorer worse cheaper slower weaker lowest smallest shortest worst cheapest"), "lowest"
    ),
}
_THAN = "|".join(sorted(COMPARATIVES, key=lambda w: (-len(w), w)))
_AUX = r"(?:is|are|was|were|do|does|did|has|have|had)"
_WHICH = (
    re.compile(
        rf"^{_PREFIX}(?:which|who|what)(?: one| \S+)? (?:of|out of|among|between) (?P<both>.+? (?:and|or) .+?) (?P<asp>\S+ .*|\S*(?:er|st)\b.*)$",
        re.I,
    ),
    re.compile(rf"^{_PREFIX}(?:which|who|whose|what)\b ?(?P<asp>.*?)\s?[,:] ?(?P<both>.+? or .+)$", re.I),
    re.compile(rf"^{_PREFIX}(?:between|of|out of) (?P<both>.+? and .+?), (?:which|who|what)(?: one)? (?P<asp>.+)$", re.I),
    re.compile(rf"^(?P<polar>is|are|was|were|whether|if) (?P<both>.+?) (?P<asp>(?:\S+ )?(?:{_THAN})(?: \S+)*?) than (?P<b>.+)$", re.I),
    re.compile(
        rf"^(?P<polar>does|do|did|has|have|had|whether|if) (?P<both>\S.*?) (?P<asp>\S+ (?:{_THAN}) .*?|\S+ (?:{_THAN})) than (?P<b>.+)$",
        re.I,
    ),
    re.compile(r"^(?P<polar>was|were|did) (?P<both>.+?) (?P<asp>\S+ (?:before|after)) (?P<b>[\ue000-\uf8ff].*)$", re.I),
)
_MASKS = rf"(?:the )?{MASK}(?:,? (?:the )?{MASK})*,? or (?:the )?{MASK}"
_OR = (
    re.compile(rf"^(?P<aux>{_AUX}) (?:it |there )?(?P<both>{_MASKS}) (?P<asp>(?:.*? )?(?:{_THAN})(?: .*)?)$", re.I),
    re.compile(rf"^(?P<aux>is|are|was|were) (?P<both>.+ or .+) (?P<asp>(?:{_THAN}))$", re.I),
    re.compile(rf"^(?P<aux>do|does|did|has|have|had) (?P<both>.+ or .+) (?P<asp>\S+ (?:{_THAN})(?: [^\ue000-\uf8ff]*)?)$", re.I),
)
_MEASURE = re.compile(rf"\b(?P<word>{_THAN}|before|after)\b", re.I)
_ASPECT_TRIM = re.compile(r"^(?:(?:do|does|did|is|are|was|were|has|have|had|the|their|its|a|an|of|one|in|with)\s+)+|\s+than$", re.I)


def connection(clause: Clause) -> Frame | None:
    """ "what connects A and B", "how are A and B related", "a path from A to B"."""
    for pattern in _CONNECT:
        found = pattern.match(clause.text)
        if found:
            parts = _both(clause, found)
            if len(parts) >= 2:
                return replace(clause.frame("connection", 0.95), operands=parts, polar=bool(found.groupdict().get("polar")))
    return None


def relation_between(clause: Clause) -> Frame | None:
    """Whether (or which) named relation holds between two things or sets: "is there RELATION between", "do their R1 RELATION each other"."""
    for pattern, polar in ((_EXISTS, True), (_WHAT_BETWEEN, False)):
        found = pattern.match(clause.text)
        if found:
            parts = operands(clause, found["both"])
            if parts:
                relation = _relation(clause, found["rel"])
                return replace(clause.frame("connection", 0.9), operands=_paired(parts), relation=relation, polar=polar)
    return _sets_verb(clause)


def comparison(clause: Clause) -> Frame | None:
    """ "compare A and B", "differences between A and B in ASPECT", "which of A and B is older", "do A and B share R"."""
    if found_same := same(clause):
        return found_same
    for patterns, shared in ((_SAME, True), (_COMPARE, False)):
        for pattern in patterns:
            found = pattern.match(clause.text)
            parts = _both(clause, found) if found else ()
            if found and len(parts) >= 2:
                return _compared(clause, found, parts, shared)
    return _which(clause) or shared_by_all(clause) or either(clause)


def _compared(clause: Clause, found: re.Match[str], parts: tuple[Operand, ...], shared: bool) -> Frame:
    groups = found.groupdict()
    aspect = clause.named(_ASPECT_TRIM.sub("", groups.get("asp") or groups.get("asp2") or ""))
    roles = {o.role for o in parts}
    if len(roles) == 1 and not aspect:
        aspect, parts = roles.pop(), tuple(replace(o, role="") for o in parts)
    relation = clause.named(groups.get("how"))
    frame = clause.frame("comparison", 0.95 if aspect or shared else 0.9)
    counts = shared and COUNTS.search(clause.text) is not None
    return replace(frame, operands=parts, aspect=aspect, shared=shared, counts=counts, relation=relation, polar=bool(groups.get("polar")))


def _which(clause: Clause) -> Frame | None:
    for pattern in (*_WHICH, *_OR):
        found = pattern.match(clause.text)
        measured = _MEASURE.search(found["asp"]) if found else None
        parts = _both(clause, found) if found and measured else ()
        if found and measured and len(parts) >= 2:
            word = measured["word"].lower()
            measure: Extreme = "earliest" if word == "before" else "latest" if word == "after" else COMPARATIVES[word]
            around = [re.sub(r"\b(?:the|an?)\s*$", "", found["asp"][: measured.start()], flags=re.I), found["asp"][measured.end() :]]
            rest = " ".join(_ASPECT_TRIM.sub("", part.strip() + " ").strip() for part in around).strip()
            if found.groupdict().get("aux"):
                parts = tuple(replace(o, clause=_asked_alone(clause, found, o.mention, around)) for o in parts)
            frame = replace(clause.frame("comparison", 0.9), operands=parts, aspect=clause.named(found["asp"]), measure=measure)
            return replace(frame, measured=clause.named(rest), polar="polar" in found.groupdict())
    return None


def _asked_alone(clause: Clause, found: re.Match[str], mention: str, around: list[str]) -> str:
    """ "did A or B write more films" as it is asked of A: "did A write films"."""
    said = clause.source.written(" ".join(part.strip() for part in around if part.strip()))
    return f"{found['aux']} {mention} {said}"


def _sets_verb(clause: Clause) -> Frame | None:
    """ "do the investors of A compete with those of B", "whether their investors are rivals", "are their boards linked"."""
    found = _POLAR.match(clause.text)
    if not found or not (found["aux"] or found["if"]):
        return None
    rest, mutual = found["rest"], _RELATED_END.search(found["rest"])
    body = rest[: mutual.start()] if mutual else rest
    sides = (
        None
        if mutual
        else re.match(r"(?P<left>.+?'s? \S+|.+? of \S+)\s(?P<rel>[^\ue000-\uf8ff]+?)\s(?P<right>(?:the |those |that ).+|\S+'s? .+)$", body)
    )
    if sides:
        left, right = operands(clause, sides["left"]), operands(clause, sides["right"])
        if len(left) == len(right) == 1 and left[0].role:
            right = (replace(right[0], role=right[0].role or left[0].role),)
            return _related(clause, (*left, *right), sides["rel"])
    if not (mutual or _is_anaphoric(body)):
        return None
    subject, relation = split_set(body)
    if re.match(r"(?:they|the two|both|these two|[\ue000-\uf8ff])", subject, re.I):
        subject, relation = _names_first(body)
    parts = operands(clause, subject)
    if len(parts) < 1 or not relation.strip():
        return None
    return _related(clause, _paired(parts), relation)


def _names_first(body: str) -> tuple[str, str]:
    found = re.match(
        r"((?:they|the two|both|these two)(?: \S+(?=s ))?|[\ue000-\uf8ff](?:(?:,| and|, and| or) [\ue000-\uf8ff])*)\s+(.+)$", body, re.I
    )
    return (found[1], found[2]) if found else (body, "")


def _is_anaphoric(body: str) -> bool:
    return bool(
        re.match(
            r"(?:(?:any|some|all|both|each) of )?(?:their|the respective|they\b|the two\b|both\b|the .+? of (?:each|both|the two|either)\b)",
            body,
            re.I,
        )
    )


def _related(clause: Clause, parts: tuple[Operand, ...], relation: str) -> Frame:
    return replace(clause.frame("connection", 0.85), operands=parts, relation=_relation(clause, relation), polar=True)


def _relation(clause: Clause, words: str) -> str:
    plain = _FILLER.sub("", words.strip() + " ").strip()
    plain = re.sub(r"\s+(?:with|against|to|among|of|by)$", "", plain, flags=re.I)
    return (
        ""
        if re.fullmatch(rf"{_LINK}|{_LINKED}|kind of {_LINK}", plain, re.I)
        else clause.named(re.sub(rf"\s+{_LINK}$", "", plain, flags=re.I))
    )


def _both(clause: Clause, found: re.Match[str]) -> tuple[Operand, ...]:
    both, other = found["both"], found.groupdict().get("b")
    if other:
        return _two_sides(clause, both, other)
    parts = operands(clause, both)
    if len(parts) >= 2:
        return parts
    cut = re.split(r"\s+(?:with|to|against|from|than)\s+", both, maxsplit=1)
    return _two_sides(clause, *cut) if len(cut) == 2 else parts


def _two_sides(clause: Clause, one: str, other: str) -> tuple[Operand, ...]:
    """ "the R of A" and "those of B": the second takes its role from the first."""
    left, right = operands(clause, one), operands(clause, other)
    if left and right and left[-1].role and not right[-1].role and re.match(r"(?:those|that|the ones?) of ", other.strip(), re.I):
        right = tuple(replace(o, role=left[-1].role) for o in right)
    return (*left, *right)


def _paired(parts: tuple[Operand, ...]) -> tuple[Operand, ...]:
    return parts * 2 if len(parts) == 1 else parts
