"""Follow-up questions made stand-alone: pronouns and ellipses filled from the turns before, by grammar alone."""

import re
from collections.abc import Callable, Collection, Sequence

from knowledge.wording.chinese_words import is_word
from knowledge.wording.frame import frame
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
_EN_THE = re.compile(
    r"(?<!^who is )(?<!^who was )(?<!^what is )\bthe (?P<noun>[a-z]+)\b(?! (?:that|who|which|of|in|with|behind|for|from|to)\b)", re.I
)
_ZH_LEAD = re.compile(r"^(?:那么|那(?![部个家位本首些几款])|然后|还有|另外|所以|而且|以及|再|,|\s)+")
_ZH_ABOUT = re.compile(r"^(?P<what>[^?]{1,40}?)呢[?!。\s]*$")
_ZH_ROLE = re.compile(r"^(?:(?:它们?|他们?|她们?|两者|各自|其)(?:各自)?的?)(?P<role>.+)$")
_ZH_ASKS = re.compile(r"谁|什么|哪|几|多少|何|吗|是否|有没有|怎么|如何")
_ZH_THAT = re.compile(r"(?:这|那)(?:[部个家位本首款]|些|几[部个家位本首款])(?P<noun>[\u3400-\u9fff]{0,3}?)(?=的|是|在|由|被|有|还|叫|$)")
_ZH_THAT_NOUN = re.compile(r"(?:这|那)(?:[部个家位本首款]|些|几[部个家位本首款])(?P<noun>[\u3400-\u9fff]{2,3})")
_PERSON_ASKED = re.compile(r"\b(?:who|whom)\b|谁|哪[一]?位|什么人", re.I)
_THING_ASKED = re.compile(r"\b(?:what|which)\b(?! (?:is|are|was|were)\b)|哪|(?<!是)什么(?!$)", re.I)
_PLURAL = re.compile(r"\b(?:they|them|their|those|these|both)\b|们|两者|二者|双方|这些|那些|各自", re.I)
_SETS_OF = re.compile(r"^(?:who|what|which)(?:'s| is| are| was| were) (?:the )?(?P<role>.+?) (?:of|in|for|behind|at) (?P<of>.+)$", re.I)
_LIMIT = 400
MOST_TOGETHER = 4
MOST_EACH = 8
Kinds = Callable[[str], Collection[str]]


def complete(question: str, previous: Sequence[Turn], names: Collection[str] = (), kinds: Kinds = lambda noun: ()) -> str:
    """The question as it would be asked on its own; itself where it stands alone or nothing before fits.

    `previous`: earlier turns, oldest first. `names`: spans of this question that linking knows as names, so that "what about X?" swaps
    the mention and not the role; without it capitals, quotes and the dictionary decide. `kinds`: the kinds of things that a noun names, so
    that "the company" is a company.
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
    return _pronouns(source, language, turns, kinds) or question


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


def _pronouns(source: Masked, language: Language, turns: list[Turn], kinds: Kinds) -> str:
    text = _EN_LEAD.sub("", source.text) if language == "en" else _ZH_LEAD.sub("", source.text)
    pointed = _english_pointer(text, turns[-1], kinds) if language == "en" else _chinese_pointer(text)
    which = pronoun(text, language)
    if pointed and not re.search(MASK, text[: pointed.start()]):
        plural = bool(_PLURAL.search(pointed[0]))
        names = _of_kind(turns[-1], kinds(pointed["noun"]), plural=plural) or _thing(turns[-1], plural=plural)
        return _put(lambda antecedent: f"{text[: pointed.start()]}{antecedent}{text[pointed.end() :]}", names, source, language)
    names = next((found for turn in reversed(turns) if (found := _antecedent(text, which, turn))), ()) if which else ()
    return _put(lambda antecedent: resolved(text, language, antecedent, which), names, source, language)


def _english_pointer(text: str, last: Turn, kinds: Kinds) -> re.Match[str] | None:
    """ "that company"; also "the company" in a question without a name, where the last turn has one."""
    if that := _EN_THAT.search(text):
        return that
    the = None if re.search(MASK, text) else _EN_THE.search(text)
    return the if the and _of_kind(last, kinds(the["noun"]), plural=False) else None


def _chinese_pointer(text: str) -> re.Match[str] | None:
    """这家公司投资了谁: the noun ends with a word of the dictionary; 这家的, 那部是: no noun at all."""
    if longest := _ZH_THAT_NOUN.search(text):
        for size in (3, 2):
            if is_word(longest["noun"][:size]):
                return _ZH_THAT_NOUN.match(text[: longest.start("noun") + size], longest.start())
    return _ZH_THAT.search(text)


def _put(filled: Callable[[str], str], names: Sequence[str], source: Masked, language: Language) -> str:
    """The question about the names; about any of them where it asks the same of each, else about all of them together."""
    if not names:
        return ""
    one_of = source.written(filled(_alternatives(names[:MOST_EACH], language)))
    any_of = len(names) > 1 and frame(one_of, names).either
    return one_of if any_of else source.written(filled(_join(names[:MOST_TOGETHER], language)))


def _subject_for(text: str, turn: Turn, language: Language) -> str:
    which = pronoun(text, language)
    return _join(_antecedent(text, which, turn), language) if which else ""


def _antecedent(text: str, which: str, turn: Turn) -> Sequence[str]:
    plural = bool(_PLURAL.search(text))
    if which == "he" and not plural:
        people = turn.answers[:1] if _PERSON_ASKED.search(turn.question) else turn.mentions[:1]
        return people or turn.mentions[:1] or turn.answers[:1]
    return _thing(turn, plural=plural)


def _of_kind(turn: Turn, kinds: Collection[str], *, plural: bool) -> Sequence[str]:
    """The answers that are of such a kind, where one is meant and found or several are meant; else the mention that is."""
    answers, mentions = ([name for name in names if turn.kinds.get(name) in kinds] for names in (turn.answers, turn.mentions))
    if plural and len(answers) > 1:
        return answers
    return answers if len(answers) == 1 else mentions[: None if plural else 1]


def _thing(turn: Turn, *, plural: bool) -> Sequence[str]:
    """Plural: two mentions, else several answers. Singular: the one answer of "which N …", else what was asked about."""
    if plural and len(turn.mentions) >= 2:
        return turn.mentions
    if plural and len(turn.answers) >= 2:
        return turn.answers
    asked_for_thing = _THING_ASKED.search(turn.question) and not _PERSON_ASKED.search(turn.question)
    if asked_for_thing and len(turn.answers) == 1 and not plural:
        return turn.answers
    return turn.mentions[:1] or turn.answers[:1]


def _join(names: Sequence[str], language: Language) -> str:
    return ("和" if language == "zh" else " and ").join(names)


def _alternatives(names: Sequence[str], language: Language) -> str:
    if language != "zh":
        return " or ".join(names)
    return "或".join(part for part in ("、".join(names[:-1]), names[-1]) if part)
