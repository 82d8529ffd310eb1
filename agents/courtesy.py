"""What talk that is no question about the graph is answered with: a greeting, thanks, who Gavel is and what it can be asked."""

import re
from typing import Literal

Courtesy = Literal["greeting", "thanks", "about", "out_of_scope"]
_KINDS: tuple[tuple[Courtesy, re.Pattern[str]], ...] = (
    ("thanks", re.compile(r"\b(?:thanks?|thx|cheers|bye|goodbye|see you)\b|谢|辛苦|再见|拜拜|晚安", re.I)),
    (
        "about",
        re.compile(
            r"\bwh(?:o|at) are you\b|\byour name\b|\bwhat (?:can|should|may|could) (?:i|you)\b|\bwhat do you do\b|\bwork\b|\buse\b|\bhelp\b|"
            r"你是谁|你叫|(?:会|能|可以).*(?:什么|啥|哪些)|功能|怎么(?:使?用)",
            re.I,
        ),
    ),
    ("greeting", re.compile(r"^\W*(?:hi|hello|hey|yo|good (?:morning|afternoon|evening))\b|^\W*(?:你好|您好|大家好|嗨|哈喽|喂|早|上午好|下午好|晚上好|在吗)", re.I)),
)  # fmt: skip


def courtesy(said: str) -> Courtesy:
    """The reply that fits; what is neither a greeting nor thanks nor asks who answers lies out of scope."""
    return next((kind for kind, words in _KINDS if words.search(said)), "out_of_scope")
