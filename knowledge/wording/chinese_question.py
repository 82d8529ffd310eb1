"""A Chinese question around one mention: its content words in reading order, how each stands to what is before it, and what is asked."""

import re
from dataclasses import dataclass, replace
from typing import Literal

from knowledge.wording.chinese_grammar import AGENT_NOUN, ASKED, ASPECT, MANY, PASSIVE, SHARE, TOWARDS, WHEN, WHERE, WHO, is_stop
from knowledge.wording.chinese_lexicon import ChineseLexicon
from knowledge.wording.chinese_words import log_frequency, segment

MARK = "\ue000"
MOST_UNITS = 7
MOST_JOINED = 4
ALONE = 0.3
Relation = Literal["agent", "patient", "noun", ""]
_RUN = re.compile(rf"{MARK}|[\u3400-\u9fff]+|[^\W\u3400-\u9fff_]+|[^\w\s]")


@dataclass(frozen=True)
class Token:
    """A word of a question; a stop word says nothing about a relation."""

    text: str
    stop: bool


@dataclass(frozen=True)
class Unit:
    """One content word or compound. `place`: token number, left of the mention negative. `weight`: how informative it is.

    `relation`: what the thing before it is to this verb or noun. `apart`: 的 stands between it and the unit before.
    `asks`: a question word stands by it. `head`: a verb says how it is related, so it only says what kind of thing it is.
    `apposed`: it stands beside the mention and may only say what kind of thing that is.
    """

    text: str
    place: int
    weight: float
    relation: Relation = ""
    apart: bool = False
    apposed: bool = False
    asks: bool = False
    head: bool = False


@dataclass(frozen=True)
class Sides:
    """The tokens before and after the mention, without it."""

    left: tuple[Token, ...]
    right: tuple[Token, ...]
    text: str


@dataclass(frozen=True)
class Asked:
    """`word`: who, where, when or empty. `noun`: the noun that names the answers, empty where none does. `stated`: a question word stands by it."""

    word: str
    noun: str
    stated: bool
    counts: bool
    shares: bool


def around(question: str, start: int, end: int) -> Sides:
    """Tokens on both sides of the mention at [start, end)."""
    left, right = (tuple(_tokens(part)) for part in (question[:start], question[end:]))
    return Sides(left, right, f"{question[:start]}{MARK}{question[end:]}")


def _tokens(text: str) -> list[Token]:
    found: list[Token] = []
    for run in _RUN.findall(text):
        words = segment(run) if "\u3400" <= run[0] <= "\u9fff" else [run]
        found += [Token(w, not w[0].isalnum() or is_stop(w)) for w in words]
    return found


def asked(sides: Sides, lexicon: ChineseLexicon) -> Asked:
    """What the answers are: by question word and its noun, else by the last noun behind 的."""
    word = next((name for name, p in (("who", WHO), ("where", WHERE), ("when", WHEN)) if p.search(sides.text)), "")
    noun = _asked_noun(sides.text)
    last = _last_noun(sides.right)
    return Asked(word, noun or last, bool(noun), MANY.search(sides.text) is not None, SHARE.search(sides.text) is not None)


def _asked_noun(text: str) -> str:
    for found in ASKED.finditer(text):
        rest = re.match(r"[\u3400-\u9fff]+", text[found.end() :])
        words = segment(rest[0]) if rest else []
        if words and not is_stop(words[0]):
            return words[0]
    return ""


def _last_noun(right: tuple[Token, ...]) -> str:
    """甲导演的电影有哪些: the last content word, where 的 stands before it."""
    content = [i for i, t in enumerate(right) if not t.stop]
    if not content:
        return ""
    i = content[-1]
    return right[i].text if i and right[i - 1].text == "的" else ""


def orders(sides: Sides, lexicon: ChineseLexicon, question: Asked) -> list[list[Unit]]:
    """Reading orders, the more natural one first: right then left, or a verb before the mention first. 谁给甲投资: the verb is done to 甲."""
    lexicon.prepare([w for side in (sides.left, sides.right) for w in _candidates(side)])
    left, right = _units(sides.left, lexicon, leftward=True), _units(sides.right, lexicon, leftward=False)
    if sides.left and sides.left[-1].text in TOWARDS:
        right = [replace(u, relation="patient") if u.relation == "agent" else u for u in right]
    left, right = _heads(left, right, question)
    if not left or not right:
        return [left + right]
    verb_first = left[0].relation == "patient"
    head = [left[:1] + right + left[1:]] if verb_first else []
    found = [*head, right + left, left + right]
    return [order for i, order in enumerate(found) if order not in found[:i]]


def _heads(left: list[Unit], right: list[Unit], question: Asked) -> tuple[list[Unit], list[Unit]]:
    """Nouns that a verb governs: 甲收购的公司, 收购甲的公司, 哪些公司收购了甲."""
    before = bool(left) and left[0].relation == "patient"
    verbs = [before, *(_is_verb(u) for u in right)]
    acted = before or (bool(right) and _is_verb(right[0]))
    marked_left = [replace(u, asks=_asks(u, question), head=_asks(u, question) and acted and not _is_verb(u)) for u in left]
    marked_right = [
        replace(u, asks=_asks(u, question), head=(u.apart or _asks(u, question)) and verbs[n] and not _is_verb(u))
        for n, u in enumerate(right)
    ]
    return marked_left, marked_right


def _asks(unit: Unit, question: Asked) -> bool:
    return question.stated and unit.text == question.noun


def _is_verb(unit: Unit) -> bool:
    return unit.relation in ("agent", "patient") and AGENT_NOUN.search(unit.text) is None


def _units(tokens: tuple[Token, ...], lexicon: ChineseLexicon, *, leftward: bool) -> list[Unit]:
    """Content words as units, nearest to the mention first; words that mean more together are joined."""
    pieces = [piece for run in _runs(tokens) for piece in _joined(run, tokens, lexicon)]
    if leftward:
        pieces.reverse()
    return [_unit(piece, tokens, leftward, first=n == 0) for n, piece in enumerate(pieces[:MOST_UNITS])]


def _runs(tokens: tuple[Token, ...]) -> list[list[int]]:
    """Neighbouring content words, as token numbers."""
    runs: list[list[int]] = []
    for i, token in enumerate(tokens):
        if token.stop:
            continue
        if runs and runs[-1][-1] == i - 1:
            runs[-1].append(i)
        else:
            runs.append([i])
    return runs


def _candidates(tokens: tuple[Token, ...]) -> list[str]:
    """Every word and compound that may become a unit."""
    return [
        "".join(tokens[i].text for i in run[a:b])
        for run in _runs(tokens)
        for a in range(len(run))
        for b in range(a + 1, min(len(run), a + 4) + 1)
    ]


def _joined(run: list[int], tokens: tuple[Token, ...], lexicon: ChineseLexicon) -> list[list[int]]:
    """A run of neighbouring words is one unit where the whole says more than each word, or as much while some word says nothing alone."""
    if len(run) == 1:
        return [run]
    text = "".join(tokens[i].text for i in run)
    parts = [lexicon.evidence(tokens[i].text).strongest for i in run]
    whole = lexicon.evidence(text).strongest if len(run) <= MOST_JOINED else 0.0
    if whole >= max(parts) + (0.02 if min(parts) > ALONE else -0.02):
        return [run]
    if len(run) == 2:
        return [[i] for i in run]
    options = ([*_joined(run[:k], tokens, lexicon), *_joined(run[k:], tokens, lexicon)] for k in (1, len(run) - 1))
    return max(
        options, key=lambda pieces: sum(lexicon.evidence("".join(tokens[i].text for i in p)).strongest for p in pieces) / len(pieces)
    )


def _unit(piece: list[int], tokens: tuple[Token, ...], leftward: bool, *, first: bool) -> Unit:
    text = "".join(tokens[i].text for i in piece)
    before = tokens[piece[0] - 1].text if piece[0] else ""
    after = tokens[piece[-1] + 1].text if piece[-1] + 1 < len(tokens) else ""
    near = (piece[-1] == len(tokens) - 1) if leftward else piece[0] == 0
    relation = _left_relation(piece, tokens, text, first) if leftward else _right_relation(piece, tokens, text, before, after)
    apart = after == "的" if leftward else before == "的"
    place = piece[0] - len(tokens) if leftward else piece[0] + 1
    return Unit(text, place, informativeness(text), relation, apart, near)


def _left_relation(piece: list[int], tokens: tuple[Token, ...], text: str, first: bool) -> Relation:
    """谁收购了甲, 投资甲的公司: the verb right before the mention has it as its object."""
    gap = [t.text for t in tokens[piece[-1] + 1 :]]
    return "patient" if first and all(g in ("了", "过", "着", "于") for g in gap) else ""


def _right_relation(piece: list[int], tokens: tuple[Token, ...], text: str, before: str, after: str) -> Relation:
    """甲导演了…, 由甲导演的…: agent. 甲由谁导演, 甲是谁导演的: patient. 甲的投资方: patient of the noun's verb.

    投了钱: the noun stands to the thing as its verb does.
    """
    if before in ("了", "过") and piece[0] > 1 and not tokens[piece[0] - 2].stop:
        return _right_relation(
            [piece[0] - 2], tokens, tokens[piece[0] - 2].text, "".join(t.text for t in tokens[piece[0] - 3 : piece[0] - 2]), before
        )
    lead = "".join(t.text for t in tokens[: piece[0]])
    if re.search(r"(?:由|被|是由|是被|是)(?:谁|哪|什么|何)", lead) and not re.search("的$", lead):
        return "patient"
    if before == "的":
        return "patient" if AGENT_NOUN.search(text) else "noun"
    if not piece[0] or (not any(t.text in PASSIVE or t.text == "是" for t in tokens[: piece[0]]) and tokens[piece[0] - 1].stop is False):
        return "agent" if after[:1] in ASPECT or not after else ""
    return (
        "agent" if re.fullmatch(r"(?:还|也|都|曾经?|已经|一共|总共|共|所|还有|[给向对为](?:谁|哪些?|什么|哪一?[家个位])?)*", lead) else ""
    )


def informativeness(word: str) -> float:
    """0.6 for common words to 1.3 for rare ones."""
    zipf = log_frequency(word) / 2.302585 + 9
    return min(1.3, max(0.6, (8.2 - zipf) / 3.2))
