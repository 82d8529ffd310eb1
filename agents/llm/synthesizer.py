"""The synthesizer behind a model: an answer in the question's language, every claim with the fact behind it; a citation that is no evidence is refused."""

import re
from collections.abc import Callable, Mapping

from agents.contract import SynthesizerReply, SynthesizerView
from agents.llm import lines
from agents.llm.ask import Mind, Thought, ask_text
from knowledge.cypher.reader import CypherReader
from knowledge.identity import fold

MOST_ANSWERS = 20
MOST_FACTS = 30
MOST_NAMED = 3
TOKENS = 500
_MARK = re.compile(r"\[\s*(f\d+(?:\s*[,;、，]\s*f\d+)*)\s*\]")
_HANDLE = re.compile(r"f\d+")
_HAN = re.compile(r"[\u4e00-\u9fff]")
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
        answers=lines.joined(map(lines.answer, view["answers"]), MOST_ANSWERS), facts=lines.facts(handles, view["evidence"]),
        missing=lines.gaps(view["gaps"]), ended=view["stop_reason"],
    )  # fmt: skip
    cited = [handles[handle] for mark in _MARK.findall(text) for handle in _HANDLE.findall(mark)]
    return SynthesizerReply(report=f"{len(cited)} citations", answer=_with_ids(text, handles), citations=list(dict.fromkeys(cited)))


def _check(said: str, view: SynthesizerView, handles: Mapping[str, str]) -> None:
    """ValueError for a citation of nothing, for answers that are not told, and for the wrong language."""
    cited = [handle for mark in _MARK.findall(said) for handle in _HANDLE.findall(mark)]
    if unknown := [handle for handle in cited if handle not in handles]:
        raise ValueError(f"[{unknown[0]}] is no fact; cite facts by the numbers given")
    if handles and view["answers"] and not cited:
        raise ValueError("no fact is cited; put the number of the fact behind each claim: [f1]")
    spoken = fold(said)
    names = [answer["name"] for answer in view["answers"] if answer["id"]]
    if untold := [name for name in names[:MOST_NAMED] if fold(name) not in spoken]:
        raise ValueError(f"the answer {untold[0]!r} is not named as it is written")
    if view["understanding"]["language"] == "zh" and not _HAN.search(said):
        raise ValueError("the question is in Chinese; answer in Chinese")


def _with_ids(text: str, handles: Mapping[str, str]) -> str:
    """Every mark with the evidence ids themselves."""

    def ids(mark: re.Match[str]) -> str:
        return "".join(f"[{handles[handle]}]" for handle in _HANDLE.findall(mark[1]))

    return _MARK.sub(ids, text)


MIND = Mind(_think)
