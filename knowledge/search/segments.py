"""Words for an index that splits at spaces: folded words, and runs of Chinese or Japanese characters as overlapping pairs."""

import re
from itertools import pairwise

from knowledge.identity import words

_PAIRED = "[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]+"
_RUN = re.compile(f"({_PAIRED})|[^\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]+")


def segments(text: str) -> list[str]:
    """The terms of a text, in order; a run of one character is a term itself."""
    return [term for word in words(text) for run in _RUN.finditer(word) for term in _terms(run[0], paired=bool(run[1]))]


def _terms(run: str, *, paired: bool) -> list[str]:
    return ["".join(pair) for pair in pairwise(run)] if paired and len(run) > 1 else [run]
