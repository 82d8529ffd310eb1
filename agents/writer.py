"""The writer by rules: from what a person said to a proposal in their own words, named and placed by the contracts that it is shown."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from agents.contract import Draft, NamespaceCard, WriterReply, WriterView
from knowledge.cypher.reader import CypherReader
from knowledge.identity import fold

TOPIC_WORDS = 4
TOPIC_CHARACTERS = 40
ASPECT_CHARACTERS = 80
Similarity = Callable[[str, str], float]
_REQUEST = re.compile(
    r"^\W*(?:(?:please|kindly|hey|ok|okay|and|also|now)\b[ ,]*|(?:can|could|would|will) you (?:please )?)*"
    r"(?:remember|memori[sz]e|note|record|store|save|keep in mind|make a note|take a note|write down|don't forget|do not forget|add)\b(?: down)?"
    r"(?: (?:the |this |a |an )?(?!(?:in|into|to|that|of|for)\b)(?P<type>[\w\- ]{3,30}?)(?: (?:that|in|into|to)\b| *[:：])| (?:that|of|for|in|to|into)\b| *[:：]|(?=\W|$))\s*",
    re.I,
)
_CHINESE_REQUEST = re.compile(
    r"^\W*(?:请|帮我|麻烦|你)*(?:记住|记下|记录|记一下|保存|写入|别忘了|不要忘记)(?:(?:这个|这条|一个|一条)?(?P<type>\w{2,8})[:：]|[，,:：\s]*)"
)
_NAMED = re.compile(r"(?P<name>[^:\n]{1,60}: \S[^\n]*? - [^\n]*?\S)(?:\n+|$)")
_NAME = re.compile(r"\b[A-Z][\w.+#/-]*(?: [A-Z][\w.+#/-]*)*")
_POINTS_BACK = re.compile(
    r"(?:this|it|that|these|those|the above|what i (?:just )?said|这一?[个点条]?|它|上面的?|刚才(?:说)?的?)?\W*", re.I
)
_STOP = re.compile(r"[.!?;。！？；\n]")
_SPACE = re.compile(r"\s+")


@dataclass(frozen=True)
class RulesWriter:
    """`similarity`: cosine of the vectors of two texts; without it the first namespace that fits is taken.

    A type is only what the person said; where they said none it is the first that the namespace lists. "Remember that." means the message
    before.
    """

    similarity: Similarity | None = None

    def __call__(self, view: WriterView, reader: CypherReader) -> WriterReply:
        """One draft. Sends no statement."""
        body, asked_type = _without_request(view["said"])
        body, place = _without_place(body, view)
        if body != view["said"].strip() and _POINTS_BACK.fullmatch(body):
            body = view["before"].strip()
        if not body:
            return WriterReply(report="there is nothing to remember in this")
        given, rest = _given_name(body, view["namespaces"])
        type_ = given.partition(":")[0] if given else _type(asked_type, view["namespaces"])
        card = self._card(place, type_, body, view["namespaces"])
        if card is None:
            return WriterReply(report="no namespace takes this; ask for one to be registered")
        chosen = type_ if type_ in card["types"] else card["types"][0]
        name = given or f"{chosen}: {_topic(body)} - {_aspect(body)}"
        draft: Draft = {"name": name, "episode_body": rest or body, "group_id": card["id"], "operations": []}
        return WriterReply(report=f"{name} for {card['id']}", drafts=[draft])

    def _card(self, place: str, type_: str, body: str, cards: Sequence[NamespaceCard]) -> NamespaceCard | None:
        """The one that was asked for; else of those with room that take the type, the one whose purpose is nearest, direct ones first."""
        if place:
            return next((card for card in cards if card["id"] == place), None)
        fitting = [card for card in cards if not type_ or type_ in card["types"]] or list(cards)
        open_ = [card for card in fitting if card["room"]] or fitting
        return max(open_, key=lambda card: (card["direct"], self._near(body, card["purpose"])), default=None)

    def _near(self, one: str, other: str) -> float:
        return self.similarity(one, other) if self.similarity else 0.0


def _without_request(said: str) -> tuple[str, str]:
    """What is to be remembered, and the type that the request names, if any."""
    text = said.strip()
    found = _REQUEST.match(text) or _CHINESE_REQUEST.match(text)
    return (text[found.end() :].strip(" ,:：，"), found.groupdict().get("type") or "") if found else (text, "")


def _without_place(body: str, view: WriterView) -> tuple[str, str]:
    """Without a namespace's id that stands at one of its ends ("in technical_patterns: …")."""
    for card in view["namespaces"]:
        identity = re.escape(card["id"])
        found = re.match(rf"(?:(?:in|into|to|for) )?{identity}\s*[:,：，]\s*", body) or re.search(
            rf"\s*\(?(?:in|into|to) {identity}\)?\W*$", body
        )
        if found:
            return (body[: found.start()] + body[found.end() :]).strip(), card["id"]
    return body, view["namespace"]


def _given_name(body: str, cards: Sequence[NamespaceCard]) -> tuple[str, str]:
    """A first line that is a whole name already, with a type that some namespace takes; and the lines after it."""
    found = _NAMED.match(body)
    types = {type_ for card in cards for type_ in card["types"]}
    if not found or found["name"].partition(":")[0] not in types:
        return "", body
    return found["name"], body[found.end() :].strip()


def _type(asked: str, cards: Sequence[NamespaceCard]) -> str:
    """The type that the request names, whatever its case."""
    wanted = fold(asked)
    return next((type_ for card in cards for type_ in card["types"] if wanted and fold(type_) == wanted), "")


def _topic(body: str) -> str:
    """The first name in it that does not only begin the sentence, else its first words."""
    sentence = _first_sentence(body)
    named = [found for found in _NAME.finditer(sentence) if found.start() or " " in found[0]]
    return short(named[0][0] if named else " ".join(sentence.split()[:TOPIC_WORDS]), TOPIC_CHARACTERS) or "general"


def _aspect(body: str) -> str:
    return short(_first_sentence(body), ASPECT_CHARACTERS) or "general"


def short(text: str, characters: int) -> str:
    """A part of a name: whole words, where there are any, and nothing that a name is parted by."""
    clean = _SPACE.sub(" ", text.replace(":", " ").replace("：", " ").replace(" - ", " ")).strip(" -,，.。")
    return clean if len(clean) <= characters else clean[:characters].rsplit(" ", 1)[0].strip(" -,，")


def _first_sentence(body: str) -> str:
    return next((part for part in _STOP.split(body) if part.strip()), body)
