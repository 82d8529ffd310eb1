"""Chinese yes/no questions: which part is claimed, and what question is left without it."""

import re
from dataclasses import replace

from knowledge.wording.chinese_words import is_word, last_word
from knowledge.wording.frame_clause import Clause
from knowledge.wording.frame_model import Frame
from knowledge.wording.frame_text import MASK

_YES_NO = re.compile(r"吗$|吗,|是否|是不是|有没有|会不会|能否|可否|对不对|对吗|有无|没有$")
_IS = r"(?:是不是|是否就?是|是否为|到底是|真的是|确实是|也是|就是|是|为|叫)"
_WHETHER = r"(?:是否|有没有|是不是|有无|会不会)"
_END = r"(?:的)?(?:对不对|对吗|对|没有|吗|,|\s)*$"
_NAME = rf"(?:{MASK}|[^\ue000-\uf8ff的]{{2,}}?)"
_AND = r"(?:和|与|跟|同|及|以及|、)"
_CLAIMS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(p), how)
    for p, how in (
        (
            rf"^(?P<b>{_NAME}){_AND}(?P<a>{_NAME})(?:之间)?(?:互为|{_IS}|存在|有)(?P<verb>[^\ue000-\uf8ff的是吗]{{2,}}?)(?:关系)?{_END}",
            "pair",
        ),
        (rf"^(?P<b>{MASK}){_AND}(?P<a>{MASK})(?:之间)?(?:互相|相互|彼此)?(?P<verb>[^\ue000-\uf8ff的是吗]{{2,}}?)(?:了|过)?{_END}", "pair"),
        (rf"^(?P<b>.+)的(?P<role>[^的是]+?){_IS}(?P<a>{_NAME}){_END}", "role"),
        (rf"^(?P<b>.+)的(?P<role>[^的是]+?){_WHETHER}(?P<rest>[^的]+?){_END}", "role_verb"),
        (rf"^(?P<a>[^的由被]+?){_IS}(?P<b>[^由被]+?)的(?P<role>[^的吗]+?)(?:之一)?(?:对不对|对吗|对|吗|,|\s)*$", "role"),
        (rf"^(?P<b>.+?)(?:{_WHETHER}|{_IS})?(?:由|被)(?P<phrase>[^的]+?)(?:了|所)?{_END}", "passive"),
        (rf"^(?P<b>.+?){_IS}(?P<phrase>[^的]+?)的(?:对不对|对吗|对|吗|,|\s)*$", "passive"),
        (r"^(?P<b>.+?)(?:有没有|是否有|是否存在|有无|有)(?P<role>[^的了过\ue000-\uf8ff]+?)(?:吗|,|\s)*$", "has"),
        (rf"^(?P<b>.+?){_WHETHER}(?:曾经?|已经?)?(?P<rest>.+?){_END}", "rest"),
        (rf"^(?P<phrase>[^是]+?)(?:过|了|在|于)(?P<a>{_NAME}){_END}", "active"),
        (rf"^(?P<phrase>{MASK}[^是\ue000-\uf8ff]{{1,8}}?)(?P<a>{MASK}){_END}", "active"),
        (rf"^(?P<b>{MASK}|.+?){_IS}(?P<a>.+?)(?:对不对|对吗|对|吗|,|\s)*$", "is"),
    )
)
_OBJECT = re.compile(r"^(?P<verb>.{1,4}?)(?:过了?|了|于|在|到)(?P<a>.{2,})$")


def yes_no(clause: Clause) -> Frame | None:
    """甲是乙的R吗, 乙的R是甲吗, 乙是由甲V的吗, 甲V了乙吗, 乙有R吗."""
    if not _YES_NO.search(clause.text):
        return None
    for pattern, how in _CLAIMS:
        found = pattern.match(clause.text)
        if found:
            return _claim(clause, found, how)
    core = re.sub(r"吗$|是否|是不是|有没有|会不会|能否|对不对|对吗", "", clause.text)
    return replace(clause.frame("yes_no", 0.7, core), polar=True)


def _claim(clause: Clause, found: re.Match[str], how: str) -> Frame:
    groups = {"verb": "", "role": "", "a": "", "b": "", **{k: v or "" for k, v in found.groupdict().items()}}
    if how in ("passive", "active"):
        subject, groups["verb"] = _subject_and_verb(groups["phrase"])
        groups["a" if how == "passive" else "b"] = subject
    elif how in ("rest", "role_verb"):
        groups["verb"], groups["a"] = _verb_and_object(groups["rest"])
    a, b, role, verb = groups["a"], groups["b"], groups["role"], groups["verb"]
    core = {"passive": f"{b}是由谁{verb}的", "active": f"{b}{verb}了", "rest": f"{b}{verb}了", "is": b, "pair": f"{b}{verb}"}.get(
        how, f"{b}的{role}"
    )
    frame = replace(clause.frame("yes_no", 0.9, core), operands=(clause.operand(b, role),), relation=clause.named(role or verb), polar=True)
    return replace(frame, claim=clause.operand(a)) if a else frame


def _subject_and_verb(phrase: str) -> tuple[str, str]:
    """甲收购 → (甲, 收购): a masked name ends the subject, else the last dictionary word is the verb."""
    names = [m.end() for m in re.finditer(MASK, phrase)]
    if names and phrase[names[-1] :]:
        return phrase[: names[-1]], phrase[names[-1] :]
    verb = last_word(phrase, 2)
    return phrase[: len(phrase) - len(verb)], verb


def _verb_and_object(rest: str) -> tuple[str, str]:
    """收购了乙 → (收购, 乙): up to the aspect particle or the name, else the first dictionary word."""
    particle, name = _OBJECT.match(rest), re.search(MASK, rest)
    if particle and (not name or name.start() >= particle.start("a")):
        return particle["verb"], particle["a"]
    if name and name.start():
        return rest[: name.start()], rest[name.start() :]
    size = next((n for n in (2, 3, 1) if is_word(rest[:n])), 2)
    return rest[:size], rest[size:]
