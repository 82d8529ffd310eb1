"""English questions about one thing or set: extremes, counts, lists, overviews, requests to write, and what no graph answers."""

import re
from dataclasses import replace

from knowledge.wording.frame_clause import Clause, Recogniser, first_of
from knowledge.wording.frame_english_claims import yes_no
from knowledge.wording.frame_english_pairs import COMPARATIVES, comparison, connection, relation_between
from knowledge.wording.frame_english_sets import operands
from knowledge.wording.frame_english_words import NEGATION, NOT_A_NAME, counted
from knowledge.wording.frame_model import Extreme, Frame
from knowledge.wording.frame_text import EN_FUNCTION, MASK
from knowledge.wording.frame_time import asks_when, first_or_last

_POLITE = re.compile(
    r"^(?:(?:please|kindly|hey|hi|hello|ok|okay|well|so|now|and|also|but|then)\b[ ,!.]*|(?:can|could|would|will) you (?:please )?(?=\w+ )|"
    r"(?:i(?: would like|'d like| want| need| wish)(?: you)? to (?:know|learn|find out|see|ask|understand|hear|read)|i(?: would like|'d like| want| need| wish) you to (?=\w)|do you know|any idea|i wonder|i am wondering)"
    r"(?: about)?[ ,:]*|(?:tell|show|give) me (?=(?:who|what|which|when|where|how|whether|if)\b)|(?:find out|work out|figure out|check|see|determine)"
    r" (?=(?:who|what|which|when|where|how|whether|if)\b))+",
    re.I,
)
_WRITE = re.compile(
    r"^(?:(?:remember|memori[sz]e|note|record|store|save|keep in mind|make a note|take a note|write down|don't forget|do not forget)\b"
    r"(?! (?:who|what|which|when|where|how)\b)|(?:add|insert|put)\b.*\b(?:to|into|in)\b.*\b(?:memory|graph|kg|database|knowledge|notes?|namespace)\b|"
    r"(?:add|insert|create) (?:the |a |an |this |that )?(?:following |new )?(?:fact|relation|relationship|entity|node|edge|note|memory)\b|"
    r"(?:forget|delete|remove|erase|update)\b.+|(?:set|change|correct)\b.+\b(?:to|as)\b)",
    re.I,
)
_GREETING = re.compile(
    r"^(?:hi|hello|hey|yo|good (?:morning|afternoon|evening|night)|thanks?|thank you|thx|bye|goodbye|see you|cheers|"
    r"okay|ok|cool|great|nice|perfect|awesome|got it|i see|never ?mind|well done|good (?:job|bot)|who are you|what are you|what is your name|what's your name|"
    r"how are you|how's it going|how is it going|what can you do|what (?:can|should|may|could) i ask|what do you do|what are you (?:able to do|good at|for)|"
    r"how (?:do|does) (?:you|this|gavel) work|how (?:do|can|should) i use (?:you|this|gavel)|can you help|i need help|what's up|nice to meet you|help)"
    r"(?: (?:there|all|everyone|so much|very much|a lot|doing|today|you|me|it|this|then|please|again|here|about))*$",
    re.I,
)
_ARITHMETIC = re.compile(
    r"^(?:what(?:'s| is| does)|how much is|calculate|compute|solve|evaluate)?\s*[-\d(][\d\s.,()+*/x×÷^%=-]*(?:equal)?$", re.I
)
_OUTSIDE = re.compile(
    r"\b(?:weather|(?:will|does|is|did) it (?:going to |be )?(?:rain|snow|sunn|hot|cold|warm|wind)(?:ing|y)?|what time is it|time is it|what day is it|today's date|tell (?:me|us) a (?:joke|story)|translate|sing|"
    r"(?:write|compose|draft|generate)(?: me)? (?:a|an|some)|(?:set|create|start) (?:a|an|my) (?:alarm|timer|reminder))\b",
    re.I,
)
_ERRAND = re.compile(r"^(?!(?:give|show|tell|find|get|name|list|bring|teach)\b)[a-z]+ me (?:a|an|some|the)\b", re.I)
_FIRST_PERSON = re.compile(r"\b(?:i|i'm|i've|my|mine|me|you|your|yours)\b", re.I)
_GLOBAL_NOUN = r"(?:trends?|themes?|patterns?|topics?|insights?|takeaways?|big picture|overall|in general|in the graph|in this graph|knowledge (?:graph|base)|data ?set|corpus|data)"
_GLOBAL = re.compile(
    rf"^(?:summari[sz]e|give (?:me |us )?(?:a |an )?(?:\S+ )?(?:summary|overview)|provide (?:a |an )?(?:summary|overview)|overview|what (?:is|are)|what's|which|what|"
    rf"describe|identify|outline|how (?:has|have|is|are|does|do))\b.*\b{_GLOBAL_NOUN}\b",
    re.I,
)
_GLOBAL_BARE = re.compile(
    r"^(?:summari[sz]e (?:everything|all|it all|the whole|what you know)|what (?:is|are) (?:this|the|these) (?:\S+ ){0,2}about|"
    r"what do(?:es)? (?:this|the) (?:\S+ ){0,2}(?:contain|cover)|what (?:do|can) you know$)",
    re.I,
)
_ABOUT = re.compile(
    r"^(?:(?:(?:tell|show|teach|give) (?:me|us) )?(?:(?:some|any|a|an|the|brief|short|quick|general|more|everything|all|something|anything|a bit|details|overview|summary|profile|introduction|information|info|background|facts|what you know)\b"
    r"\s?)++(?:about|on|of|regarding)|(?:tell|teach) (?:me|us) (?:about|of)|what do (?:you|we) know (?:about|of)|what (?:can|could) you (?:tell|say) (?:me |us )?about|what (?:should|must|do|can) (?:i|we|one) (?:need to |have to )?know (?:about|of)|(?:more |any |some )?"
    r"(?:information|info|details|background|facts|an? overview|overview|an? profile|profile|an? summary|summary)(?: about| on| of| regarding)|"
    r"(?:give|provide) (?:(?:a|an|some|the) )?(?:short |brief )?(?:overview|summary|profile|information|background|introduction)(?: to| of| on| about)|"
    r"describe|introduce|summari[sz]e|explore|explain|look into|(?:everything|anything|all)(?: that)?(?: you know)?(?: there is)?(?: to know)? about|what about)\s+(?P<a>.+)$",
    re.I,
)
_LABELLED = re.compile(rf"^{MASK}(?:'s)?(?:\s*[:–—]| -)\s+(?P<role>\w.*)$")
_EXPLAIN = re.compile(r"^(?:explain|say|tell me|describe) (?:who|what) (?P<a>.+?) (?:is|are|was|were)$", re.I)
_WHO_IS = re.compile(r"^(?:who|what)(?:'s| is| was| are| were) (?P<a>.+)$", re.I)
_COUNT = re.compile(
    r"^(?P<before>.*?)\b(?:how many|(?:what(?:'s| is| was) )?the (?:total |overall )?(?:number|count|amount) of|(?:number|count) of|count (?:the |all |up )*)\s*(?P<core>.*)$",
    re.I,
)
_LIST = re.compile(
    r"^(?:list|name|enumerate|show|find|give|get|tell|return|display)(?: (?:me|us))?\b(?: (?:all|every|each|some|any|of|the|out|a list of))*\s(?P<core>.+)$",
    re.I,
)
_PLURAL_WH = re.compile(
    r"^(?:what|which|whose) (?:(?:are|were) (?:the |all )?)?(?:[^\s\ue000-\uf8ff]+ ){0,2}?[^\s\ue000-\uf8ff]{2,}(?<!s)(?<!u)(?<!i)s\b", re.I
)
_SUPERLATIVE = re.compile(
    r"\b(?:the |its |their |his |her |'s |one of the )*(?P<word>most recent(?:ly)?|least recent(?:ly)?|"
    + "|".join(w for w in sorted(COMPARATIVES) if w.endswith("st") or w in ("last",))
    + r")\b",
    re.I,
)
_NOT_SUPERLATIVE = re.compile(
    r"\b(?:at|from) (?:first|last|most|least|best)\b|\b(?:first|last) (?:name|names|year|month|week|time)\b|\bmost of\b|\bfirst or last\b",
    re.I,
)
_SUPERLATIVE_CONTEXT = re.compile(
    r"\b(?:who|what|which|whose|where|when|find|name|list|show|give|tell|the|is|was|['’]s)\b|'s|" + MASK, re.I
)
_WH_LEAD = re.compile(r"^(?:who|what|which|whose)(?:'s)?(?: one)?(?: (?:is|are|was|were|of))?(?: the)?\s+", re.I)
_HAVING = re.compile(r"\s+(?:that |who |which |to )?(?:has|have|had|with|having|received|got|gets|made|makes|holds?|earned?|won)\s*$", re.I)
_POLITE_END = re.compile(r"[ ,]+(?:please|thanks|thank you|for me|to me)$", re.I)


def frame_clause(clause: Clause) -> Frame:
    """One English clause, never a compound."""
    if _GREETING.match(clause.text.strip(" ,;:.?!")):
        return clause.frame("out_of_scope", 0.95)
    text = _POLITE_END.sub("", _POLITE.sub("", clause.text).strip(" ,;:.?!"))
    clause = replace(clause, text=text or clause.text.strip(" ,;:.?!"))
    plain = replace(clause, text=counted(clause.text))
    found = first_of(plain, _RECOGNISERS) or clause.frame("fact", 0.5)
    return replace(found, question=clause.source.written(clause.text), negated=bool(NEGATION.search(clause.text)))


def _write(clause: Clause) -> Frame | None:
    return clause.frame("write", 0.9) if _WRITE.match(clause.text) else None


def _outside(clause: Clause) -> Frame | None:
    if _GREETING.match(clause.text):
        return clause.frame("out_of_scope", 0.95)
    if _ARITHMETIC.match(clause.text) and re.search(r"\d\s*[-+*/x×÷^]\s*[\d(]", clause.text):
        return clause.frame("out_of_scope", 0.95)
    return clause.frame("out_of_scope", 0.6) if _OUTSIDE.search(clause.text) or _ERRAND.match(clause.text) else None


def _personal(clause: Clause) -> Frame | None:
    """Talk of "my" and "you" without a name: nothing that a shared graph knows, unless linking finds something."""
    plain = re.search(MASK, clause.text) is None
    return clause.frame("out_of_scope", 0.5) if plain and _FIRST_PERSON.search(clause.text) else None


def _global(clause: Clause) -> Frame | None:
    named = re.search(MASK, clause.text) is not None
    if _GLOBAL_BARE.match(clause.text) and not named:
        return clause.frame("global", 0.9)
    return clause.frame("global", 0.6 if named else 0.9) if _GLOBAL.match(clause.text) else None


def _labelled(clause: Clause) -> Frame | None:
    """ "NAME: role?": the role of a name, without a verb."""
    found = _LABELLED.match(clause.text)
    return clause.frame("fact", 0.8) if found and found["role"].split()[0].casefold() not in EN_FUNCTION else None


def _exploration(clause: Clause) -> Frame | None:
    found = _EXPLAIN.match(clause.text) or _ABOUT.match(clause.text)
    if found:
        parts = operands(clause, found["a"])
        core = found["a"] if parts else None
        return replace(clause.frame("exploration", 0.9 if not any(o.role for o in parts) else 0.6, core), operands=parts)
    found = _WHO_IS.match(clause.text)
    if not found:
        return _bare_name(clause)
    named = re.fullmatch(rf"(?:the )?{MASK}", found["a"]) is not None
    bare = named or not NOT_A_NAME.search(found["a"])
    if not bare or len(found["a"].split()) > 4:
        return None
    return replace(clause.frame("exploration", 0.9 if named else 0.6, found["a"]), operands=(clause.operand(found["a"]),))


def _bare_name(clause: Clause) -> Frame | None:
    """Nothing but a name is asked."""
    words = clause.text.casefold().split()
    named = re.fullmatch(rf"(?:the )?{MASK}", clause.text) is not None
    if not named and (len(words) > 3 or any(w in EN_FUNCTION for w in words)):
        return None
    return replace(clause.frame("exploration", 0.7 if named else 0.4), operands=(clause.operand(clause.text),))


def _count(clause: Clause) -> Frame | None:
    found = _COUNT.match(clause.text)
    if not found or not found["core"].strip():
        return None
    core = re.sub(r"\s+(?:are|is|were|was|have|has) there\b|\b(?:are|is) there ", " ", found["core"], count=1)
    core = f"{found['before']}{core}" if re.fullmatch(r"(?:in|for|by|from|to|with|at|on|of) ", found["before"], re.I) else core
    return clause.frame("count", 0.95, core)


def _extreme(clause: Clause) -> Frame | None:
    found = None if _NOT_SUPERLATIVE.search(clause.text) else _SUPERLATIVE.search(clause.text)
    if not found or not _SUPERLATIVE_CONTEXT.search(clause.text):
        return None
    word, before, after = found["word"].lower(), clause.text[: found.start()], clause.text[found.end() :]
    if first_or_last(word) and asks_when(clause.text):
        return None
    measure: Extreme = {"most recent": "latest", "most recently": "latest", "least recent": "earliest"}.get(word) or COMPARATIVES[word]  # type: ignore[assignment]
    noun, rest = _measured(after)
    counted = measure in ("most", "least")
    owner = _HAVING.search(before)
    if owner or (counted and rest is not None and not _is_adjective(noun)):
        lead = _WH_LEAD.sub("", f"{before} ")
        core, measured = (_HAVING.sub("", lead.rstrip()) if owner and not counted else f"{lead}{after}"), noun
    else:
        core, measured = f"{_WH_LEAD.sub('', before + ' ')} {after}", noun if counted else ""
    return replace(clause.frame("extreme", 0.85, core or None), measure=measure, measured=clause.named(measured))


def _measured(after: str) -> tuple[str, str | None]:
    """(what the superlative measures, what follows): the words up to a preposition or a verb of the closed class."""
    found = re.match(
        r"\s*(?P<noun>[^\s,]+(?: [^\s,]+){0,3}?)(?P<rest>(?:\s+(?:of|by|in|from|for|with|that|who|which|is|are|was|were|has|have|did|does|do|to|at|on|among|between)\b.*)?)$",
        after,
        re.I,
    )
    return (found["noun"], found["rest"]) if found else ("", "")


def _is_adjective(noun: str) -> bool:
    """ "most popular film", "most common": the word after "most" is no plural."""
    first = noun.split(maxsplit=1)[0].lower() if noun.split() else ""
    return not first.endswith("s") and len(noun.split()) > 1


def _list(clause: Clause) -> Frame | None:
    found = _LIST.match(clause.text)
    if found:
        return clause.frame("list", 0.9, found["core"])
    if re.match(r"(?:all|every|each)\b", clause.text, re.I):
        return clause.frame("list", 0.7)
    return clause.frame("list", 0.8) if _PLURAL_WH.match(clause.text) else None


def _fact(clause: Clause) -> Frame | None:
    asks = re.search(r"\b(?:who|whom|whose|what|which|when|where|how|why)\b", clause.text, re.I)
    return clause.frame("fact", 0.8) if asks else None


_RECOGNISERS: tuple[Recogniser, ...] = (
    _write, _outside, connection, comparison, relation_between, _count, _global, _extreme, _labelled, _exploration, yes_no, _list, _personal, _fact,
)  # fmt: skip
