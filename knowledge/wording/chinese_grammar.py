"""The closed-class words of Chinese questions: particles, question words, classifiers, and the verbs of asking itself."""

import re

from knowledge.wording.frame_text import word_set

_PARTICLES = word_set(
    "的 地 得 了 过 着 是 由 被 把 将 给 和 与 跟 同 及 以及 或 或者 在 于 从 到 对 为 因为 所 之 之一 之间 其 其中 其他 其它 另外 别的 "
    "也 都 还 还有 就 又 再 才 很 更 最 并 并且 而 而且 但 但是 不 没 没有 有 有没有 吗 呢 吧 啊 呀 嘛 么 中 里 上 下 内 外 前 后 时 时候 "
    "曾 曾经 已经 正在 可以 能 会 要 想 应该 可能 一起 共 共同 一共 总共 所有 全部 全 每 各 各自 分别 主要 一些 某 某个 这 那 这些 那些 "
    "这个 那个 它 它们 他 他们 她 她们 我 我们 你 你们 您 自己 那么 以 等 们 们的 起来 出来 以来 至今 叫 叫做 名叫 名字 是否 是不是 会不会 "
    "人们 相关 有关 关于 方面 情况 东西 什么样 一个 一位 一部 一家 请 请问 麻烦 知道 告诉 列出 列举 给出 说出 说明 介绍 找出 找到 查找 "
    "现任 现在 目前 当前 如今 当中 受到 遭到 遭受 查询 帮 帮我 帮忙 看看 查 一下 问 说 都有 还是 只 仅 同样 相同 同一 一样 同 既 且 除了 以外 之外 第 又是 哪 哪些 哪个 哪位 哪家 哪部 "
    "哪里 哪儿 哪年 哪 谁 谁的 什么 啥 多少 几 多 怎么 怎样 如何 何 何时 何处 何地 为什么 哪种 哪类 哪一 哪国 哪几 名单 列表 清单"
)
CLASSIFIERS = word_set("个 部 家 位 名 本 首 座 款 次 篇 种 项 支 只 件 条 场 届 所 套 张 台 艘 类 年 些 一 两 二 三")
_RUNNING = word_set("是 的 了 过 有 没 在 由 被 谁 哪 哪些 哪个 什么 多少 几 都 还 也 就 这 那 一 个 位 部 家 名 次 本 种 些 年 吗 呢")
_RUN = re.compile("(?:" + "|".join(sorted(_RUNNING, key=lambda w: (-len(w), w))) + ")+")
SHARE = re.compile(r"同一|相同|同样|一样|共同")
ASKED = re.compile(r"(?:哪一?|什么|多少|几)(?:些|种|类|几)?[个部家位名本首座款次篇种项支只件条场届所套张台艘]?")
WHO, WHERE, WHEN = (
    re.compile(r"谁|哪一?位|何人|什么人"),
    re.compile(r"哪里|哪儿|何处|何地|什么地方"),
    re.compile(r"什么时候|何时|哪一?年|几年|哪一?天|什么时间|年份"),
)
MANY = re.compile(
    r"(?:多少|几)[个部家位名本首座款次篇种项支只件条场届所套张台艘人](?!月)|(?:数量|数目|个数|总数)(?:是|有|为)?(?:多少)?|(?:共|总共|一共)?有多少(?=[^\d]|$)|多少(?=[\u3400-\u9fff])"
)
AGENT_NOUN = re.compile(r"(?:者|人|方|商|家|师|员|主|手|官)$")
PASSIVE = word_set("由 被 让")
TOWARDS = word_set("给 向 对 为 替")
ASPECT = word_set("了 过 着 的 于 在 有 给")


def is_stop(token: str) -> bool:
    """A closed-class word, or several in a row that the dictionary takes for one."""
    return token in _PARTICLES or token in CLASSIFIERS or _RUN.fullmatch(token) is not None
