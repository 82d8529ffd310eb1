"""Chinese questions about two things: 有什么关系, 有何不同, 谁更早, 各自的投资方之间是否存在竞争."""

import re
from dataclasses import replace

from knowledge.wording.chinese_grammar import MANY
from knowledge.wording.chinese_words import last_word
from knowledge.wording.frame_chinese_shared import either
from knowledge.wording.frame_chinese_shared import shared as shared_by_all
from knowledge.wording.frame_clause import Clause
from knowledge.wording.frame_model import Extreme, Frame, Operand

_AND = r"(?:和|与|跟|同|及|以及|、|还是|或者?|对比|vs\.?|VS\.?)"
_SPLIT = re.compile(rf"\s*{_AND}\s*")
_PREFIX = r"(?:(?:请|请问|帮我|帮忙|麻烦|我想知道|我想了解|想知道|告诉我|分析|比较|对比|说明|解释|列出|讨论|阐述|评估|指出|总结|判断|说说|谈谈|介绍|看看|查找|查一下|找出|找到|寻找|给出|一下|下|如何评价)\s*)*+"
_TWO = r"(?:两者|二者|双方|两家公司|两家|两个|两人|两部|两位|这两[个家部位人本](?:公司|人)?)"
_THEY = rf"(?:它们|他们|她们|{_TWO}|彼此)"
_THEIR = re.compile(rf"^(?:{_THEY}|其|它|他|她)?(?:各自|分别|彼此)?的?(?P<role>.+)$")
_THEIR_START = re.compile(rf"^(?:(?:{_THEY}|它|他|她)(?:各自|分别|彼此)?的|{_THEY}(?:各自|分别)|各自的?|其(?=[^他它中实])|双方)")
_THEM = re.compile(rf"^(?:{_THEY}|它|他|她|彼此)(?:之间)?$")
_TAIL = re.compile(r"(?:之间|两者|二者|双方|彼此|互相|相互|这两[个家部位](?:公司)?|分别|各自|都|是|到底|究竟|在|相比|相较|,)+$")
_LINK = r"(?:关系|联系|关联|渊源|瓜葛|交集|联结|连接|路径|纽带)"
_CONNECT = tuple(
    re.compile(p)
    for p in (
        rf"^{_PREFIX}(?P<both>.+?)(?:之间)?(?:到底|究竟)?(?P<polar>是否|有没有|有无)?(?:存在|有|是)?(?:着)?(?:什么|何种?|哪些|哪种|怎样的?|怎么样的?|任何|某种|一定的?)(?:样的)?{_LINK}(?P<q>吗)?$",
        rf"^{_PREFIX}(?P<both>.+?)(?:之间)?(?P<polar>是否|有没有|有无)(?:存在|有)?(?:着)?(?:直接|间接)?{_LINK}$",
        rf"^{_PREFIX}(?P<both>.+?)(?:之间)?(?:存在|有)(?:着)?(?:直接|间接)?{_LINK}(?P<polar>吗)$",
        rf"^{_PREFIX}(?P<both>.+?)(?:之间)?的{_LINK}(?:是什么|是怎样的|如何|有哪些|怎么样)?$",
        rf"^{_PREFIX}(?P<both>.+?)(?:之间)?(?:是)?(?:如何|怎么|怎样|通过什么|通过谁|怎么样)(?:相互|互相)?(?:产生)?(?:关联|联系|相关|相连|连接|联结)(?:起来|在一起|上)?的?$",
        rf"^{_PREFIX}(?P<both>.+?)(?:是)?(?:如何|怎么|怎样|通过什么|通过谁)(?:与|和|跟|同)(?P<b>.+?)(?:产生)?(?:关联|联系|相关|相连|连接|联结)(?:起来|在一起|上)?的?$",
        rf"^{_PREFIX}(?:是)?(?:什么|谁|哪些\S{{0,3}}?)(?:把|将)?(?P<both>.+?)(?:联系|连接|关联|联结)(?:在一起|起来|到一起)$",
        rf"^{_PREFIX}(?:什么|谁|哪些\S{{0,3}}?)(?:联系|连接|关联|联结)(?:着|了)?(?P<both>.+)$",
        rf"^{_PREFIX}从?(?P<both>.+?(?:到|至).+?)(?:之间)?的?(?:最短)?(?:路径|关系链|联系)(?:是什么|有哪些)?$",
        rf"^{_PREFIX}(?P<both>.+?)(?:之间)?(?:是否|是不是)?(?:有关|相关|有关系|有联系|有关联)(?P<polar>吗|)$",
    )
)
_DIFF = r"(?:差异|区别|不同点?|不同之处|差别|差距|异同点?)"
_SIDE = r"(?:上|方面|层面|领域|方向|维度|中|里)"
_COMPARE = tuple(
    re.compile(p)
    for p in (
        rf"^{_PREFIX}(?P<both>.+?)(?:之间)?(?:在|就)(?P<asp>.+?){_SIDE}?(?:的|有|存在|有着|之间)?(?:什么|何|哪些|怎样的|怎么|明显|主要|的|是否|到底|有)*{_DIFF}(?:是什么|有哪些|在哪里?|吗|何在|是否明显)?$",
        rf"^{_PREFIX}(?P<both>.+?)的(?P<asp>[^的]+?)(?:之间)?(?:上|方面)?(?:有|存在|是)(?:什么|何|哪些|怎样的|哪里|无)*{_DIFF}(?:吗|之处)?$",
        rf"^{_PREFIX}(?P<both>.+?)(?:之间)?(?:有|存在|的|是)*(?:什么|何|哪些|怎样的|哪里|主要|明显)*{_DIFF}(?:是什么|有哪些|在哪里?|吗|何在)?$",
        rf"^{_PREFIX}(?P<both>.+?)(?:在|就)(?P<asp>.+?){_SIDE}?(?:有|存在)?(?:什么|何|哪些)?(?:如何|怎么|怎样)(?:不同|区别)$",
    )
)
_COMPARE_VERB = re.compile(
    rf"^(?P<verb>{_PREFIX})(?P<both>.+?)(?:在(?P<asp>.+?){_SIDE}(?:的?(?:表现|情况|对比|比较))?|的(?P<asp2>[^的]+?))?(?:的?(?:对比|比较))?$"
)
_SAME = tuple(
    re.compile(p)
    for p in (
        rf"^{_PREFIX}(?P<both>.+?)(?:之间)?(?:都)?(?:有|存在|的)(?:什么|哪些|何)?(?:共同点|共同之处|相似之处|相同点|相同之处|共通之处|相似点)(?:是什么|有哪些|吗)?$",
        rf"^{_PREFIX}(?P<both>.+?)(?:之间)?(?P<polar>是否|有没有)?(?:有|存在|拥有)?(?:什么|哪些|谁是)?(?:的)?共同的?(?P<asp>[^的]+?)(?:是谁|是什么|有哪些|吗)?$",
        rf"^{_PREFIX}(?P<both>.+?)的(?P<asp>[^的]+?)(?P<polar>是否|是不是|都)?(?:是)?(?:相同|一样|同一[个位人家部]?(?:人)?|同样)(?:的)?(?:吗)?$",
        rf"^{_PREFIX}(?P<both>.+?)(?P<polar>是否|是不是)?(?:都)?(?:是|由|来自|属于|有|(?P<at>[^\s的]{{2}}(?:于|在|自))|在)?(?:同一|相同)(?:[个位家部名座所支本首种条])?的?(?P<asp>[^的]+?)(?P<how>[^\s的吗]{{2}})?的?(?:吗)?$",
    )
)
_ADJ = r"(?:早|晚|先|后|多|少|高|低|大|小|长|短|新|旧|老|年轻|久|贵|便宜|强|弱|快|慢|重|轻)"
_WHICH = (
    re.compile(
        rf"^{_PREFIX}(?:在)?(?P<both>.+?)(?:之间|相比|中|里|,|:)*,?(?:谁|哪[一]?[个家部位本款座首名支]|哪一?方|何者)(?P<asp>.*?)(?:更|比较|较|最)(?P<adj>{_ADJ})(?P<tail>[^\s]{{0,6}}?)(?:一些|一点|些)?$"
    ),
    re.compile(
        rf"^{_PREFIX}(?:在)?(?P<both>.+?)(?:之间|相比|中|里|,|:)*,?(?:谁|哪[一]?[个家部位本款座首名支]|哪一?方|何者)(?P<asp>.*?)(?:更|比较|较|最)?(?P<adj>{_ADJ})(?P<tail>[^\s]{{0,6}}?)(?:一些|一点|些)?$"
    ),
    re.compile(
        rf"^{_PREFIX}(?:谁|哪[一]?[个家部位本款座首名支])(?P<asp>.*?)(?:更|比较|较|最)(?P<adj>{_ADJ})(?P<tail>.{{0,6}}?)[,:]\s*(?P<both>.+)$"
    ),
    re.compile(
        rf"^{_PREFIX}(?P<a>.+?)(?P<polar>比)(?P<b>.+?)(?:(?P<verb>[^\s的]{{2}})得)?(?:的(?P<asp>[^的]+?))?(?:更|要|还)?(?P<adj>{_ADJ})(?P<tail>.{{0,8}}?)(?:一些|一点|些)?吗?$"
    ),
)
_MEASURE: dict[str, Extreme] = {
    **dict.fromkeys("早先老旧久", "earliest"),
    **dict.fromkeys(["晚", "后", "新", "年轻"], "latest"),
    "多": "most",
    "少": "least",
    **dict.fromkeys("高大长贵强快重", "highest"),
    **dict.fromkeys(["低", "小", "短", "便宜", "弱", "慢", "轻"], "lowest"),
}
_WITH = re.compile(
    rf"^{_PREFIX}(?P<a>.+?)(?P<if>是否|有没有|会不会|能否|是不是)(?:与|和|跟|同)(?P<b>.+?)(?:之间)?(?P<has>存在|有|构成|形成|互为|相互|互相)?(?P<rel>[^的存有构形互相]{{2,6}}?)(?:关系)?$"
)
_MUTUAL = r"(?:彼此|互相|相互)"
_BETWEEN = re.compile(
    rf"^{_PREFIX}(?P<if>是否|有没有|会不会)?(?P<sets>.+?)(?:是否|有没有|有无|会不会|是不是)?(?:{_MUTUAL}|之间){{1,2}}(?:的)?(?:是否|有没有|有无|存不存在|会不会|是不是|有|存在|是|能否|也)*+(?:存在|有|构成|形成|具有)?(?:着|什么|哪些|任何|某种|直接的?)*+(?P<rel>.*?)(?P<q>吗|呢)?$"
)
_WHETHER = re.compile(
    rf"^{_PREFIX}(?P<sets>.+?)(?P<if>是否|有没有|有无|会不会|是不是|存不存在)(?:存在|有|也|互为|构成|互相|相互|彼此|着|任何|是)*+(?P<rel>.+?)(?P<q>吗|呢)?$"
)
_ARE = re.compile(rf"^{_PREFIX}(?P<sets>.+?)(?:互为|互相|相互|是|存在|有|会)++(?P<rel>.+?)(?P<q>吗)$")


def operands(clause: Clause, text: str) -> tuple[Operand, ...]:
    """The things that a noun phrase names: 甲和乙, 甲的R和乙的R, 甲和乙各自的R, 它们各自的R."""
    text = re.sub("^从", "", _TAIL.sub("", text.strip(" ,:")).strip(" ,:"))
    if not text:
        return ()
    if _THEM.match(text):
        return tuple(Operand(s, "", "zh") for s in clause.subjects)
    if _THEIR_START.match(text) and clause.subjects:
        found = _THEIR.match(text)
        role = clause.named(re.sub(r"^们的?", "", found["role"])) if found else ""
        return tuple(Operand(s, role, "zh") for s in clause.subjects)
    pieces = [p for p in _SPLIT.split(text) if p]
    if len(pieces) == 1 and re.search("到|至", text):
        pieces = re.split("到|至", text, maxsplit=1)
    found_all = [clause.operand(*_owner(p)) for p in pieces]
    last = found_all[-1].role
    if last and not any(o.role for o in found_all[:-1]):
        found_all = [replace(o, role=last) for o in found_all]
    return tuple(o for o in found_all if o.mention)


def _owner(piece: str) -> tuple[str, str]:
    """(mention, role) of 甲的R, 甲各自的R or 甲."""
    name, mark, role = piece.partition("的")
    return (re.sub(r"(?:各自|分别)$", "", name), role) if mark and name and role else (re.sub(r"(?:各自|分别)$", "", name or piece), "")


def connection(clause: Clause) -> Frame | None:
    """甲和乙有什么关系, 什么把甲和乙联系起来, 从甲到乙的路径."""
    for pattern in _CONNECT:
        found = pattern.match(clause.text)
        parts = operands(clause, found["both"]) if found else ()
        if found and found.groupdict().get("b"):
            parts = (*parts, *operands(clause, found["b"]))
        if found and len(parts) >= 2:
            polar = bool(found.groupdict().get("polar") or found.groupdict().get("q"))
            return replace(clause.frame("connection", 0.95), operands=parts, polar=polar)
    return None


def relation_between(clause: Clause) -> Frame | None:
    """它们各自的投资方之间是否存在竞争关系, 甲的R和乙的R有没有合作."""
    found = _WITH.match(clause.text)
    if found:
        return _with(clause, found)
    for pattern in (_BETWEEN, _WHETHER, _ARE):
        found = pattern.match(clause.text)
        parts = operands(clause, found["sets"]) if found else ()
        pair = len(parts) >= 2 or (parts and pattern is _BETWEEN)
        if found and pair and (pattern is not _ARE or _is_set(found["sets"])):
            relation = re.sub(rf"(?:的)?{_LINK}$|^的|的$", "", found["rel"])
            relation = re.sub(r"^(?:是否|有没有|存在|有|什么|哪些|任何|着)+", "", relation)
            polar = bool(
                found.groupdict().get("if") or found["q"] == "吗" or re.search("是否|有没有|有无|存不存在|会不会|是不是", clause.text)
            )
            return replace(
                clause.frame("connection", 0.9),
                operands=parts * 2 if len(parts) == 1 else parts,
                relation=clause.named(relation),
                polar=polar,
            )
    return None


def _with(clause: Clause, found: re.Match[str]) -> Frame | None:
    """甲的R是否与乙的R有竞争, 甲是否与乙竞争: without 有 the last dictionary word is the relation."""
    both, relation = found["b"], found["rel"]
    if not found["has"]:
        relation = last_word(both + relation, 2)
        both = f"{found['b']}{found['rel']}"[: -len(relation)]
    parts = (*operands(clause, found["a"]), *operands(clause, both))
    relation = re.sub(_LINK, "", relation)
    return (
        replace(clause.frame("connection", 0.85), operands=parts, relation=clause.named(relation), polar=True) if len(parts) > 1 else None
    )


def _is_set(text: str) -> bool:
    return bool(_THEIR_START.match(text) or _THEM.match(text) or re.search(f"的.*{_AND}.*的", text))


def comparison(clause: Clause) -> Frame | None:
    """甲和乙在ASPECT上的差异, 比较甲和乙, 甲和乙谁更早, 甲和乙有什么共同点, 甲和乙都V的R."""
    if together := shared_by_all(clause):
        return together
    for patterns, shared in ((_SAME, True), (_COMPARE, False)):
        for pattern in patterns:
            found = pattern.match(clause.text)
            parts = operands(clause, found["both"]) if found else ()
            if found and len(parts) >= 2:
                return _compared(clause, found, parts, shared)
    return _which(clause) or _asked_to_compare(clause) or either(clause)


def _compared(clause: Clause, found: re.Match[str], parts: tuple[Operand, ...], shared: bool) -> Frame:
    groups = found.groupdict()
    aspect = clause.named(groups.get("asp"))
    aspect, parts = _lifted(aspect, parts)
    polar = bool(groups.get("polar")) or clause.text.endswith("吗")
    frame = clause.frame("comparison", 0.95 if aspect or shared else 0.9)
    counts = shared and MANY.search(clause.text) is not None
    relation = clause.named(groups.get("how"))
    return replace(frame, operands=parts, aspect=aspect, shared=shared, counts=counts, polar=polar, relation=relation)


def _lifted(aspect: str, parts: tuple[Operand, ...]) -> tuple[str, tuple[Operand, ...]]:
    """A role that all operands share is the aspect of the comparison."""
    roles = {o.role for o in parts}
    if not aspect and len(roles) == 1:
        return roles.pop(), tuple(replace(o, role="") for o in parts)
    return aspect, parts


def _asked_to_compare(clause: Clause) -> Frame | None:
    found = _COMPARE_VERB.match(clause.text)
    asks = found and (re.search("比较|对比|分析", found["verb"]) or re.search("对比$|比较$|vs|VS", clause.text))
    parts = operands(clause, found["both"]) if found and asks else ()
    if not found or len(parts) < 2:
        return None
    aspect, parts = _lifted(clause.named(found["asp"] or found["asp2"]), parts)
    return replace(clause.frame("comparison", 0.9), operands=parts, aspect=aspect)


def _which(clause: Clause) -> Frame | None:
    for pattern in _WHICH:
        found = pattern.match(clause.text)
        if not found:
            continue
        groups = found.groupdict()
        parts = operands(clause, found["both"]) if groups.get("both") else (*operands(clause, found["a"]), *operands(clause, found["b"]))
        if len(parts) >= 2:
            if parts[0].role and not parts[1].role:
                parts = tuple(replace(o, role=parts[0].role) for o in parts)
            aspect, parts = _lifted("", parts)
            measured = clause.named("".join(re.sub(r"^[的,]|的$", "", p or "") for p in (groups["asp"], groups["tail"]))) or aspect
            frame = clause.frame("comparison", 0.9)
            return replace(
                frame, operands=parts, measure=_MEASURE[found["adj"]], measured=measured, aspect=measured, polar=bool(groups.get("polar"))
            )
    return None
