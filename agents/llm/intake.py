"""Intake behind a model: it resolves references and takes the question apart; names are linked and relations read by the rules."""

from collections.abc import Callable, Sequence
from typing import Literal

from pydantic import BaseModel, Field

from agents.contract import IntakeReply, IntakeView
from agents.exchange import Intent, Mention, Part, Turn, Understanding, entity_ref, new_part
from agents.llm.ask import Mind, Thought, ask
from agents.llm.lines import MOST_PARTS, flat, joined, name
from knowledge.cypher.reader import CypherReader
from knowledge.identity import fold
from knowledge.wording.english import informativeness
from knowledge.wording.frame_text import language_of

LONGEST = 1000
MOST_NAMES = 8
MOST_TURNS = 3
MOST_CANDIDATES = 5
MOST_LOST = 8
MOST_TOLD = 5
ASKED_CHARACTERS = 90
Rules = Callable[[IntakeView, CypherReader], IntakeReply]


class SubQuestion(BaseModel):
    """One of the things that are asked."""

    text: str = Field(max_length=LONGEST)
    asks: Intent = "list"


class Reading(BaseModel):
    """How the model reads the question."""

    standalone: str = Field(max_length=LONGEST)
    kind: Literal["question", "write", "out_of_scope"] = "question"
    names: list[str] = Field(default=[], max_length=MOST_NAMES)
    parts: list[SubQuestion] = Field(default=[], max_length=MOST_PARTS)


def _think(view: IntakeView, reader: CypherReader, rules: Rules) -> Thought[IntakeReply]:
    """The rules on the question as the model resolved it; where they cannot read all of it, the model's own parts, if it names any.

    Without earlier turns there is nothing to resolve, and the question stays as it was asked.
    """
    known = fold(" ".join([view["asked"], *(text for turn in view["history"] for text in _texts(turn))]))
    read = yield from ask("intake", view["asked"], Reading, lambda read: _check(read, view, known), history=_history(view["history"]))
    resolved = bool(view["history"]) and fold(read.standalone) not in ("", fold(view["asked"]))
    read.standalone = read.standalone.strip() if resolved else view["asked"]
    reply = rules({"asked": read.standalone, "history": [] if resolved else view["history"]}, reader)
    if reply.stopped or reply.understanding is None:
        return reply
    readable = reply.understanding["kind"] not in ("write", "out_of_scope") and _readable(reply.understanding["parts"])
    if read.kind == "write" or (read.kind == "out_of_scope" and not readable):
        reply.understanding, reply.task = {**reply.understanding, "kind": read.kind}, None
        return reply
    if readable or not (read.names or read.parts):
        return reply
    return _in_parts(read, reply, reply.understanding, reader)


def _check(read: Reading, view: IntakeView, known: str) -> None:
    """ValueError for a name that nobody wrote, and for a question that was translated."""
    if view["history"] and {language_of(read.standalone), language_of(view["asked"])} == {"en", "zh"}:
        raise ValueError("standalone must stay in the language of the question")
    if view["history"] and read.standalone.strip() and (lost := _lost(view["asked"], read.standalone)):
        raise ValueError(
            f"standalone lacks {flat(', '.join(lost))}; keep every part of the question and only put names in place of references"
        )
    for named in read.names:
        if not named.strip() or fold(named) not in known:
            raise ValueError(
                f"{flat(named)!r} stands neither in the question nor in the earlier turns; names must be copied letter for letter"
            )


def _lost(asked: str, standalone: str) -> list[str]:
    """Content words of an English question, where more than half of them are gone."""
    words = [word for word in dict.fromkeys(fold(asked).split()) if word.isascii() and word.isalpha() and informativeness(word)]
    kept = fold(standalone)
    lost = [word for word in words if word not in kept]
    return lost[:MOST_LOST] if len(lost) > len(words) / 2 else []


def _readable(parts: Sequence[Part]) -> bool:
    built_on = {operand for part in parts for operand in part["operands"]}
    return bool(parts) and all(part["readings"] or part["operands"] or index in built_on for index, part in enumerate(parts))


def _in_parts(read: Reading, reply: IntakeReply, understood: Understanding, reader: CypherReader) -> IntakeReply:
    """The model's parts, without readings: planning them is the planner's. Their names are those that the kg knows."""
    linked = reader.link([fold(name) for name in read.names]) if read.names else {}
    mentions: dict[str, Mention] = {}
    for named in read.names:
        refs = [entity_ref(c.entity) for c in linked.get(fold(named), [])][:MOST_CANDIDATES]
        mentions[named] = {"text": named, "chosen": refs[:1], "candidates": refs}
    wanted = read.parts or [SubQuestion(text=read.standalone)]
    parts = [new_part(one.text, one.asks, mentions=[m for named, m in mentions.items() if fold(named) in fold(one.text)]) for one in wanted]
    kind = understood["kind"] if understood["kind"] in ("connection", "trend", "exploration") else "compound"
    reply.understanding = {**understood, "kind": kind, "standalone": read.standalone, "parts": parts, "ambiguous": ""}
    reply.task = None
    reply.report = f"{len(parts)} parts, to be planned"
    return reply


def _history(turns: Sequence[Turn]) -> str:
    """Two lines per turn: what was said, and what it was about."""
    told: list[str] = []
    for turn in turns[-MOST_TURNS:]:
        about = dict.fromkeys(name(one["name"], ASKED_CHARACTERS) for one in (*turn["answered"], *turn["mentioned"]))
        told.append(f"asked {flat(turn['asked'], ASKED_CHARACTERS)!r}, answered {flat(turn['answer'], ASKED_CHARACTERS)!r}")
        told += [f"about {', '.join(list(about)[:MOST_TOLD])}"] if about else []
    return joined(told, 2 * MOST_TURNS)


def _texts(turn: Turn) -> list[str]:
    return [turn["asked"], turn["answer"], *(one["name"] for one in (*turn["mentioned"], *turn["answered"]))]


MIND = Mind(_think)
