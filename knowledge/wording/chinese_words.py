"""Chinese words without a tokenizer: a frequency dictionary and the most probable way to cut a run of characters into its words."""

import math
from functools import cache

LONGEST = 6
_NEVER = 1e-9
_SINGLE = 1e-7


@cache
def _dictionary() -> dict[str, float]:
    from wordfreq import get_frequency_dict

    return get_frequency_dict("zh", "large")


def is_word(text: str) -> bool:
    """Whether the dictionary has it (334,000 words of running Chinese text)."""
    return not text.isascii() and text in _dictionary()


def log_frequency(word: str) -> float:
    """Natural logarithm of the share of running text; -20.7 for a word never seen."""
    return math.log(_dictionary().get(word, _NEVER))


def segment(text: str) -> list[str]:
    """The most probable words of a run of Chinese characters under a unigram model (Viterbi, linear in the length)."""
    words = _dictionary()
    best: list[tuple[float, int]] = [(0.0, 0)]
    for end in range(1, len(text) + 1):
        options = []
        for start in range(max(0, end - LONGEST), end):
            piece = text[start:end]
            if piece in words or end - start == 1:
                options.append((best[start][0] + math.log(words.get(piece, _SINGLE)), start))
        best.append(max(options))
    cuts: list[str] = []
    at = len(text)
    while at:
        start = best[at][1]
        cuts.append(text[start:at])
        at = start
    return cuts[::-1]


def last_word(text: str, most: int = 4) -> str:
    """The longest dictionary word of at least two characters that ends the text, else its last character."""
    return next((text[-n:] for n in range(min(most, len(text)), 1, -1) if is_word(text[-n:])), text[-1:])
