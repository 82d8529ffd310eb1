"""The gap detector compares what came back with what was asked, and names what is missing."""

from collections.abc import Mapping

from agents.contract import GapReply, GapView
from agents.exchange import EntityRef, Gap, GapKind
from agents.findings import Finding, asks_what_is_not, dates, entities, findings, names
from agents.voice import Voice
from knowledge.reading.contract import KgReader

MOST_GAPS = 10
MOST_NAMED = 3


def detect(view: GapView, reader: KgReader) -> GapReply:
    """Gaps by priority. Every required part without a result is a required gap; it is closable while another way is untried."""
    parts = view["understanding"]["parts"]
    known = names(view["evidence"], parts)
    found = findings(parts, view["plan"])
    gaps = [gap for finding in found for gap in _gaps(finding, found, known, view)]
    gaps += _unknown(view)
    gaps = sorted(gaps, key=lambda gap: (gap["priority"], not gap["required"]))[:MOST_GAPS]
    missing = [gap for gap in gaps if gap["required"]]
    report = f"{len(gaps)} gaps, {len(missing)} required"
    return GapReply(report=report, gaps=gaps, can_answer_now=not missing and bool(view["answers"] or view["evidence"]))


def _gaps(finding: Finding, found: list[Finding], known: Mapping[str, EntityRef], view: GapView) -> list[Gap]:
    part, voice = finding.part, _voice(view)
    if part["operands"]:
        return _between(finding, found, known, view)
    if finding.task is None and part["readings"]:
        return [_unanswered(finding, voice)]
    if finding.task and finding.task["strategy"] == "cypher" and finding.task["error"]:
        return [_gap("missing_value", part["text"], "", voice.say("gap_loosened", change=finding.task["error"]), 1)]
    if asks_what_is_not(part):
        return [_gap("missing_relation", part["text"], "", voice.say("gap_not_so"), 2)]
    if part["intent"] in ("began", "ended") and not dates(finding, view["evidence"]):
        return [_gap("missing_value", part["text"], "", voice.say("gap_no_date"), 1)]
    if part["unexplained"] and finding.task is not None:
        words = voice.listed(part["unexplained"], most=MOST_NAMED)
        return [_gap("missing_relation", part["text"], words, voice.say("gap_words", words=words), 3, required=False)]
    return []


def _unanswered(finding: Finding, voice: Voice) -> Gap:
    part = finding.part
    about = next((e["name"] for m in part["mentions"] for e in m["chosen"]), part["text"])
    tried = "; ".join(task["goal"] for task in finding.tried) or voice.say("gap_untried")
    return _gap("missing_relation", about, part["text"], voice.say("gap_tried", tried=tried), 1, closable=bool(finding.untried))


def _between(finding: Finding, found: list[Finding], known: Mapping[str, EntityRef], view: GapView) -> list[Gap]:
    """What is missing between the operands: a side without members, the relation itself, or members that nothing connects."""
    sides = [entities(found[i], known) for i in finding.part["operands"]]
    if not all(sides):
        return []
    return _unconnected(finding, sides, view) if finding.part["intent"] == "connect" else []


def _unconnected(finding: Finding, sides: list[list[EntityRef]], view: GapView) -> list[Gap]:
    part, voice = finding.part, _voice(view)
    what = part["relation"] or part["text"]
    if not finding.tried:
        about = " / ".join(_listed(side) for side in sides)
        return [_gap("missing_relation", about, what, voice.say("gap_unlooked", who=about), 1, closable=True)]
    joined = {end["id"] for path in _chains(finding) for id_ in path if id_ in view["evidence"] for end in _ends(view, id_)}
    alone = [e for e in dict.fromkeys((e["id"], e["name"]) for side in sides for e in side) if e[0] not in joined]
    if not alone:
        return []
    listed = voice.listed([name for _, name in alone], most=MOST_NAMED)
    return [_gap("missing_relation", listed, what, voice.say("gap_untied", who=listed), 2, required=False)]


def _chains(finding: Finding) -> list[list[str]]:
    return finding.task["paths"] if finding.task else []


def _ends(view: GapView, id_: str) -> tuple[EntityRef, EntityRef]:
    fact = view["evidence"][id_]
    return fact["subject"], fact["object"]


def _unknown(view: GapView) -> list[Gap]:
    """Mentions that no entity in scope answers to, and one that several do."""
    gaps: list[Gap] = []
    voice = _voice(view)
    for part in view["understanding"]["parts"]:
        for mention in part["mentions"]:
            if not mention["chosen"]:
                near = voice.listed([c["name"] for c in mention["candidates"][:MOST_NAMED]])
                why = voice.say("gap_unknown") + (voice.say("gap_near", names=near) if near else "")
                gaps.append(_gap("missing_entity", mention["text"], "", why, 1))
    if ambiguous := view["understanding"]["ambiguous"]:
        gaps.append(_gap("ambiguous_entity", ambiguous, "", voice.say("gap_ambiguous"), 1, required=False))
    return gaps


def _voice(view: GapView) -> Voice:
    return Voice(view["understanding"]["language"])


def _listed(side: list[EntityRef]) -> str:
    return ", ".join(e["name"] for e in side[:MOST_NAMED]) + (" …" if len(side) > MOST_NAMED else "")


def _gap(kind: GapKind, about: str, relation: str, why: str, priority: int, *, required: bool = True, closable: bool = False) -> Gap:
    return {
        "kind": kind,
        "about": about,
        "relation": relation,
        "why": why,
        "priority": priority,
        "required": required,
        "closable": closable,
    }
