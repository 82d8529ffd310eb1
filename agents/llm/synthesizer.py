"""The synthesizer behind a model: an answer in the question's language, every claim with the fact behind it; a citation that is no evidence is refused."""

import re
from collections.abc import Callable, Mapping

from agents.contract import SynthesizerReply, SynthesizerView
from agents.exchange import Answer
from agents.llm import lines
from agents.llm.ask import Mind, Thought, ask_text
from knowledge.cypher.reader import CypherReader
from knowledge.identity import fold

MOST_ANSWERS = 20
MOST_FACTS = 30
MOST_NAMED = 3
TOKENS = 500
LONGEST = 4_000
_MARK = re.compile(r"\[\s*(f\d+(?:\s*(?:[,;、，&]|and|和)\s*f\d+)*)\s*\]", re.I)
_HANDLE = re.compile(r"f\d+")
_HAN = re.compile(r"[\u4e00-\u9fff]")
_LATIN = re.compile(r"[A-Za-z]")
_LANGUAGES = {"zh": "Chinese", "en": "English"}
Rules = Callable[[SynthesizerView, CypherReader], SynthesizerReply]


def _think(view: SynthesizerView, reader: CypherReader, rules: Rules) -> Thought[SynthesizerReply]:
    """Small talk, writes and questions that cannot be settled have set replies of the rules."""
    understood = view["understanding"]
    if understood["kind"] in ("write", "out_of_scope") or understood["ambiguous"] or not (view["answers"] or view["evidence"]):
        return rules(view, reader)
    handles = lines.numbered(
        "f", [*(id_ for path in view["paths"] for id_ in path if id_ in view["evidence"]), *view["evidence"]], MOST_FACTS
    )
    language = _LANGUAGES.get(understood["language"], "the language of the question")
    text = yield from ask_text(
        "synthesizer", understood["standalone"] or view["asked"], lambda said: _check(said, view, handles), tokens=TOKENS, language=language,
        answers=lines.answers(view["answers"], MOST_ANSWERS), facts=lines.facts(handles, view["evidence"]),
        missing=lines.gaps(view["gaps"]), ended=view["stop_reason"],
    )  # fmt: skip
    cited = [handles[handle] for handle in _cited(text)]
    return SynthesizerReply(report=f"{len(cited)} citations", answer=_with_ids(text, handles), citations=list(dict.fromkeys(cited)))


def _check(said: str, view: SynthesizerView, handles: Mapping[str, str]) -> None:
    """ValueError for a citation of nothing, for answers that are not told, and for the wrong language."""
    cited = _cited(said)
    if unknown := [handle for handle in cited if handle not in handles]:
        raise ValueError(f"[{lines.flat(unknown[0], 20)}] is no fact; cite facts by the numbers given")
    if len(said) > LONGEST:
        raise ValueError(f"the answer has {len(said)} characters; tell it in at most six sentences")
    if handles and not cited:
        raise ValueError("no fact is cited; put the number of the fact behind each claim: [f1]")
    if untold := [answer for answer in view["answers"][:MOST_NAMED] if not _is_told(answer, said)]:
        raise ValueError(f"the answer {lines.answer(untold[0])!r} is not told as it is written")
    language = view["understanding"]["language"]
    if _speaks_other(said, view, handles, language):
        raise ValueError(f"the question is in {_LANGUAGES[language]}; answer in {_LANGUAGES[language]}")


def _cited(text: str) -> list[str]:
    return [handle for mark in _MARK.findall(text) for handle in _HANDLE.findall(mark.lower())]


def _is_told(answer: Answer, said: str) -> bool:
    """An entity by its name, a number by its digits; dates and yes/no have many words."""
    value, written = answer["value"], lines.name(answer["name"])
    if answer["id"]:
        return written in said or fold(written) in fold(said)
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return (
        not is_number
        or re.search(rf"(?<![\d.]){re.escape(written)}(?!\d)", re.sub(r"(?<=\d),(?=\d{3})", "", _MARK.sub("", said))) is not None
    )


def _speaks_other(said: str, view: SynthesizerView, handles: Mapping[str, str], language: str) -> bool:
    """Whether the text between names and marks is Chinese for an English question, or has nothing Chinese for a Chinese one."""
    shown = [view["evidence"][id_] for id_ in handles.values()]
    ends = [end["name"] for fact in shown for end in (fact["subject"], fact["object"])]
    names = {lines.name(name) for name in [*ends, *(answer["name"] for answer in view["answers"][:MOST_ANSWERS])]}
    rest = _MARK.sub(" ", said)
    for name in sorted(names - {""}, key=len, reverse=True):
        rest = rest.replace(name, " ")
    han, latin = len(_HAN.findall(rest)), len(_LATIN.findall(rest))
    return (language == "zh" and latin > 0 and not han) or (language == "en" and han > latin)


def _with_ids(text: str, handles: Mapping[str, str]) -> str:
    """Every mark with the evidence ids themselves."""

    def ids(mark: re.Match[str]) -> str:
        return "".join(f"[{handles[handle]}]" for handle in _HANDLE.findall(mark[1].lower()))

    return _MARK.sub(ids, text)


MIND = Mind(_think)
