"""Follow-up questions made stand-alone: pronouns and ellipses filled from the turns before, by grammar alone."""

import re
from collections.abc import Collection, Sequence

from knowledge.wording.chinese_words import is_word
from knowledge.wording.frame_compound import pronoun, resolved
from knowledge.wording.frame_model import Language, Turn
from knowledge.wording.frame_text import MASK, Masked, clean, language_of, mask

_EN_LEAD = re.compile(r"^(?:(?:and|but|so|ok|okay|then|also|now)\b[,\s]*)+", re.I)
_EN_ABOUT = re.compile(
    r"^(?:(?:and|but|so|then|ok|okay)\b[,\s]*)*(?:(?:what|how) about|and|same for|what of)\s+(?P<what>[^?]+?)[\s?.!]*$", re.I
)
_EN_ROLE = re.compile(r"^(?:(?:its|their|his|her|the|that)\s+)(?P<role>[^\ue000-\uf8ff]+)$", re.I)
_EN_ASKS = re.compile(
    r"\b(?:who|whom|whose|what|which|when|where|how|why|is|are|was|were|do|does|did|has|have|had|list|name|show|tell)\b", re.I
)
_EN_THAT = re.compile(
    r"(?:(?<=^)|(?<=\bis )|(?<=\bare )|(?<=\bwas )|(?<=\bwere )|(?<=\bdid )|(?<=\bdoes )|(?<=\bdo )|(?<=\bhas )|(?<=\bof )|(?<=\bby )|(?<=\bin )|(?<=\bfor )|"
    r"(?<=\bfrom )|(?<=\bwith )|(?<=\babout )|(?<=ed )|(?<=\bwrote )|(?<=\bmade ))(?:that|this|those|these|said)\s+(?P<noun>[a-z]+)\b",
    re.I,
)
_ZH_LEAD = re.compile(r"^(?:那么|那|然后|还有|另外|所以|而且|以及|再|,|\s)+")
_ZH_ABOUT = re.compile(r"^(?P<what>[^?]{1,40}?)呢[?!。\s]*$")
_ZH_ROLE = re.compile(r"^(?:(?:它们?|他们?|她们?|两者|各自|其)(?:各自)?的?)(?P<role>.+)$")
_ZH_ASKS = re.compile(r"谁|什么|哪|几|多少|何|吗|是否|有没有|怎么|如何")
_ZH_THAT = re.compile(r"(?:这|那)(?:[部个家位本首]|些|几[部个家位本首])(?P<noun>[\u3400-\u9fff]{0,3}?)(?=的|是|在|由|被|有|还|叫)")
_PERSON_ASKED = re.compile(r"\b(?:who|whom)\b|谁|哪[一]?位|什么人", re.I)
_THING_ASKED = re.compile(r"\b(?:what|which)\b(?! (?:is|are|was|were)\b)|哪|(?<!是)什么(?!$)", re.I)
_PLURAL = re.compile(r"\b(?:they|them|their|those|these|both)\b|们|两者|二者|双方|这些|那些|各自", re.I)
_SETS_OF = re.compile(r"^(?:who|what|which)(?:'s| is| are| was| were) (?:the )?(?P<role>.+?) (?:of|in|for|behind|at) (?P<of>.+)$", re.I)
_LIMIT = 400


def complete(question: str, previous: Sequence[Turn], names: Collection[str] = ()) -> str:
    """The question as it would be asked on its own; itself where it stands alone or nothing before fits.

    `previous`: earlier turns, oldest first. `names`: spans of this question that linking knows as names, so that "what about X?" swaps
    the mention and not the role; without it capitals, quotes and the dictionary decide.
    """
    text = clean(question)[:_LIMIT]
    turns = [t for t in previous if t.mentions or t.answers]
    language = language_of(text)
    if not turns or language == "other" or not text:
        return question
    source = mask(text, language, tuple(names))
    elliptic = (_EN_ABOUT if language == "en" else _ZH_ABOUT).match(_lead_cut(source.text, language))
    if elliptic and _is_fragment(elliptic["what"], language):
        return _fragment(elliptic["what"].strip(), source, language, turns[-1]) or question
    return _pronouns(source, language, turns) or question


def _lead_cut(text: str, language: Language) -> str:
    return text if language == "en" else _ZH_LEAD.sub("", text)


def _is_fragment(what: str, language: Language) -> bool:
    return not (_EN_ASKS if language == "en" else _ZH_ASKS).search(what) and len(what.split()) <= 8


def _fragment(what: str, source: Masked, language: Language, last: Turn) -> str:
    """ "what about X?" repeats the last question with another mention, or asks another role of the same mention."""
    subject = _join(last.mentions[:2] if len(last.mentions) > 1 else last.mentions or last.answers[:1], language)
    owned = (_EN_ROLE if language == "en" else _ZH_ROLE).match(what)
    plain = source.named(what)
    if owned and not re.search(MASK, owned["role"]):
        role = source.named(owned["role"])
        return _role_question(role, _subject_for(what, last, language) or subject, language)
    if "的" in what or re.search(r"'s | of ", what):
        return _role_question("", plain, language)
    if language == "zh" and not re.search(MASK, what) and is_word(plain):
        return _role_question(plain, subject, language)
    return _swapped(plain, last)


def _role_question(role: str, subject: str, language: Language) -> str:
    if not role:
        return f"{subject}是什么?" if language == "zh" else f"what is {subject}?"
    return f"{subject}的{role}是什么?" if language == "zh" else f"what is the {role} of {subject}?"


def _swapped(name: str, last: Turn) -> str:
    """The last question about another name; empty where the last one named nothing."""
    for mention in last.mentions[:1]:
        found = mask(clean(last.question), language_of(last.question), (mention,))
        at = next((i for i, n in enumerate(found.names) if n.casefold() == mention.casefold()), None)
        if at is not None:
            return found.text.replace(chr(0xE000 + at), name).translate({0xE000 + i: raw for i, raw in enumerate(found.raws)})
    return ""


def _pronouns(source: Masked, language: Language, turns: list[Turn]) -> str:
    text = _EN_LEAD.sub("", source.text) if language == "en" else _ZH_LEAD.sub("", source.text)
    that = (_EN_THAT if language == "en" else _ZH_THAT).search(text)
    which = pronoun(text, language)
    if that and not _refers_inside(text, that.start()):
        antecedent = _thing(turns[-1], plural=bool(_PLURAL.search(that[0])), language=language)
        return source.written(f"{text[: that.start()]}{antecedent}{text[that.end() :]}") if antecedent else ""
    if not which:
        return ""
    antecedent = next((a for turn in reversed(turns) if (a := _antecedent(text, which, turn, language))), "")
    return source.written(resolved(text, language, antecedent, which)) if antecedent else ""


def _refers_inside(text: str, end: int) -> bool:
    """A name earlier in the same question is what the pronoun stands for."""
    return re.search(MASK, text[:end]) is not None


def _subject_for(text: str, turn: Turn, language: Language) -> str:
    which = pronoun(text, language)
    return _antecedent(text, which, turn, language) if which else ""


def _antecedent(text: str, which: str, turn: Turn, language: Language) -> str:
    plural = bool(_PLURAL.search(text))
    if which == "he" and not plural:
        people = turn.answers[:1] if _PERSON_ASKED.search(turn.question) else turn.mentions[:1]
        return _join(people or turn.mentions[:1] or turn.answers[:1], language)
    return _thing(turn, plural=plural, language=language)


def _thing(turn: Turn, *, plural: bool, language: Language) -> str:
    """Plural: two mentions, else several answers. Singular: the one answer of "which N …", else what was asked about."""
    if plural and len(turn.mentions) >= 2:
        return _join(turn.mentions[:4], language)
    if plural and len(turn.answers) >= 2:
        return _join(turn.answers[:4], language)
    asked_for_thing = _THING_ASKED.search(turn.question) and not _PERSON_ASKED.search(turn.question)
    if asked_for_thing and len(turn.answers) == 1 and not plural:
        return turn.answers[0]
    return _join(turn.mentions[:1] or turn.answers[:1], language)


def _join(names: Sequence[str], language: Language) -> str:
    return ("和" if language == "zh" else " and ").join(names)
