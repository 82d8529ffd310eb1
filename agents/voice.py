"""The sentences of an answer, in English and Chinese; any other language is answered in English."""

from collections.abc import Sequence

MOST_LISTED = 12
_EN = {
    "and": " and ", "comma": ", ", "more": " and {n} more", "stop": ".", "count": "{n}: {names}", "plain_count": "{n}", "yes": "Yes.",
    "no": "No.", "yes_because": "Yes: {why}", "no_but": "No. Recorded instead: {why}", "no_none": "No: nothing of the kind is recorded.", "of": "{who}: {what}",
    "extreme": "{names}, with {value}", "only": "Only {who}: {what}", "both": "Both: {what}", "nothing_shared": "Nothing is recorded for both.",
    "closest": "Closest recorded: {what}",
    "same": "No difference is recorded.", "tied": "{names} come out equal, with {value}", "first": "{names}, with {value}",
    "unconnected": "No connection is recorded between them.", "none_of": "Nothing recorded for {who}",
    "ambiguous": "“{name}” may mean {names}; say which one is meant.", "ambiguous_of": "If {who} is meant: {what}",
    "unknown": "I know of no “{name}”.", "near": "Did you mean {names}?", "not_found": "Nothing is recorded that answers this.",
    "tried": "Looked for: {what}.", "missing": "Not recorded: {what}.", "stopped": "Stopped early ({reason}); this is what was found by then.",
    "gap_not_so": "what is not so is not recorded, only what is", "gap_no_date": "no such date is recorded",
    "gap_loosened": "nothing meets every condition; this is {change}",
    "gap_words": "no recorded relation accounts for: {words}", "gap_tried": "looked for: {tried}", "gap_untried": "nothing yet",
    "gap_unlooked": "how these are related has not been looked at: {who}", "gap_untied": "nothing recorded ties them to the other side: {who}",
    "gap_unknown": "no entity of this name can be seen", "gap_near": "; did you mean {names}?",
    "gap_ambiguous": "several entities have this name; say which one is meant",
    "failed": "Something went wrong on the way: {what}.", "also": "Also asked: {what}", "instead": "No recorded relation accounts for “{words}”.",
    "opposite": "Only what is recorded can be listed, not what is not so. Recorded, and so the opposite of what is asked of {who}: {what}",
    "write": "Nothing was stored: who answers never writes. Use the `remember` graph or `gavel remember TEXT --name NAME --namespace ID`.",
    "out_of_scope": "This is not a question about the graph. Ask about what it holds: who, what, when, how many, what connects A and B.",
    "greeting": "Hello. Ask me about what the graph holds: tell me about X, who did what, when, how many, what connects A and B.",
    "thanks": "You are welcome. Ask on whenever you like.",
    "about": "I am Gavel. I answer from the facts of a knowledge graph and show the facts behind each answer. Ask me to tell you about X, or who,"
    " what, where, when, how many, which has the most, how A and B differ, what connects them.",
}  # fmt: skip
_ZH = {
    "and": "和", "comma": "、", "more": "等另外 {n} 项", "stop": "。", "count": "{n} 个：{names}", "plain_count": "{n}", "yes": "是。",
    "no": "否。", "yes_because": "是：{why}", "no_but": "否。有记录的是：{why}", "no_none": "否：没有这样的记录。", "of": "{who}：{what}",
    "extreme": "{names}（{value}）", "only": "仅 {who}：{what}", "both": "共同：{what}", "nothing_shared": "没有共同项的记录。",
    "closest": "最接近的记录：{what}",
    "same": "没有差异的记录。", "tied": "{names} 相同（{value}）", "first": "{names}（{value}）",
    "unconnected": "没有二者之间联系的记录。", "none_of": "{who}：没有记录",
    "ambiguous": "“{name}”可能指 {names}，请说明是哪一个。", "ambiguous_of": "若指 {who}：{what}",
    "unknown": "不认识“{name}”。", "near": "是不是指 {names}？", "not_found": "没有能回答这个问题的记录。",
    "tried": "查找过：{what}。", "missing": "缺少记录：{what}。", "stopped": "提前停止（{reason}），以上是到那时为止的结果。",
    "gap_not_so": "只记录成立的事，不记录不成立的事", "gap_no_date": "没有这个日期的记录",
    "gap_loosened": "没有满足全部条件的；以下是 {change}",
    "gap_words": "没有与此对应的关系：{words}", "gap_tried": "查找过：{tried}", "gap_untried": "尚未查找",
    "gap_unlooked": "尚未查找它们之间的关系：{who}", "gap_untied": "没有记录表明它们与另一方有联系：{who}",
    "gap_unknown": "看不到这个名字的实体", "gap_near": "；是不是指 {names}？",
    "gap_ambiguous": "有多个同名实体，请说明是哪一个",
    "failed": "途中出错：{what}。", "also": "另问：{what}", "instead": "没有与“{words}”对应的关系。",
    "opposite": "只能列出有记录的内容，无法列出不成立的内容。{who} 有记录的（与所问相反）：{what}",
    "write": "没有写入任何内容：回答问题的一方从不写入。请使用 `remember` 图或 `gavel remember TEXT --name NAME --namespace ID`。",
    "out_of_scope": "这不是关于图谱的问题。可以问图谱里有什么：谁、什么、何时、多少、两者有什么联系。",
    "greeting": "你好。可以问图谱里的内容：介绍某个事物、谁做了什么、何时、多少、两者有什么联系。",
    "thanks": "不客气，欢迎继续提问。",
    "about": "我是 Gavel，根据知识图谱里的事实回答问题，并给出依据。可以让我介绍某个事物，或者问谁、什么、哪里、何时、多少、谁最多、"
    "两者有何不同、有什么联系。",
}  # fmt: skip


class Voice:
    """Fills the templates of one language."""

    def __init__(self, language: str) -> None:
        self._phrases = _ZH if language == "zh" else _EN

    def say(self, key: str, **values: object) -> str:
        """One phrase with its blanks filled."""
        return self._phrases[key].format(**values)

    def listed(self, names: Sequence[str], *, most: int = MOST_LISTED) -> str:
        """Names as a list in words; what is over `most` is counted."""
        shown, rest = list(names[:most]), len(names) - most
        if rest > 0:
            return self._phrases["comma"].join(shown) + self.say("more", n=rest)
        if len(shown) < 2:
            return "".join(shown)
        return self._phrases["comma"].join(shown[:-1]) + self._phrases["and"] + shown[-1]

    def sentence(self, text: str) -> str:
        """The text, closed with a full stop where it has none."""
        return text if text.endswith((".", "。", "?", "？", "!", "！")) else text + self._phrases["stop"]
