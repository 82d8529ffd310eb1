"""What kind of question is this, and about what? Told by closed-class words and grammar alone, in English and Chinese."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from knowledge.wording import frame_chinese, frame_english
from knowledge.wording.frame_clause import Clause
from knowledge.wording.frame_compound import pronoun, resolved, split_clauses, subjects_of
from knowledge.wording.frame_model import Frame, Language, Operand
from knowledge.wording.frame_sluice import unsluiced
from knowledge.wording.frame_text import Masked, clean, language_of, mask
from knowledge.wording.frame_time import temporal

_CLAUSE: dict[Language, Callable[[Clause], Frame]] = {"en": frame_english.frame_clause, "zh": frame_chinese.frame_clause}
_WHO = re.compile(r"^\W*(?:who|whom|which (?:person|people|man|woman)|what person)\b|谁|哪位", re.I)


def frame(question: str, mentions: Sequence[str] = ()) -> Frame:
    """The frame of a question. `mentions`, where linking already knows them (folded or as written), keep names whole that grammar could split.

    Never raises, takes time linear in the length. A language without grammar here is a fact question of low confidence.
    """
    text = clean(question)
    if not any(c.isalnum() for c in text):
        return Frame(text, "other", "empty", 1.0)
    language = language_of(text)
    if language == "other":
        return Frame(text, "other", "fact", 0.3, core=text, when=temporal(text))
    source = mask(text, language, mentions)

    def alone(clause: str) -> Frame:
        return _CLAUSE[language](Clause(clause, source, language))

    clauses = unsluiced(split_clauses(source.text, language), language, lambda clause: alone(clause).kind == "connection")
    if len(clauses) == 1:
        return _with_time(alone(clauses[0]))
    return _compound(text, source, language, clauses)


def _compound(text: str, source: Masked, language: Language, clauses: list[str]) -> Frame:
    parts: list[Frame] = []
    subjects: tuple[str, ...] = ()
    for clause in clauses:
        part = _CLAUSE[language](Clause(clause, source, language, subjects))
        parts.append(_with_time(_bound(part, clause, subjects, parts)))
        found = subjects_of(part, clause, source.names)
        subjects = found or subjects
    confidence = min(p.confidence for p in parts)
    when = tuple(w for p in parts for w in p.when)
    return Frame(text, language, "compound", confidence, core=text, when=when, parts=tuple(parts))


def _bound(part: Frame, clause: str, subjects: tuple[str, ...], before: list[Frame]) -> Frame:
    """The part with a pronoun resolved: "it" and "their" to the subjects, "he" to the answers of an earlier part that asks who."""
    which = pronoun(clause, part.language)
    if not which or not before:
        return part
    last = len(before) - 1
    if which == "he" and _WHO.search(before[last].question):
        phrase = (
            re.sub(r"^\W*(?:who|whom)\b", "the one who", before[last].question, flags=re.I)
            if part.language == "en"
            else before[last].question
        )
        named = Operand("", "", part.language, last)
        return replace(part, core=resolved(part.core, part.language, phrase, which), operands=part.operands or (named,), refers=(last,))
    if not subjects:
        return replace(part, refers=(last,), operands=part.operands or (Operand("", "", part.language, last),))
    joined = (" and " if part.language == "en" else "和").join(subjects)
    operands = part.operands or tuple(Operand(s, "", part.language) for s in subjects)
    return replace(part, core=resolved(part.core, part.language, joined, which), operands=operands)


def _with_time(part: Frame) -> Frame:
    return replace(part, when=temporal(part.question))


__all__ = ["Frame", "Operand", "frame"]
