"""The writer behind a model: it names and places what a person said, and says which facts are in it. The text itself is never the model's."""

import re
from collections.abc import Callable

from pydantic import BaseModel, Field

from agents.contract import Draft, NamespaceCard, WriterReply, WriterView
from agents.llm import lines
from agents.llm.ask import Mind, Thought, ask
from knowledge.clocks import moment
from knowledge.cypher.reader import CypherReader
from knowledge.errors import DataError

MOST_NAMESPACES = 20
MOST_KNOWN = 10
MOST_FACTS = 5
SAID_CHARACTERS = 4_000
PART_CHARACTERS = 80
_PARTS_A_NAME = re.compile(r"[:：\n]| - ")
_RELATION = re.compile(r"[\w\-]{1,60}")
Rules = Callable[[WriterView, CypherReader], WriterReply]


class StatedFact(BaseModel):
    """A fact that the text states."""

    subject: str = Field(min_length=1, max_length=200)
    relation: str = Field(min_length=1, max_length=60)
    object: str = Field(min_length=1, max_length=200)
    valid_from: str = Field(default="", max_length=30)
    valid_to: str = Field(default="", max_length=30)


class MemoryDraft(BaseModel):
    """A memory as the model names and places it."""

    namespace: str = Field(max_length=64)
    type: str = Field(max_length=60)
    topic: str = Field(min_length=1, max_length=PART_CHARACTERS)
    aspect: str = Field(min_length=1, max_length=PART_CHARACTERS)
    facts: list[StatedFact] = Field(default=[], max_length=MOST_FACTS)


def _think(view: WriterView, reader: CypherReader, rules: Rules) -> Thought[WriterReply]:
    """What the rules find nothing in, or put nowhere, needs no model; a name that the person gave whole is kept."""
    ruled = rules(view, reader)
    if not ruled.drafts or ruled.drafts[0]["name"] in view["said"]:
        return ruled
    body = ruled.drafts[0]["episode_body"]
    cards = {card["id"]: card for card in view["namespaces"][:MOST_NAMESPACES]}
    told = yield from ask(
        "writer", body[:SAID_CHARACTERS], MemoryDraft, lambda told: _check(told, view, cards, body),
        namespaces=lines.joined(map(_shown, cards.values()), MOST_NAMESPACES), known=lines.joined(view["known"], MOST_KNOWN),
    )  # fmt: skip
    draft: Draft = {
        "name": f"{told.type}: {told.topic.strip()} - {told.aspect.strip()}", "episode_body": body, "group_id": told.namespace,
        "operations": [{"op": "add_relation", **fact.model_dump()} for fact in told.facts],
    }  # fmt: skip
    return WriterReply(report=f"{draft['name']} for {told.namespace}, {len(told.facts)} facts", drafts=[draft])


def _check(told: MemoryDraft, view: WriterView, cards: dict[str, NamespaceCard], body: str) -> None:
    """ValueError where the contract would refuse it, or where it says what the text does not."""
    if told.namespace not in cards or told.namespace != (view["namespace"] or told.namespace):
        raise ValueError(f"{lines.flat(told.namespace, 60)!r} cannot be used; choose one of {view['namespace'] or ', '.join(cards)}")
    types = cards[told.namespace]["types"]
    if told.type not in types:
        raise ValueError(f"{told.namespace} does not take the type {told.type!r}; choose one of {', '.join(types)}")
    if parted := next((part for part in (told.topic, told.aspect) if _PARTS_A_NAME.search(part) or not part.strip()), None):
        raise ValueError(
            f"{lines.flat(parted, 60)!r} cannot stand in a name; write it without a colon, a dash between spaces or a line break"
        )
    for fact in told.facts:
        _check_fact(fact, body)


def _check_fact(fact: StatedFact, body: str) -> None:
    if missing := next((name for name in (fact.subject, fact.object) if name not in body), None):
        raise ValueError(f"{lines.flat(missing, 60)!r} is not in the text; leave out what the text does not say")
    if not _RELATION.fullmatch(fact.relation):
        raise ValueError(f"{lines.flat(fact.relation, 60)!r} is no relation; write it in snake_case")
    try:
        dates = [moment(date) for date in (fact.valid_from, fact.valid_to) if date]
    except DataError as error:
        raise ValueError(str(error)) from error
    if unsaid := next((date for date in dates if str(date.start.year) not in body), None):
        raise ValueError(f"the text does not say {unsaid}; leave the date empty")


def _shown(card: NamespaceCard) -> str:
    room = "as many as come" if card["room"] < 0 else str(card["room"])
    return f"{card['id']} ({lines.flat(card['purpose'], 100)}; types {', '.join(card['types'])}; room {room})"


MIND: Mind[WriterView, WriterReply] = Mind(_think)
