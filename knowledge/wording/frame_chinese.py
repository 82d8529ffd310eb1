"""Chinese questions about one thing or set: 最, 多少, 是不是, 哪些, 介绍, 总结, 记住."""

import re
from dataclasses import replace

from knowledge.wording.chinese_words import is_word, last_word, segment
from knowledge.wording.frame_chinese_claims import yes_no
from knowledge.wording.frame_chinese_pairs import comparison, connection, operands, relation_between
from knowledge.wording.frame_clause import Clause, Recogniser, first_of
from knowledge.wording.frame_model import Extreme, Frame
from knowledge.wording.frame_text import MASK, word_set
from knowledge.wording.frame_time import asks_when, first_or_last

CLASSIFIER = "[个部家位名本首座款人次篇种项支只件条场届所套张台辆艘幅]"
_POLITE = re.compile(
    r"^(?:请问|请|麻烦你?|帮我看看|帮我查一?下|帮我|帮忙|我(?:希望|想|要)你|你好,|您好,|嗨,|那么,?|我想(?:多|再|更)?(?:知道|了解)(?:一下|更多)?|想问一?下|告诉我(?=.*(?:谁|哪|什么|几|多少|是否))|能不能告诉我|你能告诉我|你知道(?!(?:哪些|什么|多少)?(?:关于|有关))(?=.*(?:谁|哪|什么|几|多少))|查一?下|,|\s)+"
)
_WRITE = re.compile(
    r"^(?:请|帮我|麻烦|你|要|能不能|能否|能|可以|可否)*+(?:[把将].{1,80}?|往.{1,20}?)?(?:记住|记下|记一下|记录|记一记|记得(?!吗)|别忘了|不要忘记|保存|存储|存入|存到|添加|新增|加入|写入|录入|更新|修改|更正|删除|删掉|移除|忘掉|忘记|清除|抹去|清空)"
)
_GREETING = re.compile(
    r"^(?:你好|您好|大家好|嗨|哈喽|喂|早上好|上午好|下午好|晚上好|早安|晚安|谢谢|多谢|感谢|再见|拜拜|你是谁|你叫什么|你(?:都)?(?:会|能)(?:做|干|回答|帮我做|帮我)?(?:些)?(?:什么|啥)|你有(?:什么|哪些)(?:功能|用|本领)|我(?:可以|能|该)问(?:你)?(?:些)?(?:什么|啥|哪些)|怎么(?:使?用)你?|你好吗|在吗|最近怎么样|"
    r"好的?|嗯|哦|行|明白|知道|懂|收到|没事|不用|太好|真棒|厉害|辛苦|哈哈)(?:你|您|大家|了|啊|呀|吧|吗|的|!|,|。|\s|名字|问题|功能|事情?|些)*$"
)
_ARITHMETIC = re.compile(r"^(?:计算|算一?下|请问)?\s*[-\d(][\d\s.()+*/x×÷^%=加减乘除以-]*(?:等于|是|=)?(?:多少|几|\?)?$")
_OUTSIDE = re.compile(
    r"天气|气温|下[雨雪]|^(?:请)?(?:帮|给|替)我(?:订|买|叫|写|画|做|打|发|放|播|开|关|设|翻|唱)|讲个?(?:笑话|故事)|现在几点|今天(?:是)?(?:星期|周|几号|礼拜)|翻译(?:一下|成|这)|写一?[首篇段封]|唱首?歌|设(?:置|个)?.{0,3}(?:闹钟|提醒)"
)
_GLOBAL = re.compile(
    r"^(?:总结|概括|概述|归纳|梳理|综述)(?:一下)?(?:.{0,20}(?:趋势|主题|模式|规律|内容|情况|状况|要点|特点|全局|整体|总体|数据|图谱|知识库)|全部|所有|一切|整个)|(?:^|从)(?:总体|整体|全局)(?:上|来看|来说|而言|看)*.*(?:什么|哪些|如何|怎样|怎么样)|"
    r"(?:总体|整体|主要|全局)的?(?:趋势|主题|模式|内容|规律|特点)|(?:图谱|知识库|数据集|资料库|数据)(?:里|中|内)?(?:主要)?(?:都)?(?:有|讲|包含|包括|涵盖|覆盖|涉及|是?关于)(?:了|的是)?(?:什么|哪些)|(?:什么|哪些).{0,8}(?:趋势|规律|主题)|发展趋势"
)
_ABOUT = re.compile(
    r"^(?:(?:请|帮我|给我|跟我|向我|能)?(?:详细|简单|简要)?(?:地)?(?:介绍|说说|讲讲|谈谈|聊聊|描述|[讲说谈聊]一[讲说谈聊]|了解|科普|概述|总结|说明|解释|探索)(?:一下|下)?|告诉我)(?:关于|有关)?(?P<a>.+?)(?:的(?:所有|全部|基本|相关|详细)*(?:情况|信息|背景|资料|概况|简介|介绍|事情|内容|知识))?$|"
    r"^(?:关于|有关)(?P<b>.+?)(?:,|的)?(?:你知道(?:什么|些什么|多少)|有(?:什么|哪些)(?:信息|资料|内容)|信息|资料|情况)$|"
    r"^(?P<c>[^的]+?)(?:是谁|是什么人|是何许人也|是做什么的|是干什么的|是(?:一?[个家部位种])?什么(?:公司|机构|组织|东西|人物)?|是怎样的\S{0,4})$|^(?:什么是|谁是|何为|啥是)(?P<d>[^的]+)$|^(?P<g>[^的]+?)(?:这[个家部位本]\S{1,3})?怎么样$|^(?P<e>.+?)的?(?:简介|概况|基本情况|背景资料|基本信息)$|"
    r"^你(?:都)?知道(?:哪些|什么|多少)?(?:关于|有关)(?P<f>.+?)(?:的.*)?$"
)
_LABELLED = re.compile(rf"^{MASK}\s*[:–—-]\s*\S{{2,}}$")
_APPOSED = re.compile(rf"(?<={MASK})这一?{CLASSIFIER}[^的]{{0,3}}$")
_COUNT_VALUE = re.compile(r"多少(?:钱|岁|分|票|年|米|公里|人民币|美元)?(?:呢)?$|几(?:年|月|号|点|岁|分)|第几")
_COUNT = re.compile(
    rf"[有共]多少$|(?:有|共|总共|一共)*(?:多少|(?<![哪第])几)(?:{CLASSIFIER}|(?=[\u3400-\u9fff]))|(?:数量|个数|总数|数目|人数)(?:是|有|为)?(?:多少)?|一共有?(?:多少|几)"
)
_COUNT_WORDS = re.compile(rf"(?:一共|总共|共)?有?(?:多少|几){CLASSIFIER}?|的?(?:数量|个数|总数|数目|人数)(?:是|有|为)?(?:多少)?$")
_EXTREME = re.compile(
    r"最(?:为)?(?P<adj>多产|多|少|高|低|大|小|早|晚|长|短|新|旧|老|年轻|近|久|贵|便宜|强|弱|好|差|常见|受欢迎|热门|重要|活跃)的?|(?P<first>第一|首|头一)(?=[部个家位本首座款名次届])[部个家位本首座款名次届]的?|(?P<last>最后一?|末)(?=[部个家位本首座款名次届])[部个家位本首座款名次届]的?"
)
_AMONG = re.compile(rf"^(?P<scope>.*(?:的|哪|{MASK}).*?)(?:之中|其中|当中|中|里),?(?P<measured>[^的中里]{{0,8}})$")
_NUMBER_OF = re.compile("的?(?:总?数量|数目|个数|总数|人数|次数)$")
_AS_NUMBER: dict[Extreme, Extreme] = {"highest": "most", "lowest": "least"}
_OBJECT = re.compile(r"^(?!是|吗|呢)(?P<noun>[^的,]+?)(?:的(?P<head>[^的,]+?))?(?:是.*)?$")
_ASKED_FIRST = re.compile(rf"^(?:哪一?{CLASSIFIER}|谁)")
_MEASURE: dict[str, Extreme] = {
    **dict.fromkeys(["多产", "多", "常见", "受欢迎", "热门", "重要", "活跃"], "most"),
    "少": "least",
    **dict.fromkeys("高大长贵强好", "highest"),
    **dict.fromkeys(["低", "小", "短", "便宜", "弱", "差"], "lowest"),
    **dict.fromkeys("早老旧久", "earliest"),
    **dict.fromkeys(["晚", "新", "年轻", "近"], "latest"),
}
_LIST = re.compile(r"哪些|哪几|有谁|都有|列出|列举|罗列|给出所有|所有的?.*(?:有|是)什么|分别是|都是谁|枚举")
_LIST_VERB = re.compile(r"^(?:列出|列举|罗列|给出|枚举|告诉我|找出|查找|查询)(?:一下)?")
_HAN = re.compile(r"[\u3400-\u9fff]+")
_ASKS = re.compile(r"谁|什么|哪|几|多少|何|如何|怎么|怎样|为什么|呢$|啥")
_PERSONAL = re.compile(r"[你您我]")
_A_NOT_A = re.compile(r"([\u3400-\u9fff])[不没]\1|(?:了|过)?没有?$|能否|是否|可否")
_DENYING = word_set(
    "不 没 没有 未 未曾 从未 从不 从没 并非 而非 并未 尚未 还没 还没有 从没有 从来没有 并没有 没能 并不 都不 不是 不在 不会 不能 不曾 不属于 不由 不被 不与 不和 不归 毫无"
)


def frame_clause(clause: Clause) -> Frame:
    """One Chinese clause, never a compound."""
    if _OUTSIDE.search(clause.text) and not _WRITE.match(clause.text):
        return clause.frame("out_of_scope", 0.6)
    text = _POLITE.sub("", clause.text).strip(" ,;:.?!。")
    clause = replace(clause, text=re.sub(r"[呢啊呀]$", "", text) or clause.text.strip(" ,;:.?!。"))
    found = first_of(clause, _RECOGNISERS) or clause.frame("fact", 0.5)
    return replace(found, negated=_denies(clause.text))


def _denies(text: str) -> bool:
    """A word of denial, by itself and not as a question (是不是, 没有?) or a part of another word (非洲, 未来)."""
    return any(word in _DENYING for run in _HAN.findall(_A_NOT_A.sub(",", text)) for word in segment(run))


def _write(clause: Clause) -> Frame | None:
    return clause.frame("write", 0.9) if _WRITE.match(clause.text) else None


def _outside(clause: Clause) -> Frame | None:
    if _GREETING.match(clause.text):
        return clause.frame("out_of_scope", 0.95)
    if _ARITHMETIC.match(clause.source.written(clause.text)) and re.search(r"\d\s*[-+*/x×÷^加减乘除]", clause.source.written(clause.text)):
        return clause.frame("out_of_scope", 0.95)
    return None


def _personal(clause: Clause) -> Frame | None:
    plain = re.search(MASK, clause.text) is None
    return clause.frame("out_of_scope", 0.5) if plain and _PERSONAL.search(clause.text) else None


def _global(clause: Clause) -> Frame | None:
    if not _GLOBAL.search(clause.text):
        return None
    return clause.frame("global", 0.6 if re.search(MASK, clause.text) else 0.9)


def _labelled(clause: Clause) -> Frame | None:
    """甲:创始人"""
    return clause.frame("fact", 0.8) if _LABELLED.match(clause.text) else None


def _exploration(clause: Clause) -> Frame | None:
    found = _ABOUT.match(clause.text)
    name = next((g for g in found.groups() if g), "") if found else ""
    if not found:
        return _bare_name(clause)
    name = _APPOSED.sub("", name)
    if not name or (_ASKS.search(name) and not re.search(MASK, name)) or _asks_of_name(clause.text, name):
        return None
    parts = operands(clause, name)
    return replace(clause.frame("exploration", 0.9 if not any(o.role for o in parts) else 0.6, name), operands=parts)


def _asks_of_name(text: str, name: str) -> bool:
    """甲背后是谁, 谁是甲创始人: a name with more words beside it is asked about, not told about."""
    who = re.search("是谁$|^谁是|(?<![做干])什么$|^什么是", text) is not None
    return who and re.search(MASK, name) is not None and re.fullmatch(rf"{MASK}(?:这一?{CLASSIFIER}\S{{0,3}})?", name) is None


def _bare_name(clause: Clause) -> Frame | None:
    """Nothing but a name is asked."""
    named = re.fullmatch(MASK, clause.text) is not None
    if not named and (len(clause.text) > 10 or _ASKS.search(clause.text) or re.search("[的了是吗被由有在]", clause.text)):
        return None
    return replace(clause.frame("exploration", 0.7 if named else 0.4), operands=(clause.operand(clause.text),))


def _count(clause: Clause) -> Frame | None:
    if (
        not _COUNT.search(clause.text)
        or re.match("[我你您]", clause.text)
        or (_COUNT_VALUE.search(clause.text) and not re.search("数量|个数|总数|数目|人数|[有共]多少$", clause.text))
    ):
        return None
    return clause.frame("count", 0.95, _COUNT_WORDS.sub("", clause.text, count=1) or None)


def _extreme(clause: Clause) -> Frame | None:
    found = _EXTREME.search(clause.text)
    if not found or re.search("多少|几", clause.text) or (first_or_last(found[0]) and asks_when(clause.text)):
        return None
    measure: Extreme = "earliest" if found["first"] else "latest" if found["last"] else _MEASURE[found["adj"]]
    before, after = _NUMBER_OF.sub("", clause.text[: found.start()]), clause.text[found.end() :]
    if before != clause.text[: found.start()]:
        measure = _AS_NUMBER.get(measure, measure)
    measured, core = _counted_object(found, before, after) or _measured_before(found, before, after)
    return replace(clause.frame("extreme", 0.85, core), measure=measure, measured=clause.named(measured))


def _counted_object(found: re.Match[str], before: str, after: str) -> tuple[str, str] | None:
    """(measured, core) of 拥有最多R的公司 and 哪家公司拥有最多的R: the noun behind 最多 is what is counted."""
    object_ = _OBJECT.match(after) if found["adj"] in ("多", "少") and before else None
    if not object_ or (found[0].endswith("的") and not re.search("哪|谁", before)):
        return None
    return object_["noun"], f"{object_['head'] or ''}{_ASKED_FIRST.sub('', before)}{object_['noun']}"


def _measured_before(found: re.Match[str], before: str, after: str) -> tuple[str, str]:
    """(measured, core) of 甲的R最多 and R最多的甲; a name right before 最 is no measure (甲最早发布的R)."""
    if re.search(rf"{MASK}$", before):
        noun = _head_noun(after)
        return "", f"{before}{'的' if noun and found[0].endswith('的') else ''}{noun}"
    inner = _AMONG.match(before)
    scope, measured = (inner["scope"], inner["measured"]) if inner else ("", before)
    measured = _ASKED_FIRST.sub("", measured)
    if not scope and not re.search(r"哪|谁", measured):
        scope, measured = _split_measure(measured)
    return measured, _core(scope, before, after, measured)


def _split_measure(text: str) -> tuple[str, str]:
    """甲的评分 or 甲评分: (甲, 评分); what is measured is the last dictionary word where neither 的 nor a name says it."""
    if "的" in text:
        scope, _, measured = text.rpartition("的")
        return scope, measured
    if named := re.match(rf"(.*{MASK})(.*)$", text):
        return named[1], named[2]
    measured = last_word(text, 4)
    whole = is_word(text) or len(measured) < 2 or len(text) - len(measured) < 2
    return ("", text) if whole else (text[: -len(measured)], measured)


def _head_noun(after: str) -> str:
    return re.sub(r"^(?:是|的)|的$", "", re.sub(rf"是?(?:哪一?{CLASSIFIER}?|谁|什么)$", "", after))


def _core(scope: str, before: str, after: str, measured: str) -> str:
    noun = _head_noun(after)
    if scope:
        return scope if scope.endswith(noun) or not noun else f"{scope}的{noun}"
    return f"{before}{noun}" if measured else noun or before


def _list(clause: Clause) -> Frame | None:
    return (
        clause.frame("list", 0.85, _LIST_VERB.sub("", clause.text)) if _LIST.search(clause.text) or _LIST_VERB.match(clause.text) else None
    )


def _fact(clause: Clause) -> Frame | None:
    return clause.frame("fact", 0.8) if _ASKS.search(clause.text) else None


_RECOGNISERS: tuple[Recogniser, ...] = (
    _write, _outside, connection, comparison, relation_between, _global, _extreme, _count, yes_no, _labelled, _exploration, _list, _personal, _fact,
)  # fmt: skip
