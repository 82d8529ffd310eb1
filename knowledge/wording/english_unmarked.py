"""What may be a name in an English question that does not mark its names: "where is moraine based"."""

import re
from collections.abc import Callable

from knowledge.wording.english import informativeness
from knowledge.wording.frame_text import EN_FUNCTION

NAMED = 0.5
RARE = 1.3
_WORD = re.compile(r"[^\W_]+(?:['.&-][^\W_]+)*")


def unmarked_names(text: str, relational: Callable[[str], float], kindly: Callable[[str], float]) -> list[str]:
    """Runs of words that name no relation and no kind of thing, and the words of a run, by the rarest word.

    A rare word may be a name all the same: osprey.
    """
    runs: list[list[str]] = [[]]
    for word in _WORD.findall(text):
        plain = word.casefold()
        known = max(relational(plain), kindly(plain)) >= NAMED and informativeness(plain) < RARE
        if plain in EN_FUNCTION or known:
            runs.append([])
        else:
            runs[-1].append(word)
    found = [text for run in runs if run for text in (" ".join(run), *(run if len(run) > 1 else ()))]
    return sorted(found, key=lambda run: -max(map(informativeness, run.casefold().split())))
