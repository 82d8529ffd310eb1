"""Where a name may stand in a question without spaces: character and word runs, as the folded text of names has them."""

import re
import unicodedata
from dataclasses import dataclass

from knowledge.identity import fold
from knowledge.wording.frame_text import fold_with_index

LONGEST = 14
MOST = 900
_DENSE = r"\u0e00-\u0e7f\u1100-\u11ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_ATOM = re.compile(rf"[{_DENSE}]|[^\W{_DENSE}_]+")
_IS_DENSE = re.compile(f"[{_DENSE}]")
_QUOTED = re.compile(r'《([^》]{1,80})》|“([^”]{1,80})”|"([^"]{1,80})"|「([^」]{1,80})」|\[([^\]]{1,80})\]')
_ENDS = re.compile(r"[?!。;]")
_NO_EDGE = frozenset("的了吗呢么谁吧")


@dataclass(frozen=True)
class Span:
    """`text` is folded; `start` and `end` are places in the question, quotes included where the name is quoted."""

    text: str
    start: int
    end: int
    quoted: bool = False


@dataclass(frozen=True)
class _Atom:
    text: str
    start: int
    end: int

    @property
    def dense(self) -> bool:
        """Of a script without spaces between words: each character is an atom."""
        return _IS_DENSE.match(self.text) is not None


def spans_of(question: str) -> list[Span]:
    """Quoted names first, then every run of up to 14 characters or words; at most 900. One character alone is no name unless quoted."""
    quoted = [Span(fold(next(g for g in m.groups() if g)), m.start(), m.end(), True) for m in _QUOTED.finditer(question)]
    atoms = _atoms(question)
    found = [s for i in range(len(atoms)) for s in _from(question, atoms, i)]
    return [*quoted, *found][:MOST]


def _atoms(question: str) -> list[_Atom]:
    folded, index = fold_with_index(unicodedata.normalize("NFC", question))
    return [_Atom(m[0], index[m.start()], index[m.end() - 1] + 1) for m in _ATOM.finditer(folded)]


def _from(question: str, atoms: list[_Atom], i: int) -> list[Span]:
    if atoms[i].text in _NO_EDGE:
        return []
    found: list[Span] = []
    text = compact = ""
    for j in range(i, min(len(atoms), i + LONGEST)):
        gap = question[atoms[j - 1].end : atoms[j].start] if j > i else ""
        latin = j > i and not atoms[j].dense and not atoms[j - 1].dense
        if _ENDS.search(gap) or ("," in gap and not latin):
            break
        text += (" " if gap or latin else "") + atoms[j].text
        compact += (" " if latin else "") + atoms[j].text
        if atoms[j].text in _NO_EDGE or (j == i and atoms[j].dense):
            continue
        found += [Span(t, atoms[i].start, atoms[j].end) for t in dict.fromkeys((text, compact))]
    return found
