"""A question as plain text: cleaned, its language told by closed-class words, its names masked so that grammar sees one letter each."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from knowledge.wording.frame_model import Language

CLAUSE_LIMITS: dict[Language, int] = {"en": 300, "zh": 120, "other": 300}


def word_set(words: str) -> frozenset[str]:
    """The words of a closed class, written as one line of text."""
    return frozenset(words.split())


_TEXT_LIMIT = 4000
COMMON = 2.5
MOST_NAMES = 1000
_FIRST_MASK = 0xE000
MASK = "[\ue000-\uf8ff]"
_DROPPED = {"Cc", "Cf", "Co", "Cs", "Cn"}
_PUNCTUATION = str.maketrans({"’": "'", "‘": "'", "＇": "'", "？": "?", "！": "!", "；": ";", "：": ":", "，": ",", "（": "(", "）": ")"})
_QUOTED = re.compile(
    r'"([^"]{1,80})"|“([^”]{1,80})”|«([^»]{1,80})»|《([^》]{1,80})》|「([^」]{1,80})」|『([^』]{1,80})』|\[([^\[\]]{1,80})\]'
    r"|(?<!\w)'([^']{2,80})'(?!\w)"
)
_HAN = re.compile(r"[\u3400-\u9fff]")
_OTHER_EAST = re.compile(r"[\u3040-\u30ff\uac00-\ud7af]")
_ZH_GRAMMAR = re.compile(r"[的了吗呢谁哪么几是在和与有被由把给对为]")
_WORD = re.compile(r"[^\W_]+(?:['.&-][^\W_]+)*")
EN_FUNCTION = word_set(
    "a an the of in on at by for from to with about between among and or but not no is are was were be been am do does did has have had "
    "can could will would should shall may might must who whom whose what which when where why how many much that this these those it its "
    "he him his she her they them their i me my you your we our us there if whether as than any some all both each every more most less "
    "least few fewer other same also please tell show list give name find compare describe explain analyse analyze summarize summarise "
    "into onto over under within without against during before after since until through across per via up out so then else yes"
)
_JOINERS = word_set("de la von van der den du le del di da al bin ibn el y the")
_STARTERS = EN_FUNCTION | word_set(
    "introduce elaborate present research investigate recommend suggest rank sort set write translate provide return display print fetch "
    "retrieve search query trace map link connect relate verify confirm prove review evaluate assess estimate predict imagine say speak help "
    "insert memorize memorise erase keep make don't everything more information background overview path "
    "contrast count enumerate identify discuss outline remember note save store add delete remove update forget record hello hi hey thanks "
    "thank yes okay ok well so then calculate compute let let's explore look see get which're what's who's where's when's how's is isn't aren't "
    "wasn't weren't don't doesn't didn't hasn't haven't true false given suppose under before after since until during while because"
)


def clean(question: str) -> str:
    """NFC text without control, format and private characters, one space between words, at most 4,000 characters (both ends kept)."""
    text = question if len(question) <= _TEXT_LIMIT else f"{question[: _TEXT_LIMIT // 2]} {question[-_TEXT_LIMIT // 2 :]}"
    text = "".join(
        " " if c.isspace() else c for c in unicodedata.normalize("NFC", text) if c.isspace() or unicodedata.category(c) not in _DROPPED
    )
    return " ".join(text.translate(_PUNCTUATION).split())


def language_of(text: str) -> Language:
    """By closed-class words: Chinese and Latin names may stand in questions of either language."""
    plain = _unquoted(text)
    words = [w for w in _WORD.findall(text) if not w[0].isdigit()]
    function = sum(w.casefold().split("'")[0] in EN_FUNCTION for w in words)
    han, grammar = len(_HAN.findall(text)), len(_ZH_GRAMMAR.findall(plain))
    east = len(_OTHER_EAST.findall(text))
    if east and not function and east >= han / 2:
        return "other"
    if han and (grammar >= max(1, function) or not function):
        return "zh"
    foreign = sum(not _is_latin(w[0]) and not _HAN.match(w) for w in words)
    if foreign > function or (not function and not _mostly_english([w for w in words if w.islower()])):
        return "other"
    return "en"


def _is_latin(letter: str) -> bool:
    return letter.isascii() or unicodedata.name(letter, "").startswith("LATIN")


def _mostly_english(words: list[str]) -> bool:
    """Whether lower-case words without a closed-class one among them could be English keywords: one in three may be unknown."""
    from wordfreq import zipf_frequency

    unknown = [w for w in words if not w.isascii() or zipf_frequency(w, "en") < COMMON]
    few = len(words) <= 2 and all(w.isascii() for w in words)
    return few or len(unknown) <= len(words) / 3


def _unquoted(text: str) -> str:
    return _QUOTED.sub(" ", text)


@dataclass(frozen=True)
class Masked:
    """A text in which each name is one private-use character. `names[i]` is the name, `raws[i]` its text with quotes."""

    text: str
    names: tuple[str, ...]
    raws: tuple[str, ...]

    def named(self, part: str) -> str:
        """A piece of the masked text with the plain names put back, quotes and outer punctuation gone."""
        return self._filled(part, self.names).strip(" \t,;:.?!\"'“”")

    def written(self, part: str) -> str:
        """A piece of the masked text as the question has it."""
        return " ".join(self._filled(part, self.raws).split())

    def _filled(self, part: str, values: tuple[str, ...]) -> str:
        return "".join(values[ord(c) - _FIRST_MASK] if 0 <= ord(c) - _FIRST_MASK < len(values) else c for c in part)


def mask(text: str, language: Language, mentions: Sequence[str] = ()) -> Masked:
    """Hide quoted names, the given mentions (longest first), and runs of capitals (English) or of Latin words (Chinese)."""
    taken = bytearray(len(text))
    spans = _free([(m.start(), m.end(), next(g for g in m.groups() if g is not None)) for m in _QUOTED.finditer(text)], taken)
    spans += _mentioned(text, mentions, taken)
    spans += _free(_latin_runs(text) if language == "zh" else _capital_runs(text), taken)
    pieces: list[str] = []
    names: list[str] = []
    raws: list[str] = []
    at = 0
    for start, end, name in sorted(spans)[:MOST_NAMES]:
        pieces += [text[at:start], chr(_FIRST_MASK + len(names))]
        names.append(name.strip())
        raws.append(text[start:end])
        at = end
    return Masked("".join([*pieces, text[at:]]), tuple(names), tuple(raws))


Span = tuple[int, int, str]


def _free(found: list[Span], taken: bytearray) -> list[Span]:
    """Those that overlap nothing taken; they are taken from then on."""
    free: list[Span] = []
    for start, end, name in found:
        if not any(taken[start:end]):
            taken[start:end] = b"\x01" * (end - start)
            free.append((start, end, name))
    return free


def _mentioned(text: str, mentions: Sequence[str], taken: bytearray) -> list[Span]:
    folded, index = fold_with_index(text)
    found: list[Span] = []
    for mention in sorted({m for m in mentions if m.strip()}, key=len, reverse=True):
        words = re.findall(r"\w+", fold_with_index(mention)[0])
        if not words:
            continue
        edge = r"(?<![^\W_])" if words[0].isascii() else "", r"(?![^\W_])" if words[-1].isascii() else ""
        if not text.isascii():
            edge = edge[0].replace(r"[^\W_]", "[a-z0-9]"), edge[1].replace(r"[^\W_]", "[a-z0-9]")
        for m in re.finditer(edge[0] + r"\W{0,3}".join(map(re.escape, words)) + edge[1], folded):
            span = (index[m.start()], index[m.end() - 1] + 1)
            found += _free([(*span, text[slice(*span)])], taken)
    return found


def fold_with_index(text: str) -> tuple[str, list[int]]:
    """Case and accents folded, with the place in `text` that each character comes from."""
    out: list[str] = []
    index: list[int] = []
    for i, char in enumerate(text):
        for c in unicodedata.normalize("NFKD", char.casefold()):
            if not unicodedata.combining(c):
                out.append(c)
                index.append(i)
    return "".join(out), index


def _latin_runs(text: str) -> list[Span]:
    runs = re.finditer(r"[A-Za-zÀ-ɏ0-9][\w&.'-]*(?: [A-Za-zÀ-ɏ0-9&][\w&.'-]*)*", re.sub(r"[\u3400-\u9fff\u3000-\u303f]", "\u3000", text))
    return [(m.start(), m.end(), m[0]) for m in runs if re.search(r"[^\W\d_]", m[0])]


def _capital_runs(text: str) -> list[Span]:
    tokens = list(_WORD.finditer(text))
    if _title_case([t[0] for t in tokens]):
        return []
    found: list[Span] = []
    i = 0
    while i < len(tokens):
        j = _run_end(text, tokens, i)
        if j > i and not (i == 0 and j == 1 and not text[tokens[0].end() :].startswith("'")):
            end = tokens[j - 1].end()
            name = text[tokens[i].start() : end]
            if name.endswith("'s"):
                end, name = end - 2, name[:-2]
            found.append((tokens[i].start(), end, name))
        i = max(j, i + 1)
    return found


def _run_end(text: str, tokens: list[re.Match[str]], i: int) -> int:
    """The token after the run of capitals that starts at `i`; `i` itself where none does."""
    if not _is_namely(tokens[i][0]) or (tokens[i][0].casefold() in _STARTERS and not _capital_inside(text, tokens, i)):
        return i
    j = i + 1
    while j < len(tokens) and (not tokens[j - 1][0].endswith("'s") or tokens[j][0].istitle()):
        k = j + 1 if tokens[j][0] in _JOINERS and j + 1 < len(tokens) else j
        if text[tokens[j - 1].end() : tokens[k].start()].strip(" " + "".join(_JOINERS)) or not _is_namely(tokens[k][0], inside=True):
            break
        j = k + 1
    return j


def _capital_inside(text: str, tokens: list[re.Match[str]], i: int) -> bool:
    """A closed-class word with a capital in mid-sentence begins a name ("The Widow"), at the start of a sentence it does not."""
    before = text[: tokens[i].start()].rstrip()
    return (
        bool(before)
        and before[-1] not in ".?!:;"
        and tokens[i][0] not in ("I", "A")
        and i + 1 < len(tokens)
        and _is_namely(tokens[i + 1][0])
    )


def _is_namely(word: str, *, inside: bool = False) -> bool:
    if word[0].isdigit():
        return inside
    return any(c.isupper() for c in word) or not (word[0].islower() or word[0].isascii())


def _title_case(words: list[str]) -> bool:
    long = [w for w in words if len(w) >= 4]
    function = [w for w in words if w.casefold() in EN_FUNCTION]
    if words and len(words) >= 3 and all(w.isupper() for w in words):
        return True
    return (
        len(long) >= 4
        and all(w[0].isupper() for w in long)
        and sum(w[0].isupper() for w in function) > len(function) / 2
        and len(function) > 1
    )
