"""Intake understands: it links what the question names, reads how its words follow the graph, and says what is simple and what is not."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from agents.contract import IntakeReply, IntakeView, within_budget
from agents.exchange import Kind, Mention, Part, Task, Understanding, entity_ref, new_part
from agents.exchange import Turn as ThreadTurn
from agents.ground import Ground, ground
from agents.parts import parts_of
from agents.tasks import next_task
from knowledge.identity import fold
from knowledge.reading.contract import KgReader
from knowledge.records import Candidate
from knowledge.wording.aligner import Aligners
from knowledge.wording.chinese_unknown import unknown_name
from knowledge.wording.conditions import conditions
from knowledge.wording.english_unmarked import unmarked_names
from knowledge.wording.frame import frame
from knowledge.wording.frame_follow import complete
from knowledge.wording.frame_model import Frame, FrameKind, Turn
from knowledge.wording.frame_text import clean, language_of, mask
from knowledge.wording.wordnet import wordnet

MOST_SUGGESTED = 2
JOINERS = frozenset({"of", "the", "for", "in", "on", "to", "a", "an"})
PARTIAL = 0.5
NEAR = 0.1
NEAR_ON_ONE_WAY = 0.2
MOST_ABBREVIATED = 4
STATED = 0.9
CLEAR_KIND = 0.6
AS_WELL = 0.05
SURE = 0.5
NAMING = frozenset({"fact", "list", "count", "extreme", "yes_no", "exploration"})
SIMPLE = frozenset({"list", "count", "yes_no", "began", "ended"})
_KIND: Mapping[FrameKind, Kind] = {
    "exploration": "exploration", "connection": "connection", "comparison": "compound", "compound": "compound",
    "global": "trend", "write": "write", "out_of_scope": "out_of_scope", "empty": "out_of_scope",
}  # fmt: skip


class RulesIntake:
    """Understands questions by grammar, names and schema. Four statements at most for a question whose names are known."""

    def __init__(self, aligners: Aligners) -> None:
        self._aligners = aligners

    def __call__(self, view: IntakeView, reader: KgReader) -> IntakeReply:
        reply, standalone = IntakeReply(), view["asked"]
        with within_budget(reply):
            standalone = complete(view["asked"], [_turn(turn) for turn in view["history"]], kinds=lambda noun: self._kinds(noun, reader))
        reply.understanding = _understanding(standalone, frame(standalone), [])
        if reply.understanding and reply.understanding["kind"] != "write" and clean(standalone):
            with within_budget(reply):
                self._understand(standalone, reader, reply)
        return reply

    def _kinds(self, noun: str, reader: KgReader) -> set[str]:
        """The kinds that a noun names best."""
        named = self._aligners(language_of(noun), reader.schema()).kinds(noun)
        least = max(CLEAR_KIND, max(named.values(), default=0.0) - AS_WELL)
        return {kind for kind, value in named.items() if value >= least}

    def _understand(self, asked: str, reader: KgReader, reply: IntakeReply) -> None:
        language = language_of(clean(asked))
        bare = conditions(clean(asked), language).rest or clean(asked)
        names = tuple(name for name in mask(bare, language).names if name)
        here = ground(asked, language, self._aligners(language, reader.schema()), reader.schema(), reader, names)
        unknown = _joined([name for name in names if not here.mention(name)["chosen"] and not _is_term(name, here)], bare)
        unknown = _with_residue(unknown, bare, here)
        guessed = [] if unknown or here.links else unmarked_names(bare, here.relational, here.kindly)
        here, missing, shared = _adopt(here, [*unknown, *guessed][:MOST_SUGGESTED], reader)
        missing = [one for one in missing if one["text"] not in guessed]
        framed = frame(asked, [*_whole_names(here, names), *unknown])
        parts = [_settled(part, shared) for part in parts_of(framed, here)]
        parts = _with_missing(parts, missing)
        reply.understanding = _understanding(asked, framed, parts)
        reply.task = _simple(reply.understanding)
        reply.report = f"{framed.kind} in {language}: {len(parts)} parts, {sum(bool(p['readings']) for p in parts)} readable"


def _is_term(name: str, here: Ground) -> bool:
    """CEO, HQ: a word in capitals that names a relation or a kind, or an abbreviation of the dictionary, is no name that is missing."""
    if not name.isupper() or not name.isalpha() or not name.isascii():
        return False
    abbreviation = len(name) <= MOST_ABBREVIATED and bool(wordnet().lemmas(name.lower()))
    return abbreviation or max(here.relational(name), here.kindly(name)) >= STATED


def _joined(names: Sequence[str], asked: str) -> list[str]:
    """Unknown names with only small words between them are one name: The Something of Somewhere."""
    joined: list[str] = []
    for name in names:
        between = asked.partition(joined[-1])[2].partition(name)[0] if joined else ""
        if between and between.strip() and set(between.split()) <= JOINERS:
            joined[-1] = f"{joined[-1]}{between}{name}"
        else:
            joined.append(name)
    return joined


def _with_residue(unknown: list[str], asked: str, here: Ground) -> list[str]:
    """In Chinese, which does not mark names, also what nothing explains in a question of which nothing is known."""
    if here.language != "zh" or here.links or frame(asked).kind not in NAMING:
        return unknown
    residue = unknown_name(clean(asked), here.relational, here.kindly)
    return [residue, *(name for name in unknown if name not in residue)] if residue else unknown


def _adopt(here: Ground, unknown: Sequence[str], reader: KgReader) -> tuple[Ground, list[Mention], set[str]]:
    """Names that are not in the kg as written: a part of a longer name stands for it; anything else is missing, with what is near.

    Also returns the folded names that several longer names share: nothing but the person who asks can settle those.
    """
    links, missing, shared = dict(here.links), list[Mention](), set[str]()
    for name in unknown:
        near = reader.suggest(name)
        partial = [c for c in near if c.match in ("exact", "alias", "folded", "partial") and c.similarity >= PARTIAL]
        if partial:
            links[fold(name)] = partial
            shared |= {fold(name)} if len(partial) > 1 and _alike(fold(name), partial[0], partial[1]) else set()
        else:
            missing.append({"text": name, "chosen": [], "candidates": [entity_ref(c.entity) for c in near[:5] if c.match != "vector"]})
    new = [c.entity.id for name in unknown for c in links.get(fold(name), []) if c.entity.id not in here.uses]
    uses = {**here.uses, **reader.relations(new)} if new else here.uses
    return replace(here, links=links, uses=uses), missing, shared


def _alike(name: str, first: Candidate, second: Candidate) -> bool:
    """Whether nothing tells two bearers apart: both names only add to the one given, or both are as near to it."""
    both_longer = all(fold(c.entity.name).startswith(f"{name} ") for c in (first, second))
    return both_longer or second.similarity >= first.similarity - NEAR


def _whole_names(here: Ground, names: Sequence[str]) -> list[str]:
    """Linked spans that grammar must not split: what is written as a name, and names of several words."""
    spans = [span for span in here.links if " " in span or not span.isascii()]
    whole = [span for span in spans if not any(span != other and span in other for other in spans)]
    return [*names, *whole]


def _settled(part: Part, shared: set[str]) -> Part:
    """The part with its mentions resolved by how well each candidate fits the words; candidates stay where several fit alike."""
    single = part["mentions"][0] if len(part["mentions"]) == 1 and part["readings"] else None
    rivals = _rivals(part, single) if single else set()
    if single and fold(single["text"]) in shared:
        rivals |= {c["id"] for c in single["candidates"]}
    if len(rivals) < 2:
        return {**part, "mentions": [{**m, "candidates": m["chosen"] or m["candidates"]} for m in part["mentions"]]}
    starts = [c["id"] for c in part["mentions"][0]["candidates"] if c["id"] in rivals]
    return {**part, "readings": [{**part["readings"][0], "starts": starts}, *part["readings"][1:]]}


def _rivals(part: Part, mention: Mention) -> set[str]:
    """The candidates whose readings explain the question nearly as well as the best one; to explore, every candidate does."""
    if part["readings"][0]["strategy"] == "explore":
        return {c["id"] for c in mention["candidates"]}
    same = {c["id"] for c in mention["candidates"]}
    best = part["readings"][0]
    alike = [r for r in part["readings"] if r["score"] >= best["score"] - (NEAR_ON_ONE_WAY if r["spec"] == best["spec"] else NEAR)]
    return {id_ for r in alike for id_ in r["starts"] if id_ in same}


def _with_missing(parts: list[Part], missing: list[Mention]) -> list[Part]:
    """A part that only common words could read, while its name is unknown, is no reading at all."""
    if not missing:
        return parts
    if not parts:
        return [new_part("", "list", mentions=missing)]
    return [{**part, "readings": [], "mentions": missing} if index == 0 else part for index, part in enumerate(parts)]


def _understanding(asked: str, framed: Frame, parts: list[Part]) -> Understanding:
    best = [part["readings"][0]["confidence"] for part in parts if part["readings"]]
    kind = _KIND.get(framed.kind, "fact")
    if kind == "out_of_scope" and best and max(best) >= SURE:
        kind = "fact"
    if kind == "exploration" and parts and all(part["intent"] != "describe" for part in parts):
        kind = "fact"
    unsettled = [m["text"] for part in parts for m in part["mentions"] if len(m["candidates"]) > 1 and len(m["chosen"]) == 1]
    return {
        "kind": kind, "language": framed.language, "standalone": asked, "parts": parts,
        "confidence": round(min(best, default=framed.confidence), 3), "ambiguous": unsettled[0] if unsettled else "",
    }  # fmt: skip


def _simple(understanding: Understanding) -> Task | None:
    """One part, one hop, one clear reading: one task answers it."""
    parts = understanding["parts"]
    if len(parts) != 1 or understanding["ambiguous"] or parts[0]["intent"] not in SIMPLE or not parts[0]["readings"]:
        return None
    part, reading = parts[0], parts[0]["readings"][0]
    if len(reading["spec"].get("steps", [])) != 1 or reading["confidence"] < SURE:
        return None
    return next_task("r1.0", 0, part, 0)


def _turn(turn: ThreadTurn) -> Turn:
    mentioned, answered = ([e["name"] for e in turn[key]] for key in ("mentioned", "answered"))
    kinds = {e["name"]: e["kind"] for e in (*turn["mentioned"], *turn["answered"]) if e["kind"]}
    return Turn(turn["asked"], tuple(mentioned), tuple(answered), kinds)
