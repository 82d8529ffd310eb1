"""The synthesizer answers from evidence only, part by part, and says what was not found and why it stopped."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from agents.contract import SynthesizerReply, SynthesizerView
from agents.courtesy import courtesy
from agents.exchange import Conclusion, EntityRef, Evidence, Intent, Part
from agents.findings import asks_what_is_not
from agents.voice import Voice
from knowledge.numbers import written
from knowledge.reading.contract import KgReader

CITED_FACTS = 3
SHOWN_CHAINS = 6
MOST_DESCRIBED = 12
MOST_GAPS = 3
UNDERSTOOD = 0.25  # below it 5 of 17 answers were wrong, above it 6 of 214 (everyday, work half of kinds)
TOLD_OTHERWISE = frozenset({"answered", "not_found", "ambiguous", "out_of_scope", "failed"})


@dataclass(frozen=True)
class Telling:
    """What one part is told from."""

    part: Part
    conclusion: Conclusion
    view: SynthesizerView
    voice: Voice

    @property
    def names(self) -> list[str]:
        return [answer["name"] for answer in self.conclusion["answers"]]

    @property
    def who(self) -> str:
        """The entities that the part is about."""
        return self.voice.listed([e["name"] for m in self.part["mentions"] for e in m["chosen"]])

    def facts(self, most: int = CITED_FACTS) -> list[Evidence]:
        """The facts of its shortest chains."""
        chains = sorted(self.conclusion["paths"], key=len)
        ids = list(dict.fromkeys(id_ for chain in chains for id_ in chain))
        return [self.view["evidence"][id_] for id_ in ids if id_ in self.view["evidence"]][:most]


def synthesize(view: SynthesizerView, reader: KgReader) -> SynthesizerReply:
    """One paragraph per part, then what is missing. Sends no statement."""
    understanding = view["understanding"]
    voice = Voice(understanding["language"])
    if understanding["kind"] in ("write", "out_of_scope"):
        said = courtesy(view["asked"]) if understanding["kind"] == "out_of_scope" else "write"
        return SynthesizerReply(report=understanding["kind"], answer=voice.say(said))
    tellings = [_telling(conclusion, view, voice) for conclusion in view["conclusions"]]
    inner = {operand for part in understanding["parts"] for operand in part["operands"]}
    outer = [t for t in tellings if t.conclusion["part"] not in inner and _told(t, tellings)]
    lines = [voice.sentence(_worded(t, tellings)) for t in outer]
    lines = [*_opening(view, voice), *lines, *_closing(view, voice, bool(lines))]
    cited = [id_ for t in tellings for chain in t.conclusion["paths"] for id_ in chain]
    return SynthesizerReply(report=f"{len(lines)} sentences", answer="\n".join(lines), citations=list(dict.fromkeys(cited)))


def _telling(conclusion: Conclusion, view: SynthesizerView, voice: Voice) -> Telling:
    return Telling(view["understanding"]["parts"][conclusion["part"]], conclusion, view, voice)


def _told(telling: Telling, tellings: list[Telling]) -> bool:
    """Whether there is anything to say: answers, chains, or operands that have some."""
    return any(t.conclusion["answers"] or t.conclusion["paths"] for t in (telling, *_sides(telling, tellings)))


def _sides(telling: Telling, tellings: list[Telling]) -> list[Telling]:
    """What a comparison compares."""
    return [t for t in tellings if t.conclusion["part"] in telling.part["operands"]]


def _worded(telling: Telling, tellings: list[Telling]) -> str:
    """The part as it is told; what was found for words that were hardly understood is no more than the closest that is recorded."""
    if asks_what_is_not(telling.part):
        return _opposite(telling, tellings)
    told = _TELL[telling.part["intent"]](telling, tellings)
    sure = [t.conclusion["confidence"] for t in (telling, *_sides(telling, tellings)) if t.conclusion["answers"]]
    if min(sure, default=1.0) >= UNDERSTOOD:
        return told
    shown = "; ".join(_sentence(fact) for fact in telling.facts()) if telling.part["intent"] == "yes_no" else told
    return telling.voice.say("closest", what=shown) if shown else told


def _list(telling: Telling, tellings: list[Telling]) -> str:
    """The names; beside what they are about where the question is in a language of which only the names were understood."""
    names, facts = _with_values(telling), telling.facts(1)
    text = telling.voice.listed(names)
    if telling.view["understanding"]["language"] == "other" and telling.who:
        return telling.voice.say("of", who=telling.who, what=text)
    single = len(names) == 1 and len(telling.conclusion["paths"]) == 1 and len(telling.conclusion["paths"][0]) == 1
    return f"{text} — {facts[0]['text']}" if single and facts and facts[0]["text"] else text


def _opposite(telling: Telling, tellings: list[Telling]) -> str:
    """What is recorded where what is not so was asked."""
    return telling.voice.say("opposite", who=telling.who or telling.part["text"], what=telling.voice.listed(telling.names))


def _count(telling: Telling, tellings: list[Telling]) -> str:
    if any(answer["id"] for answer in telling.conclusion["answers"]):
        return telling.voice.listed(_with_values(telling))
    total = telling.names[0] if telling.names else "0"
    return telling.voice.say("plain_count", n=total)


def _with_values(telling: Telling) -> list[str]:
    """The answers' names, with the number or date that was found for each where there is one."""
    return [
        f"{a['name']} ({_number(a['value'])})" if a["id"] and a["value"] is not None else a["name"] for a in telling.conclusion["answers"]
    ]


def _extreme(telling: Telling, tellings: list[Telling]) -> str:
    values = {str(answer["value"]) for answer in telling.conclusion["answers"]}
    if len(values) > 1:
        return telling.voice.listed(_with_values(telling))
    value = telling.conclusion["answers"][0]["value"] if telling.conclusion["answers"] else ""
    return telling.voice.say("extreme", names=telling.voice.listed(telling.names), value=_number(value))


def _yes_no(telling: Telling, tellings: list[Telling]) -> str:
    voice, facts = telling.voice, telling.facts()
    why = "; ".join(_sentence(fact) for fact in facts)
    if not telling.conclusion["answers"] or not telling.conclusion["answers"][0]["value"]:
        return voice.say("no_but", why=why) if why else voice.say("no_none")
    return voice.say("yes_because", why=why) if why else voice.say("yes")


def _dates(telling: Telling, tellings: list[Telling]) -> str:
    told = telling.voice.listed(telling.names)
    return f"{told} — {_sentence(telling.facts(1)[0])}" if len(telling.names) == 1 and telling.facts(1) else told


def _compare(telling: Telling, tellings: list[Telling]) -> str:
    sides = _sides(telling, tellings)
    voice, answers = telling.voice, telling.conclusion["answers"]
    if telling.part["measure"]:
        if not answers:
            return voice.say("not_found")
        return voice.say("first" if len(answers) == 1 else "tied", names=voice.listed(telling.names), value=_number(answers[0]["value"]))
    if telling.part["counts"]:
        return voice.say("plain_count", n=telling.names[0])
    if telling.part["either"]:
        return voice.listed(telling.names)
    if telling.part["polar"] and telling.part["shared"]:
        return _shared(telling, sides)
    everywhere = set.intersection(*(set(side.names) for side in sides)) if sides else set()
    if telling.part["shared"]:
        return voice.say("both", what=voice.listed(telling.names)) if answers else voice.say("nothing_shared")
    lines = [voice.say("only", who=side.who, what=_own(side, everywhere)) for side in sides if set(side.names) - everywhere]
    lines += [voice.say("none_of", who=side.who) for side in sides if not side.names]
    lines += [voice.say("both", what=voice.listed(sorted(everywhere)))] if everywhere else []
    return "\n".join(voice.sentence(line) for line in lines) or voice.say("same")


def _shared(telling: Telling, sides: list[Telling]) -> str:
    """Yes or no, with what the sides share."""
    everywhere = set.intersection(*(set(side.names) for side in sides)) if sides else set()
    named = telling.voice.listed([name for name in (sides[0].names if sides else []) if name in everywhere])
    yes = bool(telling.conclusion["answers"] and telling.conclusion["answers"][0]["value"])
    return telling.voice.say("yes_because" if yes else "no_but", why=named) if named else telling.voice.say("no_none")


def _own(side: Telling, everywhere: set[str]) -> str:
    return side.voice.listed([name for name in side.names if name not in everywhere])


def _connect(telling: Telling, tellings: list[Telling]) -> str:
    voice = telling.voice
    chains = [chain for chain in telling.conclusion["paths"] if all(id_ in telling.view["evidence"] for id_ in chain)]
    if not chains:
        return voice.say("unconnected")
    told = "; ".join(_chain(chain, telling.view["evidence"]) for chain in chains[:SHOWN_CHAINS])
    if not telling.part["polar"]:
        return told
    return voice.say("no" if telling.part["negated"] else "yes_because", why=told)


def _describe(telling: Telling, tellings: list[Telling]) -> str:
    facts = telling.facts(MOST_DESCRIBED)
    together = sorted(facts, key=lambda fact: next(i for i, other in enumerate(facts) if other["relation"] == fact["relation"]))
    return "\n".join(dict.fromkeys(telling.voice.sentence(_sentence(fact)) for fact in together))


def _opening(view: SynthesizerView, voice: Voice) -> list[str]:
    """What has to be said before any answer: a name that may mean several things, or none."""
    lines = []
    for part in view["understanding"]["parts"]:
        for mention in part["mentions"]:
            near = voice.listed([c["name"] for c in mention["candidates"]])
            if not mention["chosen"]:
                lines.append(voice.say("unknown", name=mention["text"]) + (" " + voice.say("near", names=near) if near else ""))
            elif mention["text"] == view["understanding"]["ambiguous"]:
                lines.append(voice.say("ambiguous", name=mention["text"], names=near))
    return list(dict.fromkeys(lines))


def _closing(view: SynthesizerView, voice: Voice, answered: bool) -> list[str]:
    """What was not found, what was tried, and why the run ended early."""
    lines = []
    known = all(m["chosen"] for part in view["understanding"]["parts"] for m in part["mentions"])
    if not answered and known and not view["understanding"]["ambiguous"] and not view["failures"]:
        lines.append(voice.say("not_found"))
        if view["tried"]:
            lines.append(voice.say("tried", what="; ".join(view["tried"][:MOST_GAPS])))
    told = {part["text"] for part in view["understanding"]["parts"] if asks_what_is_not(part)}
    gaps = [gap for gap in view["gaps"] if gap["about"] not in told]
    missing = [gap["why"] for gap in gaps if gap["kind"] in ("missing_relation", "missing_value", "broken_chain")]
    if missing and (answered or any(gap["kind"] == "missing_value" for gap in gaps)):
        lines.append(voice.say("missing", what="; ".join(missing[:MOST_GAPS])))
    if view["stop_reason"] not in TOLD_OTHERWISE:
        lines.append(voice.say("stopped", reason=view["stop_reason"]))
    if view["failures"]:
        lines.append(voice.say("failed", what="; ".join(view["failures"][:MOST_GAPS])))
    return lines


def _chain(chain: list[str], evidence: Mapping[str, Evidence]) -> str:
    """A chain as arrows: A -invests-> B <-invests- C."""
    facts = [evidence[id_] for id_ in chain]
    at = _first_end(facts)
    text = at["name"]
    for fact in facts:
        forward = fact["subject"]["id"] == at["id"]
        at = fact["object"] if forward else fact["subject"]
        text += f" -{fact['relation']}-> {at['name']}" if forward else f" <-{fact['relation']}- {at['name']}"
    return text


def _first_end(facts: list[Evidence]) -> EntityRef:
    """The end of the first fact that the second one does not touch."""
    first = facts[0]
    if len(facts) < 2:
        return first["subject"]
    touched = {facts[1]["subject"]["id"], facts[1]["object"]["id"]}
    return first["object"] if first["subject"]["id"] in touched else first["subject"]


def _sentence(fact: Evidence) -> str:
    return fact["text"].rstrip(".。") or f"{fact['subject']['name']} -{fact['relation']}-> {fact['object']['name']}"


def _number(value: object) -> str:
    return written(value) if isinstance(value, float) else str(value)


_TELL: Mapping[Intent, Callable[[Telling, list[Telling]], str]] = {
    "list": _list, "count": _count, "extreme": _extreme, "yes_no": _yes_no, "began": _dates, "ended": _dates,
    "compare": _compare, "connect": _connect, "describe": _describe,
}  # fmt: skip
